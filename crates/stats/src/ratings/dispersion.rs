//! Dispersion of results, compared with independent wins and losses.
//!
//! Draws make results vary less than the model says, and so do openings that favour one seat, because
//! each is played from both. If the two games of a pair depend on each other, results vary more.

use super::Pool;
use super::matrix::Matrix;

/// Variance of results, divided by that of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispersion {
    /// For the sum of a pair, which shows the difference of the agents.
    pub(super) agents: f64,
    /// For the difference of a pair, which shows the advantage of the seat.
    pub(super) seats: f64,
}

impl Dispersion {
    /// Multiplies a covariance of agents, then seats, by the dispersion.
    pub(super) fn stretch(self, covariance: &mut Matrix, agents: usize) {
        let deviation = |i: usize| if i < agents { self.agents.sqrt() } else { self.seats.sqrt() };
        for i in 0..covariance.size {
            for j in 0..covariance.size {
                *covariance.at_mut(i, j) *= deviation(i) * deviation(j);
            }
        }
    }
}

/// Returns the expected score of the first of two seats.
fn expected(strengths: &[f64], agents: usize, seats: [usize; 2]) -> f64 {
    let [first, second] = [0, 1].map(|seat| strengths[seats[seat]] + strengths[agents + seat]);
    1.0 / (1.0 + (second - first).exp())
}

/// Estimates the dispersion of a pool, given the strengths of agents, then seats, and their covariance.
///
/// The squares of single residuals are replaced by their expectation: if nearly all games are won, the
/// residuals seen are small by luck, and the few that are expected count.
///
/// Strengths are fitted to the games, so the residuals of a pair are less correlated than its results: their
/// product is smaller by `p q p' q'` times the variance of the difference of the two agents. Without a
/// covariance this correction is 0, as it is for many games.
pub(super) fn of(pool: &Pool, strengths: &[f64], covariance: Option<&Matrix>) -> Dispersion {
    if pool.players != 2 {
        return Dispersion { agents: 1.0, seats: 1.0 };
    }
    let expected = |seats| expected(strengths, pool.agents, seats);
    let (mut by_chance, mut drawn) = (0.0, 0.0);
    for (seats, cells) in &pool.games {
        let Ok(seats) = <[usize; 2]>::try_from(&seats[..]) else { continue };
        let expected = expected(seats);
        by_chance += cells.values().sum::<u64>() as f64 * expected * (1.0 - expected);
        drawn += cells.get(&[0, 0][..]).copied().unwrap_or_default() as f64;
    }
    let variance = |a: usize, b: usize| {
        covariance.map_or(0.0, |known| known.at(a, a) + known.at(b, b) - 2.0 * known.at(a, b))
    };
    let (mut products, mut followed) = (0.0, 0.0);
    for (&[a, b], pairs) in &pool.pairs {
        let expected = [expected([a, b]), 1.0 - expected([b, a])];
        for (first, row) in pairs.iter().enumerate() {
            for (second, &count) in row.iter().enumerate() {
                let residual = |game: usize, half: usize| half as f64 / 2.0 - expected[game];
                products += count as f64 * residual(0, first) * residual(1, second);
            }
        }
        let count = pairs.iter().flatten().sum::<u64>() as f64;
        followed +=
            count * variance(a, b) * expected.map(|p| p * (1.0 - p)).iter().product::<f64>();
    }
    // One more game, with the variance of the model: few games prove nothing.
    let ratio = |sign: f64| {
        let variance = by_chance - drawn / 4.0 + sign * 2.0 * (products + followed);
        (variance.max(0.0) + 0.25) / (by_chance + 0.25)
    };
    Dispersion { agents: ratio(1.0), seats: ratio(-1.0) }
}
