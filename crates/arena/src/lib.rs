//! Fair timed matches between agents of this process and programs in any language.
//!
//! A [`Config`] says who plays what on which terms; the [`Schedule`] derived from it numbers the
//! games. Each player sits on a [`Seat`]; the referee keeps the clocks and judges.

mod check;
mod config;
mod contestant;
pub mod engine;
mod guard;
mod os;
mod program;
mod record;
mod schedule;
pub mod seat;
mod terms;
mod verdict;

pub use check::{Point, Status, check};
pub use config::{Config, Format};
pub use contestant::{Contestant, Protocol, Wanted};
pub use guard::{Guard, guard};
pub use record::{MoveNote, Record};
pub use schedule::{Schedule, Slot};
pub use seat::{Answer, Ask, GameStart, Seat, seat_for};
pub use terms::{Overrun, Terms};
pub use verdict::{Fault, Verdict};
