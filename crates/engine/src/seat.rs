//! Seats of players: built-in agents and external programs behind one trait.

mod builtin;
pub(crate) mod program;

use std::path::Path;
use std::time::{Duration, Instant};

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{PlayerClock, Report, StopFlag};

use crate::external::ExternalProgram;
use crate::{CommandError, Fault, Guard, PlayerSpec, Terms, Usage};

use builtin::Builtin;

/// Returns a seat for the player that a spec names. A program runs in `folder` [default: the current one] and is started
/// when its first game begins.
///
/// # Errors
/// If the command of a program is invalid.
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

/// Lack of descriptors, processes or memory on this machine, with the error of the system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Shortage(pub String);

/// Start of a game, as it is announced to a player.
pub struct GameStart<'a> {
    /// Rules of the game.
    pub game: &'a dyn AnyGame,
    /// Start position, without a history. Moves of an opening are in the history of the positions of requests.
    pub start: &'a dyn AnyPosition,
    /// True if this is the usual start of the game.
    pub is_usual: bool,
    /// Seat of the player, from 0.
    pub player: usize,
    /// Number of the game, from 0.
    pub id: u64,
    /// Seed of the player's random choices.
    pub seed: u64,
    /// Time and resource limits of each player.
    pub terms: &'a Terms,
}

/// Request for a move.
pub struct Ask<'a> {
    /// Position, with all moves since the start of the game in its history.
    pub position: &'a dyn AnyPosition,
    /// Clocks of all players, by seat.
    pub clocks: &'a [PlayerClock],
    /// Seat of the player.
    pub player: usize,
    /// Time at which the player's clock was started.
    pub began: Instant,
    /// Time at which the player's time ends.
    pub deadline: Instant,
    /// Time and resource limits of each player.
    pub terms: &'a Terms,
    /// Flag that ends the wait for a program, as if its time had run out.
    pub stop: Option<&'a StopFlag>,
}

/// Answer to a request for a move.
#[derive(Debug, Default)]
pub struct Answer {
    /// Move as the player wrote it, legal or not; `None` if the player resigns.
    pub mv: Option<String>,
    /// Report of the search, if the player gave one: the chosen move first, then other moves. Except for the chosen move,
    /// moves and continuations are as the player wrote them, legal or not.
    pub report: Option<Report<String>>,
    /// Parts of the reply that are ignored, each with the reason.
    pub ignored: Vec<String>,
}

/// Seat of a player, which plays one game after another.
pub trait Seat: Send {
    /// Starts the player's program if it is not running, before [`begin`](Seat::begin). Errors other than a shortage are
    /// returned by `begin`.
    ///
    /// # Errors
    /// If this machine is short of descriptors, processes or memory.
    fn prepare(&mut self) -> Result<(), Shortage> {
        Ok(())
    }

    /// Begins a new game.
    ///
    /// # Errors
    /// If the player cannot play the game.
    fn begin(&mut self, start: &GameStart<'_>) -> Result<(), Fault>;

    /// Asks for a move.
    ///
    /// # Errors
    /// [`Verdict::Time`](crate::Verdict::Time) as soon as the deadline has passed without an answer; another verdict if the
    /// player has a fault.
    fn choose(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault>;

    /// Waits up to `grace` for an answer after the deadline. Returns false if there is none; then the player is not asked
    /// again in this game.
    fn is_just_late(&mut self, grace: Duration) -> bool {
        let _ = grace;
        true
    }

    /// Returns the fault of a player that did not answer because it exceeded its limit of memory or processes. Call it
    /// after [`is_just_late`](Seat::is_just_late) has returned false.
    fn excess(&mut self) -> Option<Fault> {
        None
    }

    /// Ends the game for this player.
    fn end(&mut self) {}

    /// Returns the CPU usage in the player's latest move.
    fn usage(&self) -> Usage {
        Usage::default()
    }

    /// Returns true if the same seed gives the same answers, unless a clock ends a search.
    fn is_deterministic(&self) -> bool;
}
