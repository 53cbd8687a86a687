//! On what terms a game is played.

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

/// Error of a text that names no consequence of running out of time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither loss nor random-move")]
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

    /// Returns a sentence for help.
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
    pub fn move_limits(&self, clock: &PlayerClock, began: Instant) -> Limits {
        let memory = self.memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        Limits { nodes: self.nodes, depth: self.depth, memory, ..clock.limits(began, self.margin) }
    }
}
