//! What a tournament is.

use serde::{Deserialize, Serialize};
use tussle_core::duration_text;

use crate::{Contestant, Shard, Sprt, Terms};

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first contestant meets each of the others.
    Gauntlet,
    /// Each round those meet who have done about as well, and nobody twice.
    Swiss,
    /// Those meet whose order is least certain, until the limit of games is reached.
    Adaptive,
}

impl Format {
    /// By how much the variances of ratings are larger than the games alone say, because results decided
    /// who met. Two who seem to differ are not compared again, by luck or not, so differences
    /// come out somewhat too large, and the usual error does not know it. These factors were
    /// found by simulation (`examples/formats`): with them 95 % intervals hold what they say.
    pub fn inflation(self) -> f64 {
        match self {
            Self::RoundRobin | Self::Gauntlet => 1.0,
            Self::Swiss => 1.2,
            Self::Adaptive => 1.3,
        }
    }
}

/// What a tournament is: all that decides which games are played and how. Whatever may change
/// from one run to the next (how many at once, where programs lie) is not in here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Canonical specs of the games; the pairs of each round take the next one.
    pub games: Vec<String>,
    /// Who takes part.
    pub agents: Vec<Contestant>,
    /// Who meets whom.
    pub format: Format,
    /// How many pairs are played by those who meet.
    pub rounds: u64,
    /// No more games than this in all.
    pub limit: Option<u64>,
    /// The clock, as text.
    pub clock: String,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies for each move.
    pub depth: Option<u32>,
    /// How much sooner a player is told to answer, as text.
    pub margin: String,
    /// Bytes each player may use.
    pub memory: Option<u64>,
    /// `loss` or `random-move`.
    pub overrun: String,
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// Openings from a file, one line each; empty if there is none.
    pub openings: Vec<String>,
    /// Seed of everything random.
    pub seed: u64,
    /// After so many games that a program lost by not working it is withdrawn; 0 for never.
    pub strikes: u64,
    /// The test that ends the match.
    #[serde(default)]
    pub sprt: Option<Sprt>,
    /// The part of the schedule that is played.
    #[serde(default)]
    pub shard: Option<Shard>,
}

impl Config {
    /// The clock where nodes or plies are the limit and no clock was named: whoever does not
    /// answer at all must not keep the others waiting for ever.
    pub const LIMITED_CLOCK: &str = "60s";

    /// One round between these agents on the usual terms.
    pub fn new(games: Vec<String>, agents: Vec<Contestant>) -> Self {
        let terms = Terms::default();
        Self {
            games,
            agents,
            format: Format::default(),
            rounds: 1,
            limit: None,
            clock: terms.clock.to_string(),
            nodes: None,
            depth: None,
            margin: duration_text(terms.margin),
            memory: None,
            overrun: "loss".to_owned(),
            opening_plies: 0,
            openings: Vec::new(),
            seed: 1,
            strikes: 3,
            sprt: None,
            shard: None,
        }
    }
}
