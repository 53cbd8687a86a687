//! Simulated matches of known strengths: error rates of the sequential test, and coverage of the
//! intervals of Elo differences.

use tussle_core::Rng;
use tussle_stats::{EloModel, Estimate, GameResult, Hypothesis, Pentanomial, Power, Sprt};

/// Two players and the openings they play.
#[derive(Clone, Copy)]
struct World {
    /// Elo difference of the first player over the second.
    strength: f64,
    /// Elo margin within which games are drawn: the larger, the more draws.
    draws: f64,
    /// Largest Elo advantage that an opening gives to a seat.
    bias: f64,
}

/// Number of different openings.
const OPENINGS: usize = 5;

fn logistic(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl World {
    /// Returns the Elo advantage of the first seat from an opening. The mean of all openings is not 0, because
    /// real openings favour one seat.
    fn favour(&self, opening: usize) -> f64 {
        self.bias * (0.2 + 0.8 * (2.0 * opening as f64 / (OPENINGS - 1) as f64 - 1.0))
    }

    /// Returns the probabilities to win and to lose at an Elo difference.
    fn chances(&self, elo: f64) -> [f64; 2] {
        [logistic(elo - self.draws), logistic(-elo - self.draws)]
    }

    fn game(&self, elo: f64, rng: &mut Rng) -> GameResult {
        let [win, loss] = self.chances(elo);
        match rng.unit() {
            u if u < win => GameResult::Win,
            u if u < win + loss => GameResult::Loss,
            _ => GameResult::Draw,
        }
    }

    fn pair(&self, rng: &mut Rng) -> [GameResult; 2] {
        let favour = self.favour(rng.below(OPENINGS));
        [self.strength + favour, self.strength - favour].map(|elo| self.game(elo, rng))
    }

    /// Returns the mean and the variance of a pair's score, by adding up all results.
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

    /// Returns the true difference in the unit of a model.
    fn truth(&self, model: EloModel) -> f64 {
        let [mean, variance] = self.moments();
        match model {
            EloModel::Logistic => -400.0 * (1.0 / mean - 1.0).log10(),
            EloModel::Normalized => {
                (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / std::f64::consts::LN_10
            }
        }
    }

    /// Returns the same openings with players whose difference is `elo`.
    fn with(self, model: EloModel, elo: f64) -> Self {
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

/// Plays until the test accepts a hypothesis.
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

/// Returns the error rate of a test in a world in which the hypothesis `truth` is true.
fn errors(sprt: &Sprt, world: World, truth: Hypothesis, seed: u64) -> f64 {
    const TESTS: u64 = 500;
    let elo = if truth == Hypothesis::H0 { sprt.elo0 } else { sprt.elo1 };
    let world = world.with(sprt.model, elo);
    assert!((world.truth(sprt.model) - elo).abs() < 1e-6);
    let is_wrong = |i| decide(sprt, &world, &mut Rng::derive(seed, &[i])) != truth;
    (0..TESTS).filter(|&i| is_wrong(i)).count() as f64 / TESTS as f64
}

/// Checks that an error rate in 500 tests is at most three standard errors above the promised one, and not far
/// below it: a test that never errs takes longer than it must.
fn assert_kept(promised: f64, share: f64, what: &str) {
    println!("{what}: {share}");
    let chance = 3.0 * (promised * (1.0 - promised) / 500.0).sqrt();
    assert!(share < promised + chance && share > promised / 6.0, "{what}: {share}");
}

fn promises_are_kept(model: EloModel) {
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
fn normalized_tests_keep_their_error_rates() {
    promises_are_kept(EloModel::Normalized);
}

#[test]
fn logistic_tests_keep_their_error_rates() {
    promises_are_kept(EloModel::Logistic);
}

#[test]
fn between_the_hypotheses_either_is_accepted() {
    let sprt =
        Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized };
    let world = WORLDS[1].with(EloModel::Normalized, 50.0);
    let mut rng = Rng::new(77);
    let accepted = (0..500).filter(|_| decide(&sprt, &world, &mut rng) == Hypothesis::H1);
    let share = accepted.count() as f64 / 500.0;
    assert!((share - 0.5).abs() < 0.08, "{share}");
}

/// With a fixed number of games the mean of the estimates is the truth, and 95 % of the intervals contain
/// it.
#[test]
fn estimates_are_unbiased_and_their_intervals_contain_the_truth() {
    const MATCHES: u32 = 4000;
    const PAIRS: u32 = 300;
    for (world, truth) in WORLDS.into_iter().zip([0.0, 35.0, -60.0]) {
        let world = world.with(EloModel::Logistic, truth);
        let normalized = world.truth(EloModel::Normalized);
        let mut rng = Rng::new(2024);
        let (mut sum, mut within, mut within_normalized) = (0.0, 0, 0);
        for _ in 0..MATCHES {
            let mut pairs = Pentanomial::default();
            for _ in 0..PAIRS {
                pairs.add(world.pair(&mut rng));
            }
            let estimate = Estimate::from_pairs(&pairs);
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

/// A stopped test must not be read as an estimate, because it stops after a run of luck.
#[test]
fn after_a_stopped_test_the_estimate_lies_too_far_out() {
    let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
    let world = WORLDS[1].with(EloModel::Logistic, 100.0);
    let mut rng = Rng::new(5);
    let mut sum = 0.0;
    for _ in 0..500 {
        let mut pairs = Pentanomial::default();
        while sprt.llr(&pairs).and_then(|llr| sprt.decision(llr)).is_none() {
            pairs.add(world.pair(&mut rng));
        }
        sum += Estimate::from_pairs(&pairs).elo.value.unwrap_or(800.0);
    }
    assert!(sum / 500.0 > 105.0, "{}", sum / 500.0);
}

/// Compares Wald's approximation, which ignores that a test overshoots its bounds, with simulated tests.
#[test]
fn a_sequential_test_takes_the_expected_number_of_games() {
    let power = Power::of_elo(60.0, 0.0, 0.05, 0.95).unwrap();
    let sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
    let lengths = power.sequential();
    for (elo, expected) in [(0.0, lengths.h0), (60.0, lengths.h1), (30.0, lengths.between)] {
        let world = WORLDS[0].with(EloModel::Logistic, elo);
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
        println!("{elo}: {mean}, expected {expected}");
        assert!((0.95..1.2).contains(&(mean / expected)), "{mean} games, {expected} expected");
    }
    // It takes less than a match of fixed length with the same errors.
    assert!(lengths.h0.max(lengths.h1) < power.games() as f64);
}
