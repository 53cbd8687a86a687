//! Claims about the ratings of a pool; the simulations are in `tests/ratings.rs`.

use tussle_core::Rng;

use super::*;
use crate::{Estimate, GameResult, Pentanomial};

const WIN: [f64; 2] = [1.0, -1.0];
/// One zero is the other with its sign changed.
const DRAW: [f64; 2] = [0.0, -0.0];
const LOSS: [f64; 2] = [-1.0, 1.0];

/// Utilities of the two games of a pair, by seat.
type PairUtilities = [[f64; 2]; 2];

/// Adds `count` pairs of `a` and `b`; the first game is that in which `a` sits first.
fn pairs(pool: &mut Pool, [a, b]: [usize; 2], firsts: PairUtilities, count: usize) {
    let [one, two] = firsts;
    for _ in 0..count {
        pool.add(&[
            RatedGame { seats: &[a, b], utilities: &one },
            RatedGame { seats: &[b, a], utilities: &two },
        ]);
    }
}

fn is_close(a: f64, b: f64, by: f64) -> bool {
    (a - b).abs() <= by
}

/// Checks that all numbers are finite and the variances of all differences not negative.
fn check(ratings: &Ratings) {
    let n = ratings.elo.len();
    assert!(ratings.elo.iter().all(|elo| elo.is_finite()), "{:?}", ratings.elo);
    for seat in &ratings.seats {
        assert!(seat.value.is_some_and(f64::is_finite) && seat.error.is_some_and(f64::is_finite));
    }
    for a in 0..n {
        assert!(ratings.error(a).is_finite());
        for b in 0..n {
            let cov = &ratings.covariance;
            assert!(cov[a][b].is_finite() && is_close(cov[a][b], cov[b][a], 1e-6));
            assert!(cov[a][a] + cov[b][b] - 2.0 * cov[a][b] > -1e-6, "{a} {b}");
        }
    }
}

#[test]
fn of_two_agents_the_difference_is_the_elo_of_the_match() {
    // Utilities by seat: of the game in which agent 0 is first, then of the game in which agent 1 is.
    let cases: [&[(PairUtilities, usize)]; 4] = [
        // Only wins and losses, the games of a pair independent.
        &[([WIN, LOSS], 90), ([WIN, WIN], 60), ([LOSS, LOSS], 60), ([LOSS, WIN], 40)],
        // Many draws.
        &[([DRAW, DRAW], 150), ([WIN, DRAW], 50), ([DRAW, LOSS], 50), ([DRAW, WIN], 30)],
        // The opening decides nearly all.
        &[([WIN, WIN], 140), ([LOSS, LOSS], 120), ([WIN, LOSS], 40), ([DRAW, WIN], 20)],
        // The same side wins both, more often than by chance.
        &[([WIN, LOSS], 150), ([LOSS, WIN], 90), ([WIN, WIN], 20), ([DRAW, DRAW], 10)],
    ];
    for (i, case) in cases.into_iter().enumerate() {
        let mut pool = Pool::new(2, 2);
        let mut counts = Pentanomial::default();
        for &(firsts, count) in case {
            pairs(&mut pool, [0, 1], firsts, count);
            let result = |utility: f64| match utility {
                1.0 => GameResult::Win,
                0.0 => GameResult::Draw,
                _ => GameResult::Loss,
            };
            let results = [result(firsts[0][0]), result(firsts[1][1])];
            for _ in 0..count {
                counts.add(results);
            }
        }
        let wanted = Estimate::from_pairs(&counts).elo;
        let found = pool.rate(&[]).difference(0, 1);
        let (value, error) = (wanted.value.unwrap(), wanted.error.unwrap());
        assert!(is_close(found.value.unwrap(), value, 0.5), "{i}: {found:?} {wanted:?}");
        assert!(is_close(found.error.unwrap() / error, 1.0, 0.03), "{i}: {found:?} {wanted:?}");
    }
}

#[test]
fn against_an_anchor_at_the_centre_the_score_is_closed() {
    // The prior adds a drawn game: 80 of 100 points become 80.5 of 101.
    let mut pool = Pool::new(2, 2);
    pairs(&mut pool, [0, 1], [WIN, LOSS], 30);
    pairs(&mut pool, [0, 1], [WIN, WIN], 10);
    pairs(&mut pool, [0, 1], [LOSS, LOSS], 10);
    let ratings = pool.rate(&[(1, 1500.0)]);
    let wanted = 1500.0 + 400.0 * (80.5_f64 / 20.5).log10();
    assert!(is_close(ratings.elo[0], wanted, 1e-6), "{} {wanted}", ratings.elo[0]);
    assert_eq!((ratings.elo[1], ratings.error(1)), (1500.0, 0.0));
    // The first seat won half of the games.
    assert!(is_close(ratings.seats[0].value.unwrap(), 0.0, 1e-6));
    assert_eq!(ratings.seats[1].value, ratings.seats[0].value.map(|elo| -elo));
}

/// Climbs in small steps along one strength after another: slow, and nothing like Newton's way.
fn naive(pool: &Pool) -> Vec<f64> {
    let size = pool.agents + pool.players;
    let value = |x: &[f64]| {
        let half = |x: f64| -0.5 * (1.0 + x.exp()).ln() - 0.5 * (1.0 + (-x).exp()).ln();
        let mut sum: f64 = x.iter().map(|&x| half(x)).sum();
        for (seats, cells) in &pool.games {
            let strength = |seat: usize| (x[seats[seat]] + x[pool.agents + seat]).exp();
            for (places, count) in cells {
                // No ties here, so the order is given.
                let mut order: Vec<usize> = (0..seats.len()).collect();
                order.sort_by_key(|&seat| places[seat]);
                for i in 0..order.len() {
                    let left: f64 = order[i..].iter().map(|&seat| strength(seat)).sum();
                    sum += *count as f64 * (strength(order[i]) / left).ln();
                }
            }
        }
        sum
    };
    let (mut x, mut step) = (vec![0.0; size], 0.5);
    while step > 1e-7 {
        let before = value(&x);
        for i in 0..size {
            for sign in [-1.0, 1.0] {
                loop {
                    let here = value(&x);
                    x[i] += sign * step;
                    if value(&x) <= here {
                        x[i] -= sign * step;
                        break;
                    }
                }
            }
        }
        if value(&x) <= before {
            step /= 2.0;
        }
    }
    x
}

#[test]
fn a_naive_climber_finds_the_same_top() {
    let mut rng = Rng::derive(3, &[]);
    let mut pool = Pool::new(4, 3);
    for _ in 0..60 {
        let mut seats = [0, 1, 2, 3];
        rng.shuffle(&mut seats);
        let noise: Vec<f64> =
            seats[..3].iter().map(|&agent| agent as f64 / 3.0 + 2.0 * rng.unit()).collect();
        pool.add(&[RatedGame { seats: &seats[..3], utilities: &noise }]);
    }
    let (found, wanted) = (pool.rate(&[]), naive(&pool));
    let mean = wanted[..4].iter().sum::<f64>() / 4.0;
    for agent in 0..4 {
        let wanted = (wanted[agent] - mean) * ELO_PER_STRENGTH;
        assert!(is_close(found.elo[agent], wanted, 0.01), "{:?} {wanted}", found.elo);
    }
    let mean = wanted[4..].iter().sum::<f64>() / 3.0;
    for seat in 0..3 {
        let wanted = (wanted[4 + seat] - mean) * ELO_PER_STRENGTH;
        assert!(is_close(found.seats[seat].value.unwrap(), wanted, 0.01));
    }
}

#[test]
fn ratings_move_with_their_anchor_and_differences_do_not() {
    let mut pool = Pool::new(3, 2);
    pairs(&mut pool, [0, 1], [WIN, DRAW], 200);
    pairs(&mut pool, [1, 2], [WIN, WIN], 200);
    pairs(&mut pool, [2, 0], [LOSS, DRAW], 200);
    let [free, anchored, higher] =
        [&[][..], &[(1, 0.0)], &[(1, 2000.0)]].map(|anchors| pool.rate(anchors));
    assert!(is_close(free.elo.iter().sum(), 0.0, 1e-9));
    for agent in 0..3 {
        assert!(is_close(higher.elo[agent] - 2000.0, anchored.elo[agent], 1e-6));
        let [a, b] = [&free, &anchored].map(|ratings| ratings.difference(agent, 1));
        // Their centres differ, and so does the prior a little.
        assert!(is_close(a.value.unwrap(), b.value.unwrap(), 1.0), "{a:?} {b:?}");
        assert!(is_close(a.error.unwrap(), b.error.unwrap(), 1.0), "{a:?} {b:?}");
    }
    // Two anchors hold, whatever the games say.
    let held = pool.rate(&[(0, 100.0), (1, 400.0)]);
    assert_eq!((held.elo[0], held.elo[1]), (100.0, 400.0));
    assert_eq!(held.difference(0, 1).error, Some(0.0));
    check(&held);
}

#[test]
fn neither_the_order_of_games_nor_the_names_matter() {
    let mut rng = Rng::derive(5, &[]);
    let mut list: Vec<([usize; 2], PairUtilities)> = (0..200)
        .map(|i| {
            ([i % 4, (i + 1 + i / 4 % 3) % 4], [0, 1].map(|_| [WIN, DRAW, LOSS][rng.below(3)]))
        })
        .collect();
    let rate = |list: &[([usize; 2], PairUtilities)], name: &dyn Fn(usize) -> usize| {
        let mut pool = Pool::new(4, 2);
        for &(agents, firsts) in list {
            pairs(&mut pool, agents.map(name), firsts, 1);
        }
        pool.rate(&[])
    };
    let plain = rate(&list, &|agent| agent);
    rng.shuffle(&mut list);
    let shuffled = rate(&list, &|agent| agent);
    let renamed = rate(&list, &|agent| 3 - agent);
    assert_eq!(plain.elo, shuffled.elo);
    for agent in 0..4 {
        assert!(is_close(plain.elo[agent], renamed.elo[3 - agent], 1e-6));
        assert!(is_close(plain.error(agent), renamed.error(3 - agent), 1e-6));
    }
}

#[test]
fn an_agent_that_won_everything_is_far_ahead_and_uncertain() {
    let mut pool = Pool::new(2, 2);
    pairs(&mut pool, [0, 1], [WIN, LOSS], 500);
    let ratings = pool.rate(&[]);
    check(&ratings);
    let Elo { value, error } = ratings.difference(0, 1);
    // Half a win in a thousand games is 1320 Elo.
    assert!(value.is_some_and(|elo| (1100.0..1500.0).contains(&elo)), "{value:?}");
    assert!(error.is_some_and(|error| (300.0..900.0).contains(&error)), "{error:?}");
    // A few games give no certainty either.
    let mut pool = Pool::new(2, 2);
    pairs(&mut pool, [0, 1], [WIN, LOSS], 2);
    let few = pool.rate(&[]).difference(0, 1);
    assert!(few.error.unwrap() > few.value.unwrap() * 0.9, "{few:?}");
}

#[test]
fn pools_of_any_shape_are_rated() {
    // No games.
    let empty = Pool::new(3, 2).rate(&[]);
    check(&empty);
    assert_eq!((&empty.elo[..], empty.rating(0)), (&[0.0; 3][..], Elo::default()));
    // Two groups that never met, and an agent without games.
    let mut pool = Pool::new(5, 2);
    pairs(&mut pool, [0, 1], [WIN, LOSS], 50);
    pairs(&mut pool, [2, 3], [DRAW, LOSS], 50);
    let apart = pool.rate(&[]);
    check(&apart);
    assert_eq!((apart.rating(4), apart.games[4], apart.games[0]), (Elo::default(), 0, 100));
    let [met, unmet] = [[2, 3], [0, 2]].map(|[a, b]| apart.difference(a, b).error.unwrap());
    assert!(unmet > 3.0 * met, "{met} {unmet}");
    assert!(apart.error(4) > 600.0);
    // Only half of a pair.
    let mut pool = Pool::new(2, 2);
    pool.add(&[RatedGame { seats: &[1, 0], utilities: &WIN }]);
    check(&pool.rate(&[]));
    // Anchors that contradict the games by far.
    pairs(&mut pool, [0, 1], [WIN, LOSS], 50);
    check(&pool.rate(&[(0, -9000.0), (1, 9000.0)]));
    let mut pool = Pool::new(3, 2);
    pairs(&mut pool, [0, 1], [WIN, LOSS], 50);
    pairs(&mut pool, [0, 2], [WIN, LOSS], 50);
    check(&pool.rate(&[(1, -9000.0), (2, 9000.0)]));
    check(&pool.rate(&[(1, f64::NAN)]));
    // A table of four at which one always wins.
    let mut pool = Pool::new(4, 4);
    for _ in 0..100 {
        pool.add(&[RatedGame { seats: &[2, 0, 1, 3], utilities: &[1.0, 0.0, 0.0, 0.0] }]);
    }
    let ratings = pool.rate(&[]);
    check(&ratings);
    assert!(ratings.elo[2] > 200.0, "{:?}", ratings.elo);
    assert!(is_close(ratings.elo[0], ratings.elo[1], 1e-6));
}

#[test]
fn a_field_of_200_agents_is_rated() {
    let mut rng = Rng::derive(9, &[]);
    let mut pool = Pool::new(200, 2);
    for _ in 0..30_000 {
        let a = rng.below(200);
        let b = (a + 1 + rng.below(199)) % 200;
        let firsts = [[a, b], [b, a]].map(|[first, second]| {
            match first as f64 / 100.0 - second as f64 / 100.0 + 3.0 * (rng.unit() - 0.5) {
                x if x > 0.3 => WIN,
                x if x > -0.3 => DRAW,
                _ => LOSS,
            }
        });
        pairs(&mut pool, [a, b], firsts, 1);
    }
    let ratings = pool.rate(&[]);
    check(&ratings);
    assert!(ratings.elo[199] - ratings.elo[0] > 300.0);
    let inversions = (0..180).filter(|&i| ratings.elo[i] > ratings.elo[i + 20]).count();
    assert!(inversions < 10, "{inversions}");
}

#[test]
fn errors_are_those_of_a_bootstrap_over_pairs() {
    // Openings that favour a side, draws, a seat advantage.
    let mut rng = Rng::derive(11, &[]);
    let mut played = Vec::new();
    for _ in 0..80 {
        for [a, b] in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] {
            let opening = 2.0 * (rng.unit() - 0.5);
            let firsts = [[a, b], [b, a]].map(|[first, second]: [usize; 2]| {
                let edge = (first as f64 - second as f64) / 4.0 + 0.3 + opening;
                match edge + 3.0 * (rng.unit() - 0.5) {
                    x if x > 0.4 => WIN,
                    x if x > -0.4 => DRAW,
                    _ => LOSS,
                }
            });
            played.push(([a, b], firsts));
        }
    }
    let rate = |sample: &mut dyn Iterator<Item = usize>| {
        let mut pool = Pool::new(4, 2);
        for i in sample {
            let (agents, firsts) = played[i];
            pairs(&mut pool, agents, firsts, 1);
        }
        pool.rate(&[])
    };
    let ratings = rate(&mut (0..played.len()));
    let samples: Vec<Ratings> =
        (0..600).map(|_| rate(&mut (0..played.len()).map(|_| rng.below(played.len())))).collect();
    let spread = |of: &dyn Fn(&Ratings) -> f64| {
        let n = samples.len() as f64;
        let mean = samples.iter().map(of).sum::<f64>() / n;
        Z95 * (samples.iter().map(|s| (of(s) - mean).powi(2)).sum::<f64>() / n).sqrt()
    };
    for agent in 0..4 {
        let ratio = ratings.error(agent) / spread(&|sample| sample.elo[agent]);
        assert!(is_close(ratio, 1.0, 0.1), "agent {agent}: {ratio}");
        let difference = ratings.difference(agent, (agent + 1) % 4).error.unwrap();
        let ratio = difference / spread(&|s| s.difference(agent, (agent + 1) % 4).value.unwrap());
        assert!(is_close(ratio, 1.0, 0.1), "difference {agent}: {ratio}");
    }
    let ratio = ratings.seats[0].error.unwrap() / spread(&|sample| sample.seats[0].value.unwrap());
    assert!(is_close(ratio, 1.0, 0.1), "seat: {ratio}");
}

#[test]
fn pools_that_are_merged_are_one() {
    let (mut whole, mut parts) = (Pool::new(3, 2), [Pool::new(3, 2), Pool::new(3, 2)]);
    for (part, agents, outcomes) in
        [(0, [0, 1], [WIN, DRAW]), (1, [0, 1], [LOSS, WIN]), (1, [1, 2], [DRAW, DRAW])]
    {
        pairs(&mut whole, agents, outcomes, 7);
        pairs(&mut parts[part], agents, outcomes, 7);
    }
    let mut merged = Pool::new(3, 2);
    for part in &parts {
        merged.merge(part);
    }
    assert_eq!(merged.rate(&[]).elo, whole.rate(&[]).elo);
    assert_eq!(merged.rate(&[]).covariance, whole.rate(&[]).covariance);
}

/// Computes the posterior without calculus: by sums over a lattice of all strengths and spreads.
#[test]
fn a_lattice_gives_the_same_ratings_with_a_population_prior() {
    let mut pool = Pool::new(3, 2);
    pairs(&mut pool, [0, 1], [WIN, LOSS], 14);
    pairs(&mut pool, [0, 1], [LOSS, WIN], 8);
    pairs(&mut pool, [0, 1], [WIN, WIN], 10);
    pairs(&mut pool, [0, 1], [LOSS, LOSS], 10);
    pairs(&mut pool, [1, 2], [WIN, LOSS], 13);
    pairs(&mut pool, [1, 2], [LOSS, WIN], 9);
    pairs(&mut pool, [1, 2], [WIN, WIN], 10);
    pairs(&mut pool, [1, 2], [LOSS, LOSS], 10);
    let found = pool.rate_with_population_prior(&[]);
    check(&found);
    // The two priors have half of the weight each; the second gives the usual rating.
    let usual = pool.rate(&[]);
    // Games won and lost by agent 0 against agent 1, and by agent 1 against agent 2. Seats do not matter here.
    let likelihood = |a: f64, b: f64| {
        let chance = |d: f64| 1.0 / (1.0 + (-d).exp());
        48.0 * chance(a - b).ln()
            + 36.0 * chance(b - a).ln()
            + 46.0 * chance(b + a + b).ln()
            + 38.0 * chance(-b - a - b).ln()
    };
    let dispersion = 1.06; // of the pairs above, about
    let (mut total, mut sums, mut squares) = (0.0, [0.0; 2], 0.0);
    let lattice = || (-80..=80).map(|i| f64::from(i) / 40.0);
    for (a, b) in lattice().flat_map(|a| lattice().map(move |b| (a, b))) {
        let c = -a - b;
        let around = a * a + b * b + c * c;
        let spreads = (1..=200).map(|i| f64::from(i) * 5.0 / ELO_PER_STRENGTH);
        let prior: f64 = spreads.map(|s| (-around / (2.0 * s * s)).exp() / (s * s)).sum();
        let weight = (likelihood(a, b) / dispersion + 116.0).exp() * prior;
        total += weight;
        sums[0] += weight * a * ELO_PER_STRENGTH;
        sums[1] += weight * (a - b) * ELO_PER_STRENGTH;
        squares += weight * (a - b) * (a - b) * ELO_PER_STRENGTH * ELO_PER_STRENGTH;
    }
    let [first, apart] = sums.map(|sum| sum / total);
    let usual_apart = usual.difference(0, 1);
    let found_apart = found.difference(0, 1);
    assert!(is_close(found.elo[0], f64::midpoint(first, usual.elo[0]), 1.5), "{found:?} {first}");
    let wanted = f64::midpoint(apart, usual_apart.value.unwrap());
    assert!(is_close(found_apart.value.unwrap(), wanted, 1.5), "{found_apart:?} {wanted}");
    let between = (apart - usual_apart.value.unwrap()).powi(2) / 4.0;
    let within =
        f64::midpoint(squares / total - apart * apart, (usual_apart.error.unwrap() / Z95).powi(2));
    let wanted = Z95 * (between + within).sqrt();
    assert!(is_close(found_apart.error.unwrap() / wanted, 1.0, 0.03), "{found_apart:?} {wanted}");
}

#[test]
fn a_population_prior_draws_the_field_together_until_there_are_many_games() {
    let rate = |count: usize| {
        let mut pool = Pool::new(4, 2);
        for agents in [[0, 1], [1, 2], [2, 3], [0, 2], [1, 3], [0, 3]] {
            pairs(&mut pool, agents, [WIN, LOSS], 3 * count);
            pairs(&mut pool, agents, [WIN, WIN], 4 * count);
            pairs(&mut pool, agents, [LOSS, LOSS], 4 * count);
            pairs(&mut pool, agents, [LOSS, WIN], 2 * count);
        }
        [pool.rate(&[]), pool.rate_with_population_prior(&[])].map(|ratings| {
            check(&ratings);
            ratings.difference(0, 3)
        })
    };
    let [usual, drawn] = rate(1).map(|told| told.value.unwrap());
    assert!(drawn > 0.0 && drawn < 0.9 * usual, "{drawn} {usual}");
    let [usual, drawn] = rate(2000);
    assert!(
        is_close(drawn.value.unwrap() / usual.value.unwrap(), 1.0, 0.01),
        "{drawn:?} {usual:?}"
    );
    assert!(
        is_close(drawn.error.unwrap() / usual.error.unwrap(), 1.0, 0.02),
        "{drawn:?} {usual:?}"
    );
}

#[test]
fn pools_of_any_shape_are_rated_with_a_population_prior() {
    check(&Pool::new(3, 2).rate_with_population_prior(&[]));
    check(&Pool::new(0, 2).rate_with_population_prior(&[]));
    let mut pool = Pool::new(5, 2);
    pairs(&mut pool, [0, 1], [WIN, LOSS], 50);
    pairs(&mut pool, [2, 3], [DRAW, DRAW], 50);
    check(&pool.rate_with_population_prior(&[]));
    for anchors in [&[(0, 1500.0)][..], &[(4, 1500.0)], &[(0, -9000.0), (1, 9000.0)]] {
        let ratings = pool.rate_with_population_prior(anchors);
        check(&ratings);
        for &(agent, elo) in anchors {
            assert_eq!((ratings.elo[agent], ratings.error(agent)), (elo, 0.0));
        }
    }
    // Differences do not depend on where the anchor is.
    let [low, high] =
        [0.0, 2000.0].map(|elo| pool.rate_with_population_prior(&[(1, elo)]).difference(0, 3));
    assert!(is_close(low.value.unwrap(), high.value.unwrap(), 0.01), "{low:?} {high:?}");
    assert!(is_close(low.error.unwrap(), high.error.unwrap(), 0.01), "{low:?} {high:?}");
}
