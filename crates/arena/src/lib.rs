//! Fair timed matches and tournaments: schedules, the referee, the store and its results.
//!
//! - A [`TournamentSpec`] has the games, the agents and the limits. It is made from a [`TournamentPatch`], which comes
//!   from a file, a page or the command line.
//! - A [`Tournament`] is a specification whose names were all looked up. Its [`Schedule`] numbers the games.
//! - [`run`] plays the games: a dealer decides which game is next, a crew of workers plays it, and the [`Store`] accepts
//!   each game once. Each player has a [`Seat`](tussle_engine::Seat). The referee keeps the clocks and gives the verdict.
//! - A [`Summary`] evaluates the records with the statistics of [`tussle_stats`].

mod boards;
#[cfg(feature = "clap")]
mod choice;
mod contestant;
mod crew;
mod dealer;
mod event;
pub mod export;
mod file;
mod lateness;
mod names;
mod openings;
mod openings_file;
mod record;
mod referee;
mod run;
mod schedule;
mod shard;
mod spec;
mod store;
mod summary;
mod text;
mod tournament;
mod withdrawals;

pub use boards::BoardsError;
#[cfg(feature = "clap")]
pub use choice::{export_formats, formats};
pub use contestant::{Contestant, SeatError};
pub use event::Event;
pub use file::{
    TournamentFileError, TournamentTextError, parse_tournament, read_tournament,
    tournament_from_json,
};
pub use names::{MAX_NAME_CHARS, NameError};
pub use openings::{Opening, OpeningError, OpeningLineError, OpeningsError};
pub use openings_file::OpeningsFileError;
pub use record::{Ending, MoveNote, Record};
pub use run::{RunError, SetupError, run};
pub use schedule::{Format, Next, Schedule, Slot, UnknownFormat, UnscheduledGame};
pub use shard::{Shard, ShardError};
pub use spec::{PatchError, TournamentPatch, TournamentSpec};
pub use store::{GameFilter, Offer, Replay, Rescue, Store, StoreError};
pub use summary::{
    Anchor, AnchorError, Meeting, MoveTimes, Order, Rerun, Row, SeatAdvantage, SeatScore, Summary,
    Tally, Timing, UncountedGames,
};
pub use tournament::{SpecError, Tournament};
pub use withdrawals::{Outlook, Withdrawals};
