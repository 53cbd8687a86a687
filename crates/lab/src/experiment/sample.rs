//! Several measurements of the same thing: their middle, and how far it can be trusted.

use tussle_stats::student95;
use tussle_view::chart::Point;

/// The middle of some measurements with the 95 % interval of that middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Middle {
    pub(super) middle: f64,
    /// None if there was one measurement, or no variation.
    pub(super) range: Option<(f64, f64)>,
}

impl Middle {
    /// The arithmetic mean; NaN of nothing.
    pub(crate) fn mean(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let middle = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
        let range = (values.len() > 1 && squares > 0.0).then(|| {
            let half = student95(n - 1.0) * (squares / (n - 1.0) / n).sqrt();
            (middle - half, middle + half)
        });
        Self { middle, range }
    }

    /// The geometric mean, for what grows by factors; NaN unless all are above 0.
    pub(super) fn geometric(values: &[f64]) -> Self {
        if values.iter().any(|value| *value <= 0.0) {
            return Self { middle: f64::NAN, range: None };
        }
        let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        let Self { middle, range } = Self::mean(&logs);
        Self { middle: middle.exp(), range: range.map(|(low, high)| (low.exp(), high.exp())) }
    }

    /// As a point of a chart.
    pub(crate) fn point(&self, x: f64) -> Point {
        Point { x, y: self.middle, range: self.range }
    }
}

/// The value in the middle of the sorted ones.
pub(super) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

/// The slope of the straight line nearest to some points; NaN if there is none.
pub(super) fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let along: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    along / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use tussle_core::Rng;

    use super::*;

    #[test]
    fn nineteen_of_twenty_intervals_hold_the_truth() {
        let mut rng = Rng::new(5);
        let mut normal = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
        for n in [2, 5, 20] {
            let held = (0..4000).filter(|_| {
                let values: Vec<f64> = (0..n).map(|_| 3.0 + normal()).collect();
                let (low, high) = Middle::mean(&values).range.unwrap();
                low <= 3.0 && 3.0 <= high
            });
            let share = held.count() as f64 / 4000.0;
            assert!((0.94..0.96).contains(&share), "{n}: {share}");
        }
    }

    #[test]
    fn factors_have_a_geometric_mean() {
        let spread = Middle::geometric(&[1.0, 100.0]);
        assert!((spread.middle - 10.0).abs() < 1e-9);
        assert!(Middle::geometric(&[0.0, 3.0]).middle.is_nan());
        assert_eq!(Middle::mean(&[4.0]).range, None);
    }

    #[test]
    fn middles_and_slopes() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0]), 2.5);
        assert!((slope(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]) - 2.0).abs() < 1e-12);
    }
}
