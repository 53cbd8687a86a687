//! One scale for results and evaluations, in searches that average values or compare those of many players.
//!
//! A mean of values needs finite wins, and cannot contain the number of plies to the end. So utilities
//! are stretched until a win is worth as much as the largest evaluation, and shifted until the middle
//! between the worst and the best result is 0:
//!
//! ```text
//!   utility  least ............ middle ............ most
//!   score      -W  ...............  0  ...............  W    (beyond W in games with gammons)
//! ```
//!
//! W is a power of two, so that stretching is exact.

use tussle_core::{Evaluator, Game, Outcome, Payoffs, Turn, Value};

/// Score of a win if the range of the evaluation is unknown.
const WIN_OF_UNKNOWN_RANGE: f64 = 1_048_576.0;

/// Means of equal evaluations differ by less than this factor.
const ROUNDING: f64 = 1.0 + 1e-9;

/// Returns the least and the largest value of an evaluator; `None` also for a range that is not two finite numbers in
/// this order.
pub(crate) fn known_range<G: Game>(game: &G, evaluator: &dyn Evaluator<G>) -> Option<(f64, f64)> {
    let is_sound = |&(low, high): &(f64, f64)| low.is_finite() && high.is_finite() && low <= high;
    evaluator.range(game).filter(is_sound)
}

/// Conversion between utilities and scores.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    payoffs: Payoffs,
    players: usize,
    middle: f64,
    stretch: f64,
    /// Evaluations are clamped to this size.
    limit: f64,
    /// Least and largest evaluation, if they are known.
    range: Option<(f64, f64)>,
}

impl Scale {
    pub(crate) fn new<G: Game>(game: &G, evaluator: &dyn Evaluator<G>) -> Self {
        let payoffs = game.payoffs();
        let players = game.players();
        let range = known_range(game, evaluator);
        if payoffs.points {
            let limit = f64::INFINITY;
            return Self { payoffs, players, middle: 0.0, stretch: 1.0, limit, range };
        }
        let win = range
            .map_or(WIN_OF_UNKNOWN_RANGE, |(low, high)| power_of_two(low.abs().max(high.abs())));
        // A utility of 1 or more above the middle is a full win.
        let half = (payoffs.most - payoffs.least) / 2.0;
        let reach = if half > 0.0 { half.min(1.0) } else { 1.0 };
        let middle = f64::midpoint(payoffs.least, payoffs.most);
        Self { payoffs, players, middle, stretch: win / reach, limit: win, range }
    }

    /// Stretches the scale, so that different results have different whole numbers.
    pub(crate) fn finer(mut self) -> Self {
        if !self.payoffs.points && self.limit < WIN_OF_UNKNOWN_RANGE {
            self.stretch *= WIN_OF_UNKNOWN_RANGE / self.limit;
            self.limit = WIN_OF_UNKNOWN_RANGE;
        }
        self
    }

    /// Returns the score of a finished game.
    #[inline]
    pub(crate) fn end(&self, utility: f64) -> f64 {
        (utility - self.middle) * self.stretch
    }

    /// Returns the score of an evaluation.
    #[inline]
    pub(crate) fn horizon(&self, value: f64) -> f64 {
        value.clamp(-self.limit, self.limit)
    }

    /// Returns the utility of a score that does not depend on evaluations.
    pub(crate) fn utility(&self, score: f64) -> f64 {
        score / self.stretch + self.middle
    }

    /// Returns the value of a score that depends on evaluations, `largest` being the largest of them so far.
    ///
    /// A score beyond it is a mean in which results have a share. If the range of evaluations is unknown, the expected
    /// score is that share: next to a win, any evaluation is small.
    pub(crate) fn value(&self, score: f64, largest: f64) -> Value {
        match score {
            f64::INFINITY => Value::ABOVE_ALL,
            f64::NEG_INFINITY => Value::BELOW_ALL,
            _ if self.payoffs.points => Value::result(score, &self.payoffs),
            _ if self.range.is_none() && score.abs() > largest * ROUNDING => {
                Value::evaluation(score, Some((-self.limit, self.limit)))
            }
            _ => Value::evaluation(score, self.range),
        }
    }

    /// Returns the value of a utility that does not depend on evaluations.
    pub(crate) fn result(&self, utility: f64) -> Value {
        Value::result(utility, &self.payoffs)
    }

    /// Returns the least result of a finished game.
    pub(crate) fn least(&self) -> Value {
        self.result(self.payoffs.least)
    }

    /// Returns the least and the largest score of an evaluation, if they are known.
    pub(crate) fn horizons(&self) -> Option<(f64, f64)> {
        self.range
    }

    /// Returns the least and the largest score of a finished game.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.end(self.payoffs.least), self.end(self.payoffs.most))
    }

    /// Returns the highest possible score.
    pub(crate) fn top(&self) -> f64 {
        self.ends().1.max(self.range.map_or(self.limit, |(_, high)| high))
    }

    /// Returns the highest possible sum of the scores of all players in a finished game.
    pub(crate) fn sum(&self) -> f64 {
        (self.payoffs.sum - self.players as f64 * self.middle) * self.stretch
    }

    /// Returns true if a result is a draw of two players, to which the option `draw` applies.
    #[inline]
    pub(crate) fn is_tie(&self, utility: f64) -> bool {
        utility == 0.0 && self.players <= 2 && !self.payoffs.points
    }

    /// Returns the outcome of a utility. Points in games of more than two players are neither won nor lost.
    #[inline]
    pub(crate) fn ending(&self, utility: f64) -> Ends {
        let Payoffs { least, most, points, .. } = self.payoffs;
        let (won, lost) = match self.players {
            0..=2 => (utility > 0.0, utility < 0.0),
            _ if points => return Ends::UNKNOWN,
            _ => (utility >= most, utility <= least),
        };
        match (won, lost) {
            (true, _) => Ends::WIN,
            (_, true) => Ends::LOSS,
            _ => Ends::DRAW,
        }
    }
}

/// Returns the outcome of a finished game for a player; `None` if the game is not over or counts points.
pub(crate) fn ending<G: Game>(game: &G, state: &G::State, player: usize) -> Option<Outcome> {
    let Payoffs { least, most, points, .. } = game.payoffs();
    if points || game.turn(state) != Turn::Over {
        return None;
    }
    let (lost_at, won_at) =
        if game.players() <= 2 { (0.0f64.next_down(), 0.0f64.next_up()) } else { (least, most) };
    Some(match game.utility(state, player) {
        utility if utility >= won_at => Outcome::Win,
        utility if utility <= lost_at => Outcome::Loss,
        _ => Outcome::Draw,
    })
}

fn power_of_two(at_least: f64) -> f64 {
    let mut power = 1.0;
    while power < at_least {
        power *= 2.0;
    }
    power
}

/// Set of outcomes of the finished games that a value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends(u8);

impl Ends {
    pub(crate) const NONE: Self = Self(0);
    const WIN: Self = Self(1);
    const DRAW: Self = Self(2);
    const LOSS: Self = Self(4);
    pub(crate) const UNKNOWN: Self = Self(8);

    /// Returns the union of two sets.
    #[inline]
    pub(crate) fn or(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns the outcome, if the set has exactly one.
    pub(crate) fn certain(self) -> Option<Outcome> {
        match self {
            Self::WIN => Some(Outcome::Win),
            Self::DRAW => Some(Outcome::Draw),
            Self::LOSS => Some(Outcome::Loss),
            _ => None,
        }
    }
}
