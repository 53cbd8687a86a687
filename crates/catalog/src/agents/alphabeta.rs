//! Keys of `alphabeta` and `paranoid`.

use std::sync::Arc;

use tussle_core::{Game, ParseError, ZeroSum};
use tussle_search::{AlphaBeta, AlphaBetaOptions, Goal, MoveOrder, Paranoid, WindowMode};

use super::shared::{
    BOOK, ByDepth, EVAL, contract, dedupe, deepen, depth, draw, evaluation, nodes, partial,
    shuffle, tactic_functions, tactics, terminal, threads,
};
use super::{AgentInfo, checked_seat};
use crate::AnyAgent;
use crate::erased::Rules;
use crate::keys::{Key, options, params};
use crate::param::{Args, Param};

type Spec = ByDepth<AlphaBetaOptions>;

const KEYS: [Key<Spec>; 22] = [
    depth(),
    nodes(),
    Key::elsewhere(EVAL),
    Key::choice(
        "order",
        &["none", "root", "full"],
        "full",
        |o, word| {
            o.options.order = match word {
                "none" => MoveOrder::AsListed,
                "root" => MoveOrder::Root,
                _ => MoveOrder::Full,
            };
        },
        "move ordering; none: as listed by the game; root: root moves by their last values; full: \
         also table move, killer moves and history in all nodes",
    ),
    Key::int_or_off(
        "tt",
        (1, 1 << 16),
        "64",
        |o, megabytes| match megabytes {
            Some(megabytes) => o.options.table_bytes = (megabytes as usize) << 20,
            None => o.table_off = true,
        },
        "size of the transposition table in MB",
    ),
    Key::choice(
        "window",
        &["full", "aspiration", "pvs", "mtd"],
        "",
        |o, word| {
            o.options.window = Some(match word {
                "aspiration" => WindowMode::Aspiration,
                "pvs" => WindowMode::Pvs,
                "mtd" => WindowMode::Mtd,
                _ => WindowMode::Full,
            });
        },
        "search windows; full: full windows; aspiration: around the last value; pvs: null windows; \
         mtd: null windows until the bounds of the value meet [default: pvs with order=full, else \
         full]",
    ),
    tactics(|o, on| o.tactics = on),
    Key::switch(
        "etc",
        "off",
        |o, on| o.options.child_probes = on,
        "look all moves of a deep node up in the table before one is searched",
    ),
    Key::switch(
        "lmr",
        "off",
        |o, on| o.options.reductions = on,
        "late-move reductions: search late moves one ply less deep, and to the full depth only if \
         they seem better; inexact, but proven outcomes stay true",
    ),
    deepen(),
    Key::int(
        "step",
        (1, 100),
        "1",
        |o, plies| o.options.deepening.step = plies as u32,
        "plies from one depth of iterative deepening to the next",
    ),
    contract(),
    partial(),
    Key::switch(
        "quiesce",
        "off",
        |o, on| o.options.quiescence = on,
        "quiescence search: follow noisy moves such as captures below the horizon, in games that \
         list them",
    ),
    threads(|o, n| o.options.threads = n as usize),
    Key::float(
        "value",
        (-1e9, 1e9),
        "",
        |o, value| o.query.known_value = Some(value),
        "known value of the root: only search for a move with this value",
    ),
    Key::choice(
        "goal",
        &["win", "not-loss"],
        "",
        |o, word| o.query.goal = Some(if word == "win" { Goal::WIN } else { Goal::NOT_LOSS }),
        "only ask whether the player to move can win, or avoid a loss; evaluations never decide the \
         answer [default: look for the best move]",
    ),
    draw(|o, value| o.options.draw = value),
    terminal(),
    shuffle(|o, on| o.options.shuffle = on),
    dedupe("on"),
    Key::elsewhere(BOOK),
];
const PARAMS: [Param; 22] = params(&KEYS);

pub(super) const ALPHABETA: AgentInfo = AgentInfo {
    name: "alphabeta",
    summary: "minimax with pruning, a transposition table and move ordering; the best known options of the \
              game",
    params: &PARAMS,
};

pub(super) const ALPHABETA_TEXTBOOK: AgentInfo = AgentInfo {
    name: "alphabeta-textbook",
    summary: "alpha-beta as in textbooks: with the defaults of this list in every game",
    ..ALPHABETA
};

pub(super) const PARANOID: AgentInfo = AgentInfo {
    name: "paranoid",
    summary: "alpha-beta for any number of players, against a coalition of all opponents",
    params: &PARAMS,
};

/// Makes an agent for two players with opposite interests, for which both agents are plain alpha-beta.
pub(super) fn make<G: ZeroSum + 'static>(
    rules: &Arc<Rules<G>>,
    args: &Args,
    seed: u64,
) -> Result<Box<dyn AnyAgent>, ParseError> {
    let Spec { query, table_off, tactics, options } = options(&KEYS, args);
    let (index, eval) = evaluation(rules, args);
    let agent = AlphaBeta::new(AlphaBetaOptions { seed, ..options }, eval);
    let agent = agent.with_keys(rules.search_keys().filter(|_| !table_off));
    let agent = agent.with_tactic_functions(tactic_functions(rules, tactics)?);
    checked_seat(rules, agent, query, index)
}

/// Makes a paranoid agent for any other game.
pub(super) fn make_paranoid<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    args: &Args,
    seed: u64,
) -> Result<Box<dyn AnyAgent>, ParseError> {
    let Spec { query, table_off, tactics, options } = options(&KEYS, args);
    if tactics {
        return Err(ParseError::new("tactics=on: expected two players with opposite interests"));
    }
    let (index, eval) = evaluation(rules, args);
    let agent = Paranoid::new(AlphaBetaOptions { seed, ..options }, eval);
    let agent = agent.with_keys(rules.search_keys().filter(|_| !table_off));
    checked_seat(rules, agent, query, index)
}

#[cfg(test)]
pub(super) fn defaults_agree(args: &Args) -> bool {
    options(&KEYS, args) == Spec::default()
}
