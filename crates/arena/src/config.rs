//! What a tournament is.

use serde::{Deserialize, Serialize};
use tussle_core::duration_text;
use tussle_engine::Terms;
use tussle_stats::Sprt;

use crate::{Contestant, Shard};

/// The games for each agent of an adaptive tournament.
const USUAL_GAMES: u64 = 30;

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

/// How long a tournament is to be; what is not said is as long as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Length {
    /// Rounds, where the format has them.
    pub rounds: Option<u64>,
    /// Games in all, where it has not.
    pub games: Option<u64>,
}

/// Error of a length that the format of a tournament does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LengthError {
    /// Rounds were given for an adaptive tournament.
    #[error("an adaptive tournament has no rounds; say how many games")]
    RoundsOfAdaptive,
    /// A number of games was given for a tournament of rounds.
    #[error(
        "only an adaptive tournament is told how many games; say how many rounds \
         (pairs of games for those who meet)"
    )]
    GamesOfRounds,
}

impl Length {
    /// Puts it into a configuration whose format is decided.
    ///
    /// # Errors
    /// If the format has no such length.
    pub fn put_into(self, config: &mut Config) -> Result<(), LengthError> {
        let agents = config.agents.len() as u64;
        let usual = match config.format {
            Format::Adaptive => {
                if self.rounds.is_some() {
                    return Err(LengthError::RoundsOfAdaptive);
                }
                config.limit = Some(self.games.unwrap_or(USUAL_GAMES * agents));
                return Ok(());
            }
            Format::RoundRobin | Format::Gauntlet => 1,
            // As many as it takes to leave one who has won them all.
            Format::Swiss => agents.next_power_of_two().ilog2().max(1).into(),
        };
        if self.games.is_some() {
            return Err(LengthError::GamesOfRounds);
        }
        config.rounds = self.rounds.unwrap_or(usual);
        Ok(())
    }
}

impl Format {
    /// Whether results decide who meets.
    pub fn is_drawn(self) -> bool {
        matches!(self, Self::Swiss | Self::Adaptive)
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
    #[serde(default, with = "sprt_text")]
    pub sprt: Option<Sprt>,
    /// The part of the schedule that is played.
    #[serde(default)]
    pub shard: Option<Shard>,
    /// Number of players of its games [default: 2]; [`Tournament::new`](crate::Tournament::new) sets it.
    #[serde(default = "two", skip_serializing_if = "is_two")]
    pub players: usize,
}

fn two() -> usize {
    2
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_two(players: &usize) -> bool {
    *players == 2
}

impl Config {
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
            players: 2,
        }
    }
}

/// A test in a configuration is the text by which it was asked for.
mod sprt_text {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use tussle_stats::Sprt;

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(sprt: &Option<Sprt>, to: S) -> Result<S::Ok, S::Error> {
        match sprt {
            Some(sprt) => to.collect_str(sprt),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Sprt>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}
