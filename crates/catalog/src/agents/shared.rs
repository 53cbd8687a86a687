//! Keys that several agents share.

use std::sync::Arc;

use tussle_core::{Evaluator, Game};
use tussle_search::{
    AlphaBetaOptions, Deepening, ExpectimaxOptions, MaxnOptions, MinimaxOptions, TerminalValue,
};

use crate::erased::Rules;
use crate::keys::Key;
use crate::param::{Args, Param, ParamKind};

/// Parts of every query to an agent that its spec gives: limits beside those of the match, and the known value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct QueryDefaults {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// Value of the root in the unit and the view of reports.
    pub(crate) known_value: Option<f64>,
}

/// Options of a search by depth, with the parts of queries that its spec gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ByDepth<O> {
    pub(super) query: QueryDefaults,
    /// True if the search goes without a transposition table.
    pub(super) table_off: bool,
    pub(super) options: O,
}

/// The fields that all searches by depth have.
pub(super) trait Shared {
    fn deepening(&mut self) -> &mut Deepening;
    fn finished(&mut self) -> &mut TerminalValue;
    fn dedupe(&mut self) -> &mut bool;
}

/// Implements [`Shared`] for options that name the fields alike.
macro_rules! shared {
    ($($options:ty),*) => {$(
        impl Shared for $options {
            fn deepening(&mut self) -> &mut Deepening {
                &mut self.deepening
            }

            fn finished(&mut self) -> &mut TerminalValue {
                &mut self.finished
            }

            fn dedupe(&mut self) -> &mut bool {
                &mut self.dedupe
            }
        }
    )*};
}

shared!(MinimaxOptions, AlphaBetaOptions, ExpectimaxOptions, MaxnOptions);

pub(super) const fn depth<O: Shared>() -> Key<ByDepth<O>> {
    Key::int(
        "depth",
        (1, 2048),
        "",
        |o, n| o.query.depth = u32::try_from(n).ok(),
        "look this many plies ahead; to the end if there is no other limit",
    )
}

pub(super) const fn nodes<O: Shared>() -> Key<ByDepth<O>> {
    Key::int(
        "nodes",
        (1, i64::MAX),
        "",
        |o, n| o.query.nodes = u64::try_from(n).ok(),
        "enter at most this many positions a move",
    )
}

pub(super) const EVAL: Param = Param {
    key: "eval",
    kind: ParamKind::Evaluation,
    default: "",
    help: "the evaluation at the horizon; its own parameters may follow",
};

pub(super) const BOOK: Param = Param {
    key: "book",
    kind: ParamKind::File,
    default: "",
    help: "answer from this opening library while the position is in it",
};

pub(super) const fn draw<O>(set: fn(&mut O, f64)) -> Key<O> {
    Key::float("draw", (-1e6, 1e6), "0", set, "what a tie is worth to the player who searches")
}

pub(super) const fn terminal<O: Shared>() -> Key<ByDepth<O>> {
    Key::choice(
        "terminal",
        &["utility", "eval"],
        "utility",
        |o, word| {
            *o.options.finished() = match word {
                "eval" => TerminalValue::Evaluation,
                _ => TerminalValue::Result,
            };
        },
        "what a finished game is worth: its result, or what the evaluation says",
    )
}

pub(super) const fn deepen<O: Shared>() -> Key<ByDepth<O>> {
    Key::switch(
        "deepen",
        "",
        |o, on| o.options.deepening().iterative = Some(on),
        "search 1, 2, 3 … plies deep; on by default if time or nodes are limited",
    )
}

pub(super) const fn contract<O: Shared>() -> Key<ByDepth<O>> {
    Key::float_or_off(
        "contract",
        (0.0, 1000.0),
        "off",
        |o, times| o.options.deepening().contract = times,
        "start a depth only if this many times the last one's time is left",
    )
}

pub(super) const fn partial<O: Shared>() -> Key<ByDepth<O>> {
    Key::switch(
        "partial",
        "on",
        |o, on| o.options.deepening().partial = on,
        "use the finished root moves of a depth that was cut short",
    )
}

pub(super) const fn shuffle<O>(set: fn(&mut O, bool)) -> Key<O> {
    Key::switch("shuffle", "off", set, "look at moves in random order")
}

pub(super) const fn dedupe<O: Shared>(default: &'static str) -> Key<ByDepth<O>> {
    let help = "look at one of several equivalent moves only";
    Key::switch("dedupe", default, |o, on| *o.options.dedupe() = on, help)
}

pub(super) const fn threads<O>(set: fn(&mut O, i64)) -> Key<O> {
    Key::int("threads", (1, 256), "1", set, "search with so many threads")
}

/// Returns the evaluation that a spec chose, by its place in the game's list.
pub(super) fn evaluation<G: Game + 'static>(
    rules: &Rules<G>,
    args: &Args,
) -> (usize, Arc<dyn Evaluator<G>>) {
    let (index, own) = args.evaluation(EVAL.key);
    (index, rules.capabilities.make_evaluator(index, &own))
}
