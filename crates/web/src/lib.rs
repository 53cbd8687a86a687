//! The board in the browser: one server, one page, no network beyond this machine.
//!
//! The page knows the game it shows (a spec, perhaps a position, the moves); the server keeps nothing of
//! it. So every address is a deep link, a page that lost its socket just asks again, and a search
//! ends with the page that asked for it.
//!
//! | | |
//! |---|---|
//! | `/` and `/assets` | the page: modules without a build step, embedded in the binary |
//! | `/api` | questions with one answer, in JSON; `/api/openapi.json` describes them |
//! | `/explain` | the step player of a search, a page of its own that the page shows in a frame |
//! | `/live` | a WebSocket for what takes time: searches, reviews, running tournaments |
//!
//! | module | for |
//! |---|---|
//! | `server`, `options`, `limits` | the server, and what its operator decides |
//! | `visitor`, `guest`, `asked`, `refusal` | which requests are let in, how they are read, and how they are refused |
//! | `slots` | searches that wait for their turn |
//! | `assets`, `api`, `explain`, `live` | the answers below each path |
//! | `openapi` | the document that describes them, made from their types |
//! | `place`, `board`, `holds` | a position as a page names it and as a page shows it |
//! | `hall` | tournaments and their stores |

mod api;
mod asked;
mod assets;
mod board;
mod explain;
mod guest;
mod hall;
mod holds;
mod limits;
mod live;
mod openapi;
mod options;
mod place;
mod refusal;
mod server;
mod slots;
mod visitor;

pub use limits::ServerLimits;
pub use options::Options;
pub use server::{ServeError, Server};
