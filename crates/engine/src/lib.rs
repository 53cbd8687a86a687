//! Players behind one trait: built-in agents, and external programs over JSON, UGI and GTP.
//!
//! - A [`PlayerSpec`] names a player. [`seat_for`] gives it a [`Seat`], which answers requests for moves with a move or a
//!   [`Fault`]. A [`Player`] is a seat outside a match.
//! - [`check()`] tests whether a program speaks its protocol.
//! - [`ugi::serve`] and [`gtp::serve`] make an agent an engine for other programs.
//!
//! Each protocol has a folder with its grammar, client, server and examiner. [`Protocol`] is an entry of the table of
//! protocols.

mod check;
mod external;
pub mod gtp;
mod guard;
mod json;
mod judging;
mod os;
mod player;
mod program;
mod protocol;
mod seat;
mod serve;
mod spec;
mod terms;
pub mod ugi;
mod usage;
mod verdict;

pub use check::{CheckError, Point, Status, check};
pub use gtp::grammar::GtpGameError;
pub use guard::{Guard, guard, isolates};
pub use judging::{deadline, illegal_move, wait_for_late_answer};
pub use os::{cpu_time, process_cpu_time};
pub use player::{ChosenMove, FreshAgents, Player, Programs};
pub use program::{CommandError, ProgramError, files_are_short, find_program, harmless};
pub use protocol::Protocol;
pub use seat::{Answer, Ask, GameStart, Seat, Shortage, seat_for};
pub use serve::{EngineAgent, MAX_LINE_BYTES, next_line};
pub use spec::{PlayerError, PlayerSpec, check_spec, needs_moves};
pub use terms::{Overrun, Terms, UnknownOverrun};
pub use usage::Usage;
pub use verdict::{Fault, UnknownVerdict, Verdict};
