//! Intervals and tests of proportions.

/// Quantile that [`wilson_interval`] uses. Stored findings were computed with these digits.
const WILSON_Z: f64 = 1.959_964;

/// Returns Wilson's 95 % interval of a share that was measured on `games` independent games, more than 0.
///
/// If draws count as half a win, the interval is a little too wide.
pub fn wilson_interval(share: f64, games: f64) -> (f64, f64) {
    let z = WILSON_Z;
    let middle = (share + z * z / (2.0 * games)) / (1.0 + z * z / games);
    let half = z / (1.0 + z * z / games)
        * (share * (1.0 - share) / games + z * z / (4.0 * games * games)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// Returns the two-sided p-value of the exact sign test.
///
/// This is the probability that two equal players are as far apart as `wins` and `losses`, or farther;
/// draws are left out. It holds for any number of games, where an error that was measured on a few of
/// them may be small by chance.
pub fn sign_test(wins: u64, losses: u64) -> f64 {
    let n = wins + losses;
    // Logarithms, because neither 2^n nor the number of orders fits a float for long matches.
    let (mut log_ways, mut sum) = (0.0, 0.0);
    for k in 0..=wins.min(losses) {
        sum += f64::exp(log_ways - n as f64 * std::f64::consts::LN_2);
        log_ways += ((n - k) as f64 / (k + 1) as f64).ln();
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_equals_published_ones() {
        // 29 of 50: 44.2 % to 70.6 %; 20 of 20: from 83.9 %.
        let (low, high) = wilson_interval(29.0 / 50.0, 50.0);
        assert!((low - 0.442).abs() < 5e-4 && (high - 0.706).abs() < 5e-4, "{low} {high}");
        let (low, high) = wilson_interval(1.0, 20.0);
        assert!((low - 0.839).abs() < 5e-4 && high > 0.9999, "{low} {high}");
    }

    #[test]
    fn small_sign_tests_equal_their_fractions() {
        let cases = [
            (0, 0, 1.0),
            (5, 0, 0.0625),
            (6, 0, 0.03125),
            (0, 6, 0.03125),
            (8, 1, 0.039_062_5),
            (9, 2, 134.0 / 2048.0),
            (4, 4, 1.0),
        ];
        for (wins, losses, p) in cases {
            let found = sign_test(wins, losses);
            assert!((found - p).abs() < 1e-12, "{wins} {losses}: {found}");
        }
    }

    #[test]
    fn long_sign_tests_neither_overflow_nor_vanish() {
        assert_eq!(sign_test(1_000_000, 1_000_000), 1.0);
        // Normal approximation with continuity correction: z = (200 - 1) / √10000.
        let found = sign_test(5100, 4900);
        assert!((found - 0.0466).abs() < 0.0002, "{found}");
        assert!(sign_test(3000, 1000) < 1e-100);
    }
}
