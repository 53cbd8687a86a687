//! Fair timed matches between agents of this process and programs in any language.
//!
//! A [`Config`] says who plays what on which terms; a [`Tournament`] is one whose names were all
//! looked up, and its [`Schedule`] numbers the games. Each player sits on a [`Seat`]; the
//! referee keeps the clocks and judges. A [`Summary`] adds the records up; its numbers are those of
//! [`tussle_stats`].

mod boards;
mod check;
mod config;
mod contestant;
pub mod engine;
pub mod export;
mod file;
mod guard;
mod lateness;
mod names;
mod openings;
mod os;
mod player;
mod program;
mod record;
mod referee;
mod run;
mod schedule;
pub mod seat;
mod shard;
mod store;
mod summary;
mod terms;
mod tournament;
mod verdict;
mod withdrawals;

pub use boards::{BoardsError, expand_boards};
pub use check::{CheckError, Point, Status, check};
pub use config::{Config, Format, Length, LengthError};
pub use contestant::{Contestant, Protocol, Wanted};
pub use file::{
    AgentEntryError, Asked, OpeningsFileError, TournamentFileError, TournamentTextError,
    parse_tournament, read_openings, read_tournament, tournament_from_json, with_distinct_names,
};
pub use guard::{Guard, guard, isolates};
pub use lateness::Usage;
pub use names::{MAX_NAME_CHARS, NameError};
pub use openings::{Opening, OpeningError, OpeningLineError, OpeningsError};
pub use os::{cpu_time, process_cpu_time};
pub use player::{ChosenMove, FreshAgents, Player, Programs, is_program, needs_moves};
pub use program::{CommandError, ProgramError, find_program};
pub use record::{Ending, MoveNote, Record};
pub use run::{Event, RunError, SetupError, run};
pub use schedule::{Next, Schedule, Slot, UnscheduledGame};
pub use seat::{Answer, Ask, GameStart, GtpGameError, Seat, SeatError, Shortage, seat_for};
pub use shard::{Shard, ShardError};
pub use store::{Picked, Replay, Rescue, Store, StoreError};
pub use summary::{
    Again, Anchor, AnchorError, Meeting, MoveTimes, Order, Row, SeatAdvantage, SeatScore, Summary,
    Tally, Timing, Uncounted,
};
pub use terms::{Overrun, Terms};
pub use tournament::{ConfigError, ContestantError, Tournament};
pub use verdict::{Fault, UnknownVerdict, Verdict};
pub use withdrawals::{Outlook, Withdrawals};

/// A count with its noun, which has an s unless the count is 1.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
