//! Heuristics: what an unfinished game seems to be worth.

use std::fmt::Debug;

use crate::{Args, Game, Param};

/// One heuristic of a game, as lists and help texts show it.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// Its name in spec strings: `eval=NAME`.
    pub name: &'static str,
    /// One line on what it measures.
    pub summary: &'static str,
    /// Its parameters, which stand beside `eval=` in a spec string.
    pub params: &'static [Param],
    /// Whether `evaluate(s, a) == -evaluate(s, b)` always holds for the two players, so that a
    /// table filled for one may be read for the other.
    pub antisymmetric: bool,
}

/// A game's heuristics, all of them behind one type.
///
/// A game without any declares an empty list, and then `evaluation` is never called.
pub trait Evaluations: Game {
    /// One heuristic with its parameters; an enum if there are several.
    type Eval: Clone + Debug + Send + Sync;

    /// Every heuristic, the default one first.
    const EVALUATIONS: &'static [Evaluation];

    /// Returns the heuristic at `index` of the list with these parameters. Empty `args` stand for
    /// the defaults of all its parameters.
    fn evaluation(&self, index: usize, args: &Args) -> Self::Eval;

    /// What `state` is worth to `player`; larger is better for that player. Defined for
    /// finished games too.
    fn evaluate(&self, eval: &Self::Eval, state: &Self::State, player: usize) -> f64;

    /// The least and the largest value this heuristic ever gives, if they are known.
    fn range(&self, eval: &Self::Eval) -> Option<(f64, f64)> {
        let _ = eval;
        None
    }

    /// Whether [`loud_moves`](Evaluations::loud_moves) ever lists a move.
    const HAS_LOUD_MOVES: bool = false;

    /// Appends the moves after which a heuristic is not to be trusted yet (captures), so that a
    /// search looks at them beyond its horizon.
    fn loud_moves(&self, state: &Self::State, out: &mut Vec<Self::Move>) {
        let _ = (state, out);
    }
}
