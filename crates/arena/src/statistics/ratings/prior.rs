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
    pub(super) information: Matrix,
}

impl Prior {
    /// For so many agents, then seats, with these strengths.
    pub(super) fn at(self, strengths: &[f64], agents: usize, centre: f64) -> Supposed {
        let size = strengths.len();
        let mut supposed =
            Supposed { value: 0.0, slope: vec![0.0; size], information: Matrix::zero(size) };
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
        *self.information.at_mut(i, i) += game.information[0][0].max(1e-9);
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
            *self.information.at_mut(i, i) += precision;
            for j in 0..agents.len() {
                *self.information.at_mut(i, j) += (HOLD - precision) / count;
            }
        }
    }
}
