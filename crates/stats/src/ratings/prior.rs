//! Priors of strengths.

use super::likelihood::LogLikelihood;
use super::matrix::Matrix;

/// Precision with which the mean of a field is held at its centre. No game determines the mean, and
/// without this the matrix would be singular.
const MEAN_PRECISION: f64 = 1e-6;

/// Prior of the agents' strengths. That of every seat is one drawn game against an average seat.
#[derive(Clone, Copy, Debug)]
pub(super) enum Prior {
    /// One drawn game of every agent against an opponent at the centre. It hardly changes the rating of an
    /// agent with more games, and keeps the rating of an agent that won all of its games finite.
    Game,
    /// Normal distribution with this precision (one over the variance) around a free mean.
    Spread(f64),
}

/// Logarithm of a prior, its slope and its curvature with the sign changed.
pub(super) struct LogPrior {
    pub(super) value: f64,
    pub(super) slope: Vec<f64>,
    pub(super) curvature: Curvature,
}

/// Curvature of a prior with the sign changed: a diagonal, and one number between any two agents.
pub(super) struct Curvature {
    agents: usize,
    diagonal: Vec<f64>,
    /// Number added to all cells of two agents, the diagonal included.
    common: f64,
}

impl Curvature {
    /// Returns the curvature as a matrix.
    pub(super) fn matrix(&self) -> Matrix {
        let mut matrix = Matrix::zero(self.diagonal.len());
        for (i, cell) in self.diagonal.iter().enumerate() {
            *matrix.at_mut(i, i) += cell;
        }
        if self.common != 0.0 {
            for i in 0..self.agents {
                for j in 0..self.agents {
                    *matrix.at_mut(i, j) += self.common;
                }
            }
        }
        matrix
    }

    /// Lists the cells of the diagonal.
    pub(super) fn diagonal(&self) -> impl Iterator<Item = f64> {
        let common = |i: usize| if i < self.agents { self.common } else { 0.0 };
        self.diagonal.iter().enumerate().map(move |(i, cell)| cell + common(i))
    }

    /// Adds the product of the curvature and `x` to `sum`.
    pub(super) fn add_product(&self, x: &[f64], sum: &mut [f64]) {
        for ((sum, cell), x) in sum.iter_mut().zip(&self.diagonal).zip(x) {
            *sum += cell * x;
        }
        let common = self.common * x[..self.agents].iter().sum::<f64>();
        sum[..self.agents].iter_mut().for_each(|sum| *sum += common);
    }
}

impl Prior {
    /// Evaluates the prior at the strengths of `agents` agents, then seats.
    pub(super) fn at(self, strengths: &[f64], agents: usize, centre: f64) -> LogPrior {
        let size = strengths.len();
        let curvature = Curvature { agents, diagonal: vec![0.0; size], common: 0.0 };
        let mut prior = LogPrior { value: 0.0, slope: vec![0.0; size], curvature };
        match self {
            Self::Game => (0..agents).for_each(|i| prior.game(i, strengths[i] - centre)),
            Self::Spread(precision) => prior.spread(precision, &strengths[..agents], centre),
        }
        (agents..size).for_each(|i| prior.game(i, strengths[i]));
        prior
    }
}

impl LogPrior {
    fn game(&mut self, i: usize, distance: f64) {
        let game = LogLikelihood::of(&[distance, 0.0], &[0, 0]);
        self.value += game.value;
        self.slope[i] += game.slope[0];
        // Far out the information is nearly 0, and must not become 0.
        self.curvature.diagonal[i] += game.information[0][0].max(1e-9);
    }

    fn spread(&mut self, precision: f64, agents: &[f64], centre: f64) {
        let count = agents.len().max(1) as f64;
        let mean = agents.iter().sum::<f64>() / count;
        let held = MEAN_PRECISION * (mean - centre);
        self.value -= 0.5 * count * held * (mean - centre);
        for (i, strength) in agents.iter().enumerate() {
            let off = strength - mean;
            self.value -= 0.5 * precision * off * off;
            self.slope[i] -= precision * off + held;
            self.curvature.diagonal[i] += precision;
        }
        self.curvature.common += (MEAN_PRECISION - precision) / count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listed_diagonal_is_that_of_the_matrix() {
        for prior in [Prior::Game, Prior::Spread(0.3)] {
            let curvature = prior.at(&[0.5, -1.0, 2.0, 0.1], 3, 0.0).curvature;
            let matrix = curvature.matrix();
            for (i, cell) in curvature.diagonal().enumerate() {
                assert_eq!(cell, matrix.at(i, i), "{prior:?}, row {i}");
            }
        }
    }
}
