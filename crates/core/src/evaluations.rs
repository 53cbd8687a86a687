//! The named evaluations of a game.

use std::fmt::Debug;

use crate::{Args, Evaluator, Game, Param};

/// One evaluation of a game, as lists and help texts show it.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// Its name in spec strings: `eval=NAME`.
    pub name: &'static str,
    /// One line on what it measures.
    pub summary: &'static str,
    /// Its parameters, which stand beside `eval=` in a spec string.
    pub params: &'static [Param],
    /// True if its evaluator [is antisymmetric](Evaluator::is_antisymmetric).
    pub antisymmetric: bool,
}

/// A game's own evaluations, all of them behind one type.
///
/// A game without any declares an empty list, and then `evaluation` is never called.
pub trait Evaluations: Game + Sized {
    /// One evaluation with its parameters; an enum if there are several.
    type Eval: Evaluator<Self> + Clone + Debug + 'static;

    /// Every evaluation, the default one first.
    const EVALUATIONS: &'static [Evaluation];

    /// Returns the evaluation at `index` of the list with these parameters. Empty `args` stand for
    /// the defaults of all its parameters.
    fn evaluation(&self, index: usize, args: &Args) -> Self::Eval;
}
