//! Choice of the pairing that tells most about a ranking.

#[cfg(test)]
mod tests;

use std::f64::consts::{FRAC_1_PI, LN_10, PI, SQRT_2};

use crate::Ratings;
use crate::normal::normal_cdf;

/// Gains whose relative difference is smaller are equal, because the last bits differ between machines.
const RELATIVE_TIE: f64 = 1e-9;

/// Ratings with their covariance, for choosing the next pairing of an adaptive tournament.
///
/// The gain of a pairing is the expected drop in the number of players in wrong order.
#[derive(Clone, Debug)]
pub struct RatingPosterior {
    /// Indices of the players in the ratings.
    players: Vec<usize>,
    /// By player, in units in which 1 makes a player e times as likely to win.
    strengths: Vec<f64>,
    /// Covariance of the strengths, by player and player.
    covariance: Vec<Vec<f64>>,
}

impl RatingPosterior {
    /// Takes the posterior of these players from the ratings of a field.
    ///
    /// # Panics
    /// If a player is not in the ratings.
    pub fn new(ratings: &Ratings, players: Vec<usize>) -> Self {
        let unit = LN_10 / 400.0;
        let row = |&a: &usize| {
            players.iter().map(|&b| ratings.covariance[a][b] * unit * unit).collect::<Vec<_>>()
        };
        Self {
            strengths: players.iter().map(|&a| ratings.elo[a] * unit).collect(),
            covariance: players.iter().map(row).collect(),
            players,
        }
    }

    /// Removes the pairing with the largest gain from what is left to find out, and returns it.
    ///
    /// The posterior becomes that after a pair of games between the two, whatever their result, so that the
    /// next call returns the best pairing to play in addition. None with fewer than two players.
    pub fn take_best(&mut self) -> Option<[usize; 2]> {
        let [i, j] = self.best()?;
        self.observe([i, j]);
        Some([self.players[i], self.players[j]])
    }

    /// Returns the positions in `players` of the pairing with the largest gain.
    ///
    /// A pair of `i` and `j` with information `w` lowers the variance of `k - l` by
    /// `(s[k] - s[l])² w / (1 + w v)`, where `s` is column `i` of the covariance `C` less column `j`, and `v`
    /// the variance of `i - j`. Each of these is worth its weight, so their sum is a quadratic form
    /// in `s`, with the Laplace matrix `L` of the weights: with `A = C L C` it is
    /// `A[i][i] + A[j][j] - 2 A[i][j]`, and no pairing needs a sum of its own.
    fn best(&self) -> Option<[usize; 2]> {
        let n = self.players.len();
        let mut weights = vec![vec![0.0; n]; n];
        for (k, l) in pairings(n) {
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
        for (i, j) in pairings(n) {
            let gain = gain(i, j);
            if best.is_none_or(|(_, most)| gain > most + RELATIVE_TIE * most.abs()) {
                best = Some(([i, j], gain));
            }
        }
        best.map(|(pairing, _)| pairing)
    }

    /// Updates the covariance as a pair of games between these two does, whatever its result.
    fn observe(&mut self, [i, j]: [usize; 2]) {
        let information = self.information(i, j);
        let scale = information / (1.0 + information * self.variance(i, j));
        let shift: Vec<f64> = self.covariance.iter().map(|row| row[i] - row[j]).collect();
        for (row, x) in self.covariance.iter_mut().zip(&shift) {
            for (cell, y) in row.iter_mut().zip(&shift) {
                *cell -= scale * x * y;
            }
        }
    }

    /// Returns the variance of the difference of two strengths.
    fn variance(&self, i: usize, j: usize) -> f64 {
        let cov = &self.covariance;
        (cov[i][i] + cov[j][j] - cov[i][j] - cov[j][i]).max(0.0)
    }

    /// Returns the information of a pair of games about the difference of two strengths.
    fn information(&self, i: usize, j: usize) -> f64 {
        let chance = 1.0 / (1.0 + (self.strengths[j] - self.strengths[i]).exp());
        2.0 * chance * (1.0 - chance)
    }
}

/// Returns the drop in the probability of a wrong order per drop in the variance of a difference.
///
/// Let the true difference be `x` and its estimate normal around it with variance `u`: the order is
/// wrong with probability `Φ(-|x|/√u)`. We know `x` no better than normal around `d` with variance `v`. This
/// is the slope by `u` of the mean of that probability, at `u = v`: with `m = |d| / 2√v` it is
/// `e^(-m²) (e^(-m²) + m √π erf m) / 4πv`. (With `x = d`, equal players would never be paired: no estimate
/// can order them.)
fn weight(difference: f64, variance: f64) -> f64 {
    let variance = variance.max(f64::MIN_POSITIVE.sqrt());
    let m = difference.abs() / (2.0 * variance.sqrt());
    let bell = (-m * m).exp();
    let erf = 2.0 * normal_cdf(m * SQRT_2) - 1.0;
    bell * (bell + m * PI.sqrt() * erf) * FRAC_1_PI / (4.0 * variance)
}

/// Lists all pairings of `0..n`, the lower number first.
fn pairings(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
}

/// Multiplies two square matrices.
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
