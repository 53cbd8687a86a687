//! Best known agents of the standard games. To change a default, change its line.
//!
//! A line names the textbook agent with the keys that differ from it. A key of a user's spec replaces the one of the
//! line; [`resolve`](super::resolve) leaves out what does not fit the user's keys or the variant of the game.

use std::fmt;

use serde::Serialize;

/// Best known options of one agent in a game, with the match that justifies them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TunedAgent {
    /// Name in spec strings: `mcts`, `alphabeta` or `best`.
    pub name: &'static str,
    /// Variants of the game that have these options; empty if all have.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub variant: &'static str,
    /// Spec that it stands for in this game.
    pub spec: &'static str,
    /// Match that justifies the options; `None` if none was played yet.
    pub evidence: Option<Evidence>,
}

/// Result of a match between tuned options and the best alternative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Spec of the opponent.
    pub opponent: &'static str,
    /// Measured Elo difference.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// Number of games.
    pub games: u32,
    /// Limit per move and openings of the games.
    pub conditions: &'static str,
}

/// Writes the result of the match.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { opponent, elo, error, games, conditions } = self;
        write!(f, "{elo:+} ± {error} Elo against {opponent} in {games} games, {conditions}")
    }
}

impl TunedAgent {
    /// Creates options that no match has justified yet.
    pub const fn new(name: &'static str, spec: &'static str) -> Self {
        Self { name, variant: "", spec, evidence: None }
    }

    /// Restricts the options to some variants of the game, in words.
    #[must_use]
    pub const fn in_variant(self, variant: &'static str) -> Self {
        Self { variant, ..self }
    }

    /// Adds the match that justifies the options.
    #[must_use]
    pub const fn measured(self, evidence: Evidence) -> Self {
        Self { evidence: Some(evidence), ..self }
    }
}

pub(crate) const TICTACTOE: &[TunedAgent] = &[
    TunedAgent::new("mcts", "mcts-textbook:solver=on,tactics=on"),
    TunedAgent::new("alphabeta", "alphabeta-textbook:tactics=on"),
    TunedAgent::new("best", "alphabeta"),
];

pub(crate) const CONNECT4: &[TunedAgent] = &[
    TunedAgent::new("mcts", "mcts-textbook:rollout=heavy,solver=on,reuse=on,tactics=on,c=0.6")
        .measured(Evidence {
            opponent: "mcts-textbook:rollout=heavy,reuse=on,tactics=on,c=0.6",
            elo: -2.0,
            error: 41.0,
            games: 160,
            conditions: "50 ms per move, 4 random opening plies",
        }),
    TunedAgent::new("alphabeta", "alphabeta-textbook:eval=windows,tactics=on,window=mtd,step=2")
        .measured(Evidence {
            opponent: "alphabeta-textbook:eval=windows,tactics=on,window=mtd",
            elo: 44.0,
            error: 56.0,
            games: 80,
            conditions: "50 ms per move, 4 random opening plies",
        }),
    TunedAgent::new("best", "mcts"),
];

pub(crate) const GOBBLET: &[TunedAgent] = &[
    TunedAgent::new(
        "mcts",
        "mcts-textbook:rollout=heavy,solver=on,reuse=on,tactics=on,c=0,rave=50",
    )
    .measured(Evidence {
        opponent: "mcts-textbook:rollout=heavy,solver=on,reuse=on,tactics=on,c=0.7",
        elo: 0.0,
        error: 7.0,
        games: 200,
        conditions: "50 ms per move, 2 random opening plies",
    }),
    TunedAgent::new("alphabeta", "alphabeta-textbook:eval=pairs,tactics=on").measured(Evidence {
        opponent: "alphabeta-textbook:eval=pairs",
        elo: 7.0,
        error: 9.0,
        games: 100,
        conditions: "50 ms per move, 2 random opening plies",
    }),
    TunedAgent::new("best", "alphabeta"),
];

/// Both kinds of Pentago.
pub(crate) const PENTAGO: &[TunedAgent] = &[
    TunedAgent::new(
        "mcts",
        "mcts-textbook:rollout=heavy,solver=on,reuse=on,tactics=on,c=0,rave=50",
    )
    .measured(Evidence {
        opponent: "mcts-textbook:rollout=heavy,solver=on,reuse=on,tactics=on,c=0.7",
        elo: 66.0,
        error: 38.0,
        games: 160,
        conditions: "pentago-twist, 50 ms per move, 2 random opening plies",
    }),
    TunedAgent::new("alphabeta", "alphabeta-textbook:eval=reach,tactics=on").measured(Evidence {
        opponent: "alphabeta-textbook:eval=reach",
        elo: 47.0,
        error: 52.0,
        games: 60,
        conditions: "pentago-twist, 50 ms per move, 2 random opening plies",
    }),
    TunedAgent::new("best", "mcts"),
];

const SMALL_GO_MCTS: TunedAgent =
    TunedAgent::new("mcts", "mcts-textbook:rollout=heavy,reuse=on,c=0.5")
        .in_variant("boards up to 7x7")
        .measured(Evidence {
            opponent: "mcts-textbook:rollout=heavy,reuse=on,c=0,rave=50",
            elo: 46.0,
            error: 28.0,
            games: 200,
            conditions: "5x5, 50 ms per move, 2 random opening plies",
        });
const LARGE_GO_MCTS: TunedAgent =
    TunedAgent::new("mcts", "mcts-textbook:rollout=heavy,reuse=on,c=0,rave=50")
        .in_variant("larger boards")
        .measured(Evidence {
            opponent: "mcts-textbook:rollout=heavy,reuse=on,c=0.25",
            elo: 382.0,
            error: 209.0,
            games: 40,
            conditions: "9x9, 50 ms per move, 2 random opening plies",
        });
const GO_ALPHABETA: TunedAgent = TunedAgent::new("alphabeta", "alphabeta-textbook:eval=area");
const GO_BEST: TunedAgent = TunedAgent::new("best", "mcts");

/// Go on boards of all sizes, for lists.
pub(crate) const GO: &[TunedAgent] = &[SMALL_GO_MCTS, LARGE_GO_MCTS, GO_ALPHABETA, GO_BEST];
/// Go on boards that fit a word of 64 bits.
pub(crate) const SMALL_GO: &[TunedAgent] = &[SMALL_GO_MCTS, GO_ALPHABETA, GO_BEST];
pub(crate) const LARGE_GO: &[TunedAgent] = &[LARGE_GO_MCTS, GO_ALPHABETA, GO_BEST];

pub(crate) const KEEP_ON_MOVING: &[TunedAgent] = &[
    TunedAgent::new("mcts", "mcts-textbook"),
    TunedAgent::new("alphabeta", "alphabeta-textbook"),
    TunedAgent::new("best", "alphabeta"),
];

pub(crate) const BACKGAMMON: &[TunedAgent] =
    &[TunedAgent::new("mcts", "mcts-textbook"), TunedAgent::new("best", "mcts")];

/// Tree files are examples of the textbook searches. Alpha-beta searches them completely.
pub(crate) const TREE: &[TunedAgent] = &[
    TunedAgent::new("mcts", "mcts-textbook"),
    TunedAgent::new("alphabeta", "alphabeta-textbook"),
    TunedAgent::new("best", "alphabeta"),
];

/// Names of agents whose options are tuned, and of the same agents with the defaults of textbooks.
const TEXTBOOK: [(&str, &str); 2] =
    [("mcts", "mcts-textbook"), ("alphabeta", "alphabeta-textbook")];

/// Keys whose tuned value is only good together with the tuned or default value of another key: `(key, other)`.
/// If a spec gives `other` another value, the tuned value of `key` is left out.
pub(super) const TIED: &[(&str, &str)] = &[
    ("c", "policy"),
    ("c", "rollout"),
    ("c", "lambda"),
    ("c", "rave"),
    ("rave", "policy"),
    ("step", "window"),
];

/// Returns the textbook variant of an agent whose options are tuned.
pub(crate) fn textbook(name: &str) -> Option<&'static str> {
    TEXTBOOK.iter().find(|(tuned, _)| *tuned == name).map(|(_, textbook)| *textbook)
}

/// Returns the search of a textbook variant: `mcts` for `mcts-textbook`; any other name unchanged.
pub(crate) fn search_of(name: &str) -> &str {
    TEXTBOOK.iter().find(|(_, textbook)| *textbook == name).map_or(name, |(tuned, _)| tuned)
}
