//! Mapping of values to positions on an axis, with ticks at round numbers.

use tussle_core::format::decimal;

use super::{Axis, Scale};

/// Free space beyond the values on each side, as a fraction of their range.
const PADDING_FRACTION: f64 = 0.05;

/// Scale of an axis with its lowest and highest value.
#[derive(Clone, Debug)]
pub(super) struct Ruler {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Ruler {
    /// Creates a ruler that covers the values and the range that the axis always shows.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>) -> Self {
        if let Scale::Names(names) = &axis.scale {
            return Self { scale: axis.scale.clone(), low: -0.6, high: names.len() as f64 - 0.4 };
        }
        let is_log = axis.scale == Scale::Log;
        let has_place = |value: &f64| value.is_finite() && (!is_log || *value > 0.0);
        let shown = axis.shown.iter().flat_map(|shown| [*shown.start(), *shown.end()]);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.chain(shown.clone()).filter(has_place) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = if is_log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        // An end that the axis requests gets no padding, unless a value lies beyond it.
        let is_requested = |end: f64| shown.clone().any(|requested| requested == end);
        let (is_low_fixed, is_high_fixed) = (is_requested(low), is_requested(high));
        if is_log {
            let free = if low == high { 2.0 } else { (high / low).powf(PADDING_FRACTION) };
            low = if is_low_fixed { low } else { low / free };
            high = if is_high_fixed { high } else { high * free };
        } else {
            let free = if low == high {
                low.abs().max(1.0) / 2.0
            } else {
                (high - low) * PADDING_FRACTION
            };
            low = if is_low_fixed { low } else { low - free };
            high = if is_high_fixed { high } else { high + free };
        }
        Self { scale: axis.scale.clone(), low, high }
    }

    /// Returns the lowest value on the axis.
    pub(super) fn low(&self) -> f64 {
        self.low
    }

    /// Returns the position of a value along the axis; 0 and 1 are the ends.
    pub(super) fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Log => {
                let value = value.max(f64::MIN_POSITIVE);
                (value / self.low).ln() / (self.high / self.low).ln()
            }
            _ => (value - self.low) / (self.high - self.low),
        }
    }

    /// Returns the values of the ticks: one per name, or at most `most` numbers.
    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        match &self.scale {
            Scale::Names(names) => (0..names.len()).map(|i| i as f64).collect(),
            Scale::Linear => even(self.low, self.high, most),
            Scale::Log => factors(self.low, self.high, most),
        }
    }

    /// Returns the label of a tick.
    pub(super) fn name(&self, value: f64) -> String {
        match &self.scale {
            Scale::Names(names) => names.get(value.round() as usize).cloned().unwrap_or_default(),
            _ => number(value),
        }
    }
}

/// Returns evenly spaced ticks, whose step is 1, 2 or 5 times a power of ten.
fn even(low: f64, high: f64, most: usize) -> Vec<f64> {
    let rough = (high - low) / most.max(1) as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|step| *step >= rough);
    let Some(step) = step.filter(|step| step.is_normal()) else { return vec![low] };
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|n| n as f64 * step).collect()
}

/// Minimum number of ticks with which values between them can be estimated on a logarithmic axis.
const MIN_LOG_TICKS: usize = 4;

/// Returns the ticks of a logarithmic axis: 1, 2 and 5 times powers of ten; if these are too many, 1 and 3 times powers,
/// then powers alone, then every n-th power. If they are fewer than [`MIN_LOG_TICKS`], more multiples or even
/// steps.
fn factors(low: f64, high: f64, most: usize) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let at = |kept: &[f64], every: i32| -> Vec<f64> {
        let powers = powers.clone().filter(|power| power.rem_euclid(every) == 0);
        let all = powers.flat_map(|power| kept.iter().map(move |n| n * 10_f64.powi(power)));
        let near = 1e-9;
        all.filter(|n| *n >= low * (1.0 - near) && *n <= high * (1.0 + near)).collect()
    };
    let tries = [at(&[1.0, 2.0, 5.0], 1), at(&[1.0, 3.0], 1), at(&[1.0], 1)];
    let found = tries.into_iter().find(|ticks| ticks.len() <= most);
    if found.as_ref().is_some_and(|ticks| ticks.len() < MIN_LOG_TICKS) {
        let finer = [at(&[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0], 1), even(low, high, most)];
        let enough = finer.into_iter().find(|ticks| (MIN_LOG_TICKS..=most).contains(&ticks.len()));
        return enough.or(found).unwrap_or_default();
    }
    found.unwrap_or_else(|| {
        (2..700).map(|every| at(&[1.0], every)).find(|t| t.len() <= most.max(1)).unwrap_or_default()
    })
}

/// Formats a number for a tick, in as few characters as possible.
fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size < 1e-9 => "0".to_owned(),
        _ if size >= 1e9 => format!("{:.0}e9", value / 1e9),
        _ if size >= 1e6 => format!("{} M", (value / 1e5).round() / 10.0),
        _ if size >= 1e4 => format!("{} k", (value / 1e2).round() / 10.0),
        _ if size >= 100.0 => decimal(value, 0),
        _ if size >= 0.01 => decimal(value, 3),
        _ => format!("{value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(even(0.0, 1.0, 6), [0.0, 0.2, 0.4, 0.600_000_000_000_000_1, 0.8, 1.0]);
        assert_eq!(even(-3.0, 17.0, 5), [0.0, 5.0, 10.0, 15.0]);
        assert_eq!(factors(0.1, 3.0, 6), [0.1, 0.2, 0.5, 1.0, 2.0]);
        assert_eq!(factors(4.7, 20.0, 7), [5.0, 7.0, 10.0, 15.0, 20.0]);
        // On so narrow a range logarithmic and linear ticks hardly differ.
        assert_eq!(factors(1.1, 1.45, 7), even(1.1, 1.45, 7));
        assert_eq!(factors(1.1, 1.45, 7).len(), 7);
        assert_eq!(factors(1.0, 1e6, 8), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        assert_eq!(factors(1.0, 1e12, 5), [1.0, 1e3, 1e6, 1e9, 1e12]);
    }

    #[test]
    fn tick_labels_are_short() {
        let cases = [
            (0.1, "0.1"),
            (1500.0, "1500"),
            (20_000.0, "20 k"),
            (2.5e6, "2.5 M"),
            (0.0, "0"),
            (-4.0, "-4"),
        ];
        for (number, name) in cases {
            assert_eq!(super::number(number), name);
        }
    }

    #[test]
    fn values_without_a_position_do_not_extend_the_axis() {
        let ruler = Ruler::new(&Axis::log("n"), [0.0, f64::NAN, -1.0, 5.0].into_iter());
        assert!(ruler.low > 0.0 && ruler.low < 5.0 && ruler.high > 5.0);
        let ruler = Ruler::new(&Axis::linear("n"), std::iter::empty());
        assert!(ruler.low < ruler.high);
    }

    #[test]
    fn requested_ends_of_an_axis_get_no_padding() {
        let ruler = Ruler::new(&Axis::linear("p").showing(0.0..=1.0), [0.2, 0.7].into_iter());
        assert_eq!((ruler.low, ruler.high), (0.0, 1.0));
    }
}
