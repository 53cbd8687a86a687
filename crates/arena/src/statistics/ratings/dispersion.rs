//! How much results vary, compared with wins and losses by chance alone.
//!
//! Draws make results vary less than the model says, and so do openings that favour one seat, because
//! each is played from both. Where both games of a pair have the same cause, they vary more.

use super::Pool;
use super::fit::Fit;

/// The variance of results, divided by that of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispersion {
    /// Of the sum of a pair, which tells who is stronger.
    pub(super) agents: f64,
    /// Of its difference, which tells what the seat is worth.
    pub(super) seats: f64,
}

/// Of a pool and what it says.
///
/// The squares of the single residuals are replaced by what they are expected to be: if nearly all
/// is won, the residuals seen are small by luck, and the few that are to be expected count.
pub(super) fn of(pool: &Pool, fit: &Fit) -> Dispersion {
    if pool.players != 2 {
        return Dispersion { agents: 1.0, seats: 1.0 };
    }
    let (mut by_chance, mut drawn) = (0.0, 0.0);
    for (seats, cells) in &pool.games {
        let Ok(seats) = <[usize; 2]>::try_from(&seats[..]) else { continue };
        let expected = fit.expected(seats);
        by_chance += cells.values().sum::<u64>() as f64 * expected * (1.0 - expected);
        drawn += cells.get(&[0, 0][..]).copied().unwrap_or_default() as f64;
    }
    let mut covariance = 0.0;
    for (&[a, b], pairs) in &pool.pairs {
        let expected = [fit.expected([a, b]), 1.0 - fit.expected([b, a])];
        for (first, row) in pairs.iter().enumerate() {
            for (second, &count) in row.iter().enumerate() {
                let residual = |game: usize, half: usize| half as f64 / 2.0 - expected[game];
                covariance += count as f64 * residual(0, first) * residual(1, second);
            }
        }
    }
    // As if there had been one game more, as the model has it: few games prove nothing.
    let ratio = |sign: f64| {
        let variance = by_chance - drawn / 4.0 + sign * 2.0 * covariance;
        (variance.max(0.0) + 0.25) / (by_chance + 0.25)
    };
    Dispersion { agents: ratio(1.0), seats: ratio(-1.0) }
}
