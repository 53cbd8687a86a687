//! Tests against `statrs`: the distributions that this crate computes itself.

use statrs::distribution::{Binomial, ContinuousCDF as _, DiscreteCDF as _, Normal, StudentsT};

use crate::normal::{normal_cdf, normal_quantile, student_quantile};
use crate::sign_test;

/// Shares from the far tail to the far tail.
const SHARES: [f64; 13] =
    [1e-12, 1e-6, 1e-3, 0.025, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.975, 0.999, 1.0 - 1e-6];

fn assert_close(found: f64, expected: f64, precision: f64, what: impl std::fmt::Debug) {
    let error = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
    assert!(error < precision, "{what:?}: {found}, statrs has {expected}");
}

#[test]
fn the_normal_distribution_equals_that_of_statrs() {
    let normal = Normal::standard();
    for step in -370..=370 {
        let z = f64::from(step) / 10.0;
        assert_close(normal_cdf(z), normal.cdf(z), 1e-9, z);
    }
    for share in SHARES {
        assert_close(normal.cdf(normal_quantile(share)), share, 1e-9, share);
    }
}

#[test]
fn students_distribution_equals_that_of_statrs() {
    for freedom in [1.0, 1.5, 2.0, 2.7, 3.0, 7.0, 29.0, 63.5, 64.0, 119.3, 1000.0, 5e4] {
        let student = StudentsT::new(0.0, 1.0, freedom).unwrap();
        for share in SHARES {
            let quantile = student_quantile(share, freedom);
            assert_close(student.cdf(quantile), share, 1e-7, (freedom, share));
        }
    }
}

#[test]
fn the_sign_test_is_the_binomial_tail_of_statrs() {
    for games in [1, 2, 7, 20, 99, 400, 2000] {
        let binomial = Binomial::new(0.5, games).unwrap();
        for wins in (0..=games).step_by((games as usize / 20).max(1)) {
            let tail = (2.0 * binomial.cdf(wins.min(games - wins))).min(1.0);
            assert_close(sign_test(wins, games - wins), tail, 1e-7, (games, wins));
        }
    }
}
