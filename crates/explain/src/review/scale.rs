//! Common scale of results, means of simulations, and evaluations.

use tussle_catalog::AnyGame;

use super::PositionValue;

/// Value of the largest evaluation of a game, in units of a win.
const MAX_EVALUATION_SHARE: f64 = 0.9;

/// Scale on which results, means of simulations, and evaluations are compared.
pub(super) struct Scale {
    pub(super) unit: f64,
    pub(super) middle: f64,
    stretch: f64,
}

impl Scale {
    /// Creates the scale for all values of a game.
    pub(super) fn new<'a>(
        game: &dyn AnyGame,
        all: impl Iterator<Item = &'a PositionValue>,
    ) -> Self {
        let payoffs = game.payoffs();
        let (mut points, mut estimates) = (0.0f64, 0.0f64);
        for measured in all {
            let largest =
                measured.values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
            points = points.max(largest);
            if measured.is_estimate {
                estimates = estimates.max(largest);
            }
        }
        if payoffs.points {
            let unit = if points > 0.0 { points } else { 1.0 };
            return Self { unit, middle: 0.0, stretch: 1.0 };
        }
        // If several points can be won, a single one counts as a win.
        let unit = ((payoffs.most - payoffs.least) / 2.0).min(1.0);
        // Evaluations have unknown units, so the largest one of the game counts as almost a win.
        let stretch = if estimates > 0.0 { MAX_EVALUATION_SHARE * unit / estimates } else { 1.0 };
        Self { unit, middle: f64::midpoint(payoffs.least, payoffs.most), stretch }
    }

    pub(super) fn value(&self, measured: &PositionValue, player: usize) -> f64 {
        let value = measured.values[player];
        if measured.is_estimate { self.middle + self.stretch * value } else { value }
    }

    pub(super) fn values(&self, measured: &PositionValue) -> Vec<f64> {
        (0..measured.values.len()).map(|player| self.value(measured, player)).collect()
    }
}
