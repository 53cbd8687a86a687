//! Wins, draws, losses and evaluations on one scale.
//!
//! A search compares plain numbers. Where a game is won or lost, those are laid out so that a
//! win outranks every evaluation, and an early win a late one:
//!
//! ```text
//!  -2^24 ........ -2^23 ........................ 2^23 ........ 2^24
//!    lost now, in 1, 2 …   | evaluations, draws |   … won in 2, 1, now
//! ```
//!
//! All whole numbers up to 2^24 are exact in 32 bits, which is what a table entry has room for.

use tussle_core::{Bound, Evaluator, Game, Line, Outcome, Payoffs};

use crate::FinishedGames;

/// A game won without a further ply.
pub(crate) const WIN: f64 = 16_777_216.0;
/// Beyond it lie wins.
pub(crate) const BAND: f64 = 8_388_608.0;

/// Searches look no further than this, whatever they are asked: the recursion has to end before
/// the stack does. A value from there is an evaluation and proves nothing.
pub(crate) const DEEPEST: u32 = 2048;

/// Values of leaves in one search.
pub(crate) struct Leaves<'a, G: Game> {
    pub(crate) evaluator: &'a dyn Evaluator<G>,
    /// The root player's value of a draw.
    pub(crate) draw: f64,
    /// True if a finished game is worth what the evaluation says.
    pub(crate) eval_ends: bool,
    pub(crate) payoffs: Payoffs,
}

impl<'a, G: Game> Leaves<'a, G> {
    pub(crate) fn new(
        game: &G,
        evaluator: &'a dyn Evaluator<G>,
        draw: f64,
        ends: FinishedGames,
    ) -> Self {
        let eval_ends = ends == FinishedGames::Evaluation;
        Self { evaluator, draw, eval_ends, payoffs: game.payoffs() }
    }

    /// Returns the value of a finished game for the root player, `ply` plies from the root.
    #[inline]
    pub(crate) fn end(&self, game: &G, state: &G::State, root: usize, ply: u32) -> f64 {
        if self.eval_ends {
            return self.horizon(game, state, root);
        }
        let utility = game.utility(state, root);
        if self.payoffs.points {
            utility
        } else if utility > 0.0 {
            WIN - f64::from(ply)
        } else if utility < 0.0 {
            f64::from(ply) - WIN
        } else {
            self.draw
        }
    }

    /// Returns the evaluation of an unfinished game for the root player.
    #[inline]
    pub(crate) fn horizon(&self, game: &G, state: &G::State, root: usize) -> f64 {
        let value = self.evaluator.value(game, state, root);
        if self.payoffs.points { value } else { value.clamp(-BAND, BAND) }
    }

    /// Puts a score into a line: the value, and what is proven.
    ///
    /// `proven` says that no evaluation took part; `depth` is how far the search looked.
    pub(crate) fn describe<M>(&self, line: &mut Line<M>, score: f64, proven: bool, depth: u32) {
        let decided = !self.payoffs.points && score.abs() > BAND;
        let (at_least, at_most) = (line.bound != Bound::Upper, line.bound != Bound::Lower);
        line.value = score + 0.0; // no -0
        line.outcome = if decided {
            line.value = if score > 0.0 { self.payoffs.most } else { self.payoffs.least };
            match score > 0.0 {
                true if at_least => Some(Outcome::Win),
                false if at_most => Some(Outcome::Loss),
                _ => None,
            }
        } else if !proven {
            None
        } else if self.payoffs.points {
            match score {
                x if x > 0.0 && at_least => Some(Outcome::Win),
                x if x < 0.0 && at_most => Some(Outcome::Loss),
                x if x == 0.0 && at_least && at_most => Some(Outcome::Draw),
                _ => None,
            }
        } else {
            (at_least && at_most).then_some(Outcome::Draw)
        };
        let plies = (WIN - score.abs()) as u32;
        let exact = line.bound == Bound::Exact && (proven || plies <= depth);
        line.distance = (decided && exact).then_some(plies);
    }

    /// The least score that is worth this much in the unit of reports.
    pub(crate) fn at_least(&self, value: f64) -> f64 {
        if self.payoffs.points || value == self.draw {
            value
        } else if value >= self.payoffs.most {
            BAND.next_up()
        } else if value <= self.payoffs.least {
            -WIN
        } else {
            value
        }
    }

    /// Whether no deeper search can change this exact score.
    pub(crate) fn is_final(&self, score: f64, depth: u32) -> bool {
        !self.payoffs.points && score.abs() > BAND && (WIN - score.abs()) as u32 <= depth
    }
}

/// The moves a search looks at: all, or the first of every class of equivalent ones.
#[inline]
pub(crate) fn moves<G: Game>(game: &G, state: &G::State, dedupe: bool, out: &mut Vec<G::Move>) {
    if dedupe { game.distinct_moves(state, out) } else { game.moves(state, out) }
}
