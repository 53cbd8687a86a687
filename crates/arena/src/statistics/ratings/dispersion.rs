//! How much results vary, compared with wins and losses by chance alone.
//!
//! Draws make results vary less than the model says, and so do openings that favour one seat, because
//! each is played from both. Where both games of a pair have the same cause, they vary more.

use super::Pool;
use super::matrix::Matrix;

/// The variance of results, divided by that of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispersion {
    /// Of the sum of a pair, which tells who is stronger.
    pub(super) agents: f64,
    /// Of its difference, which tells what the seat is worth.
    pub(super) seats: f64,
}

impl Dispersion {
    /// Multiplies a covariance of agents, then seats, by it.
    pub(super) fn stretch(self, covariance: &mut Matrix, agents: usize) {
        let deviation = |i: usize| if i < agents { self.agents.sqrt() } else { self.seats.sqrt() };
        for i in 0..covariance.size {
            for j in 0..covariance.size {
                *covariance.at_mut(i, j) *= deviation(i) * deviation(j);
            }
        }
    }
}

/// The chance that the first of two wins against the second (a draw is half a win).
fn expected(strengths: &[f64], agents: usize, seats: [usize; 2]) -> f64 {
    let [first, second] = [0, 1].map(|seat| strengths[seats[seat]] + strengths[agents + seat]);
    1.0 / (1.0 + (second - first).exp())
}

/// Of a pool in which the agents, then seats, are so strong, give or take what their covariance says.
///
/// The squares of the single residuals are replaced by what they are expected to be: if nearly all
/// is won, the residuals seen are small by luck, and the few that are to be expected count.
///
/// Strengths follow the chances of the games they come from, so the residuals of a pair that remain are
/// less alike than chance made them: their product by `p q p' q'` times the variance of the difference
/// of the two. Without a covariance this is taken for nothing, as it is where games are many.
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
    // As if there had been one game more, as the model has it: few games prove nothing.
    let ratio = |sign: f64| {
        let variance = by_chance - drawn / 4.0 + sign * 2.0 * (products + followed);
        (variance.max(0.0) + 0.25) / (by_chance + 0.25)
    };
    Dispersion { agents: ratio(1.0), seats: ratio(-1.0) }
}
