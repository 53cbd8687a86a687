//! The normal distribution, and Student's.

/// Number of standard deviations around the mean that hold 95 % of a normal distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// Returns the share of a normal distribution below `z` standard deviations.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// Returns the quantile of the normal distribution in standard deviations; the share must be between 0 and 1.
pub(crate) fn normal_quantile(share: f64) -> f64 {
    if share > 0.5 {
        return -normal_quantile(1.0 - share);
    }
    // Newton's method for the logarithm of the distribution, which bends one way only: from a point on the left
    // of the answer it never passes it.
    let mut z = -(-2.0 * share.ln()).sqrt();
    for _ in 0..100 {
        let found = normal_cdf(z);
        let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let step = (share / found).ln() * found / density;
        z += step;
        if step.abs() <= 1e-15 * z.abs().max(1.0) {
            break;
        }
    }
    z
}

/// Returns the number of standard errors that hold 95 % of Student's distribution, for a deviation that was measured with
/// `freedom` degrees of freedom (at least 1).
pub fn student95(freedom: f64) -> f64 {
    student_quantile(0.975, freedom.max(1.0))
}

/// Returns the quantile of Student's distribution with `freedom` degrees of freedom, at least 1; the share must be between 0
/// and 1.
pub(crate) fn student_quantile(share: f64, freedom: f64) -> f64 {
    // Above this the series of Cornish and Fisher has 12 digits, and the continued fraction would be long.
    const MANY_DEGREES: f64 = 1e5;
    if share > 0.5 {
        return -student_quantile(1.0 - share, freedom);
    }
    let start = -cornish_fisher(-normal_quantile(share), freedom);
    if freedom >= MANY_DEGREES || start >= 0.0 {
        return start; // a share of ½ may be rounded to either side of 0
    }
    // Newton's method for the logarithm of the tail by the logarithm of t. That function is concave, because the
    // tail falls ever faster until it falls like t^-freedom; so no step leads away from the answer.
    let scale = (freedom * std::f64::consts::PI).sqrt().recip() * gamma_ratio(freedom);
    let mut t = -start;
    for _ in 0..100 {
        let tail = student_tail(t, freedom);
        let density = scale * (-0.5 * (freedom + 1.0) * (t * t / freedom).ln_1p()).exp();
        let step = (tail / share).ln() * tail / (t * density);
        t *= step.exp();
        if step.abs() <= 1e-15 {
            break;
        }
    }
    -t
}

/// Approximates the quantile of Student's distribution at the normal quantile `z`: the series of Cornish and
/// Fisher to the fourth power of 1/freedom.
fn cornish_fisher(z: f64, freedom: f64) -> f64 {
    let n = freedom;
    let [z3, z5, z7, z9] = [3, 5, 7, 9].map(|power| z.powi(power));
    z + (z3 + z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n.powi(3))
        + (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / (92160.0 * n.powi(4))
}

/// Returns the share of Student's distribution above `t`, which is positive.
fn student_tail(t: f64, freedom: f64) -> f64 {
    // Half of the regularized incomplete beta function I_x(freedom/2, 1/2) with x = freedom / (freedom + t²).
    let (a, b) = (0.5 * freedom, 0.5);
    let (x, rest) = (freedom / (freedom + t * t), t * t / (freedom + t * t));
    // x^a (1 - x)^b / B(a, b)
    let front = (-a * (t * t / freedom).ln_1p()).exp() * rest.sqrt() * gamma_ratio(freedom)
        / std::f64::consts::PI.sqrt();
    let both = if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(rest, b, a) / b
    };
    0.5 * both
}

/// Computes the continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by Lentz's method.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let not_zero = |x: f64| if x.abs() < 1e-300 { 1e-300 } else { x };
    let (mut c, mut d) = (1.0, not_zero(1.0 - (a + b) * x / (a + 1.0)).recip());
    let mut value = d;
    for m in 1..2000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = value;
        for coefficient in [even, odd] {
            d = not_zero(1.0 + coefficient * d).recip();
            c = not_zero(1.0 + coefficient / c);
            value *= c * d;
        }
        if (value - before).abs() <= 1e-16 * value.abs() {
            break;
        }
    }
    value
}

/// Returns Γ((n+1)/2) / Γ(n/2) for positive n.
fn gamma_ratio(n: f64) -> f64 {
    // The ratio at n + 2 is (n+1)/n times that at n: up to where the asymptotic series has all digits.
    let (mut n, mut factor) = (n, 1.0);
    while n < 64.0 {
        factor *= n / (n + 1.0);
        n += 2.0;
    }
    let series = [-399.0 / 8192.0, -21.0 / 2048.0, 5.0 / 128.0, 1.0 / 32.0, -0.25, 1.0];
    let sum = series.iter().fold(0.0, |sum, coefficient| sum / n + coefficient);
    factor * (0.5 * n).sqrt() * sum
}

/// Returns the complementary error function.
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
        return 0.0; // smaller than any positive number
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
            assert!(
                (normal_quantile(share) - z).abs() < 1e-11,
                "{share}: {}",
                normal_quantile(share)
            );
            assert!(
                (normal_quantile(1.0 - share) + z).abs() < 1e-11,
                "{share}: {}",
                normal_quantile(1.0 - share)
            );
        }
        for exponent in [-300, -100, -9, -3] {
            let share = 10_f64.powi(exponent);
            assert!((normal_cdf(normal_quantile(share)) / share - 1.0).abs() < 1e-9, "{share}");
        }
    }

    /// The t-table that books print: rows by degrees of freedom, columns by share.
    #[test]
    fn students_table_agrees() {
        let shares = [0.90, 0.95, 0.975, 0.99, 0.995, 0.9995];
        for (freedom, row) in [
            (1.0, [3.078, 6.314, 12.706, 31.821, 63.657, 636.619]),
            (2.0, [1.886, 2.920, 4.303, 6.965, 9.925, 31.599]),
            (3.0, [1.638, 2.353, 3.182, 4.541, 5.841, 12.924]),
            (4.0, [1.533, 2.132, 2.776, 3.747, 4.604, 8.610]),
            (5.0, [1.476, 2.015, 2.571, 3.365, 4.032, 6.869]),
            (10.0, [1.372, 1.812, 2.228, 2.764, 3.169, 4.587]),
            (30.0, [1.310, 1.697, 2.042, 2.457, 2.750, 3.646]),
            (120.0, [1.289, 1.658, 1.980, 2.358, 2.617, 3.373]),
            (f64::INFINITY, [1.282, 1.645, 1.960, 2.326, 2.576, 3.291]),
        ] {
            for (share, t) in shares.into_iter().zip(row) {
                let found = student_quantile(share, freedom);
                assert!((found - t).abs() <= 0.000_501, "{freedom} {share}: {found}, not {t}");
                assert_eq!(student_quantile(1.0 - share, freedom), -found);
            }
            assert_eq!(student95(freedom), student_quantile(0.975, freedom));
        }
        // No number of degrees below one makes sense of a deviation.
        assert_eq!([0.0, -3.0, f64::NAN].map(student95), [student95(1.0); 3]);
    }

    /// With 1, 2 and 4 degrees of freedom the quantile has a formula.
    #[test]
    fn students_quantile_equals_its_exact_formulas() {
        for share in [1e-12, 1e-6, 0.0005, 0.025, 0.1, 0.3, 0.49, 0.5, 0.6, 0.975] {
            let alpha: f64 = 4.0 * share * (1.0 - share);
            let cosine = (alpha.sqrt().acos() / 3.0).cos() / alpha.sqrt();
            let sign = if share < 0.5 { -1.0 } else { 1.0 };
            for (freedom, exact) in [
                (1.0, -(std::f64::consts::PI * share).tan().recip()),
                (2.0, (2.0 * share - 1.0) * (2.0 / alpha).sqrt()),
                (4.0, sign * 2.0 * (cosine - 1.0).max(0.0).sqrt()),
            ] {
                let found = student_quantile(share, freedom);
                let error = (found - exact).abs() / exact.abs().max(1e-3);
                assert!(error < 1e-9, "{freedom} {share}: {found}, not {exact}");
            }
        }
    }

    /// Simpson's rule on the density, whatever the degrees of freedom; the density's constant comes out of the
    /// same integral.
    #[test]
    fn the_share_below_students_quantile_is_the_integral_of_its_density() {
        // With t = √n tan(φ) the density is cos(φ)^(n-1).
        let integral = |to: f64, n: f64| {
            let steps = 20_000;
            let width = to / f64::from(steps);
            let sum: f64 = (0..=steps)
                .map(|i| {
                    let weight = match i {
                        0 => 1.0,
                        i if i == steps => 1.0,
                        i => f64::from(2 + 2 * (i % 2)),
                    };
                    weight * (f64::from(i) * width).cos().max(0.0).powf(n - 1.0)
                })
                .sum();
            sum * width / 3.0
        };
        for n in [1.0, 1.5, 2.7, 3.0, 7.0, 29.0, 63.5, 64.0, 119.3, 1000.0, 99_999.0] {
            let half = integral(std::f64::consts::FRAC_PI_2, n);
            for share in [0.6, 0.9, 0.975, 0.9995] {
                let angle = (student_quantile(share, n) / n.sqrt()).atan();
                let below = 0.5 + 0.5 * integral(angle, n) / half;
                assert!((below - share).abs() < 1e-7, "{n} {share}: {below}");
            }
        }
    }

    #[test]
    fn students_quantile_falls_to_the_normal_one() {
        let degrees = [1.0, 1.001, 2.0, 31.9, 63.9, 64.1, 9e4, 1e5, 1.1e5, 1e9, 1e300];
        for share in [0.51, 0.975, 1.0 - 1e-9] {
            let found = degrees.map(|freedom| student_quantile(share, freedom));
            assert!(found.windows(2).all(|pair| pair[0] >= pair[1]), "{share}: {found:?}");
            assert!((found[10] - normal_quantile(share)).abs() < 1e-12);
        }
        // Both ways to compute it agree where they meet.
        let [below, above] = [0.999_999e5, 1e5].map(|freedom| student_quantile(0.9995, freedom));
        assert!((below / above - 1.0).abs() < 1e-10, "{below} {above}");
    }

    /// From Γ(½) = √π and Γ(1) = 1 on, by n Γ(n) = Γ(n + 1).
    #[test]
    fn the_ratio_of_gamma_functions_has_all_digits() {
        let root = std::f64::consts::PI.sqrt();
        let mut exact = [1.0 / root, root / 2.0];
        for n in 1..200 {
            let n = f64::from(n);
            assert!((gamma_ratio(n) / exact[0] - 1.0).abs() < 5e-13, "{n}: {}", gamma_ratio(n));
            exact = [exact[1], exact[0] * (n + 1.0) / n];
        }
    }

    #[test]
    fn ninety_five_percent_lie_within() {
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-15);
        assert_eq!(normal_cdf(0.0), 0.5);
    }
}
