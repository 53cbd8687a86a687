//! Values of positions and moves: a number, its unit, and what is proven.

use std::cmp::Ordering;
use std::fmt;

use crate::{Bound, Outcome, Payoffs};

/// An evaluation of this size has an expected score of 0.75, if its range is not known.
const TYPICAL_ADVANTAGE: f64 = 10.0;

/// Unit of the number of a [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Unit {
    /// Result of a game, or a mean of results: from [`Payoffs::least`] to [`Payoffs::most`].
    Result,
    /// Points, in games that [count points](Payoffs::points).
    Points,
    /// Unit of an [`Evaluator`](crate::Evaluator).
    Evaluation,
}

/// Value of a position or move for one player: win in n plies, draw, loss in n plies, points or
/// estimate.
///
/// ```
/// use tussle_core::{Outcome, Unit, Value};
///
/// let win = Value::win(Some(3));
/// assert_eq!((win.outcome(), win.distance()), (Some(Outcome::Win), Some(3)));
/// assert_eq!(win.for_opponent(), Value::loss(Some(3)));
///
/// let estimate = Value::evaluation(50.0, Some((-100.0, 100.0)));
/// assert_eq!((estimate.number(), estimate.unit()), (50.0, Unit::Evaluation));
/// assert_eq!(estimate.expected_score(), 0.75);
/// assert!(win > Value::win(Some(5)) && Value::win(Some(5)) > estimate);
/// assert_eq!(win.to_string(), "win in 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Value {
    number: f64,
    unit: Unit,
    outcome: Option<Outcome>,
    #[cfg_attr(feature = "serde", serde(rename = "distance"))]
    plies: Option<u32>,
    expected_score: f64,
}

impl Value {
    /// Lower end of a window that has no lower limit.
    pub const BELOW_ALL: Self = Self { expected_score: 0.0, ..Self::unlimited(f64::NEG_INFINITY) };
    /// Upper end of a window that has no upper limit.
    pub const ABOVE_ALL: Self = Self { expected_score: 1.0, ..Self::unlimited(f64::INFINITY) };

    /// Evaluation of 0, of unknown range.
    pub const ZERO: Self = Self::unlimited(0.0);

    const fn unlimited(number: f64) -> Self {
        let (outcome, plies) = (None, None);
        Self { number, unit: Unit::Evaluation, outcome, plies, expected_score: 0.5 }
    }

    fn new(number: f64, unit: Unit, expected_score: f64) -> Self {
        // NaN and infinity break the contracts of games and evaluators; adding 0 turns -0 into 0.
        let [number, expected_score] = [(number, 0.0), (expected_score, 0.5)]
            .map(|(x, else_)| if x.is_nan() { else_ } else { x.clamp(f64::MIN, f64::MAX) + 0.0 });
        Self { number, unit, outcome: None, plies: None, expected_score }
    }

    /// Creates a proven win, worth 1, `plies` before the end if that is known.
    #[must_use]
    pub fn win(plies: Option<u32>) -> Self {
        Self::new(1.0, Unit::Result, 1.0).proven(Outcome::Win, plies)
    }

    /// Creates a proven draw, worth 0.
    #[must_use]
    pub fn draw() -> Self {
        Self::new(0.0, Unit::Result, 0.5).proven(Outcome::Draw, None)
    }

    /// Creates a proven loss, worth -1, `plies` before the end if that is known.
    #[must_use]
    pub fn loss(plies: Option<u32>) -> Self {
        Self::new(-1.0, Unit::Result, 0.0).proven(Outcome::Loss, plies)
    }

    /// Creates a utility or a mean of utilities of a game with these payoffs.
    #[must_use]
    pub fn result(utility: f64, payoffs: &Payoffs) -> Self {
        if payoffs.points {
            return Self::new(utility, Unit::Points, share(utility, None));
        }
        let range = Some((payoffs.least, payoffs.most));
        Self::new(utility, Unit::Result, share(utility, range))
    }

    /// Creates a mean of rewards: from 0 for a loss to 1 for a win, or points.
    ///
    /// The number is the mean utility; [`expected_score`](Value::expected_score) is the reward.
    #[must_use]
    pub fn mean_reward(reward: f64, payoffs: &Payoffs) -> Self {
        if payoffs.points {
            return Self::result(reward, payoffs);
        }
        let utility = payoffs.least + reward * (payoffs.most - payoffs.least);
        Self::new(utility, Unit::Result, reward.clamp(0.0, 1.0))
    }

    /// Creates an estimate by an evaluator with this range, if it is known.
    #[must_use]
    pub fn evaluation(number: f64, range: Option<(f64, f64)>) -> Self {
        Self::new(number, Unit::Evaluation, share(number, range))
    }

    /// Adds a proven outcome, and the plies to the end if they are known.
    #[must_use]
    pub fn proven(self, outcome: Outcome, plies: Option<u32>) -> Self {
        let expected_score = match (outcome, self.unit) {
            (Outcome::Win, _) => 1.0,
            (Outcome::Loss, _) => 0.0,
            // In a tie of several players each gets its share.
            (Outcome::Draw, Unit::Result) => self.expected_score,
            (Outcome::Draw, _) => 0.5,
        };
        let plies = plies.filter(|_| outcome != Outcome::Draw);
        Self { outcome: Some(outcome), plies, expected_score, ..self }
    }

    /// Removes the part of the proof that does not hold for a bound: a value of at most a win may
    /// still be a loss.
    #[must_use]
    pub fn within(self, bound: Bound) -> Self {
        let outcome = self.outcome.filter(|outcome| match outcome {
            Outcome::Win => bound != Bound::Upper,
            Outcome::Draw => bound == Bound::Exact,
            Outcome::Loss => bound != Bound::Lower,
        });
        let plies = self.plies.filter(|_| bound == Bound::Exact && outcome.is_some());
        Self { outcome, plies, ..self }
    }

    /// Removes the proof, and keeps number, unit and expected score.
    #[must_use]
    pub fn without_proof(self) -> Self {
        Self { outcome: None, plies: None, ..self }
    }

    /// Replaces the number, and keeps unit, proof and expected score.
    #[must_use]
    pub fn with_number(self, number: f64) -> Self {
        Self { number: Self::new(number, self.unit, 0.5).number, ..self }
    }

    /// Returns the value for the other one of two players.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        Self {
            number: 0.0 - self.number,
            outcome: self.outcome.map(Outcome::for_opponent),
            expected_score: 1.0 - self.expected_score,
            ..self
        }
    }

    /// Returns the number, in the unit of this value. It is never NaN; only
    /// [`BELOW_ALL`](Value::BELOW_ALL) and [`ABOVE_ALL`](Value::ABOVE_ALL) are infinite.
    pub fn number(self) -> f64 {
        self.number
    }

    /// Returns the unit of the number.
    pub fn unit(self) -> Unit {
        self.unit
    }

    /// Returns the proven outcome for the player whose value this is.
    pub fn outcome(self) -> Option<Outcome> {
        self.outcome
    }

    /// Returns the plies to the end of a proven win (the shortest) or loss (the longest). `None`
    /// for a draw, and from a search that does not count plies.
    pub fn distance(self) -> Option<u32> {
        self.plies
    }

    /// Returns the expected score, the same for all units: from 0 for a loss to 1 for a win.
    ///
    /// Evaluations are scaled by their range. Points, and evaluations of unknown range, approach 0
    /// and 1 gradually.
    pub fn expected_score(self) -> f64 {
        self.expected_score
    }

    /// Returns false for [`BELOW_ALL`](Value::BELOW_ALL) and [`ABOVE_ALL`](Value::ABOVE_ALL).
    pub fn is_finite(self) -> bool {
        self.number.is_finite()
    }

    /// Returns the rank of the kind of value: wins above numbers, losses below. Points are compared as
    /// numbers, also if they are proven.
    fn class(self) -> i8 {
        match self.outcome {
            _ if self.number == f64::INFINITY => 2,
            _ if self.number == f64::NEG_INFINITY => -2,
            Some(Outcome::Win) if self.unit != Unit::Points => 1,
            Some(Outcome::Loss) if self.unit != Unit::Points => -1,
            _ => 0,
        }
    }
}

/// Orders values of one search: an early win above a late one, any win above an evaluation.
impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let class = self.class().cmp(&other.class());
        let by_plies = match (self.class(), self.plies, other.plies) {
            (1, Some(plies), Some(others)) => others.cmp(&plies),
            (-1, Some(plies), Some(others)) => plies.cmp(&others),
            _ => Ordering::Equal,
        };
        Some(class.then(by_plies).then(self.number.partial_cmp(&other.number)?))
    }
}

/// Writes `win in 3`, `draw`, `loss`, or the number.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.outcome, self.plies) {
            (Some(outcome), None) if self.unit != Unit::Points => write!(f, "{outcome}"),
            (Some(outcome), Some(plies)) => write!(f, "{outcome} in {plies}"),
            _ => write!(f, "{}", self.number),
        }
    }
}

/// Evaluation of unknown range.
impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::evaluation(number, None)
    }
}

impl Outcome {
    /// Returns the outcome for the other one of two players.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// Maps a number to 0..1: linearly if its range is known, else gradually.
pub(crate) fn share(number: f64, range: Option<(f64, f64)>) -> f64 {
    match range {
        Some((low, high)) if high > low && (high - low).is_finite() => {
            ((number - low) / (high - low)).clamp(0.0, 1.0)
        }
        _ if number.is_infinite() => {
            if number > 0.0 {
                1.0
            } else {
                0.0
            }
        }
        _ => 0.5 + 0.5 * number / (TYPICAL_ADVANTAGE + number.abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_by_result_then_distance_then_number() {
        let ascending = [
            Value::BELOW_ALL,
            Value::loss(Some(2)),
            Value::loss(Some(4)),
            Value::from(-1e9),
            Value::draw(),
            Value::from(3.0),
            Value::win(Some(5)),
            Value::win(Some(1)),
            Value::ABOVE_ALL,
        ];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(a.partial_cmp(b), Some(i.cmp(&j)), "{a} {b}");
                let turned = b.for_opponent().partial_cmp(&a.for_opponent());
                assert_eq!(turned, Some(i.cmp(&j)), "{a} {b}");
            }
        }
    }

    #[test]
    fn expected_scores_lie_between_loss_and_win() {
        let points = Payoffs { points: true, ..Payoffs::DUEL };
        for number in [-1e300, -20.0, -1.0, 0.0, 0.5, 7.0, 1e300, f64::NAN, f64::INFINITY] {
            for value in [
                Value::from(number),
                Value::evaluation(number, Some((-100.0, 100.0))),
                Value::evaluation(number, Some((0.0, 0.0))),
                Value::evaluation(number, Some((f64::NEG_INFINITY, f64::INFINITY))),
                Value::evaluation(number, Some((f64::NAN, 1.0))),
                Value::result(number, &Payoffs::DUEL),
                Value::result(number, &points),
                Value::mean_reward(number, &Payoffs::SHARED),
            ] {
                assert!((0.0..=1.0).contains(&value.expected_score()), "{number} {value:?}");
                assert!(value.is_finite(), "{number} {value:?}");
                let both = value.expected_score() + value.for_opponent().expected_score();
                assert!((both - 1.0).abs() < 1e-12);
            }
        }
        assert_eq!(Value::draw().expected_score(), 0.5);
        assert_eq!(Value::result(7.0, &points).proven(Outcome::Win, None).expected_score(), 1.0);
        assert_eq!(Value::mean_reward(0.75, &Payoffs::DUEL).number(), 0.5);
        assert_eq!(Value::mean_reward(0.7, &Payoffs::DUEL).expected_score(), 0.7);
    }

    #[test]
    fn a_bound_keeps_only_the_proof_that_holds() {
        let (win, loss) = (Value::win(Some(3)), Value::loss(Some(3)));
        assert_eq!(win.within(Bound::Exact), win);
        assert_eq!(win.within(Bound::Lower).outcome(), Some(Outcome::Win));
        assert_eq!(win.within(Bound::Lower).distance(), None);
        assert_eq!(win.within(Bound::Upper).outcome(), None);
        assert_eq!(loss.within(Bound::Lower).outcome(), None);
        assert_eq!(Value::draw().within(Bound::Upper).outcome(), None);
        assert_eq!(win.within(Bound::Upper).number(), 1.0);
    }

    #[test]
    fn values_are_written_as_results_or_numbers() {
        let points = Payoffs { points: true, ..Payoffs::DUEL };
        let texts = [
            Value::win(None),
            Value::loss(Some(2)),
            Value::draw(),
            Value::from(-0.25),
            Value::result(7.5, &points).proven(Outcome::Win, None),
        ]
        .map(|value| value.to_string());
        assert_eq!(texts, ["win", "loss in 2", "draw", "-0.25", "7.5"]);
    }
}
