//! The keys of `alphabeta` and `paranoid`.

use std::sync::Arc;

use tussle_core::{Game, ParseError, ZeroSum};
use tussle_search::{AlphaBeta, AlphaBetaOptions, MoveOrder, Paranoid, WindowMode};

use super::shared::{
    BOOK, ByDepth, EVAL, contract, dedupe, deepen, depth, draw, evaluation, nodes, partial,
    shuffle, terminal, threads,
};
use super::{AgentInfo, checked_seat};
use crate::AnyAgent;
use crate::erased::Rules;
use crate::keys::{Key, options, params};
use crate::param::{Args, Param};

type Spec = ByDepth<AlphaBetaOptions>;

const KEYS: [Key<Spec>; 17] = [
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
        "none: as generated; root: the root's moves by their last values; full: also table move, \
         killers and history everywhere",
    ),
    Key::int_or_off(
        "tt",
        (1, 1 << 16),
        "64",
        |o, megabytes| match megabytes {
            Some(megabytes) => o.options.table_bytes = (megabytes as usize) << 20,
            None => o.table_off = true,
        },
        "MB for the transposition table",
    ),
    Key::choice(
        "window",
        &["full", "aspiration", "pvs"],
        "",
        |o, word| {
            o.options.window = Some(match word {
                "aspiration" => WindowMode::Aspiration,
                "pvs" => WindowMode::Pvs,
                _ => WindowMode::Full,
            });
        },
        "full: plain; aspiration: around the last value; pvs: null windows; unless said, pvs with \
         order=full and plain otherwise",
    ),
    deepen(),
    contract(),
    partial(),
    Key::switch(
        "quiesce",
        "off",
        |o, on| o.options.quiescence = on,
        "follow captures beyond the horizon, where the game tells which moves they are",
    ),
    threads(|o, n| o.options.threads = n as usize),
    Key::float(
        "value",
        (-1e9, 1e9),
        "",
        |o, value| o.query.known_value = Some(value),
        "the root's value, if it is known: finds a move that has it",
    ),
    draw(|o, value| o.options.draw = value),
    terminal(),
    shuffle(|o, on| o.options.shuffle = on),
    dedupe("on"),
    Key::elsewhere(BOOK),
];
const PARAMS: [Param; 17] = params(&KEYS);

pub(super) const ALPHABETA: AgentInfo = AgentInfo {
    name: "alphabeta",
    summary: "minimax that leaves out what cannot matter; exact, and strong where games are small",
    params: &PARAMS,
};

pub(super) const PARANOID: AgentInfo = AgentInfo {
    name: "paranoid",
    summary: "alpha-beta for any number of players; takes all others for one rival",
    params: &PARAMS,
};

/// Makes an agent for two players with opposite interests, among whom paranoia is plain alpha-beta.
pub(super) fn make<G: ZeroSum + 'static>(
    rules: &Arc<Rules<G>>,
    args: &Args,
    seed: u64,
) -> Result<Box<dyn AnyAgent>, ParseError> {
    let Spec { query, table_off, options } = options(&KEYS, args);
    let (index, eval) = evaluation(rules, args);
    let agent = AlphaBeta::new(AlphaBetaOptions { seed, ..options }, eval);
    let agent = agent.with_keys(rules.search_keys().filter(|_| !table_off));
    checked_seat(rules, agent, query, index)
}

/// Makes an agent for any other game.
pub(super) fn make_paranoid<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    args: &Args,
    seed: u64,
) -> Result<Box<dyn AnyAgent>, ParseError> {
    let Spec { query, table_off, options } = options(&KEYS, args);
    let (index, eval) = evaluation(rules, args);
    let agent = Paranoid::new(AlphaBetaOptions { seed, ..options }, eval);
    let agent = agent.with_keys(rules.search_keys().filter(|_| !table_off));
    checked_seat(rules, agent, query, index)
}

#[cfg(test)]
pub(super) fn defaults_agree(args: &Args) -> bool {
    options(&KEYS, args) == Spec::default()
}
