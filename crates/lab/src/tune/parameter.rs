//! Parameters to tune: ranges of numbers and lists of words, and their values as coordinates.
//!
//! A numeric value has a coordinate from 0 (the lowest value) to 1 (the highest), a word has its index. The model of
//! the strength knows coordinates only.

use std::str::FromStr;

use tussle_core::format::decimal;

/// A range whose ends have at least this ratio has a logarithmic scale.
const MIN_LOG_RATIO: f64 = 10.0;
/// Number of steps that a linear range of real numbers has at least.
const MIN_STEPS: f64 = 200.0;
/// Number of values of a range of real numbers among which the search chooses.
const GRID_STEPS: usize = 100;

/// Coordinates of one candidate, by parameter.
pub(crate) type Point = Vec<f64>;

/// Parameter to tune, parsed from `key=low..high` or `key=a|b|c`.
///
/// ```
/// use tussle_lab::tune::{Parameter, ValueSet};
///
/// let parameter: Parameter = "c=0.1..2".parse()?;
/// assert_eq!(parameter.values, ValueSet::Real { low: 0.1, high: 2.0 });
/// assert!("c=2..0.1".parse::<Parameter>().is_err());
/// # Ok::<(), tussle_lab::tune::ParameterError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Key in the spec of the agent, or name of the placeholder in the command of a program.
    pub key: String,
    /// Values to try.
    pub values: ValueSet,
}

/// Values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueSet {
    /// Whole numbers, ends included.
    Integer {
        /// Lowest value.
        low: i64,
        /// Highest value.
        high: i64,
    },
    /// Real numbers, ends included.
    Real {
        /// Lowest value.
        low: f64,
        /// Highest value.
        high: f64,
    },
    /// Words.
    Choice(Vec<String>),
}

/// Error of a text that is not a parameter to tune.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// The text has no key or no values.
    #[error("`{0}`: expected key=low..high or key=a|b|c, such as c=0.1..2 or table=on|off")]
    Form(String),
    /// The end of a range is not a finite number.
    #[error("{key}={range}: expected numbers on both sides of `..`, such as {key}=0.1..2")]
    Number {
        /// Key of the parameter.
        key: String,
        /// Range as it was given.
        range: String,
    },
    /// The range has fewer than two values.
    #[error("{key}={range}: expected the lower number first, and two different numbers")]
    Empty {
        /// Key of the parameter.
        key: String,
        /// Range as it was given.
        range: String,
    },
    /// A word occurs twice.
    #[error("{key}: the value `{word}` is listed twice; list each value once")]
    Repeated {
        /// Key of the parameter.
        key: String,
        /// The word.
        word: String,
    },
}

impl FromStr for Parameter {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let form = || ParameterError::Form(text.to_owned());
        let (key, values) = text.split_once('=').ok_or_else(form)?;
        let (key, values) = (key.trim().to_owned(), values.trim());
        let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        if key.is_empty() || !key.chars().all(is_key) {
            return Err(form());
        }
        if let Some((low, high)) = values.split_once("..") {
            let values = range(&key, values, [low.trim(), high.trim()])?;
            return Ok(Self { key, values });
        }
        let words: Vec<String> = values.split('|').map(|word| word.trim().to_owned()).collect();
        if words.len() < 2 || words.iter().any(String::is_empty) {
            return Err(form());
        }
        let is_repeated = |i: &usize| words[..*i].contains(&words[*i]);
        if let Some(i) = (1..words.len()).find(is_repeated) {
            return Err(ParameterError::Repeated { key, word: words[i].clone() });
        }
        Ok(Self { key, values: ValueSet::Choice(words) })
    }
}

/// Parses the ends of a range: whole numbers if both are written as whole numbers.
fn range(key: &str, range: &str, ends: [&str; 2]) -> Result<ValueSet, ParameterError> {
    let named = || (key.to_owned(), range.to_owned());
    let [low, high] = ends.map(str::parse::<f64>);
    let (Ok(low), Ok(high)) = (low, high) else {
        let (key, range) = named();
        return Err(ParameterError::Number { key, range });
    };
    if !low.is_finite() || !high.is_finite() {
        let (key, range) = named();
        return Err(ParameterError::Number { key, range });
    }
    if low >= high {
        let (key, range) = named();
        return Err(ParameterError::Empty { key, range });
    }
    let [first, last] = ends.map(str::parse::<i64>);
    Ok(match (first, last) {
        (Ok(low), Ok(high)) => ValueSet::Integer { low, high },
        _ => ValueSet::Real { low, high },
    })
}

impl Parameter {
    /// Returns the parameter with real numbers in place of whole ones.
    #[must_use]
    pub fn as_real(self) -> Self {
        match self.values {
            ValueSet::Integer { low, high } => {
                Self { values: ValueSet::Real { low: low as f64, high: high as f64 }, ..self }
            }
            _ => self,
        }
    }

    /// Returns the ends of the range; `None` for words.
    pub(crate) fn ends(&self) -> Option<(f64, f64)> {
        match self.values {
            ValueSet::Integer { low, high } => Some((low as f64, high as f64)),
            ValueSet::Real { low, high } => Some((low, high)),
            ValueSet::Choice(_) => None,
        }
    }

    /// Returns true if equal factors have equal distances.
    pub(crate) fn is_log(&self) -> bool {
        self.ends().is_some_and(|(low, high)| low > 0.0 && high / low >= MIN_LOG_RATIO)
    }

    /// Returns the words; empty for numbers.
    pub(crate) fn words(&self) -> &[String] {
        if let ValueSet::Choice(words) = &self.values { words } else { &[] }
    }

    /// Returns all coordinates among which the search chooses, in ascending order.
    pub(crate) fn grid(&self) -> Vec<f64> {
        let steps = match &self.values {
            ValueSet::Choice(words) => return (0..words.len()).map(|i| i as f64).collect(),
            ValueSet::Integer { low, high } => {
                high.abs_diff(*low).min(GRID_STEPS as u64).try_into().unwrap_or(GRID_STEPS)
            }
            ValueSet::Real { .. } => GRID_STEPS,
        };
        let is_every_integer = matches!(&self.values, ValueSet::Integer { low, high } if high.abs_diff(*low) <= GRID_STEPS as u64);
        let mut grid: Vec<f64> = (0..=steps)
            .map(|i| match &self.values {
                ValueSet::Integer { low, .. } if is_every_integer => {
                    self.coordinate_of((low + i as i64) as f64)
                }
                _ => self.snapped(i as f64 / steps as f64),
            })
            .collect();
        grid.dedup();
        grid
    }

    /// Returns the coordinate of the value next to a number from 0 to 1.
    pub(crate) fn snapped(&self, unit: f64) -> f64 {
        match &self.values {
            ValueSet::Choice(words) => {
                let last = words.len() - 1;
                ((unit * words.len() as f64).floor().max(0.0) as usize).min(last) as f64
            }
            _ => self.coordinate_of(self.number(unit.clamp(0.0, 1.0))),
        }
    }

    /// Returns the number at a coordinate, rounded to the precision of the range; for words their index.
    pub(crate) fn number(&self, coordinate: f64) -> f64 {
        let Some((low, high)) = self.ends() else { return coordinate.round() };
        let exact = self.exact_number(coordinate);
        let rounded = match self.values {
            ValueSet::Integer { .. } => exact.round(),
            _ => rounded(exact, self.decimals(exact)),
        };
        rounded.clamp(low, high)
    }

    /// Returns the number at a coordinate without rounding; for words their index.
    pub(crate) fn exact_number(&self, coordinate: f64) -> f64 {
        match self.ends() {
            None => coordinate.round(),
            Some((low, high)) if self.is_log() => low * (high / low).powf(coordinate),
            Some((low, high)) => low + (high - low) * coordinate,
        }
    }

    /// Returns the number of digits after the decimal point with which a number is written; negative to round to tens.
    fn decimals(&self, number: f64) -> i32 {
        let Some((low, high)) = self.ends() else { return 0 };
        if self.is_log() {
            2 - number.log10().floor() as i32
        } else {
            (MIN_STEPS / (high - low)).log10().ceil() as i32
        }
    }

    /// Returns the coordinate of a number, which may lie outside the range.
    fn coordinate_of(&self, number: f64) -> f64 {
        let Some((low, high)) = self.ends() else { return number };
        if self.is_log() {
            (number / low).ln() / (high / low).ln()
        } else {
            (number - low) / (high - low)
        }
    }

    /// Returns the value at a coordinate as a spec has it.
    pub(crate) fn text(&self, coordinate: f64) -> String {
        match &self.values {
            ValueSet::Choice(words) => {
                words[(coordinate.round() as usize).min(words.len() - 1)].clone()
            }
            ValueSet::Integer { .. } => decimal(self.number(coordinate), 0),
            ValueSet::Real { .. } => self.number(coordinate).to_string(),
        }
    }

    /// Returns the coordinate of a value as a spec has it; `None` if it is neither a number nor one of the words.
    pub(crate) fn coordinate(&self, text: &str) -> Option<f64> {
        if let ValueSet::Choice(words) = &self.values {
            return words.iter().position(|word| word == text).map(|index| index as f64);
        }
        let coordinate = self.coordinate_of(text.parse().ok()?);
        coordinate.is_finite().then_some(coordinate)
    }

    /// Returns the value in the middle of the range, or the first word.
    pub(crate) fn middle(&self) -> String {
        match self.values {
            ValueSet::Choice(_) => self.text(0.0),
            _ => self.text(0.5),
        }
    }
}

/// Rounds a number to this many digits after the decimal point; negative rounds to tens.
fn rounded(number: f64, decimals: i32) -> f64 {
    let text = if decimals >= 0 {
        format!("{number:.*}", decimals as usize)
    } else {
        let power = 10_f64.powi(-decimals);
        ((number / power).round() * power).to_string()
    };
    // Read from text, so that the number prints with these digits.
    text.parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(text: &str) -> Parameter {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn a_wide_positive_range_has_a_logarithmic_scale() {
        for (text, is_log) in
            [("c=0.1..2", true), ("c=0.1..0.9", false), ("c=0..2", false), ("n=1..10", true)]
        {
            assert_eq!(parameter(text).is_log(), is_log, "{text}");
        }
        let c = parameter("c=0.1..2");
        assert_eq!([0.0, 0.5, 1.0].map(|at| c.text(at)), ["0.1", "0.447", "2"]);
        let linear = parameter("w=1000.1..1000.9");
        assert_eq!(
            [0.0, 0.5, 0.52, 1.0].map(|at| linear.text(at)),
            ["1000.1", "1000.5", "1000.516", "1000.9"]
        );
    }

    #[test]
    fn every_value_of_the_grid_is_in_the_range_and_returns_to_its_coordinate() {
        for text in ["c=0.1..2", "c=-3..3.5", "n=1..9", "n=0..100000", "k=1..1e7", "t=on|off|auto"]
        {
            let parameter = parameter(text);
            let grid = parameter.grid();
            assert!(grid.len() >= 2 && grid.is_sorted(), "{text}: {grid:?}");
            for &at in &grid {
                let back = parameter.coordinate(&parameter.text(at)).unwrap();
                assert!((back - at).abs() < 1e-9, "{text}: {at} {back}");
                if let Some((low, high)) = parameter.ends() {
                    assert!((low..=high).contains(&parameter.number(at)), "{text}: {at}");
                }
            }
        }
        assert_eq!(parameter("n=1..9").grid().len(), 9);
        assert_eq!(parameter("n=1..40").grid().len(), 40, "also on a logarithmic scale");
    }

    #[test]
    fn a_wrong_range_is_rejected_with_its_key() {
        for (text, part) in [
            ("c", "expected key=low..high or key=a|b|c"),
            ("=1..2", "expected key=low..high"),
            ("c=5", "expected key=low..high"),
            ("c=1..x", "c=1..x: expected numbers on both sides"),
            ("c=1..inf", "expected numbers"),
            ("c=2..1", "c=2..1: expected the lower number first"),
            ("c=on|off|on", "c: the value `on` is listed twice"),
            ("c=on||off", "expected key=low..high"),
        ] {
            let error = text.parse::<Parameter>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn whole_ends_give_whole_numbers() {
        let depth = parameter("depth=2..6");
        assert_eq!((depth.text(0.4), depth.middle()), ("4".to_owned(), "4".to_owned()));
        assert_eq!(depth.as_real().text(0.3), "3.2");
        assert_eq!(parameter("t=on|off").middle(), "on");
    }
}
