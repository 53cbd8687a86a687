//! The strength of everybody in a pool, from all of its games at once.
//!
//! The model is Plackett's and Luce's, which for two players is that of Bradley and Terry, with an
//! advantage for each seat; the strengths are those of the greatest likelihood. Crates that rate
//! players (`skillratings`, `openskill`) do so game by game, so their figures depend on the order of the
//! games and have no error bars for a difference; this is why it is done here.

mod dispersion;
mod fit;
mod hierarchical;
mod likelihood;
mod matrix;
mod prior;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::Elo;
use super::normal::Z95;
use fit::Fit;
use hierarchical::Posterior;
use matrix::Matrix;
use prior::Prior;

/// A strength of 1 makes a player e times as likely to win, one of 400 Elo ten times.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Games between agents, added up. What is kept is how often each thing happened, so a pool of
/// any number of games is rated at once.
#[derive(Clone, Debug)]
pub struct Pool {
    agents: usize,
    players: usize,
    /// By who sat where and by the places they took, how many games.
    games: BTreeMap<Vec<usize>, BTreeMap<Vec<u8>, u64>>,
    /// By the two agents of complete pairs, how often.
    pairs: BTreeMap<[usize; 2], Pairs>,
}

/// Pairs by what the one with the lower number made of them, in half points: when it sat first, and
/// when it sat second.
type Pairs = [[u64; 3]; 3];

/// One game: who sat where and what it was worth to each seat.
#[derive(Clone, Copy, Debug)]
pub struct Sat<'a> {
    /// By seat, the index of the agent.
    pub seats: &'a [usize],
    /// By seat, what the game was worth.
    pub utilities: &'a [f64],
}

impl Sat<'_> {
    /// By seat, how many did better.
    fn places(&self) -> Vec<u8> {
        let better = |own: f64| self.utilities.iter().filter(|&&other| other > own).count();
        self.utilities.iter().map(|&own| better(own).try_into().unwrap_or(u8::MAX)).collect()
    }

    /// Half points of the agent with the lower number, of two.
    fn half_points(&self) -> usize {
        let lower = usize::from(self.seats[0] > self.seats[1]);
        let places = self.places();
        usize::from(1 + places[1 - lower] - places[lower])
    }
}

/// What the games of a pool say.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// By agent, in Elo. Who has no games is where the others are, give or take a lot.
    pub elo: Vec<f64>,
    /// By agent and agent, the covariance of their ratings in Elo².
    pub covariance: Vec<Vec<f64>>,
    /// How many Elo each seat is worth: of two against the other, of more against their mean.
    pub seats: Vec<Elo>,
    /// By agent, how many games it has.
    pub games: Vec<u64>,
}

impl Pool {
    /// No games yet.
    pub fn new(agents: usize, players: usize) -> Self {
        Self { agents, players, games: BTreeMap::new(), pairs: BTreeMap::new() }
    }

    /// Counts the games of one pair (of more than two players: round of the table). They have
    /// one opening, so they are one sample. A pair may be incomplete.
    pub fn add(&mut self, games: &[Sat<'_>]) {
        for game in games {
            let cell = self.games.entry(game.seats.to_vec()).or_default();
            *cell.entry(game.places()).or_default() += 1;
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

    /// Counts all games of another pool of the same agents.
    pub fn merge(&mut self, other: &Self) {
        for (seats, cells) in &other.games {
            let own = self.games.entry(seats.clone()).or_default();
            for (places, count) in cells {
                *own.entry(places.clone()).or_default() += count;
            }
        }
        for (&agents, counts) in &other.pairs {
            let own = self.pairs.entry(agents).or_default();
            for (own, count) in own.as_flattened_mut().iter_mut().zip(counts.as_flattened()) {
                *own += count;
            }
        }
    }

    /// The ratings; those of `anchors` are given, else their mean is 0.
    pub fn rate(&self, anchors: &[(usize, f64)]) -> Ratings {
        let fit = Fit::of(self, &self.fixed(anchors), Prior::Game, None);
        let covariance = fit.covariance(dispersion::of(self, &fit.strengths, None));
        self.ratings(anchors, &fit.strengths, &covariance)
    }

    /// The same where results decided who met. Those who had luck meet those who had, so what is most
    /// likely lies too far apart; what is known of a field whose spread is unknown does not depend on who
    /// drew its games.
    pub fn rate_drawn(&self, anchors: &[(usize, f64)]) -> Ratings {
        let Posterior { strengths, covariance } = Posterior::of(self, &self.fixed(anchors));
        self.ratings(anchors, &strengths, &covariance)
    }

    /// By agent, its strength if that is given.
    fn fixed(&self, anchors: &[(usize, f64)]) -> Vec<Option<f64>> {
        let mut fixed = vec![None; self.agents];
        for (agent, elo) in given(anchors) {
            fixed[agent] = Some(elo / ELO);
        }
        fixed
    }

    /// What strengths of agents, then seats, with their covariance say.
    fn ratings(&self, anchors: &[(usize, f64)], strengths: &[f64], covariance: &Matrix) -> Ratings {
        let mut games = vec![0; self.agents];
        for (seats, cells) in &self.games {
            for &agent in seats {
                games[agent] += cells.values().sum::<u64>();
            }
        }
        let at = |i: usize, j: usize| covariance.at(i, j) * ELO * ELO;
        let mut ratings = Ratings {
            elo: (0..self.agents).map(|agent| strengths[agent] * ELO).collect(),
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

    /// What the seats are worth.
    fn seats(&self, strengths: &[f64], covariance: &dyn Fn(usize, usize) -> f64) -> Vec<Elo> {
        let n = self.players;
        // Of two, the one against the other; of more, each against the mean of all.
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
            Elo { value: Some(value * ELO), error: Some(Z95 * variance.max(0.0).sqrt()) }
        };
        (0..n).map(seat).collect()
    }
}

/// The anchors that say something.
fn given(anchors: &[(usize, f64)]) -> impl Iterator<Item = (usize, f64)> {
    anchors.iter().copied().filter(|(_, elo)| elo.is_finite())
}

impl Ratings {
    /// The rating of an agent and half the width of its 95 % interval; none without games.
    pub fn rating(&self, agent: usize) -> Elo {
        if self.games[agent] == 0 {
            return Elo::default();
        }
        Elo { value: Some(self.elo[agent]), error: Some(self.error(agent)) }
    }

    /// Half the width of the 95 % interval of a rating.
    pub fn error(&self, agent: usize) -> f64 {
        Z95 * self.covariance[agent][agent].max(0.0).sqrt()
    }

    /// How much stronger `a` is than `b`, and half the width of the 95 % interval.
    pub fn difference(&self, a: usize, b: usize) -> Elo {
        let cov = &self.covariance;
        let variance = (cov[a][a] + cov[b][b] - 2.0 * cov[a][b]).max(0.0);
        Elo { value: Some(self.elo[a] - self.elo[b]), error: Some(Z95 * variance.sqrt()) }
    }

    /// Counts everything from the mean of those who played.
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
