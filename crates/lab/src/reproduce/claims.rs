//! Published claims, as data: one TOML file per reproduction.

use std::sync::LazyLock;

use serde::Deserialize;

use super::exact::Numbers;

/// Files of the claims, in the order of the report.
const FILES: [&str; 12] = [
    include_str!("claims/gobblet.toml"),
    include_str!("claims/keep-on-moving-alphabeta.toml"),
    include_str!("claims/keep-on-moving-heavy.toml"),
    include_str!("claims/keep-on-moving-graphs.toml"),
    include_str!("claims/go-mcts.toml"),
    include_str!("claims/pentago-c.toml"),
    include_str!("claims/pentago-reuse.toml"),
    include_str!("claims/lecture-minimax.toml"),
    include_str!("claims/lecture-alphabeta.toml"),
    include_str!("claims/lecture-mcts.toml"),
    include_str!("claims/ucb1.toml"),
    include_str!("claims/tictactoe-states.toml"),
];

/// All published tables and figures that can be run again, in the order of the report.
pub static REPRODUCTIONS: LazyLock<Vec<Reproduction>> = LazyLock::new(|| {
    // The files are part of the program, and a test reads all of them.
    let read = |file| toml::from_str(file).unwrap_or_else(|error| panic!("{error}"));
    FILES.map(read).into()
});

/// Published table or figure.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reproduction {
    /// Name on the command line.
    pub name: String,
    /// Title of the table.
    pub title: String,
    /// Place of publication, with the number of games or the time.
    pub source: String,
    /// Claim of the publication.
    pub claim: String,
    /// Notes for readers of the result.
    #[serde(default)]
    pub notes: Vec<String>,
    #[serde(default, rename = "match")]
    pub(super) matches: Vec<Match>,
    pub(super) exact: Option<Exact>,
    #[serde(default)]
    pub(super) better: Vec<OrderClaim>,
    /// True for the curves of the keep-on-moving course.
    #[serde(default)]
    pub(super) graphs: bool,
}

/// Published numbers without random influence.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exact {
    /// Computation of our numbers.
    pub(super) numbers: Numbers,
    /// Names and values.
    pub(super) published: Vec<(String, String)>,
}

/// Conditions of games, and the pairs of agents that play under them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Match {
    /// Specs of the game, one per board.
    pub(super) boards: Vec<String>,
    /// Published effort; the verdict is about all of these together.
    pub(super) efforts: Vec<Effort>,
    /// Other efforts, for comparison.
    #[serde(default)]
    pub(super) beyond: Vec<Effort>,
    /// Published time.
    pub(super) timed: Option<TimedGames>,
    #[serde(rename = "pair")]
    pub(super) pairs: Vec<Pair>,
}

/// Two agents and the claims about them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    pub(super) names: [String; 2],
    /// Specs at the published time.
    pub(super) agents: [String; 2],
    pub(super) claims: Vec<Claim>,
}

/// Limits of both agents without a time control.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Effort {
    pub(super) name: String,
    /// Parameters that are added to the specs of the two agents.
    #[serde(default)]
    params: [String; 2],
    /// Number of games on each board, with `--quick` and with `--full`.
    games: [u64; 2],
    /// Approximate time of a game.
    pub(super) ms: u64,
}

impl Effort {
    /// Returns the number of games on each board.
    pub(super) fn games(&self, is_quick: bool) -> u64 {
        self.games[usize::from(!is_quick)]
    }

    /// Returns the specs of a pair of agents with these limits.
    pub(super) fn agents(&self, pair: &Pair) -> [String; 2] {
        [0, 1].map(|i| match (pair.agents[i].as_str(), self.params[i].as_str()) {
            (spec, "") => spec.to_owned(),
            (spec, params) if spec.contains(':') => format!("{spec},{params}"),
            (spec, params) => format!("{spec}:{params}"),
        })
    }
}

/// Published time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimedGames {
    /// Time control.
    pub(super) clock: String,
    /// Number of games on each board with `--quick`.
    quick: Vec<u64>,
    /// Number of games on each board with `--full`.
    pub(super) full: Vec<u64>,
    /// Approximate time of a game on each board.
    pub(super) seconds: Vec<f64>,
}

impl TimedGames {
    /// Returns the number of games on each board.
    pub(super) fn games(&self, is_quick: bool) -> &[u64] {
        if is_quick { &self.quick } else { &self.full }
    }
}

/// Published number of games.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    pub(super) what: String,
    /// Indices of the boards; all if empty.
    #[serde(default)]
    pub(super) boards: Vec<usize>,
    /// Seat of the first agent; both if `None`.
    pub(super) seat: Option<usize>,
    #[serde(default)]
    pub(super) count: Count,
    /// `None` if there is no number.
    pub(super) published: Option<PublishedValue>,
}

/// Counted games.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Count {
    /// Games won by the first agent.
    #[default]
    Wins,
    /// Games won by the second agent.
    Losses,
    Ties,
}

/// Published result.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum PublishedValue {
    /// Hits and number of games.
    Share([u64; 2]),
    /// Claim in words, and the least share that we read it as.
    Words { words: String, at_least: f64 },
}

/// Claim that the first agent wins more often in one match than in another.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderClaim {
    pub(super) what: String,
    /// Indices of the two pairs among those of the reproduction.
    pub(super) pairs: [usize; 2],
    /// Hits and number of games of both.
    pub(super) published: [[u64; 2]; 2],
}
