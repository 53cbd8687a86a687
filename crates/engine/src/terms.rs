//! On what terms a game is played.

use std::time::{Duration, Instant};

use tussle_core::{Limits, PlayerClock, TimeControl};

/// What happens to a player whose time runs out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overrun {
    /// It has lost.
    #[default]
    Loss,
    /// A random legal move is made for it, and the game goes on.
    RandomMove,
}

/// What every player of a game may spend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The time.
    pub clock: TimeControl,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies for each move.
    pub depth: Option<u32>,
    /// How much sooner than its clock demands a player is told to answer.
    pub margin: Duration,
    /// Bytes: of tables and trees for an agent of this process, of all its processes together
    /// for a program.
    pub memory: Option<u64>,
    /// What running out of time means.
    pub overrun: Overrun,
}

impl Default for Terms {
    /// Two seconds a move, ten milliseconds of them kept back, and no other limit.
    fn default() -> Self {
        Self {
            clock: TimeControl::PerMove(Duration::from_secs(2)),
            nodes: None,
            depth: None,
            margin: Duration::from_millis(10),
            memory: None,
            overrun: Overrun::Loss,
        }
    }
}

impl Terms {
    /// Time control of games in which nodes or depth are limited and no clock was given. It ends the wait for a player that
    /// does not answer.
    pub const LIMITED_CLOCK: TimeControl = TimeControl::PerMove(Duration::from_mins(1));

    /// What an agent of this process may spend on a move, its clock having begun to run at `began`.
    pub fn budget(&self, clock: &PlayerClock, began: Instant) -> Limits {
        let memory = self.memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        Limits { nodes: self.nodes, depth: self.depth, memory, ..clock.limits(began, self.margin) }
    }
}
