//! The normal distribution.

/// Two standard deviations, more or less: 95 % of a normal distribution lie within.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The share of a normal distribution that lies below `z` standard deviations.
pub(crate) fn below(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
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
    fn ninety_five_percent_lie_within() {
        assert!((below(Z95) - 0.975).abs() < 1e-15);
        assert_eq!(below(0.0), 0.5);
    }
}
