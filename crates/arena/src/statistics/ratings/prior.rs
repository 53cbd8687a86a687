//! What is supposed of strengths before any game.

use super::likelihood::LogLikelihood;
use super::matrix::Matrix;

/// How strongly the mean of a field without anchors is held where it is, for no other reason than that
/// something must be: no game tells it.
const HOLD: f64 = 1e-6;

/// What is supposed of the agents. Every seat has played one game against an average one, half won and
/// half lost, in any case.
#[derive(Clone, Copy, Debug)]
pub(super) enum Prior {
    /// So has every agent, against somebody at the centre. It hardly moves whoever has more games, and
    /// nobody who won all of them is infinitely strong.
    Game,
    /// They are spread normally, with this precision (one by the variance), around a mean of which
    /// nothing is supposed.
    Spread(f64),
}

/// The logarithm of a prior, its slope and its curvature with the sign changed.
pub(super) struct Supposed {
    pub(super) value: f64,
    pub(super) slope: Vec<f64>,
    pub(super) curvature: Curvature,
}

/// The curvature of a prior with the sign changed: a diagonal, and one number between any two agents.
pub(super) struct Curvature {
    agents: usize,
    diagonal: Vec<f64>,
    /// Added to all cells of two agents, the diagonal included.
    common: f64,
}

impl Curvature {
    /// The same as a matrix.
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

    /// The cells of the diagonal.
    pub(super) fn diagonal(&self) -> impl Iterator<Item = f64> {
        let common = |i: usize| if i < self.agents { self.common } else { 0.0 };
        self.diagonal.iter().enumerate().map(move |(i, cell)| cell + common(i))
    }

    /// Adds its product with `x` to `sum`.
    pub(super) fn add_product(&self, x: &[f64], sum: &mut [f64]) {
        for ((sum, cell), x) in sum.iter_mut().zip(&self.diagonal).zip(x) {
            *sum += cell * x;
        }
        let common = self.common * x[..self.agents].iter().sum::<f64>();
        sum[..self.agents].iter_mut().for_each(|sum| *sum += common);
    }
}

impl Prior {
    /// For so many agents, then seats, with these strengths.
    pub(super) fn at(self, strengths: &[f64], agents: usize, centre: f64) -> Supposed {
        let size = strengths.len();
        let curvature = Curvature { agents, diagonal: vec![0.0; size], common: 0.0 };
        let mut supposed = Supposed { value: 0.0, slope: vec![0.0; size], curvature };
        match self {
            Self::Game => (0..agents).for_each(|i| supposed.game(i, strengths[i] - centre)),
            Self::Spread(precision) => supposed.spread(precision, &strengths[..agents], centre),
        }
        (agents..size).for_each(|i| supposed.game(i, strengths[i]));
        supposed
    }
}

impl Supposed {
    fn game(&mut self, i: usize, distance: f64) {
        let game = LogLikelihood::of(&[distance, 0.0], &[0, 0]);
        self.value += game.value;
        self.slope[i] += game.slope[0];
        // Far out it is nearly nothing, and must not become nothing.
        self.curvature.diagonal[i] += game.information[0][0].max(1e-9);
    }

    fn spread(&mut self, precision: f64, agents: &[f64], centre: f64) {
        let count = agents.len().max(1) as f64;
        let mean = agents.iter().sum::<f64>() / count;
        let held = HOLD * (mean - centre);
        self.value -= 0.5 * count * held * (mean - centre);
        for (i, strength) in agents.iter().enumerate() {
            let off = strength - mean;
            self.value -= 0.5 * precision * off * off;
            self.slope[i] -= precision * off + held;
            self.curvature.diagonal[i] += precision;
        }
        self.curvature.common += (HOLD - precision) / count;
    }
}
