//! Means of repeated measurements, with their confidence intervals.

use tussle_stats::student95;
use tussle_view::chart::Point;

/// Mean of repeated measurements, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    pub(crate) value: f64,
    /// 95 % interval; `None` for a single measurement or equal ones.
    pub(crate) interval: Option<(f64, f64)>,
}

impl Mean {
    /// Returns the arithmetic mean; NaN without values.
    pub(crate) fn arithmetic(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let value = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|x| (x - value).powi(2)).sum();
        let interval = (values.len() > 1 && squares > 0.0).then(|| {
            let half = student95(n - 1.0) * (squares / (n - 1.0) / n).sqrt();
            (value - half, value + half)
        });
        Self { value, interval }
    }

    /// Returns the geometric mean, for quantities that grow by factors; NaN unless all values are above 0.
    pub(crate) fn geometric(values: &[f64]) -> Self {
        if values.iter().any(|value| *value <= 0.0) {
            return Self { value: f64::NAN, interval: None };
        }
        let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        let Self { value, interval } = Self::arithmetic(&logs);
        Self { value: value.exp(), interval: interval.map(|(low, high)| (low.exp(), high.exp())) }
    }

    /// Returns the mean as a point of a chart.
    pub(crate) fn point(&self, x: f64) -> Point {
        Point { x, y: self.value, range: self.interval }
    }
}

/// Returns the median; NaN without values. Sorts the values.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

/// Returns the slope of the least-squares line through points (x, y); NaN if all have one x.
pub(crate) fn slope(points: &[(f64, f64)]) -> f64 {
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
    fn nineteen_of_twenty_intervals_contain_the_true_mean() {
        let mut rng = Rng::new(5);
        let mut normal = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
        for n in [2, 5, 20] {
            let held = (0..4000).filter(|_| {
                let values: Vec<f64> = (0..n).map(|_| 3.0 + normal()).collect();
                let (low, high) = Mean::arithmetic(&values).interval.unwrap();
                low <= 3.0 && 3.0 <= high
            });
            let share = held.count() as f64 / 4000.0;
            assert!((0.94..0.96).contains(&share), "{n}: {share}");
        }
    }

    #[test]
    fn factors_have_a_geometric_mean() {
        let mean = Mean::geometric(&[1.0, 100.0]);
        assert!((mean.value - 10.0).abs() < 1e-9);
        assert!(Mean::geometric(&[0.0, 3.0]).value.is_nan());
        assert_eq!(Mean::arithmetic(&[4.0]).interval, None);
    }

    #[test]
    fn middles_and_slopes() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0]), 2.5);
        assert!((slope(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]) - 2.0).abs() < 1e-12);
    }
}
