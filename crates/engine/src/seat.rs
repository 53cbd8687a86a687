//! Where players sit: an agent of this process, or a program in another.

mod builtin;
pub(crate) mod program;

use std::path::Path;
use std::time::{Duration, Instant};

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{PlayerClock, Report, StopFlag};

use crate::external::ExternalProgram;
use crate::{CommandError, Fault, Guard, PlayerSpec, Terms, Usage};

use builtin::Builtin;

/// Returns a seat for the player that a spec names. A program runs in the folder, or in the current one; it is started when
/// its first game begins.
///
/// # Errors
/// If the command line of a program is wrong.
pub fn seat_for(
    spec: &str,
    folder: Option<&Path>,
    guard: &Guard,
    terms: &Terms,
) -> Result<Box<dyn Seat>, CommandError> {
    let (protocol, command) = match PlayerSpec::parse(spec) {
        PlayerSpec::Agent(spec) => return Ok(Box::new(Builtin::new(&spec))),
        PlayerSpec::Program { protocol, command } => (protocol, command),
    };
    let program = ExternalProgram::new(&command, folder, guard, terms.memory, protocol.farewell)?;
    Ok((protocol.client)(program))
}

/// Lack of descriptors, processes or memory on this machine, as the system names it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Shortage(pub String);

/// What a player is told before a game.
pub struct GameStart<'a> {
    /// The rules.
    pub game: &'a dyn AnyGame,
    /// The position from which the record begins, without a history; the moves of an opening
    /// come in the history of the positions that are asked about.
    pub start: &'a dyn AnyPosition,
    /// Whether that is the game's own start.
    pub is_usual: bool,
    /// The player's seat, from 0.
    pub player: usize,
    /// The number of the game, from 0.
    pub id: u64,
    /// For whatever is random.
    pub seed: u64,
    /// What everybody may spend.
    pub terms: &'a Terms,
}

/// What a player is asked: a move for this position.
pub struct Ask<'a> {
    /// The position, with all moves since the start of the game in its history.
    pub position: &'a dyn AnyPosition,
    /// Everybody's clocks, by seat.
    pub clocks: &'a [PlayerClock],
    /// The player's seat.
    pub player: usize,
    /// When its clock began to run.
    pub began: Instant,
    /// When its time runs out.
    pub deadline: Instant,
    /// What everybody may spend.
    pub terms: &'a Terms,
    /// Flag that ends the wait for a program, as if its time had run out.
    pub stop: Option<&'a StopFlag>,
}

/// What a player answers.
#[derive(Debug, Default)]
pub struct Answer {
    /// The move as the player wrote it; the referee looks whether it is legal. `None` gives
    /// the game up.
    pub mv: Option<String>,
    /// Report of its search, if it told one: the chosen move first, then the others it told about. The moves after
    /// the first and the continuations are as the player wrote them, legal or not.
    pub report: Option<Report<String>>,
    /// Parts of the reply that are ignored, each with the reason.
    pub ignored: Vec<String>,
}

/// A place for a player. One thread plays one game after another on it.
pub trait Seat: Send {
    /// Starts the player's program if it does not run, ahead of [`begin`](Seat::begin). Other failures
    /// than a shortage are told there.
    ///
    /// # Errors
    /// If this machine is short of descriptors, processes or memory.
    fn prepare(&mut self) -> Result<(), Shortage> {
        Ok(())
    }

    /// A new game begins.
    ///
    /// # Errors
    /// If the player cannot play it.
    fn begin(&mut self, start: &GameStart<'_>) -> Result<(), Fault>;

    /// Asks for a move.
    ///
    /// # Errors
    /// If there is none: [`Verdict::Time`](crate::Verdict::Time) as soon as the deadline
    /// has passed without an answer, or what else went wrong.
    fn choose(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault>;

    /// After a deadline has passed: waits a little for the answer. False if none came, and then the
    /// player is not asked any more in this game.
    fn is_just_late(&mut self, patience: Duration) -> bool {
        let _ = patience;
        true
    }

    /// After [`is_just_late`](Seat::is_just_late) was false: the limit of memory or processes that the player
    /// exceeded, if that is why no answer came.
    fn excess(&mut self) -> Option<Fault> {
        None
    }

    /// The game is over, for this player at least.
    fn end(&mut self) {}

    /// Returns the processor use of the player's latest move.
    fn usage(&self) -> Usage {
        Usage::default()
    }

    /// Whether the same seed gives the same answers unless the clock interferes.
    fn is_deterministic(&self) -> bool;
}
