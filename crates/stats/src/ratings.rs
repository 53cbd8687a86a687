//! Ratings of a field, from all of its games at once.
//!
//! The model is that of Plackett and Luce, which for two players is that of Bradley and Terry, with an
//! advantage for each seat; the strengths are those of the greatest likelihood. Crates that rate
//! players (`skillratings`, `openskill`) do so game by game. Their figures depend on the order of the
//! games and have no error bars for a difference, so this crate does not use them.

mod dispersion;
mod fit;
mod hierarchical;
mod likelihood;
mod matrix;
mod prior;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::Elo;
use crate::normal::Z95;
use fit::Fit;
use hierarchical::Posterior;
use matrix::Matrix;
use prior::Prior;

/// Elo per unit of strength. A strength of 1 makes a player e times as likely to win, one of 400 Elo ten times.
const ELO_PER_STRENGTH: f64 = 400.0 / std::f64::consts::LN_10;

/// Counts of the games of a field, from which it is rated.
///
/// Its size grows with the number of different pairings, not with the number of games.
///
/// ```
/// use tussle_stats::{Pool, RatedGame};
///
/// // Three agents in games of two. Agent 0 beats agent 1 twice, agent 1 and agent 2 draw.
/// let mut pool = Pool::new(3, 2);
/// pool.add(&[
///     RatedGame { seats: &[0, 1], utilities: &[1.0, -1.0] },
///     RatedGame { seats: &[1, 0], utilities: &[-1.0, 1.0] },
/// ]);
/// pool.add(&[RatedGame { seats: &[1, 2], utilities: &[0.0, 0.0] }]);
/// let ratings = pool.rate(&[]);
/// assert!(ratings.elo[0] > ratings.elo[2] && ratings.elo[2] > ratings.elo[1]);
/// ```
#[derive(Clone, Debug)]
pub struct Pool {
    agents: usize,
    players: usize,
    /// Number of games by the agents in seat order, and by the ranks that the seats took.
    games: BTreeMap<Vec<usize>, BTreeMap<Vec<u8>, u64>>,
    /// Complete pairs of games by their two agents, the lower index first.
    pairs: BTreeMap<[usize; 2], Pairs>,
}

/// Number of pairs by the half points of the agent with the lower index: in the game in which it sat
/// first, and in the other one.
type Pairs = [[u64; 3]; 3];

/// Seats and utilities of one game, the input of a rating.
#[derive(Clone, Copy, Debug)]
pub struct RatedGame<'a> {
    /// Index of the agent in each seat.
    pub seats: &'a [usize],
    /// Utility of the game to each seat; only their order counts.
    pub utilities: &'a [f64],
}

impl RatedGame<'_> {
    /// Returns the rank of each seat: the number of seats that did better.
    fn ranks(&self) -> Vec<u8> {
        let better = |own: f64| self.utilities.iter().filter(|&&other| other > own).count();
        self.utilities.iter().map(|&own| better(own).try_into().unwrap_or(u8::MAX)).collect()
    }

    /// Returns the half points of the agent with the lower index, in a game of two.
    fn half_points(&self) -> usize {
        let lower = usize::from(self.seats[0] > self.seats[1]);
        let ranks = self.ranks();
        usize::from(1 + ranks[1 - lower] - ranks[lower])
    }
}

/// Ratings of a field with their covariance.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// Rating of each agent in Elo; an agent without games is in the middle, with a large error.
    pub elo: Vec<f64>,
    /// Covariance of the ratings in Elo², by agent and agent.
    pub covariance: Vec<Vec<f64>>,
    /// Advantage of each seat in Elo: of two seats over the other one, of more over their mean.
    pub seats: Vec<Elo>,
    /// Number of games of each agent.
    pub games: Vec<u64>,
}

impl Pool {
    /// Creates a pool without games, for `agents` agents in games of `players` players.
    pub fn new(agents: usize, players: usize) -> Self {
        Self { agents, players, games: BTreeMap::new(), pairs: BTreeMap::new() }
    }

    /// Adds the games of one pair, or with more than two players of one rotation of the seats.
    ///
    /// They have one opening, so they are one sample. A pair may be incomplete.
    pub fn add(&mut self, games: &[RatedGame<'_>]) {
        for game in games {
            let cell = self.games.entry(game.seats.to_vec()).or_default();
            *cell.entry(game.ranks()).or_default() += 1;
        }
        if let [one, other] = games
            && let (&[a, b], &[c, d]) = (one.seats, other.seats)
            && (a, b) == (d, c)
        {
            let (first, second) = if a < b { (one, other) } else { (other, one) };
            let pairs = self.pairs.entry([a.min(b), a.max(b)]).or_default();
            pairs[first.half_points()][second.half_points()] += 1;
        }
    }

    /// Adds all games of another pool of the same agents.
    pub fn merge(&mut self, other: &Self) {
        for (seats, cells) in &other.games {
            let own = self.games.entry(seats.clone()).or_default();
            for (ranks, count) in cells {
                *own.entry(ranks.clone()).or_default() += count;
            }
        }
        for (&agents, counts) in &other.pairs {
            let own = self.pairs.entry(agents).or_default();
            for (own, count) in own.as_flattened_mut().iter_mut().zip(counts.as_flattened()) {
                *own += count;
            }
        }
    }

    /// Rates the field by the greatest likelihood. The ratings of `anchors` (agent and Elo) are given;
    /// without anchors the mean rating is 0.
    pub fn rate(&self, anchors: &[(usize, f64)]) -> Ratings {
        let fit = Fit::of(self, &self.fixed(anchors), Prior::Game, None);
        let covariance = fit.covariance(dispersion::of(self, &fit.strengths, None));
        self.ratings(anchors, &fit.strengths, &covariance)
    }

    /// Like [`rate`](Self::rate), with a population prior; for pairings that depended on results.
    ///
    /// Swiss and adaptive pairings match lucky agents with lucky ones, so the ratings of the greatest
    /// likelihood lie too far apart. A posterior does not depend on how the pairings were chosen.
    pub fn rate_with_population_prior(&self, anchors: &[(usize, f64)]) -> Ratings {
        let Posterior { strengths, covariance } = Posterior::of(self, &self.fixed(anchors));
        self.ratings(anchors, &strengths, &covariance)
    }

    /// Returns the given strength of each agent; `None` if it is free.
    fn fixed(&self, anchors: &[(usize, f64)]) -> Vec<Option<f64>> {
        let mut fixed = vec![None; self.agents];
        for (agent, elo) in given(anchors) {
            fixed[agent] = Some(elo / ELO_PER_STRENGTH);
        }
        fixed
    }

    /// Converts the strengths of agents, then seats, and their covariance to Elo.
    fn ratings(&self, anchors: &[(usize, f64)], strengths: &[f64], covariance: &Matrix) -> Ratings {
        let mut games = vec![0; self.agents];
        for (seats, cells) in &self.games {
            for &agent in seats {
                games[agent] += cells.values().sum::<u64>();
            }
        }
        let at = |i: usize, j: usize| covariance.at(i, j) * ELO_PER_STRENGTH * ELO_PER_STRENGTH;
        let mut ratings = Ratings {
            elo: (0..self.agents).map(|agent| strengths[agent] * ELO_PER_STRENGTH).collect(),
            covariance: (0..self.agents)
                .map(|i| (0..self.agents).map(|j| at(i, j)).collect())
                .collect(),
            seats: self.seats(strengths, &at),
            games,
        };
        if given(anchors).next().is_none() {
            ratings.centre();
        }
        for (agent, elo) in given(anchors) {
            ratings.elo[agent] = elo; // to the digit
        }
        ratings
    }

    /// Returns the advantage of each seat.
    fn seats(&self, strengths: &[f64], covariance: &dyn Fn(usize, usize) -> f64) -> Vec<Elo> {
        let n = self.players;
        // Of two seats, one against the other; of more, each against the mean of all.
        let against = |seat: usize, other: usize| match (n, seat == other) {
            (2, true) => 1.0,
            (2, false) => -1.0,
            (_, same) => f64::from(u8::from(same)) - 1.0 / n as f64,
        };
        let all = self.agents..self.agents + n;
        let seat = |seat: usize| {
            let weight = |i: usize| against(seat, i - self.agents);
            let value: f64 = all.clone().map(|i| weight(i) * strengths[i]).sum();
            let row = |i: usize| -> f64 {
                all.clone().map(|j| weight(i) * weight(j) * covariance(i, j)).sum()
            };
            let variance: f64 = all.clone().map(row).sum();
            Elo {
                value: Some(value * ELO_PER_STRENGTH),
                error: Some(Z95 * variance.max(0.0).sqrt()),
            }
        };
        (0..n).map(seat).collect()
    }
}

/// Lists the anchors with a finite rating.
fn given(anchors: &[(usize, f64)]) -> impl Iterator<Item = (usize, f64)> {
    anchors.iter().copied().filter(|(_, elo)| elo.is_finite())
}

impl Ratings {
    /// Returns the rating of an agent and half the width of its 95 % interval; `None` without games.
    pub fn rating(&self, agent: usize) -> Elo {
        if self.games[agent] == 0 {
            return Elo::default();
        }
        Elo { value: Some(self.elo[agent]), error: Some(self.error(agent)) }
    }

    /// Returns half the width of the 95 % interval of a rating.
    pub fn error(&self, agent: usize) -> f64 {
        Z95 * self.covariance[agent][agent].max(0.0).sqrt()
    }

    /// Returns the Elo difference of `a` over `b`, and half the width of its 95 % interval.
    pub fn difference(&self, a: usize, b: usize) -> Elo {
        let cov = &self.covariance;
        let variance = (cov[a][a] + cov[b][b] - 2.0 * cov[a][b]).max(0.0);
        Elo { value: Some(self.elo[a] - self.elo[b]), error: Some(Z95 * variance.sqrt()) }
    }

    /// Moves the mean rating of the agents with games to 0.
    fn centre(&mut self) {
        let played: Vec<usize> = (0..self.elo.len()).filter(|&i| self.games[i] > 0).collect();
        if played.is_empty() {
            return;
        }
        let mean = |of: &dyn Fn(usize) -> f64| {
            played.iter().map(|&i| of(i)).sum::<f64>() / played.len() as f64
        };
        let elo = mean(&|i| self.elo[i]);
        self.elo.iter_mut().for_each(|own| *own -= elo);
        // The covariances of x - m and y - m are C(x, y) - C(x, m) - C(m, y) + C(m, m).
        let with_mean: Vec<f64> = self.covariance.iter().map(|row| mean(&|i| row[i])).collect();
        let of_mean = mean(&|i| with_mean[i]);
        for (row, x) in self.covariance.iter_mut().zip(&with_mean) {
            for (cell, y) in row.iter_mut().zip(&with_mean) {
                *cell += of_mean - x - y;
            }
        }
    }
}
