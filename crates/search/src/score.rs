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

use tussle_core::{Evaluator, Game, LeafKind, Line, Outcome, Payoffs, Value};

use crate::TerminalValue;
use crate::fault::FaultCell;
use crate::scale::known_range;

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
    /// The least and the largest evaluation, if they are known.
    range: Option<(f64, f64)>,
    pub(crate) faults: FaultCell,
}

impl<'a, G: Game> Leaves<'a, G> {
    pub(crate) fn new(
        game: &G,
        evaluator: &'a dyn Evaluator<G>,
        draw: f64,
        ends: TerminalValue,
    ) -> Self {
        let eval_ends = ends == TerminalValue::Evaluation;
        let range = known_range(game, evaluator);
        let (payoffs, faults) = (game.payoffs(), FaultCell::default());
        Self { evaluator, draw, eval_ends, payoffs, range, faults }
    }

    /// Returns the value of a finished game for the root player, `ply` plies from the root; `None` after a fault of
    /// the evaluator.
    #[inline]
    pub(crate) fn end(&self, game: &G, state: &G::State, root: usize, ply: u32) -> Option<f64> {
        if self.eval_ends {
            return self.horizon(game, state, root);
        }
        let utility = game.utility(state, root);
        Some(if self.payoffs.points {
            utility
        } else if utility > 0.0 {
            WIN - f64::from(ply)
        } else if utility < 0.0 {
            f64::from(ply) - WIN
        } else {
            self.draw
        })
    }

    /// Returns the evaluation of an unfinished game for the root player; `None` after a fault of the evaluator.
    #[inline]
    pub(crate) fn horizon(&self, game: &G, state: &G::State, root: usize) -> Option<f64> {
        let value = self.faults.checked(self.evaluator.value(game, state, root), root)?;
        Some(if self.payoffs.points { value } else { value.clamp(-BAND, BAND) })
    }

    /// Returns the value of a score. Wins and losses are counted in plies from the root.
    ///
    /// `score` may belong to either player. Between wins and losses it counts as an evaluation:
    /// it does not say what it is made of.
    pub(crate) fn value(&self, score: f64) -> Value {
        let Payoffs { least, most, points, .. } = self.payoffs;
        match score {
            f64::INFINITY => Value::ABOVE_ALL,
            f64::NEG_INFINITY => Value::BELOW_ALL,
            _ if points => Value::result(score, &self.payoffs),
            _ if score.abs() <= BAND => Value::evaluation(score, self.range),
            _ => {
                let plies = (WIN - score.abs()).round();
                let beside = score - (WIN - plies).copysign(score);
                let plies = (plies <= f64::from(DEEPEST)).then_some(plies as u32);
                let value = if score > 0.0 {
                    Value::win(plies).with_number(most)
                } else {
                    Value::loss(plies).with_number(least)
                };
                // One end of a null window lies a fraction of a ply beside a win.
                match beside {
                    x if x > 0.0 => value.with_number(value.number().next_up()),
                    x if x < 0.0 => value.with_number(value.number().next_down()),
                    _ => value,
                }
            }
        }
    }

    /// Returns the value of a score without a search below it.
    pub(crate) fn leaf_value(&self, score: f64, kind: LeafKind) -> Value {
        let is_result = kind == LeafKind::End && !self.eval_ends && !self.payoffs.points;
        if is_result && score.abs() <= BAND {
            Value::draw().with_number(score)
        } else {
            self.value(score)
        }
    }

    /// Puts a score into a line.
    ///
    /// `proven` says that no evaluation took part; `depth` is how far the search looked.
    pub(crate) fn describe<M>(&self, line: &mut Line<M>, score: f64, proven: bool, depth: u32) {
        let value = self.value(score);
        let value = match value.outcome() {
            Some(outcome) => {
                let plies = value.distance().filter(|&plies| proven || plies <= depth);
                value.proven(outcome, plies)
            }
            None if !proven => value,
            None if self.payoffs.points => value.proven(
                match score {
                    x if x > 0.0 => Outcome::Win,
                    x if x < 0.0 => Outcome::Loss,
                    _ => Outcome::Draw,
                },
                None,
            ),
            None => Value::draw().with_number(score),
        };
        line.value = value.within(line.bound);
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
