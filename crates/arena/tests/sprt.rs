//! Simulated matches, whose truth is known: the sequential test errs as seldom as it promises, and
//! Elo differences and their intervals are right.

use tussle_arena::{Estimate, Hypothesis, Model, Pentanomial, Power, Sprt, Wdl};
use tussle_core::{Outcome, Rng};

/// Two players and the openings they play.
#[derive(Clone, Copy)]
struct World {
    /// How much stronger the first one is.
    strength: f64,
    /// The larger the more draws.
    draws: f64,
    /// An opening favours the first seat by a difference from minus to plus this.
    bias: f64,
}

/// Openings are so many kinds.
const OPENINGS: usize = 5;

fn logistic(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl World {
    /// How much an opening favours the first seat. They have not the same mean as the seats: real
    /// openings favour one.
    fn favour(&self, opening: usize) -> f64 {
        self.bias * (0.2 + 0.8 * (2.0 * opening as f64 / (OPENINGS - 1) as f64 - 1.0))
    }

    /// The chances to win and to lose at this difference.
    fn chances(&self, elo: f64) -> [f64; 2] {
        [logistic(elo - self.draws), logistic(-elo - self.draws)]
    }

    fn game(&self, elo: f64, rng: &mut Rng) -> Outcome {
        let [win, loss] = self.chances(elo);
        match rng.unit() {
            u if u < win => Outcome::Win,
            u if u < win + loss => Outcome::Loss,
            _ => Outcome::Draw,
        }
    }

    fn pair(&self, rng: &mut Rng) -> [Outcome; 2] {
        let favour = self.favour(rng.below(OPENINGS));
        [self.strength + favour, self.strength - favour].map(|elo| self.game(elo, rng))
    }

    /// The mean and the variance of a pair's score, by adding up all that can happen.
    fn moments(&self) -> [f64; 2] {
        let (mut mean, mut square) = (0.0, 0.0);
        for opening in 0..OPENINGS {
            let favour = self.favour(opening);
            let games = [self.strength + favour, self.strength - favour].map(|elo| {
                let [win, loss] = self.chances(elo);
                [(1.0, win), (0.5, 1.0 - win - loss), (0.0, loss)]
            });
            for (a, p) in games[0] {
                for (b, q) in games[1] {
                    let (score, chance) = (f64::midpoint(a, b), p * q / OPENINGS as f64);
                    mean += chance * score;
                    square += chance * score * score;
                }
            }
        }
        [mean, square - mean * mean]
    }

    /// The true difference in the terms of a model.
    fn truth(&self, model: Model) -> f64 {
        let [mean, variance] = self.moments();
        match model {
            Model::Logistic => -400.0 * (1.0 / mean - 1.0).log10(),
            Model::Normalized => {
                (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / std::f64::consts::LN_10
            }
        }
    }

    /// The same openings, with players whose difference is this one.
    fn with(self, model: Model, elo: f64) -> Self {
        let (mut low, mut high) = (-1000.0, 1000.0);
        while high - low > 1e-9 {
            let strength = f64::midpoint(low, high);
            let truth = Self { strength, ..self }.truth(model);
            if truth < elo { low = strength } else { high = strength }
        }
        Self { strength: low, ..self }
    }
}

/// No draws and no favours; both, moderately; many draws from openings that favour one seat much, so
/// that the games of a pair are far from independent.
const WORLDS: [World; 3] = [
    World { strength: 0.0, draws: 0.0, bias: 0.0 },
    World { strength: 0.0, draws: 120.0, bias: 100.0 },
    World { strength: 0.0, draws: 200.0, bias: 500.0 },
];

/// Plays until there is an answer.
fn decide(sprt: &Sprt, world: &World, rng: &mut Rng) -> Hypothesis {
    let mut pairs = Pentanomial::default();
    loop {
        pairs.add(world.pair(rng));
        if let Some(answer) = sprt.llr(&pairs).and_then(|llr| sprt.decision(llr)) {
            return answer;
        }
        assert!(pairs.pairs() < 100_000, "{sprt} does not end: {pairs:?}");
    }
}

/// How often a test errs in a world where one of its hypotheses is true.
fn errors(sprt: &Sprt, world: World, truth: Hypothesis, seed: u64) -> f64 {
    const TESTS: u64 = 500;
    let elo = if truth == Hypothesis::H0 { sprt.elo0 } else { sprt.elo1 };
    let world = world.with(sprt.model, elo);
    assert!((world.truth(sprt.model) - elo).abs() < 1e-6);
    let is_wrong = |i| decide(sprt, &world, &mut Rng::derive(seed, &[i])) != truth;
    (0..TESTS).filter(|&i| is_wrong(i)).count() as f64 / TESTS as f64
}

/// A share of 500 is at most three of its standard errors above what was promised; and a test that
/// never errs would take longer than it must.
fn assert_kept(promised: f64, share: f64, what: &str) {
    println!("{what}: {share}");
    let chance = 3.0 * (promised * (1.0 - promised) / 500.0).sqrt();
    assert!(share < promised + chance && share > promised / 6.0, "{what}: {share}");
}

fn promises_are_kept(model: Model) {
    let usual = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model };
    let other = Sprt { elo0: -40.0, elo1: 60.0, alpha: 0.1, beta: 0.05, model };
    let tests = WORLDS.map(|world| (usual, world)).into_iter().chain([(other, WORLDS[1])]);
    for (seed, (sprt, world)) in tests.enumerate() {
        let what = format!("{sprt}, draws {}, bias {}", world.draws, world.bias);
        let seed = 2 * seed as u64;
        let share = errors(&sprt, world, Hypothesis::H0, seed);
        assert_kept(sprt.alpha, share, &format!("{what}, H0"));
        let share = errors(&sprt, world, Hypothesis::H1, seed + 1);
        assert_kept(sprt.beta, share, &format!("{what}, H1"));
    }
}

#[test]
fn normalized_tests_err_as_seldom_as_they_promise() {
    promises_are_kept(Model::Normalized);
}

#[test]
fn logistic_tests_err_as_seldom_as_they_promise() {
    promises_are_kept(Model::Logistic);
}

#[test]
fn between_the_hypotheses_either_is_accepted() {
    let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    let world = WORLDS[1].with(Model::Normalized, 50.0);
    let mut rng = Rng::new(77);
    let accepted = (0..500).filter(|_| decide(&sprt, &world, &mut rng) == Hypothesis::H1);
    let share = accepted.count() as f64 / 500.0;
    assert!((share - 0.5).abs() < 0.08, "{share}");
}

/// Fixed numbers of games: the mean of the estimates is the truth, and of the 95 % intervals 95 %
/// contain it.
#[test]
fn estimates_are_unbiased_and_their_intervals_contain_the_truth() {
    const MATCHES: u32 = 4000;
    const PAIRS: u32 = 300;
    for (world, truth) in WORLDS.into_iter().zip([0.0, 35.0, -60.0]) {
        let world = world.with(Model::Logistic, truth);
        let normalized = world.truth(Model::Normalized);
        let mut rng = Rng::new(2024);
        let (mut sum, mut within, mut within_normalized) = (0.0, 0, 0);
        for _ in 0..MATCHES {
            let mut pairs = Pentanomial::default();
            for _ in 0..PAIRS {
                pairs.add(world.pair(&mut rng));
            }
            let estimate = Estimate::of(&Wdl::default(), &pairs);
            let (value, error) = (estimate.elo.value.unwrap(), estimate.elo.error.unwrap());
            sum += value;
            within += u32::from((value - truth).abs() <= error);
            let (value, error) =
                (estimate.normalized.value.unwrap(), estimate.normalized.error.unwrap());
            within_normalized += u32::from((value - normalized).abs() <= error);
        }
        let mean = sum / f64::from(MATCHES);
        let [share, share_normalized] =
            [within, within_normalized].map(|n| f64::from(n) / f64::from(MATCHES));
        println!("{truth}: {mean:.3}, {share}, {share_normalized}");
        assert!((mean - truth).abs() < 1.0, "{mean} for {truth}");
        assert!((0.93..=0.97).contains(&share), "{share} at {truth}");
        assert!((0.93..=0.97).contains(&share_normalized), "{share_normalized} at {truth}");
    }
}

/// Why a stopped test must not be read as an estimate: it stops when luck has gone far.
#[test]
fn after_a_stopped_test_the_estimate_lies_too_far_out() {
    let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
    let world = WORLDS[1].with(Model::Logistic, 100.0);
    let mut rng = Rng::new(5);
    let mut sum = 0.0;
    for _ in 0..500 {
        let mut pairs = Pentanomial::default();
        while sprt.llr(&pairs).and_then(|llr| sprt.decision(llr)).is_none() {
            pairs.add(world.pair(&mut rng));
        }
        sum += Estimate::of(&Wdl::default(), &pairs).elo.value.unwrap_or(800.0);
    }
    assert!(sum / 500.0 > 105.0, "{}", sum / 500.0);
}

/// Wald's approximation, which ignores that a test passes its bounds by a bit, against tests that ran.
#[test]
fn a_sequential_test_takes_as_long_as_was_foretold() {
    let power = Power::of_elo(60.0, 0.0, 0.05, 0.95).unwrap();
    let sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
    let lengths = power.sequential();
    for (elo, foretold) in [(0.0, lengths.h0), (60.0, lengths.h1), (30.0, lengths.between)] {
        let world = WORLDS[0].with(Model::Logistic, elo);
        let mut rng = Rng::new(11);
        let mut games = 0;
        for _ in 0..300 {
            let mut pairs = Pentanomial::default();
            while sprt.llr(&pairs).and_then(|llr| sprt.decision(llr)).is_none() {
                pairs.add(world.pair(&mut rng));
                games += 2;
            }
        }
        let mean = f64::from(games) / 300.0;
        println!("{elo}: {mean}, foretold {foretold}");
        assert!((0.95..1.2).contains(&(mean / foretold)), "{mean} games, {foretold} foretold");
    }
    // It takes less than a match of fixed length with the same errors.
    assert!(lengths.h0.max(lengths.h1) < power.games() as f64);
}
