//! Fair timed matches between agents of this process and programs in any language.
//!
//! A [`Config`] says who plays what on which terms; the [`Schedule`] derived from it numbers the
//! games. Each player sits on a [`Seat`]; the referee keeps the clocks and judges.

mod config;
mod contestant;
pub mod export;
mod record;
mod schedule;
pub mod seat;
mod statistics;
mod store;
mod summary;
mod terms;
mod verdict;

pub use config::{Config, Format};
pub use contestant::{Contestant, Protocol, Wanted};
pub use record::{MoveNote, Record};
pub use schedule::{Schedule, Slot};
pub use seat::{Answer, Ask, GameStart, Seat};
pub use statistics::{Elo, Estimate, Latency, Pentanomial, Wdl};
pub use store::{Replay, Store, StoreError};
pub use summary::{Again, Meeting, MoveTimes, Row, SeatScore, Summary, Tally, Timing};
pub use terms::{Overrun, Terms};
pub use verdict::{Fault, Verdict};
