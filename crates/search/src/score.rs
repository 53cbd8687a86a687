//! One scale for wins, draws, losses and evaluations, in searches of two players.
//!
//! A search compares plain numbers. In games without points, they are arranged so that a win outranks
//! every evaluation, and an early win a late one:
//!
//! ```text
//!  -2^24 ........ -2^23 ........................ 2^23 ........ 2^24
//!    lost now, in 1, 2 …   | evaluations, draws |   … won in 2, 1, now
//! ```
//!
//! All whole numbers up to 2^24 are exact in the 32 bits that a table entry has for them.

use tussle_core::{Evaluator, Game, LeafKind, Line, Outcome, Payoffs, Value};

use crate::fault::FaultCell;
use crate::scale::known_range;
use crate::{Goal, TerminalValue};

/// Score of a game that is won at the root.
pub(crate) const WIN: f64 = 16_777_216.0;
/// Largest score of an evaluation; larger scores are wins.
pub(crate) const MAX_EVALUATION: f64 = 8_388_608.0;

/// Maximum depth of every search, in plies: deeper recursion could overflow the stack. Positions at this
/// depth are evaluated, so their values prove nothing.
pub(crate) const MAX_PLIES: u32 = 2048;

/// Values of leaves in one search.
pub(crate) struct Leaves<'a, G: Game> {
    pub(crate) evaluator: &'a dyn Evaluator<G>,
    /// Value of a draw for the root player.
    pub(crate) draw: f64,
    /// True if finished games are valued by the evaluator.
    pub(crate) eval_ends: bool,
    pub(crate) payoffs: Payoffs,
    /// Least and largest evaluation, if they are known.
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
        Some(if self.payoffs.points { value } else { value.clamp(-MAX_EVALUATION, MAX_EVALUATION) })
    }

    /// Returns the value of a score. Wins and losses are counted in plies from the root.
    ///
    /// `score` may belong to either player. Any score between wins and losses counts as an evaluation,
    /// because it does not tell whether it comes from a draw.
    pub(crate) fn value(&self, score: f64) -> Value {
        let Payoffs { least, most, points, .. } = self.payoffs;
        match score {
            f64::INFINITY => Value::ABOVE_ALL,
            f64::NEG_INFINITY => Value::BELOW_ALL,
            _ if points => Value::result(score, &self.payoffs),
            _ if score.abs() <= MAX_EVALUATION => Value::evaluation(score, self.range),
            _ => {
                let plies = (WIN - score.abs()).round();
                let beside = score - (WIN - plies).copysign(score);
                let plies = (plies <= f64::from(MAX_PLIES)).then_some(plies as u32);
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
        let is_end = matches!(kind, LeafKind::End | LeafKind::Tactics);
        let is_result = is_end && !self.eval_ends && !self.payoffs.points;
        if is_result && score.abs() <= MAX_EVALUATION {
            Value::draw().with_number(score)
        } else {
            self.value(score)
        }
    }

    /// Puts a score into a line.
    ///
    /// `proven` means that the score does not depend on evaluations; `depth` is the depth of the search.
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

    /// Returns the least score that has this value in the unit of reports.
    pub(crate) fn at_least(&self, value: f64) -> f64 {
        if self.payoffs.points || value == self.draw {
            value
        } else if value >= self.payoffs.most {
            MAX_EVALUATION.next_up()
        } else if value <= self.payoffs.least {
            -WIN
        } else {
            value
        }
    }

    /// Returns the least score that reaches a goal.
    pub(crate) fn least_score_of(&self, goal: Goal) -> f64 {
        let Payoffs { least, most, points, .. } = self.payoffs;
        match goal {
            Goal::AtLeast(utility) if points => utility,
            Goal::MoreThan(utility) if points => utility.next_up(),
            Goal::AtLeast(utility) if utility > most => WIN.next_up(),
            Goal::MoreThan(utility) if utility >= most => WIN.next_up(),
            Goal::AtLeast(utility) if utility > 0.0 => MAX_EVALUATION.next_up(),
            Goal::MoreThan(utility) if utility >= 0.0 => MAX_EVALUATION.next_up(),
            Goal::AtLeast(utility) if utility > least => -MAX_EVALUATION,
            Goal::MoreThan(utility) if utility >= least => -MAX_EVALUATION,
            _ => -WIN,
        }
    }

    /// Returns true if the score of a root move decides whether the goal with this least score is
    /// reached.
    pub(crate) fn decides_goal(&self, score: f64, proven: bool, enough: f64) -> bool {
        if self.payoffs.points {
            score >= enough && (proven || enough <= self.payoffs.least)
        } else {
            // A win or loss is never an evaluation.
            let is_result = score.abs() > MAX_EVALUATION;
            is_result || score >= enough && (proven || enough <= -WIN)
        }
    }

    /// Returns true if no deeper search can change this exact score.
    pub(crate) fn is_final(&self, score: f64, depth: u32) -> bool {
        !self.payoffs.points && score.abs() > MAX_EVALUATION && (WIN - score.abs()) as u32 <= depth
    }
}

/// Appends the moves to search: all, or the first of every class of equivalent moves.
#[inline]
pub(crate) fn moves<G: Game>(game: &G, state: &G::State, dedupe: bool, out: &mut Vec<G::Move>) {
    if dedupe { game.distinct_moves(state, out) } else { game.moves(state, out) }
}
