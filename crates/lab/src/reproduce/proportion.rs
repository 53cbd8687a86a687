//! Proportions: hits out of a number of games.

use serde::Serialize;
use tussle_stats::wilson_interval;

/// Number of hits out of a number of games, with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Proportion {
    /// Number of hits.
    pub hits: u64,
    /// Number of games.
    pub of: u64,
    /// Number of games that differ from all earlier ones.
    pub distinct: u64,
}

impl Proportion {
    /// Creates a proportion of `hits` in `of` distinct games.
    pub const fn new(hits: u64, of: u64) -> Self {
        Self { hits, of, distinct: of }
    }

    /// Returns the distinct games only, with the same share.
    pub(super) fn evidence(self) -> Self {
        Self::new((self.share() * self.distinct as f64).round() as u64, self.distinct)
    }

    /// Returns the share of hits.
    pub fn share(self) -> f64 {
        self.hits as f64 / self.of.max(1) as f64
    }

    /// Returns the 95 % interval of the share (Wilson).
    pub fn interval(self) -> (f64, f64) {
        if self.distinct == 0 {
            (0.0, 1.0)
        } else {
            wilson_interval(self.share(), self.distinct as f64)
        }
    }

    /// Writes the number of distinct games if most games are repeated.
    pub(super) fn repeated(self) -> String {
        let Self { of, distinct, .. } = self;
        if 2 * distinct < of { format!(" ({distinct} distinct)") } else { String::new() }
    }

    /// Adds two proportions.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            hits: self.hits + other.hits,
            of: self.of + other.of,
            distinct: self.distinct + other.distinct,
        }
    }
}
