//! The normal distribution.

/// Two standard deviations, more or less: 95 % of a normal distribution lie within.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The share of a normal distribution that lies below `z` standard deviations.
pub(crate) fn below(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// How many standard deviations this share of a normal distribution lies below; the share must be
/// between 0 and 1.
pub(super) fn quantile(share: f64) -> f64 {
    if share > 0.5 {
        return -quantile(1.0 - share);
    }
    // Newton's method for the logarithm of `below`, which bends one way only: from a point on the left
    // of the answer it never passes it.
    let mut z = -(-2.0 * share.ln()).sqrt();
    for _ in 0..100 {
        let found = below(z);
        let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let step = (share / found).ln() * found / density;
        z += step;
        if step.abs() <= 1e-15 * z.abs().max(1.0) {
            break;
        }
    }
    z
}

/// How many standard errors hold 95 % where the deviation itself was measured, with so many degrees of
/// freedom: Student's distribution, by the series of Cornish and Fisher.
pub fn student95(freedom: f64) -> f64 {
    let (z, n) = (Z95, freedom.max(1.0));
    let [z3, z5, z7, z9] = [3, 5, 7, 9].map(|power| z.powi(power));
    z + (z3 + z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n.powi(3))
        + (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / (92160.0 * n.powi(4))
}

/// The complement of the error function.
fn erfc(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    if x < 2.0 {
        // The series of erf: 2/√π e^(-x²) Σ 2^n x^(2n+1) / (1·3·5…(2n+1)), all terms positive.
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term > sum * 1e-17 {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        return 1.0 - std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum;
    }
    if x > 27.0 {
        return 0.0; // less than the least number
    }
    // The continued fraction e^(-x²)/√π · 1/(x + ½/(x + 1/(x + 3/2/(x + …)))), from within.
    let fraction = (1..=120).rev().fold(x, |inner, k| x + f64::from(k) / 2.0 / inner);
    0.5 * std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_abramowitz_and_stegun_agree() {
        for (x, erf) in [
            (0.0, 0.0),
            (0.1, 0.112_462_916_018_284_9),
            (0.5, 0.520_499_877_813_046_5),
            (1.0, 0.842_700_792_949_714_9),
            (1.5, 0.966_105_146_475_310_7),
            (2.0, 0.995_322_265_018_952_7),
            (3.0, 0.999_977_909_503_001_4),
        ] {
            assert!((1.0 - erfc(x) - erf).abs() < 2e-15, "erf {x} = {}", 1.0 - erfc(x));
            assert!((erfc(-x) - 1.0 - erf).abs() < 2e-15, "erf -{x}");
        }
        // The tail keeps its digits, and both ways agree where they meet.
        assert!((erfc(5.0) / 1.537_459_794_428_034_8e-12 - 1.0).abs() < 1e-13);
        assert!((erfc(10.0) / 2.088_487_583_762_545e-45 - 1.0).abs() < 1e-12);
        assert!((erfc(2.0 - 1e-12) / erfc(2.0) - 1.0).abs() < 1e-11);
        assert_eq!((erfc(f64::INFINITY), erfc(f64::NEG_INFINITY)), (0.0, 2.0));
    }

    #[test]
    fn the_usual_quantiles_are_those_of_every_table() {
        for (share, z) in [
            (0.5, 0.0),
            (0.8, 0.841_621_233_572_914_3),
            (0.9, 1.281_551_565_544_600_4),
            (0.95, 1.644_853_626_951_472_2),
            (0.975, Z95),
            (0.99, 2.326_347_874_040_840_8),
            (0.995, 2.575_829_303_548_901),
            (0.999, 3.090_232_306_167_813),
            (0.999_95, 3.890_591_886_413_099),
        ] {
            assert!((quantile(share) - z).abs() < 1e-11, "{share}: {}", quantile(share));
            assert!(
                (quantile(1.0 - share) + z).abs() < 1e-11,
                "{share}: {}",
                quantile(1.0 - share)
            );
        }
        for exponent in [-300, -100, -9, -3] {
            let share = 10_f64.powi(exponent);
            assert!((below(quantile(share)) / share - 1.0).abs() < 1e-9, "{share}");
        }
    }

    #[test]
    fn students_table_agrees() {
        for (freedom, t) in [(4.0, 2.776), (10.0, 2.228), (29.0, 2.045), (100.0, 1.984)] {
            assert!((student95(freedom) - t).abs() < 0.004, "{freedom}: {}", student95(freedom));
        }
    }

    #[test]
    fn ninety_five_percent_lie_within() {
        assert!((below(Z95) - 0.975).abs() < 1e-15);
        assert_eq!(below(0.0), 0.5);
    }
}
