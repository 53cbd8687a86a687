//! Claims about the pairings that a posterior chooses.

use tussle_core::Rng;

use super::*;
use crate::{Pool, RatedGame};

#[test]
fn a_weight_is_the_slope_of_the_probability_of_a_wrong_order() {
    // The mean of Φ(-|x|/√u) over x, by plain summation.
    let wrong = |d: f64, v: f64, u: f64| -> f64 {
        let step = 1e-3;
        let at = |i: i32| {
            let z = f64::from(i) * step;
            let x = d + z * v.sqrt();
            (-z * z / 2.0).exp() / (2.0 * PI).sqrt() * normal_cdf(-x.abs() / u.sqrt()) * step
        };
        (-8000..=8000).map(at).sum()
    };
    for d in [0.0, 0.1, -0.7, 2.0] {
        for v in [0.05, 0.5, 2.0] {
            let h = 1e-3 * v;
            let slope = (wrong(d, v, v + h) - wrong(d, v, v - h)) / (2.0 * h);
            let found = weight(d, v);
            assert!((found / slope - 1.0).abs() < 1e-3, "{d} {v}: {found} {slope}");
        }
    }
}

/// Returns the gain of a pairing by updating the whole matrix.
fn gain_by_trial(posterior: &RatingPosterior, pairing: [usize; 2]) -> f64 {
    let mut after = posterior.clone();
    after.observe(pairing);
    let lower = |(k, l): (usize, usize)| {
        weight(posterior.strengths[k] - posterior.strengths[l], posterior.variance(k, l))
            * (posterior.variance(k, l) - after.variance(k, l))
    };
    pairings(posterior.players.len()).map(lower).sum()
}

/// Plays a pair of games and adds it to the pool.
fn play(pool: &mut Pool, [a, b]: [usize; 2], strengths: &[f64], rng: &mut Rng) {
    let chance = 1.0 / (1.0 + (strengths[b] - strengths[a]).exp());
    let mut game = || if rng.unit() < chance { [1.0, -1.0] } else { [-1.0, 1.0] };
    let (one, mut two) = (game(), game());
    two.reverse();
    pool.add(&[
        RatedGame { seats: &[a, b], utilities: &one },
        RatedGame { seats: &[b, a], utilities: &two },
    ]);
}

#[test]
fn no_other_pairing_has_a_larger_gain() {
    let mut rng = Rng::new(5);
    for players in 3..9 {
        let strengths: Vec<f64> = (0..players).map(|_| 3.0 * rng.unit()).collect();
        let mut pool = Pool::new(players, 2);
        for (a, b) in pairings(players) {
            play(&mut pool, [a, b], &strengths, &mut rng);
        }
        for _ in 0..6 {
            let mut posterior = RatingPosterior::new(&pool.rate(&[]), (0..players).collect());
            for _ in 0..4 {
                let gain = |(i, j)| gain_by_trial(&posterior, [i, j]);
                let most = pairings(players).map(gain).fold(0.0, f64::max);
                // Symmetric results give ties, so the gains are compared and not the pairings.
                let best = gain(posterior.best().expect("three players or more").into());
                assert!(best >= most * (1.0 - 1e-6), "{best} {most}");
                let pairing = posterior.take_best().expect("three players or more");
                play(&mut pool, pairing, &strengths, &mut rng);
            }
        }
    }
}

#[test]
fn only_the_given_players_are_paired() {
    let mut pool = Pool::new(5, 2);
    let mut rng = Rng::new(1);
    for (a, b) in pairings(5) {
        play(&mut pool, [a, b], &[0.0; 5], &mut rng);
    }
    let ratings = pool.rate(&[]);
    let mut posterior = RatingPosterior::new(&ratings, vec![1, 4]);
    assert_eq!(posterior.take_best(), Some([1, 4]));
    assert_eq!(posterior.take_best(), Some([1, 4]));
    for players in [vec![], vec![3]] {
        assert_eq!(RatingPosterior::new(&ratings, players).take_best(), None);
    }
}
