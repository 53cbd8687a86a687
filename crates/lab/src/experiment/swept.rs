//! Swept parameters: what the values of the x axis are, and the values of a range.

use super::ExperimentError;
use super::options::SweepRange;
use crate::Result;
use crate::sentences::short;

/// Maximum number of whole values that a range takes one by one.
const MAX_WHOLE_VALUES: usize = 30;
/// Maximum number of steps of a geometric range.
const MAX_STEPS: f64 = 12.0;

/// Swept parameter of a kind of experiment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swept {
    /// Name of the values, in the plural with their unit.
    pub(super) name: &'static str,
    pub(super) steps: Steps,
}

/// Steps between the values of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// Every whole number, from a minimum on.
    Whole(u32),
    /// Factors of about 2 between positive numbers.
    Factors,
    /// Factors of about 2 between positive whole numbers.
    WholeFactors,
    /// One whole number of 1 or more.
    One,
    /// Two numbers of different meaning: a whole one and a positive one.
    Pair,
}

impl Swept {
    /// Returns the values of a range, in ascending order.
    pub(super) fn values(self, experiment: &'static str, range: &SweepRange) -> Result<Vec<f64>> {
        let wrong = |found: String| ExperimentError::Range {
            experiment,
            expected: format!("{} ({})", self.name, self.steps.words()),
            found,
        };
        let mut values = match range {
            SweepRange::Values(values) => values.clone(),
            &SweepRange::Between(low, high) => {
                let is_range = !matches!(self.steps, Steps::One | Steps::Pair);
                if !(is_range && low < high && self.steps.takes(low) && self.steps.takes(high)) {
                    return Err(wrong(format!("{}..{}", short(low), short(high))).into());
                }
                self.steps.between(low, high)
            }
        };
        let text = || values.iter().map(|value| short(*value)).collect::<Vec<_>>().join(",");
        let is_count_right = match self.steps {
            Steps::One => values.len() == 1,
            Steps::Pair => values.len() == 2 && values[0].fract() == 0.0,
            _ => !values.is_empty(),
        };
        if !(is_count_right && values.iter().all(|value| self.steps.takes(*value))) {
            return Err(wrong(text()).into());
        }
        if self.steps != Steps::Pair {
            values.sort_by(f64::total_cmp);
            values.dedup();
        }
        Ok(values)
    }
}

impl Steps {
    fn words(self) -> &'static str {
        match self {
            Self::Whole(0) => "whole numbers from 0",
            Self::Whole(_) => "whole numbers from 1",
            Self::Factors => "numbers above 0",
            Self::WholeFactors => "whole numbers above 0",
            Self::One => "one whole number above 0",
            Self::Pair => "two numbers a,b above 0, the first one whole",
        }
    }

    /// Returns true if a value is one of these numbers.
    fn takes(self, value: f64) -> bool {
        let is_whole = value.fract() == 0.0;
        match self {
            Self::Whole(least) => is_whole && value >= f64::from(least),
            Self::Factors | Self::Pair => value > 0.0,
            Self::WholeFactors | Self::One => is_whole && value >= 1.0,
        }
    }

    fn between(self, low: f64, high: f64) -> Vec<f64> {
        if let Self::Whole(_) = self {
            let stride = ((high - low) / MAX_WHOLE_VALUES as f64).ceil().max(1.0);
            let count = ((high - low) / stride).floor() as usize;
            let mut values: Vec<f64> = (0..=count).map(|i| low + stride * i as f64).collect();
            if values.last() != Some(&high) {
                values.push(high);
            }
            return values;
        }
        let steps = (high / low).log2().ceil().clamp(1.0, MAX_STEPS);
        let factor = (high / low).powf(steps.recip());
        let value = |i: usize| {
            let value = low * factor.powi(i as i32);
            match self {
                Self::WholeFactors => value.round(),
                _ => three_digits(value),
            }
        };
        // The ends are exact.
        let inner = (1..steps as usize).map(value);
        std::iter::once(low).chain(inner).chain(std::iter::once(high)).collect()
    }
}

/// Rounds a positive number to three digits.
fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(steps: Steps, low: f64, high: f64) -> Result<Vec<f64>> {
        Swept { name: "numbers", steps }.values("test", &SweepRange::Between(low, high))
    }

    #[test]
    fn a_range_has_its_ends_and_sensible_steps() {
        assert_eq!(between(Steps::Whole(1), 2.0, 5.0).unwrap(), [2.0, 3.0, 4.0, 5.0]);
        assert_eq!(between(Steps::WholeFactors, 1.0, 8.0).unwrap(), [1.0, 2.0, 4.0, 8.0]);
        assert_eq!(between(Steps::Factors, 0.2, 2.0).unwrap(), [0.2, 0.356, 0.632, 1.12, 2.0]);
        let wide = between(Steps::Whole(0), 0.0, 1000.0).unwrap();
        assert!(wide.len() <= 32 && wide[0] == 0.0 && wide.last() == Some(&1000.0), "{wide:?}");
        let wide = between(Steps::WholeFactors, 1.0, 1e9).unwrap();
        assert!(wide.len() == 13 && wide.is_sorted() && wide.last() == Some(&1e9), "{wide:?}");
    }

    #[test]
    fn values_that_have_no_meaning_are_errors() {
        let why = |steps, range| {
            Swept { name: "depths in plies", steps }.values("x", &range).unwrap_err().to_string()
        };
        assert_eq!(
            why(Steps::Whole(1), SweepRange::Values(vec![1.0, 2.5])),
            "x: --range: expected depths in plies (whole numbers from 1), found 1,2.5"
        );
        let text = why(Steps::Factors, SweepRange::Between(0.0, 1.0));
        assert!(text.ends_with("(numbers above 0), found 0..1"), "{text}");
        assert!(why(Steps::Factors, SweepRange::Between(2.0, 1.0)).ends_with("found 2..1"));
        assert!(why(Steps::One, SweepRange::Between(1.0, 2.0)).contains("one whole number"));
        assert!(why(Steps::Pair, SweepRange::Values(vec![5.0])).contains("two numbers"));
    }
}
