//! Fair timed matches and tournaments: schedules, the referee, the store and its results.
//!
//! A [`Config`] says who plays what on which terms; a [`Tournament`] is one whose names were all
//! looked up, and its [`Schedule`] numbers the games. [`run`] plays them: a dealer decides what is played next, a crew of
//! workers plays it, and the [`Store`] accepts each game once. Each player sits on a [`Seat`](tussle_engine::Seat); the
//! referee keeps the clocks and judges. A [`Summary`] adds the records up; its numbers are those of
//! [`tussle_stats`].

mod boards;
mod config;
mod contestant;
mod crew;
mod dealer;
mod event;
pub mod export;
mod file;
mod lateness;
mod names;
mod openings;
mod record;
mod referee;
mod run;
mod schedule;
mod shard;
mod store;
mod summary;
mod tournament;
mod withdrawals;

pub use boards::{BoardsError, expand_boards};
pub use config::{Config, Format, Length, LengthError};
pub use contestant::{Contestant, SeatError};
pub use event::Event;
pub use file::{
    AgentEntryError, Asked, OpeningsFileError, TournamentFileError, TournamentTextError,
    parse_tournament, read_openings, read_tournament, tournament_from_json, with_distinct_names,
};
pub use names::{MAX_NAME_CHARS, NameError};
pub use openings::{Opening, OpeningError, OpeningLineError, OpeningsError};
pub use record::{Ending, MoveNote, Record};
pub use run::{RunError, SetupError, run};
pub use schedule::{Next, Schedule, Slot, UnscheduledGame};
pub use shard::{Shard, ShardError};
pub use store::{Offer, Picked, Replay, Rescue, Store, StoreError};
pub use summary::{
    Again, Anchor, AnchorError, Meeting, MoveTimes, Order, Row, SeatAdvantage, SeatScore, Summary,
    Tally, Timing, Uncounted,
};
pub use tournament::{ConfigError, Tournament};
pub use withdrawals::{Outlook, Withdrawals};
