//! Keys of `maxn`.

use std::sync::Arc;

use tussle_core::Game;
use tussle_search::{Maxn, MaxnOptions};

use super::shared::{
    ByDepth, EVAL, contract, dedupe, deepen, depth, evaluation, nodes, partial, terminal,
};
use super::{AgentInfo, seat};
use crate::AnyAgent;
use crate::erased::Rules;
use crate::keys::{Key, options, params};
use crate::param::{Args, Param};

type Spec = ByDepth<MaxnOptions>;

const KEYS: [Key<Spec>; 9] = [
    depth(),
    nodes(),
    Key::elsewhere(EVAL),
    Key::choice(
        "prune",
        &["shallow", "none"],
        "shallow",
        |o, word| o.options.shallow_pruning = word == "shallow",
        "shallow: cut a node off once the player one ply above must prefer another move",
    ),
    deepen(),
    contract(),
    partial(),
    terminal(),
    dedupe("on"),
];
const PARAMS: [Param; 9] = params(&KEYS);

pub(super) const MAXN: AgentInfo =
    AgentInfo { name: "maxn", summary: "every player maximises its own value", params: &PARAMS };

pub(super) fn make<G: Game + 'static>(rules: &Arc<Rules<G>>, args: &Args) -> Box<dyn AnyAgent> {
    let Spec { query, options, .. } = options(&KEYS, args);
    let (_, eval) = evaluation(rules, args);
    seat(rules, Maxn::new(options, eval), query)
}

#[cfg(test)]
pub(super) fn defaults_agree(args: &Args) -> bool {
    options(&KEYS, args) == Spec::default()
}
