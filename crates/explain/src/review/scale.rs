//! Results, samples and evaluations on one scale.

use tussle_catalog::AnyGame;

use super::Measured;

/// No evaluation is as good as a win.
const SHORT_OF_A_WIN: f64 = 0.9;

/// Scale on which results, samples and evaluations are compared.
pub(super) struct Scale {
    pub(super) unit: f64,
    pub(super) middle: f64,
    stretch: f64,
}

impl Scale {
    /// The scale for all that was measured in a game.
    pub(super) fn new<'a>(game: &dyn AnyGame, all: impl Iterator<Item = &'a Measured>) -> Self {
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
        // Where several points can be won, one is a win already.
        let unit = ((payoffs.most - payoffs.least) / 2.0).min(1.0);
        // The meaning of an evaluation of 30 is unknown: the largest of the game is nearly as good as a win.
        let stretch = if estimates > 0.0 { SHORT_OF_A_WIN * unit / estimates } else { 1.0 };
        Self { unit, middle: f64::midpoint(payoffs.least, payoffs.most), stretch }
    }

    pub(super) fn value(&self, measured: &Measured, player: usize) -> f64 {
        let value = measured.values[player];
        if measured.is_estimate { self.middle + self.stretch * value } else { value }
    }

    pub(super) fn values(&self, measured: &Measured) -> Vec<f64> {
        (0..measured.values.len()).map(|player| self.value(measured, player)).collect()
    }
}
