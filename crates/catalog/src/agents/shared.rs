//! Keys that several agents share.

use std::sync::Arc;

use tussle_core::{Evaluator, Game, ParseError};
use tussle_search::{
    AlphaBetaOptions, Deepening, ExpectimaxOptions, Goal, MaxnOptions, MinimaxOptions,
    TacticFunctions, TerminalValue,
};

use crate::erased::Rules;
use crate::keys::Key;
use crate::param::{Args, Param, ParamKind};

/// Parts of every query that the spec of an agent gives: limits in addition to those of the match, and the known
/// value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct QueryDefaults {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// Value of the root as reports give it: in their unit, for the player to whom their values belong.
    pub(crate) known_value: Option<f64>,
    /// Goal of the player to move.
    pub(crate) goal: Option<Goal>,
}

/// Options of a classical search, with the parts of queries that its spec gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ByDepth<O> {
    pub(super) query: QueryDefaults,
    /// True if the search has no transposition table.
    pub(super) table_off: bool,
    /// True if the search uses the game's tactics.
    pub(super) tactics: bool,
    pub(super) options: O,
}

/// Options that all classical searches have.
pub(super) trait Shared {
    fn deepening(&mut self) -> &mut Deepening;
    fn finished(&mut self) -> &mut TerminalValue;
    fn dedupe(&mut self) -> &mut bool;
}

/// Implements [`Shared`] for options with the same field names.
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
        "depth limit in plies [default: the end of the game if there is no other limit]",
    )
}

pub(super) const fn nodes<O: Shared>() -> Key<ByDepth<O>> {
    Key::int(
        "nodes",
        (1, i64::MAX),
        "",
        |o, n| o.query.nodes = u64::try_from(n).ok(),
        "maximum number of nodes per move",
    )
}

pub(super) const EVAL: Param = Param {
    key: "eval",
    kind: ParamKind::Evaluation,
    default: "",
    help: "evaluation at the horizon; its own parameters may follow",
};

pub(super) const BOOK: Param = Param {
    key: "book",
    kind: ParamKind::File,
    default: "",
    help: "opening book: answer from this file while the position is in it",
};

pub(super) const fn tactics<O>(set: fn(&mut O, bool)) -> Key<O> {
    Key::switch(
        "tactics",
        "off",
        set,
        "skip moves that lose at once, and nodes with a winning move",
    )
}

/// Returns the tactics of the game, if the key asks for them.
pub(super) fn tactic_functions<G: Game>(
    rules: &Rules<G>,
    wanted: bool,
) -> Result<Option<TacticFunctions<G>>, ParseError> {
    if wanted && rules.capabilities.tactics.is_none() {
        return Err(ParseError::new(
            "tactics=on: this game does not know moves that win or lose at once; leave it off",
        ));
    }
    Ok(rules.capabilities.tactics.filter(|_| wanted))
}

pub(super) const fn draw<O>(set: fn(&mut O, f64)) -> Key<O> {
    Key::float("draw", (-1e6, 1e6), "0", set, "value of a draw for the root player")
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
        "value of a finished game: its result, or its evaluation",
    )
}

pub(super) const fn deepen<O: Shared>() -> Key<ByDepth<O>> {
    Key::switch(
        "deepen",
        "",
        |o, on| o.options.deepening().iterative = Some(on),
        "iterative deepening [default: on if time or nodes are limited]",
    )
}

pub(super) const fn contract<O: Shared>() -> Key<ByDepth<O>> {
    Key::float_or_off(
        "contract",
        (0.0, 1000.0),
        "off",
        |o, times| o.options.deepening().contract = times,
        "start a depth only if this many times the duration of the last one is left",
    )
}

pub(super) const fn partial<O: Shared>() -> Key<ByDepth<O>> {
    Key::switch(
        "partial",
        "on",
        |o, on| o.options.deepening().partial = on,
        "use the finished root moves of an interrupted depth",
    )
}

pub(super) const fn shuffle<O>(set: fn(&mut O, bool)) -> Key<O> {
    Key::switch("shuffle", "off", set, "search equally ranked moves in random order")
}

pub(super) const fn dedupe<O: Shared>(default: &'static str) -> Key<ByDepth<O>> {
    let help = "search only one of several equivalent moves";
    Key::switch("dedupe", default, |o, on| *o.options.dedupe() = on, help)
}

pub(super) const fn threads<O>(set: fn(&mut O, i64)) -> Key<O> {
    Key::int("threads", (1, 256), "1", set, "number of threads")
}

/// Returns the evaluation that a spec chose, with its index in the game's list.
pub(super) fn evaluation<G: Game + 'static>(
    rules: &Rules<G>,
    args: &Args,
) -> (usize, Arc<dyn Evaluator<G>>) {
    let (index, own) = args.evaluation(EVAL.key);
    (index, rules.capabilities.make_evaluator(index, &own))
}
