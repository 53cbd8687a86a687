//! Keys of `mcts`.

use std::sync::Arc;

use tussle_core::{Game, ParseError};
use tussle_search::{FinalMove, Mcts, MctsOptions, Priors, Rollout, SelectionPolicy};

use super::shared::{BOOK, EVAL, QueryDefaults, evaluation, tactic_functions, tactics, threads};
use super::{AgentInfo, checked_seat};
use crate::AnyAgent;
use crate::erased::Rules;
use crate::keys::{Key, options, params};
use crate::param::{Args, Param, ParamKind, Setting};

#[derive(Clone, Debug, PartialEq)]
struct Spec {
    options: MctsOptions,
    query: QueryDefaults,
    /// True if transpositions share their children.
    table: bool,
    /// True if the search uses the game's tactics.
    tactics: bool,
    /// Probability of a random child under the epsilon-greedy policy.
    epsilon: f64,
}

impl Default for Spec {
    fn default() -> Self {
        let (options, query) = (MctsOptions::default(), QueryDefaults::default());
        Self { options, query, table: false, tactics: false, epsilon: 0.1 }
    }
}

const KEYS: [Key<Spec>; 28] = [
    Key::int(
        "nodes",
        (1, i64::MAX),
        "",
        |o, n| o.query.nodes = u64::try_from(n).ok(),
        "maximum number of simulations per move",
    ),
    Key::float(
        "c",
        (0.0, 1e6),
        "1.4142135623730951",
        |o, c| o.options.c = c,
        "exploration constant of ucb1 and puct",
    ),
    Key::choice(
        "policy",
        &["ucb1", "epsilon", "puct"],
        "ucb1",
        |o, word| {
            o.options.policy = match word {
                "epsilon" => SelectionPolicy::Epsilon(o.epsilon),
                "puct" => SelectionPolicy::Puct,
                _ => SelectionPolicy::Ucb1,
            };
        },
        "selection policy; ucb1: mean + c sqrt(ln N / n); epsilon: the best mean, or any move with \
         probability epsilon; puct: mean + c prior sqrt(N) / (1 + n)",
    ),
    Key::float(
        "epsilon",
        (0.0, 1.0),
        "0.1",
        |o, epsilon| {
            o.epsilon = epsilon;
            if let SelectionPolicy::Epsilon(probability) = &mut o.options.policy {
                *probability = epsilon;
            }
        },
        "probability of a random move with policy=epsilon",
    ),
    Key::choice(
        "rollout",
        &["random", "greedy", "heavy", "eval"],
        "random",
        |o, word| {
            o.options.rollout = match word {
                "greedy" => Rollout::Greedy,
                "heavy" => Rollout::Heavy,
                "eval" => Rollout::Evaluation,
                _ => Rollout::Random,
            };
        },
        "playout policy; eval: no playout, the evaluation of the leaf instead",
    ),
    Key::elsewhere(Param {
        help: "evaluation for rollout=greedy|eval, prior=eval and lambda; its own parameters may \
               follow",
        ..EVAL
    }),
    Key::float(
        "lambda",
        (0.0, 1.0),
        "1",
        |o, lambda| o.options.lambda = lambda,
        "weight of the playout: the reward is (1 - lambda) x evaluation + lambda x playout",
    ),
    Key::choice(
        "prior",
        &["uniform", "eval", "tactics"],
        "uniform",
        |o, word| {
            o.options.priors = match word {
                "eval" => Priors::Evaluator,
                "tactics" => Priors::Tactics,
                _ => Priors::Uniform,
            };
        },
        "prior probabilities of moves with policy=puct; tactics: by the threats that they make, also \
         with policy=ucb1",
    ),
    Key::float(
        "progressive",
        (0.0, 1e6),
        "0.1",
        |o, weight| o.options.prior_weight = weight,
        "weight w of prior=tactics with policy=ucb1: adds w prior / (1 + n) to the mean",
    ),
    Key::float_or_off(
        "fpu",
        (-1e6, 1e6),
        "off",
        |o, fpu| o.options.fpu = fpu,
        "first-play urgency: mean of a child without visits; off: infinite with ucb1, 0.5 with puct",
    ),
    Key::int_or_off(
        "rave",
        (1, 1_000_000_000),
        "off",
        |o, visits| o.options.rave = visits.and_then(|n| u32::try_from(n).ok()),
        "all moves as first (GRAVE): visits from which a position has statistics of later moves",
    ),
    Key::float(
        "bias",
        (0.0, 1e6),
        "0.001",
        |o, bias| o.options.rave_bias = bias,
        "bias b of rave: share m / (m + n + b m n) for m later moves and n visits",
    ),
    Key::choice(
        "expand",
        &["one", "all"],
        "one",
        |o, word| o.options.expand_all = word == "all",
        "children of a new node to simulate: one of them, or all of them once",
    ),
    Key::int(
        "grow",
        (2, 1_000_000),
        "2",
        |o, visits| o.options.expand_visits = visits as u32,
        "number of visits at which a position gets its children, with expand=one",
    ),
    Key::choice(
        "untried",
        &["random", "listed"],
        "random",
        |o, word| o.options.shuffle_untried = word == "random",
        "order of unvisited moves: random, or as the game lists them",
    ),
    Key::choice(
        "final",
        &["visits", "mean", "total", "secure"],
        "visits",
        |o, word| {
            o.options.final_move = match word {
                "mean" => FinalMove::Mean,
                "total" => FinalMove::Total,
                "secure" => FinalMove::Secure,
                _ => FinalMove::Visits,
            };
        },
        "final move choice: most visits, highest mean, largest total, or highest lower confidence \
         bound",
    ),
    Key::switch(
        "reuse",
        "off",
        |o, on| o.options.keep_tree = on,
        "tree reuse: keep the subtree of the current position between moves",
    ),
    Key::switch("table", "off", |o, on| o.table = on, "transpositions share their children"),
    Key::switch(
        "solver",
        "off",
        |o, on| o.options.solver = on,
        "MCTS-Solver: back up proven wins, draws and losses; stop when the root is proven",
    ),
    tactics(|o, on| o.tactics = on),
    Key::switch(
        "adaptive",
        "off",
        |o, on| o.options.adaptive = on,
        "with a clock that keeps unused time: stop when no other move can get more visits, think \
         longer while the choice is contested",
    ),
    Key::switch(
        "paranoid",
        "off",
        |o, on| o.options.paranoid = on,
        "with more than two players: assume that all opponents play against the root player",
    ),
    threads(|o, n| o.options.threads = n as usize),
    Key::bytes(
        "memory",
        "500MB",
        |o, bytes| o.options.memory = usize::try_from(bytes).unwrap_or(usize::MAX),
        "memory limit of the tree; at least 256KB",
    ),
    Key::float(
        "draw",
        (0.0, 1.0),
        "0.5",
        |o, reward| o.options.draw = reward,
        "reward of a draw, between 0 (loss) and 1 (win)",
    ),
    Key::switch(
        "dedupe",
        "on",
        |o, on| o.options.dedupe = on,
        "search only one of several equivalent moves",
    ),
    Key::elsewhere(Param {
        key: "seed",
        kind: ParamKind::Int(0, i64::MAX),
        default: "",
        help: "seed of the random choices [default: derived from the seed of the command]",
    }),
    Key::elsewhere(BOOK),
];
const PARAMS: [Param; 28] = params(&KEYS);

pub(super) const MCTS: AgentInfo = AgentInfo {
    name: "mcts",
    summary: "Monte Carlo tree search with the best known options of the game: grows a tree by simulations",
    params: &PARAMS,
};

pub(super) const MCTS_TEXTBOOK: AgentInfo = AgentInfo {
    name: "mcts-textbook",
    summary: "Monte Carlo tree search as in textbooks: with the defaults of this list in every game",
    ..MCTS
};

pub(super) fn make<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    args: &Args,
    seed: u64,
) -> Result<Box<dyn AnyAgent>, ParseError> {
    let Spec { options, query, table, tactics, .. } = options(&KEYS, args);
    let seed = match args.get("seed") {
        Some(Setting::Int(own)) => *own as u64,
        _ => seed,
    };
    let (index, eval) = evaluation(rules, args);
    let agent = Mcts::new(MctsOptions { seed, ..options }).with_evaluator(eval);
    if table && rules.search_keys().is_none() {
        return Err(ParseError::new("table=on: this game has no keys of positions; use table=off"));
    }
    let agent = agent.with_keys(rules.search_keys().filter(|_| table));
    let agent = agent.with_tactic_functions(tactic_functions(rules, tactics)?);
    let agent = agent.with_promises_of(rules.capabilities.tactics);
    let agent = agent.with_written_playouts(rules.capabilities.written_playouts);
    checked_seat(rules, agent, query, index)
}

#[cfg(test)]
pub(super) fn defaults_agree(args: &Args) -> bool {
    options(&KEYS, args) == Spec::default()
}
