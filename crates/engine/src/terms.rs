//! Time and resource limits of a game.

use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tussle_core::{Limits, PlayerClock, TimeControl};

/// Consequence of running out of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overrun {
    /// The player loses.
    #[default]
    Loss,
    /// A random legal move is made for the player, and the game continues.
    RandomMove,
}

/// Error of a text that does not name a consequence of running out of time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected loss or random-move, found `{0}`")]
pub struct UnknownOverrun(pub String);

impl Overrun {
    /// All consequences, the default one first.
    pub const ALL: &[Self] = &[Self::Loss, Self::RandomMove];

    /// Returns the name in tournament files, on the command line and in stores.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::RandomMove => "random-move",
        }
    }

    /// Returns the line of the help text.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Loss => "The player loses",
            Self::RandomMove => "A random legal move is made for the player",
        }
    }
}

impl FromStr for Overrun {
    type Err = UnknownOverrun;

    fn from_str(name: &str) -> Result<Self, UnknownOverrun> {
        let overrun = Self::ALL.iter().find(|overrun| overrun.name() == name);
        overrun.copied().ok_or_else(|| UnknownOverrun(name.to_owned()))
    }
}

/// Time and resource limits of each player of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Time control.
    pub clock: TimeControl,
    /// Maximum number of nodes per move.
    pub nodes: Option<u64>,
    /// Maximum depth per move, in plies.
    pub depth: Option<u32>,
    /// Safety margin, subtracted from the time a player is told it has.
    pub margin: Duration,
    /// Memory limit in bytes: of tables and trees for a built-in agent, of all processes together for a program.
    pub memory: Option<u64>,
    /// Consequence of running out of time.
    pub overrun: Overrun,
}

impl Default for Terms {
    /// Returns 2 s per move with a safety margin of 10 ms, and no other limit.
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
    /// Time control of games with a limit of nodes or depth and no given time control. It only ends the wait for a player
    /// that does not answer.
    pub const LIMITED_CLOCK: TimeControl = TimeControl::PerMove(Duration::from_mins(1));

    /// Returns the limits of a built-in agent's search for a move whose clock was started at `began`.
    pub fn move_limits(&self, clock: &PlayerClock, began: Instant) -> Limits {
        let memory = self.memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        Limits { nodes: self.nodes, depth: self.depth, memory, ..clock.limits(began, self.margin) }
    }
}
