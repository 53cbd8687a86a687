//! Adaptive: games are spent where the ranking is least certain.
//!
//! The first round gives everybody games, so that all can be compared. Then everybody is rated after
//! each round, and of all meetings that is drawn next which lowers the expected number of agents
//! in wrong order most; it is taken to be played, which changes how certain the ratings
//! are, and the next is drawn.

#[cfg(test)]
mod tests;

use std::f64::consts::{FRAC_1_PI, LN_10, PI, SQRT_2};

use super::drawn::History;
use crate::Config;
use crate::statistics::below;

/// The first round has no more than one of so many games, where everybody has some with less.
const SHARE: u64 = 3;

/// Gains that differ by less are equal: what the last bits say differs from machine to machine.
const TIE: f64 = 1e-9;

/// How the rounds of an adaptive tournament are drawn.
#[derive(Clone, Debug)]
pub(super) struct Adaptive {
    agents: usize,
    limit: u64,
}

impl Adaptive {
    pub(super) fn new(config: &Config) -> Self {
        Self { agents: config.agents.len(), limit: config.limit.unwrap_or(u64::MAX) }
    }

    /// Who meets in the next round, the lower number first; nobody if nobody is left.
    pub(super) fn draw(&self, history: &History) -> Vec<[usize; 2]> {
        if history.rounds == 0 {
            return self.first_round();
        }
        let mut belief = Belief::after(history);
        (0..Self::pairs(self.agents)).map_while(|_| belief.take()).collect()
    }

    /// How many pairs a round has: some for every processor, and soon the next round, which knows more.
    pub(super) fn pairs(agents: usize) -> usize {
        (agents / 2).max(4)
    }

    /// Everybody meets those at some distances round a table, of which 1 connects all. With all
    /// distances, and so whenever there are games enough, it is a round robin.
    fn first_round(&self) -> Vec<[usize; 2]> {
        let agents = self.agents;
        let all = agents / 2;
        let games = usize::try_from(self.limit / SHARE).unwrap_or(usize::MAX);
        let distances = if games >= agents * agents.saturating_sub(1) {
            all
        } else {
            (games / (2 * agents)).clamp(1, all.max(1))
        };
        let distance = |i: usize| 1 + i * all / distances;
        let at = |distance: usize| {
            // Half way round, two see each other from both sides.
            let seats = if 2 * distance == agents { distance } else { agents };
            (0..seats).map(move |a| (a, (a + distance) % agents))
        };
        if agents < 2 {
            return Vec::new();
        }
        (0..distances).map(distance).flat_map(at).map(|(a, b)| [a.min(b), a.max(b)]).collect()
    }
}

/// What is known about those who may be drawn. A strength of 1 makes one e times as likely to win.
struct Belief {
    agents: Vec<usize>,
    strengths: Vec<f64>,
    /// Of the strengths, by agent and agent.
    covariance: Vec<Vec<f64>>,
}

impl Belief {
    fn after(history: &History) -> Self {
        let ratings = history.pool.rate(&[]);
        let unit = LN_10 / 400.0;
        let agents: Vec<usize> = (0..history.active.len()).filter(|&a| history.active[a]).collect();
        let row = |&a: &usize| {
            agents.iter().map(|&b| ratings.covariance[a][b] * unit * unit).collect::<Vec<_>>()
        };
        Self {
            strengths: agents.iter().map(|&a| ratings.elo[a] * unit).collect(),
            covariance: agents.iter().map(row).collect(),
            agents,
        }
    }

    /// The next meeting, which is taken to be played.
    fn take(&mut self) -> Option<[usize; 2]> {
        let [i, j] = self.best()?;
        self.learn([i, j]);
        Some([self.agents[i], self.agents[j]])
    }

    /// The meeting that tells most about the order.
    ///
    /// A pair of `i` and `j` with information `w` lowers the variance of `k - l` by
    /// `(s[k] - s[l])² w / (1 + w v)`, where `s` is column `i` of the covariance `C` less column `j`, and `v`
    /// the variance of `i - j`. Each of these is worth its weight, so their sum is a quadratic form
    /// in `s`, with the Laplace matrix `L` of the weights: with `A = C L C` it is
    /// `A[i][i] + A[j][j] - 2 A[i][j]`, and no meeting needs a sum of its own.
    fn best(&self) -> Option<[usize; 2]> {
        let n = self.agents.len();
        let mut weights = vec![vec![0.0; n]; n];
        for (k, l) in couples(n) {
            let weight = weight(self.strengths[k] - self.strengths[l], self.variance(k, l));
            weights[k][k] += weight;
            weights[l][l] += weight;
            weights[k][l] -= weight;
            weights[l][k] -= weight;
        }
        let gains = product(&self.covariance, &product(&weights, &self.covariance));
        let gain = |i: usize, j: usize| {
            let information = self.information(i, j);
            let gain = gains[i][i] + gains[j][j] - gains[i][j] - gains[j][i];
            gain * information / (1.0 + information * self.variance(i, j))
        };
        let mut best: Option<([usize; 2], f64)> = None;
        for (i, j) in couples(n) {
            let gain = gain(i, j);
            if best.is_none_or(|(_, most)| gain > most + TIE * most.abs()) {
                best = Some(([i, j], gain));
            }
        }
        best.map(|(meeting, _)| meeting)
    }

    /// What is known after these two have met, whatever the result: how certain it is.
    fn learn(&mut self, [i, j]: [usize; 2]) {
        let information = self.information(i, j);
        let scale = information / (1.0 + information * self.variance(i, j));
        let shift: Vec<f64> = self.covariance.iter().map(|row| row[i] - row[j]).collect();
        for (row, x) in self.covariance.iter_mut().zip(&shift) {
            for (cell, y) in row.iter_mut().zip(&shift) {
                *cell -= scale * x * y;
            }
        }
    }

    /// Of the difference of two.
    fn variance(&self, i: usize, j: usize) -> f64 {
        let cov = &self.covariance;
        (cov[i][i] + cov[j][j] - cov[i][j] - cov[j][i]).max(0.0)
    }

    /// Of the two games of a pair about the difference.
    fn information(&self, i: usize, j: usize) -> f64 {
        let chance = 1.0 / (1.0 + (self.strengths[j] - self.strengths[i]).exp());
        2.0 * chance * (1.0 - chance)
    }
}

/// How much faster the chance falls that two are in wrong order than the variance of their difference.
///
/// Let the true difference be `x` and its estimate normal around it with variance `u`: the order is
/// wrong with chance `Φ(-|x|/√u)`. We know `x` no better than normal around `d` with variance `v`. This
/// is the slope by `u` of the mean of that chance, at `u = v`: with `m = |d| / 2√v` it is
/// `e^(-m²) (e^(-m²) + m √π erf m) / 4πv`. (With `x = d`, equals would never meet: no estimate can
/// order them.)
fn weight(difference: f64, variance: f64) -> f64 {
    let variance = variance.max(f64::MIN_POSITIVE.sqrt());
    let m = difference.abs() / (2.0 * variance.sqrt());
    let bell = (-m * m).exp();
    let erf = 2.0 * below(m * SQRT_2) - 1.0;
    bell * (bell + m * PI.sqrt() * erf) * FRAC_1_PI / (4.0 * variance)
}

/// All couples of `0..n`, the lower number first.
fn couples(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let row = |row: &Vec<f64>| {
        let mut sum = vec![0.0; b.len()];
        for (factor, other) in row.iter().zip(b) {
            for (sum, cell) in sum.iter_mut().zip(other) {
                *sum += factor * cell;
            }
        }
        sum
    };
    a.iter().map(row).collect()
}
