//! The parameters that classical searches share.

use tussle_core::{Args, Kind, Param};

pub(crate) const DEPTH: Param = Param {
    key: "depth",
    kind: Kind::Int(1, 2048),
    default: "",
    help: "look this many plies ahead; to the end if there is no other limit",
};
pub(crate) const NODES: Param = Param {
    key: "nodes",
    kind: Kind::Int(1, i64::MAX),
    default: "",
    help: "enter at most this many positions a move",
};
pub(crate) const EVAL: Param = Param {
    key: "eval",
    kind: Kind::Evaluation,
    default: "",
    help: "the evaluation at the horizon; its own parameters may follow",
};
pub(crate) const DRAW: Param = Param {
    key: "draw",
    kind: Kind::Float(-1e6, 1e6),
    default: "0",
    help: "what a tie is worth to the player who searches",
};
pub(crate) const TERMINAL: Param = Param {
    key: "terminal",
    kind: Kind::Choice(&["utility", "eval"]),
    default: "utility",
    help: "what a finished game is worth: its result, or what the evaluation says",
};
pub(crate) const DEEPEN: Param = Param {
    key: "deepen",
    kind: Kind::Switch,
    default: "",
    help: "search 1, 2, 3 … plies deep; on by default if time or nodes are limited",
};
pub(crate) const CONTRACT: Param = Param {
    key: "contract",
    kind: Kind::FloatOr(0.0, 1000.0, "off"),
    default: "off",
    help: "start a depth only if this many times the last one's time is left",
};
pub(crate) const PARTIAL: Param = Param {
    key: "partial",
    kind: Kind::Switch,
    default: "on",
    help: "use the finished root moves of a depth that was cut short",
};
pub(crate) const SHUFFLE: Param = Param {
    key: "shuffle",
    kind: Kind::Switch,
    default: "off",
    help: "look at moves in random order",
};
pub(crate) const DEDUPE: Param = Param {
    key: "dedupe",
    kind: Kind::Switch,
    default: "on",
    help: "look at one of several equivalent moves only",
};
pub(crate) const THREADS: Param = Param {
    key: "threads",
    kind: Kind::Int(1, 256),
    default: "1",
    help: "search with so many threads",
};
pub(crate) const BOOK: Param = Param {
    key: "book",
    kind: Kind::File,
    default: "",
    help: "answer from this opening library while the position is in it",
};

/// How far and how long to look, as the parameters say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) deepen: Option<bool>,
    pub(crate) contract: Option<f64>,
    pub(crate) partial: bool,
}

impl Limits {
    /// From the parameters `depth`, `nodes`, `deepen`, `contract` and `partial`.
    pub(crate) fn from_args(args: &Args) -> Self {
        Self {
            depth: args.is_set("depth").then(|| args.int("depth") as u32),
            nodes: args.is_set("nodes").then(|| args.int("nodes") as u64),
            deepen: args.is_set("deepen").then(|| args.switch("deepen")),
            contract: args.float_or("contract"),
            partial: args.switch("partial"),
        }
    }
}
