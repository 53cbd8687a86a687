//! What results say about strength, computed as `fastchess` does.
//!
//! Games come in pairs from one opening with swapped seats, so the pair, not the game, is
//! the independent sample: an opening that favours one seat cancels out.

mod elo;
mod latency;
mod likelihood;
mod normal;
mod power;
mod ratings;
mod sprt;

use serde::Serialize;
use tussle_core::Outcome;

pub use elo::{Elo, Estimate};
pub use latency::Latency;
pub use normal::student95;
pub(crate) use normal::{Z95, below};
pub use power::{Lengths, Power};
pub use ratings::{Pool, Ratings, Sat};
pub use sprt::{Hypothesis, Model, Sprt};

/// Whether so few of the games are distinct that the others must not count as evidence: an agent
/// that always answers alike tells nothing new the second time.
pub fn is_repetitive(distinct: u64, games: u64) -> bool {
    2 * distinct < games
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts one game more.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A win is worth one point, a draw half of one.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The same games seen by the other side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl std::ops::AddAssign for Wdl {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// A game won is worth two of them, a draw one.
pub(crate) fn half_points(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Win => 2,
        Outcome::Draw => 1,
        Outcome::Loss => 0,
    }
}

/// Pairs of games by the points they brought: 0, ½, 1, 1½ and 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one pair more.
    pub fn add(&mut self, pair: [Outcome; 2]) {
        self.0[half_points(pair[0]) + half_points(pair[1])] += 1;
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs seen by the other side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let [ll, ld, even, wd, ww] = self.0;
        Self([ww, wd, even, ld, ll])
    }

    /// The share of pairs that neither side won; none without pairs.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| self.0[2] as f64 / self.pairs() as f64)
    }

    /// Pairs won for each one lost; none if none was lost.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.0;
        (ll + ld > 0).then(|| (ww + wd) as f64 / (ll + ld) as f64)
    }
}

impl std::ops::AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}
