//! Web server of the board in the browser.
//!
//! The page loads nothing from other servers.
//!
//! The page holds the state of the game it shows: the spec, perhaps a start position, and the moves. The server stores none
//! of it. Therefore every address is a deep link, a page whose connection broke repeats its request, and a search ends when
//! its page is closed.
//!
//! | path | content |
//! |---|---|
//! | `/` and `/assets` | the page: JavaScript modules without a build step, embedded in the binary |
//! | `/api` | JSON requests with one answer each; `/api/openapi.json` describes them |
//! | `/explain` | the step player of a search, which the page shows in a frame |
//! | `/live` | a WebSocket for long tasks: searches, reviews, running tournaments |
//!
//! | module | content |
//! |---|---|
//! | `server`, `options`, `limits` | the server and the settings of its operator |
//! | `connection`, `allowed_hosts` | accepting connections; rejecting requests from other sites |
//! | `extract`, `api_error` | parsing requests; errors as JSON |
//! | `slots` | search slots, for which searches queue |
//! | `assets`, `api`, `explain`, `live` | the handlers of each path |
//! | `openapi` | the OpenAPI document, made from the types of requests and answers |
//! | `position_ref`, `board`, `holds` | positions as requests name them and as pages show them |
//! | `manager` | tournaments and their stores |

mod allowed_hosts;
mod api;
mod api_error;
mod assets;
mod board;
mod connection;
mod explain;
mod extract;
mod holds;
mod limits;
mod live;
mod manager;
mod openapi;
mod options;
mod position_ref;
mod server;
mod slots;

pub use limits::ServerLimits;
pub use options::Options;
pub use server::{ServeError, Server};
