//! Search for the best values: rounds of candidates, chosen from the results of all earlier rounds.
//!
//! The first round spreads its candidates evenly over the ranges. In each later round a [`GaussianProcess`] is fitted to all
//! results, functions are drawn from its posterior, and the maximum of each function is a candidate (Thompson
//! sampling). So a value is tried as often as it is probably the best one. The
//! choice depends on the seed and on results, not on the order in which games finish.

use tussle_core::Rng;
use tussle_stats::{GaussianProcess, Pentanomial, SettingKind, SharePrediction, ShareSample};

use super::parameter::{Parameter, Point};

/// Number of pairs of games in the first round, per parameter and one more.
const FIRST_PAIRS: u64 = 8;
/// Smallest number of pairs in a later round.
const MIN_PAIRS: u64 = 8;
/// Number of candidates of a round.
const MAX_CANDIDATES: u64 = 16;
/// A round has this share of the pairs of all earlier rounds.
const GROWTH: u64 = 4;
/// Number of points among which a round chooses: all of them if there are at most this many.
const MAX_POINTS: usize = 240;
/// Number of points near the best one, and their distances from it.
const NEAR_POINTS: usize = 80;
const NEAR_DEVIATIONS: [f64; 2] = [0.12, 0.03];
/// First parts of the seeds of random choices.
const DRAW_SEED_PART: u64 = 0x6472_6177;
const POINT_SEED_PART: u64 = 0x706f_696e;

/// Candidates of one round. A point that occurs several times plays as many times more games.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Batch {
    pub(crate) points: Vec<Point>,
    /// Number of pairs of games of each candidate.
    pub(crate) pairs_each: u64,
}

impl Batch {
    /// Returns the number of pairs of games.
    pub(crate) fn pairs(&self) -> u64 {
        self.points.len() as u64 * self.pairs_each
    }
}

/// State of the search: all results.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    parameters: Vec<Parameter>,
    kinds: Vec<SettingKind>,
    seed: u64,
    /// Point of the agent as given, which has a share of one half against itself.
    start: Option<Point>,
    observations: Vec<ShareSample>,
    rounds: u64,
    pairs: u64,
}

impl Search {
    pub(crate) fn new(parameters: Vec<Parameter>, start: Option<Point>, seed: u64) -> Self {
        let known = |point: &Point| ShareSample {
            point: point.clone(),
            share: 0.5,
            pairs: f64::INFINITY,
            squares: 0.0,
        };
        let observations = start.iter().map(known).collect();
        let kind = |parameter: &Parameter| match parameter.words() {
            [] => SettingKind::Number,
            _ => SettingKind::Word,
        };
        let kinds = parameters.iter().map(kind).collect();
        Self { parameters, kinds, seed, start, observations, rounds: 0, pairs: 0 }
    }

    /// Returns the number of finished rounds.
    pub(crate) fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Returns the number of pairs of games in the finished rounds.
    pub(crate) fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Returns the candidates of the next round, with at most `left` pairs of games.
    pub(crate) fn next_round(&self, left: u64) -> Batch {
        let planned = match self.rounds {
            0 => FIRST_PAIRS * (self.parameters.len() as u64 + 1),
            _ => (self.pairs / GROWTH).max(MIN_PAIRS),
        };
        let pairs = planned.min(left).max(1);
        if self.rounds == 0 {
            return Batch { points: self.spread(pairs), pairs_each: 1 };
        }
        let pairs_each = pairs.div_ceil(MAX_CANDIDATES);
        let count = (pairs / pairs_each) as usize;
        let model = self.model();
        let points = self.points(&model);
        let mut rng = Rng::derive(self.seed, &[DRAW_SEED_PART, self.rounds]);
        let mut chosen = model.sample_maxima(&points, count, &mut || rng.unit());
        chosen.sort_unstable();
        let points = chosen.into_iter().map(|index| points[index].clone()).collect();
        Batch { points, pairs_each }
    }

    /// Adds the results of a round, by candidate.
    pub(crate) fn add(&mut self, batch: &Batch, results: &[Pentanomial]) {
        for (point, result) in batch.points.iter().zip(results) {
            self.observe(point, result);
        }
        self.rounds += 1;
        self.pairs += batch.pairs();
    }

    fn observe(&mut self, point: &Point, result: &Pentanomial) {
        let shares = || result.0.iter().enumerate().map(|(i, &n)| (i as f64 / 4.0, n as f64));
        let pairs = result.pairs() as f64;
        if pairs == 0.0 {
            return;
        }
        let sum: f64 = shares().map(|(share, n)| share * n).sum();
        let squares: f64 = shares().map(|(share, n)| share * share * n).sum();
        let same = |seen: &&mut ShareSample| seen.point == *point && seen.pairs.is_finite();
        if let Some(seen) = self.observations.iter_mut().find(same) {
            let all = seen.pairs + pairs;
            seen.share = (seen.share * seen.pairs + sum) / all;
            seen.pairs = all;
            seen.squares += squares;
        } else {
            let (point, share) = (point.clone(), sum / pairs);
            self.observations.push(ShareSample { point, share, pairs, squares });
        }
    }

    /// Fits the model to all results.
    pub(crate) fn model(&self) -> GaussianProcess<'_> {
        GaussianProcess::fit(&self.kinds, &self.observations)
    }

    /// Returns the point with the highest estimated share, and the estimate.
    pub(crate) fn best(&self, model: &GaussianProcess<'_>) -> (Point, SharePrediction) {
        let mut points = self.points(model);
        points.extend(self.start.clone());
        let index = model.highest(&points);
        let point = points.swap_remove(index);
        let prediction = model.predict(&point);
        (point, prediction)
    }

    /// Returns points that fill the ranges evenly.
    fn spread(&self, count: u64) -> Vec<Point> {
        if let [parameter] = self.parameters.as_slice() {
            let grid = parameter.grid();
            let place = |i: u64| (2 * i as usize + 1) * grid.len() / (2 * count as usize);
            return (0..count).map(|i| vec![grid[place(i)]]).collect();
        }
        let shift = Rng::derive(self.seed, &[POINT_SEED_PART]).unit();
        (1..=count).map(|i| self.even_point(i, shift)).collect()
    }

    /// Returns point `i` of an additive sequence that fills the ranges evenly.
    fn even_point(&self, i: u64, shift: f64) -> Point {
        let ratio = plastic_number(self.parameters.len());
        let unit = |k: usize| (shift + i as f64 / ratio.powi(k as i32 + 1)).fract();
        let snapped = |(k, parameter): (usize, &Parameter)| parameter.snapped(unit(k));
        self.parameters.iter().enumerate().map(snapped).collect()
    }

    /// Returns the points among which a round chooses.
    fn points(&self, model: &GaussianProcess<'_>) -> Vec<Point> {
        let grids: Vec<Vec<f64>> = self.parameters.iter().map(Parameter::grid).collect();
        let all = grids.iter().try_fold(1_usize, |all, grid| all.checked_mul(grid.len()));
        if all.is_some_and(|all| all <= MAX_POINTS) {
            return grids.iter().fold(vec![Vec::new()], |points, grid| {
                let with = |point: &Point| {
                    let point = point.clone();
                    grid.iter()
                        .map(move |&at| [point.as_slice(), &[at]].concat())
                        .collect::<Vec<_>>()
                };
                points.iter().flat_map(with).collect()
            });
        }
        let mut rng = Rng::derive(self.seed, &[POINT_SEED_PART, self.rounds]);
        let shift = rng.unit();
        let mut points: Vec<Point> =
            (1..=MAX_POINTS as u64).map(|i| self.even_point(i, shift)).collect();
        points.extend(self.observations.iter().map(|seen| seen.point.clone()).filter(|point| {
            let inside = |(parameter, at): (&Parameter, &f64)| {
                !parameter.words().is_empty() || (0.0..=1.0).contains(at)
            };
            self.parameters.iter().zip(point).all(inside)
        }));
        for deviation in NEAR_DEVIATIONS {
            let best = points[model.highest(&points)].clone();
            for _ in 0..NEAR_POINTS / 2 {
                points.push(self.near(&best, deviation, &mut rng));
            }
        }
        // Equal points would get the same share in every drawn function.
        points.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        points.dedup();
        points
    }

    /// Returns a random point near another one.
    fn near(&self, point: &Point, deviation: f64, rng: &mut Rng) -> Point {
        let moved = |(parameter, &at): (&Parameter, &f64)| {
            let count = parameter.words().len();
            match count {
                0 => {
                    // Triangular around 0.
                    let step = (rng.unit() + rng.unit() - 1.0) * 2.45 * deviation;
                    parameter.snapped(at + step)
                }
                // A word stays in most cases.
                _ if rng.unit() < 0.8 => at,
                _ => rng.below(count) as f64,
            }
        };
        self.parameters.iter().zip(point).map(moved).collect()
    }
}

/// Returns the positive root of x^(d+1) = x + 1, whose powers fill d dimensions evenly.
fn plastic_number(dimensions: usize) -> f64 {
    let exponent = 1.0 / (dimensions as f64 + 1.0);
    (0..60).fold(2.0_f64, |x, _| (1.0 + x).powf(exponent))
}

#[cfg(test)]
mod tests;
