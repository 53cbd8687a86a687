//! Keys of `minimax`.

use std::sync::Arc;

use tussle_core::{ParseError, ZeroSum};
use tussle_search::{Minimax, MinimaxOptions};

use super::shared::{
    BOOK, ByDepth, EVAL, contract, dedupe, deepen, depth, draw, evaluation, nodes, partial,
    shuffle, terminal,
};
use super::{AgentInfo, checked_seat};
use crate::AnyAgent;
use crate::erased::Rules;
use crate::keys::{Key, options, params};
use crate::param::{Args, Param};

type Spec = ByDepth<MinimaxOptions>;

const KEYS: [Key<Spec>; 11] = [
    depth(),
    nodes(),
    Key::elsewhere(EVAL),
    deepen(),
    contract(),
    partial(),
    draw(|o, value| o.options.draw = value),
    terminal(),
    shuffle(|o, on| o.options.shuffle = on),
    dedupe("off"),
    Key::elsewhere(BOOK),
];
const PARAMS: [Param; 11] = params(&KEYS);

pub(super) const MINIMAX: AgentInfo = AgentInfo {
    name: "minimax",
    summary: "full search without pruning; the opponent plays its best moves",
    params: &PARAMS,
};

pub(super) fn make<G: ZeroSum + 'static>(
    rules: &Arc<Rules<G>>,
    args: &Args,
    seed: u64,
) -> Result<Box<dyn AnyAgent>, ParseError> {
    let Spec { query, options, .. } = options(&KEYS, args);
    let (index, eval) = evaluation(rules, args);
    let agent = Minimax::new(MinimaxOptions { seed, ..options }, eval);
    checked_seat(rules, agent, query, index)
}

#[cfg(test)]
pub(super) fn defaults_agree(args: &Args) -> bool {
    options(&KEYS, args) == Spec::default()
}
