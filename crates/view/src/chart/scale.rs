//! From numbers to places on an axis, with ticks at numbers people like.

use tussle_core::format::decimal;

use super::{Axis, Scale};

/// How much is left free beyond the values, in parts of their range.
const FREE: f64 = 0.05;

/// An axis with its ends.
#[derive(Clone, Debug)]
pub(super) struct Ruler {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Ruler {
    /// One that has room for these values.
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
        // An end that was asked for stays where it is, unless something lies beyond it.
        let is_asked = |end: f64| shown.clone().any(|asked| asked == end);
        let (is_low_asked, is_high_asked) = (is_asked(low), is_asked(high));
        if is_log {
            let free = if low == high { 2.0 } else { (high / low).powf(FREE) };
            low = if is_low_asked { low } else { low / free };
            high = if is_high_asked { high } else { high * free };
        } else {
            let free = if low == high { low.abs().max(1.0) / 2.0 } else { (high - low) * FREE };
            low = if is_low_asked { low } else { low - free };
            high = if is_high_asked { high } else { high + free };
        }
        Self { scale: axis.scale.clone(), low, high }
    }

    /// The lower end.
    pub(super) fn low(&self) -> f64 {
        self.low
    }

    /// Where a value lies, from 0 to 1.
    pub(super) fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Log => {
                let value = value.max(f64::MIN_POSITIVE);
                (value / self.low).ln() / (self.high / self.low).ln()
            }
            _ => (value - self.low) / (self.high - self.low),
        }
    }

    /// At most so many ticks.
    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        match &self.scale {
            Scale::Names(names) => (0..names.len()).map(|i| i as f64).collect(),
            Scale::Linear => even(self.low, self.high, most),
            Scale::Log => factors(self.low, self.high, most),
        }
    }

    /// A number as a tick names it.
    pub(super) fn name(&self, value: f64) -> String {
        match &self.scale {
            Scale::Names(names) => names.get(value.round() as usize).cloned().unwrap_or_default(),
            _ => number(value),
        }
    }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn even(low: f64, high: f64, most: usize) -> Vec<f64> {
    let rough = (high - low) / most.max(1) as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|step| *step >= rough);
    let Some(step) = step.filter(|step| step.is_normal()) else { return vec![low] };
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|n| n as f64 * step).collect()
}

/// How many ticks an axis needs so that places between them can be read.
const READABLE: usize = 4;

/// 1, 2 and 5 times powers of ten, or 1 and 3, or powers alone: as many as there may be. More where these are too few.
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
    if found.as_ref().is_some_and(|ticks| ticks.len() < READABLE) {
        let finer = [at(&[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0], 1), even(low, high, most)];
        let enough = finer.into_iter().find(|ticks| (READABLE..=most).contains(&ticks.len()));
        return enough.or(found).unwrap_or_default();
    }
    found.unwrap_or_else(|| {
        (2..700).map(|every| at(&[1.0], every)).find(|t| t.len() <= most.max(1)).unwrap_or_default()
    })
}

/// As short as it can be said.
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
    fn ticks_are_numbers_that_people_like() {
        assert_eq!(even(0.0, 1.0, 6), [0.0, 0.2, 0.4, 0.600_000_000_000_000_1, 0.8, 1.0]);
        assert_eq!(even(-3.0, 17.0, 5), [0.0, 5.0, 10.0, 15.0]);
        assert_eq!(factors(0.1, 3.0, 6), [0.1, 0.2, 0.5, 1.0, 2.0]);
        assert_eq!(factors(4.7, 20.0, 7), [5.0, 7.0, 10.0, 15.0, 20.0]);
        // So narrow that factors and differences hardly differ.
        assert_eq!(factors(1.1, 1.45, 7), even(1.1, 1.45, 7));
        assert_eq!(factors(1.1, 1.45, 7).len(), 7);
        assert_eq!(factors(1.0, 1e6, 8), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        assert_eq!(factors(1.0, 1e12, 5), [1.0, 1e3, 1e6, 1e9, 1e12]);
    }

    #[test]
    fn ticks_are_named_shortly() {
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
    fn what_has_no_place_takes_none() {
        let ruler = Ruler::new(&Axis::log("n"), [0.0, f64::NAN, -1.0, 5.0].into_iter());
        assert!(ruler.low > 0.0 && ruler.low < 5.0 && ruler.high > 5.0);
        let ruler = Ruler::new(&Axis::linear("n"), std::iter::empty());
        assert!(ruler.low < ruler.high);
    }

    #[test]
    fn ends_that_were_asked_for_stay() {
        let ruler = Ruler::new(&Axis::linear("p").showing(0.0..=1.0), [0.2, 0.7].into_iter());
        assert_eq!((ruler.low, ruler.high), (0.0, 1.0));
    }
}
