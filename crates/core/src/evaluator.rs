//! Values of unfinished games: a game's own evaluation, a closure, a trained net.

use std::fmt;
use std::sync::Arc;

use crate::{Game, Turn};

/// Number of doublings across the range, in the policy that [`Evaluator::evaluate`] derives from
/// values: a move whose value is higher by a tenth of the range is twice as likely.
const POLICY_STEPS: f64 = 10.0;

/// Values positions, and optionally ranks their moves.
///
/// Only [`value`](Evaluator::value) is required. Classical searches, greedy play and
/// playouts call it for one position and one player. Monte Carlo tree search calls
/// [`evaluate`](Evaluator::evaluate), which returns values for all players and a policy; a net
/// overrides it.
///
/// Searches hold an evaluator behind `dyn`, so that a heuristic, a closure ([`evaluation_fn`]) and
/// a net are interchangeable.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot value positions of `{G}`",
    note = "implement `Evaluator<{G}>`, or wrap a closure: `evaluation_fn(&game, |state, player| …)`"
)]
pub trait Evaluator<G: Game>: Send + Sync {
    /// Returns the value of a position for `player`; larger is better for that player.
    ///
    /// The value must be finite, also for finished games. If it is NaN or infinite, the search returns an error
    /// instead of a report.
    fn value(&self, game: &G, state: &G::State, player: usize) -> f64;

    /// Returns the least and the largest value, if they are known. A range that is not two finite numbers in this
    /// order counts as unknown.
    ///
    /// Monte Carlo tree search uses the range to convert values to rewards, expectimax to prune.
    fn range(&self, game: &G) -> Option<(f64, f64)> {
        let _ = game;
        None
    }

    /// Returns true if `value(s, 0) == -value(s, 1)` always holds for two players [default: false].
    /// Searches for the two players can then share one transposition table.
    fn is_antisymmetric(&self) -> bool {
        false
    }

    /// Evaluates positions that are not finished, and replaces the contents of `out`.
    ///
    /// The default calls [`value`](Evaluator::value) for every player and, if moves are listed, for
    /// the position after each move. A net overrides it and evaluates all leaves in one batch.
    fn evaluate(&self, game: &G, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
        let unit = Unit { range: self.range(game), points: game.payoffs().points };
        out.clear();
        for leaf in leaves {
            for player in 0..game.players() {
                out.values.push(unit.reward(self.value(game, leaf.state, player)));
            }
            let Turn::Player(mover) = game.turn(leaf.state) else { continue };
            let first = out.policy.len();
            for &mv in leaf.moves {
                let mut child = leaf.state.clone();
                game.play(&mut child, mv);
                let share = unit.squeezed(self.value(game, &child, mover));
                out.policy.push((POLICY_STEPS * share).exp2() as f32);
            }
            let sum: f32 = out.policy[first..].iter().sum();
            out.policy[first..].iter_mut().for_each(|probability| *probability /= sum);
        }
    }
}

/// A position to [evaluate](Evaluator::evaluate).
pub struct Leaf<'a, G: Game> {
    /// The position.
    pub state: &'a G::State,
    /// Moves to rank. Empty if no policy is wanted.
    pub moves: &'a [G::Move],
}

/// Answers of an [`Evaluator`] for several positions, one after another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluations {
    /// Expected reward of every player, position by position: from 0 for a loss to 1 for a win, or
    /// points in games that [count points](crate::Payoffs::points).
    pub values: Vec<f64>,
    /// Probability of every listed move, position by position. Those of one position sum to 1.
    pub policy: Vec<f32>,
}

impl Evaluations {
    /// Removes all answers and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.policy.clear();
    }
}

/// Unit of the values of an evaluator.
struct Unit {
    range: Option<(f64, f64)>,
    points: bool,
}

impl Unit {
    fn reward(&self, value: f64) -> f64 {
        if self.points { value } else { self.squeezed(value) }
    }

    /// Maps a value to 0..1: linearly if the range is known, else by a curve that approaches both ends.
    fn squeezed(&self, value: f64) -> f64 {
        crate::value::share(value, self.range)
    }
}

/// Evaluator that returns 0 for every position, for games without a heuristic that are searched to
/// the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoEvaluation;

impl<G: Game> Evaluator<G> for NoEvaluation {
    #[inline]
    fn value(&self, _: &G, _: &G::State, _: usize) -> f64 {
        0.0
    }

    fn range(&self, _: &G) -> Option<(f64, f64)> {
        Some((0.0, 0.0))
    }

    fn is_antisymmetric(&self) -> bool {
        true
    }
}

/// Evaluator made of a closure by [`evaluation_fn`].
#[derive(Clone, Copy)]
pub struct FnEvaluator<F>(F);

impl<F> FnEvaluator<F> {
    /// Wraps a closure. [`evaluation_fn`] does the same where the compiler must infer its types.
    pub fn new(value: F) -> Self {
        Self(value)
    }
}

impl<F> fmt::Debug for FnEvaluator<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FnEvaluator")
    }
}

/// Makes an evaluator of a closure that returns the value of a state for a player.
///
/// The argument `game` is used for type inference only.
///
/// ```
/// # use tussle_core::{Game, Turn};
/// # struct Heap(u32);
/// # impl Game for Heap {
/// #     type State = (u32, usize);
/// #     type Move = u32;
/// #     fn start(&self) -> (u32, usize) { (self.0, 0) }
/// #     fn turn(&self, s: &(u32, usize)) -> Turn { if s.0 == 0 { Turn::Over } else { Turn::Player(s.1) } }
/// #     fn moves(&self, s: &(u32, usize), out: &mut Vec<u32>) { out.extend(1..=s.0.min(3)) }
/// #     fn play(&self, s: &mut (u32, usize), take: u32) { *s = (s.0 - take, 1 - s.1) }
/// #     fn utility(&self, s: &(u32, usize), who: usize) -> f64 { if who == s.1 { -1.0 } else { 1.0 } }
/// # }
/// use tussle_core::{Evaluator, evaluation_fn};
///
/// let game = Heap(10);
/// let parity = evaluation_fn(&game, |state, _player| f64::from(state.0 % 4));
/// assert_eq!(parity.value(&game, &game.start(), 0), 2.0);
/// ```
pub fn evaluation_fn<G: Game, F>(game: &G, value: F) -> FnEvaluator<F>
where
    F: Fn(&G::State, usize) -> f64 + Send + Sync,
{
    let _ = game;
    FnEvaluator(value)
}

impl<G: Game, F: Fn(&G::State, usize) -> f64 + Send + Sync> Evaluator<G> for FnEvaluator<F> {
    #[inline]
    fn value(&self, _: &G, state: &G::State, player: usize) -> f64 {
        (self.0)(state, player)
    }
}

/// Implements [`Evaluator`] for a pointer to one.
macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for $pointer {
            #[inline]
            fn value(&self, game: &G, state: &G::State, player: usize) -> f64 {
                (**self).value(game, state, player)
            }

            fn range(&self, game: &G) -> Option<(f64, f64)> {
                (**self).range(game)
            }

            fn is_antisymmetric(&self) -> bool {
                (**self).is_antisymmetric()
            }

            fn evaluate(&self, game: &G, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
                (**self).evaluate(game, leaves, out);
            }
        }
    )*};
}

forward!(&E, Box<E>, Arc<E>);
