//! The switches of the search and how spec strings set them.

use tussle_core::{Args, Evaluations, Hashed, Kind, Param, ParseError};

use super::policy::Policy;
use crate::AgentInfo;
use crate::settings;

/// With less there would be no room for the moves of some positions.
const LEAST_MEMORY: usize = 256_000;

/// [`Mcts`](super::Mcts) in lists.
pub const MCTS: AgentInfo = AgentInfo {
    name: "mcts",
    summary: "Monte Carlo tree search: plays on at random, and looks where it goes well",
    params: &[
        Param {
            key: "nodes",
            kind: Kind::Int(1, i64::MAX),
            default: "",
            help: "make at most this many simulations a move",
        },
        Param {
            key: "c",
            kind: Kind::Float(0.0, 1e6),
            default: "1.4142135623730951",
            help: "how much a move is favoured for having been tried little",
        },
        Param {
            key: "policy",
            kind: Kind::Choice(&["ucb1", "epsilon", "puct"]),
            default: "ucb1",
            help: "how to choose on the way down: mean + c sqrt(ln N / n); the best mean, or any \
                   move with probability epsilon; mean + c prior sqrt(N) / (1 + n)",
        },
        Param {
            key: "epsilon",
            kind: Kind::Float(0.0, 1.0),
            default: "0.1",
            help: "for policy=epsilon",
        },
        Param {
            key: "rollout",
            kind: Kind::Choice(&["random", "greedy", "heavy", "eval"]),
            default: "random",
            help: "how a simulation goes on outside the tree; eval: it does not, the evaluation \
                   speaks",
        },
        Param {
            key: "eval",
            kind: Kind::Evaluation,
            default: "",
            help: "the evaluation for rollout=greedy|eval, prior=eval and lambda; its own \
                   parameters may follow",
        },
        Param {
            key: "lambda",
            kind: Kind::Float(0.0, 1.0),
            default: "1",
            help: "a leaf is worth (1 - lambda) x its evaluation + lambda x its rollout",
        },
        Param {
            key: "prior",
            kind: Kind::Choice(&["uniform", "eval"]),
            default: "uniform",
            help: "what puct expects of moves it has not tried",
        },
        Param {
            key: "expand",
            kind: Kind::Choice(&["one", "all"]),
            default: "one",
            help: "one: a new child is simulated; all: every new child is, once",
        },
        Param {
            key: "untried",
            kind: Kind::Choice(&["random", "listed"]),
            default: "random",
            help: "order in which moves are first tried: random, or as the game lists them",
        },
        Param {
            key: "final",
            kind: Kind::Choice(&["visits", "mean", "total", "secure"]),
            default: "visits",
            help: "which move is played in the end: most visits, best mean, largest total, best \
                   lower confidence bound",
        },
        Param {
            key: "reuse",
            kind: Kind::Switch,
            default: "off",
            help: "keep the part of the tree that the game has come to",
        },
        Param {
            key: "table",
            kind: Kind::Switch,
            default: "off",
            help: "positions reached in several ways share what lies below them",
        },
        Param {
            key: "solver",
            kind: Kind::Switch,
            default: "off",
            help: "proven wins, draws and losses are passed up; stops when the root is proven",
        },
        Param {
            key: "paranoid",
            kind: Kind::Switch,
            default: "off",
            help: "with more than two players: all others are against the one who searches",
        },
        settings::THREADS,
        Param {
            key: "memory",
            kind: Kind::Bytes,
            default: "500MB",
            help: "the tree never takes more; 256KB at least",
        },
        Param {
            key: "draw",
            kind: Kind::Float(0.0, 1.0),
            default: "0.5",
            help: "the reward for a draw, where a win is 1 and a loss 0",
        },
        settings::DEDUPE,
        Param {
            key: "seed",
            kind: Kind::Int(0, i64::MAX),
            default: "",
            help: "seed of its random games; unless said, who seats the agent gives one",
        },
        settings::BOOK,
    ],
};

/// How a simulation goes on outside the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rollout {
    Random,
    Greedy,
    Heavy,
    Eval,
}

/// Which move is played in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Final {
    Visits,
    Mean,
    Total,
    Secure,
}

#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are switches")]
pub(super) struct Switches {
    pub(super) c: f64,
    pub(super) policy: Policy,
    pub(super) rollout: Rollout,
    pub(super) lambda: f64,
    pub(super) eval_priors: bool,
    pub(super) expand_all: bool,
    pub(super) untried_random: bool,
    pub(super) choice: Final,
    pub(super) reuse: bool,
    pub(super) table: bool,
    pub(super) solver: bool,
    pub(super) paranoid: bool,
    pub(super) threads: usize,
    pub(super) memory: usize,
    pub(super) draw: f64,
    pub(super) dedupe: bool,
    pub(super) nodes: Option<u64>,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            c: std::f64::consts::SQRT_2,
            policy: Policy::Ucb1,
            rollout: Rollout::Random,
            lambda: 1.0,
            eval_priors: false,
            expand_all: false,
            untried_random: true,
            choice: Final::Visits,
            reuse: false,
            table: false,
            solver: false,
            paranoid: false,
            threads: 1,
            memory: 500_000_000,
            draw: 0.5,
            dedupe: true,
            nodes: None,
        }
    }
}

impl Switches {
    /// Whether children have priors.
    pub(super) fn has_priors(&self) -> bool {
        self.policy == Policy::Puct
    }

    /// Whether leaves are evaluated.
    pub(super) fn uses_judge(&self) -> bool {
        self.rollout == Rollout::Eval || self.lambda < 1.0
    }

    /// Whether games are played on from leaves.
    pub(super) fn plays_on(&self) -> bool {
        self.rollout != Rollout::Eval && self.lambda > 0.0
    }

    pub(super) fn from_args<G: Evaluations + Hashed>(
        game: &G,
        args: &Args,
    ) -> Result<Self, ParseError> {
        let switches = Self {
            c: args.float("c"),
            policy: match args.choice("policy") {
                "epsilon" => Policy::Epsilon(args.float("epsilon")),
                "puct" => Policy::Puct,
                _ => Policy::Ucb1,
            },
            rollout: match args.choice("rollout") {
                "greedy" => Rollout::Greedy,
                "heavy" => Rollout::Heavy,
                "eval" => Rollout::Eval,
                _ => Rollout::Random,
            },
            lambda: args.float("lambda"),
            eval_priors: args.choice("prior") == "eval",
            expand_all: args.choice("expand") == "all",
            untried_random: args.choice("untried") == "random",
            choice: match args.choice("final") {
                "mean" => Final::Mean,
                "total" => Final::Total,
                "secure" => Final::Secure,
                _ => Final::Visits,
            },
            reuse: args.switch("reuse"),
            table: args.switch("table"),
            solver: args.switch("solver"),
            paranoid: args.switch("paranoid") && game.players() > 2,
            threads: args.int("threads") as usize,
            memory: args.bytes("memory"),
            draw: args.float("draw"),
            dedupe: args.switch("dedupe"),
            nodes: args.is_set("nodes").then(|| args.int("nodes") as u64),
        };
        if switches.memory < LEAST_MEMORY {
            return Err(ParseError::new("memory: a tree needs 256KB at least"));
        }
        if switches.rollout == Rollout::Heavy && !game.has_heavy_playout() {
            return Err(ParseError::new("rollout=heavy: this game has no playouts of its own"));
        }
        if switches.solver && (game.players() != 2 || game.payoffs().points || game.has_chance()) {
            return Err(ParseError::new(
                "solver=on is for games of two players that are won, drawn or lost, without dice",
            ));
        }
        if switches.table && game.repetition_draws() {
            return Err(ParseError::new(
                "table=on: in this game the worth of a position depends on how it came about",
            ));
        }
        Ok(switches)
    }
}
