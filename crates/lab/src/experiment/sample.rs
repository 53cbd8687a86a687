//! The mean of a few runs, and how sure it is.

/// The mean of some numbers and its 95 % interval, after Student; the interval is the mean itself where fewer
/// than two numbers tell nothing of their spread.
pub(super) fn mean(numbers: &[f64]) -> (f64, f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    if numbers.len() < 2 {
        return (mean, mean, mean);
    }
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = student95(n - 1.0) * (variance / n).sqrt();
    (mean, mean - half, mean + half)
}

/// The quantile of Student's t that leaves 2.5 % above it: Fisher's expansion around the normal one, right to
/// 1 % from three degrees of freedom on.
fn student95(freedom: f64) -> f64 {
    let z = 1.959_964_f64;
    let (z3, z5, z7) = (z.powi(3), z.powi(5), z.powi(7));
    z + (z3 + z) / (4.0 * freedom)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * freedom.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_table_is_met() {
        for (freedom, published) in [(3.0, 3.182), (4.0, 2.776), (9.0, 2.262), (30.0, 2.042)] {
            assert!((student95(freedom) / published - 1.0).abs() < 0.01, "{freedom}");
        }
        assert_eq!(mean(&[4.0]), (4.0, 4.0, 4.0));
        let (middle, low, high) = mean(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        // 3 ± 2.776 × sqrt(2.5 / 5)
        assert!((middle - 3.0).abs() < 1e-12 && (high - 4.963).abs() < 0.02, "{low} {high}");
    }
}
