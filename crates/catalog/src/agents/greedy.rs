//! Keys of `greedy`.

use std::sync::Arc;

use tussle_core::Game;
use tussle_search::{Greedy, GreedyOptions, TieBreak};

use super::shared::{EVAL, QueryDefaults, evaluation};
use super::{AgentInfo, seat};
use crate::AnyAgent;
use crate::erased::Rules;
use crate::keys::{Key, options, params};
use crate::param::{Args, Param};

const KEYS: [Key<GreedyOptions>; 2] = [
    Key::elsewhere(Param { help: "evaluation; its own parameters may follow", ..EVAL }),
    Key::choice(
        "ties",
        &["last", "first", "random"],
        "last",
        |o, word| {
            o.ties = match word {
                "first" => TieBreak::First,
                "random" => TieBreak::Random,
                _ => TieBreak::Last,
            };
        },
        "choice among equally good moves",
    ),
];
const PARAMS: [Param; 2] = params(&KEYS);

pub(super) const GREEDY: AgentInfo = AgentInfo {
    name: "greedy",
    summary: "plays the move with the best evaluation one ply ahead",
    params: &PARAMS,
};

pub(super) fn make<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    args: &Args,
    seed: u64,
) -> Box<dyn AnyAgent> {
    let options = GreedyOptions { seed, ..options(&KEYS, args) };
    let (_, eval) = evaluation(rules, args);
    seat(rules, Greedy::new(options, eval), QueryDefaults::default())
}
