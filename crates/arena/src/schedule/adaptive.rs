//! Adaptive: games are spent where the ranking is least certain.
//!
//! The first round gives everybody games, so that all can be compared. Then everybody is rated after
//! each round, and of all meetings that is drawn next which lowers the expected number of agents
//! in wrong order most; it is taken to be played, which changes how certain the ratings
//! are, and the next is drawn.

#[cfg(test)]
mod tests;

use tussle_stats::RatingPosterior;

use super::drawn::History;
use crate::Config;

/// The first round has no more than one of so many games, where everybody has some with less.
const SHARE: u64 = 3;

/// How the rounds of an adaptive tournament are drawn.
#[derive(Clone, Debug)]
pub(super) struct Adaptive {
    agents: usize,
    limit: u64,
}

impl Adaptive {
    pub(super) fn new(config: &Config) -> Self {
        Self { agents: config.agents.len(), limit: config.limit.unwrap_or(u64::MAX) }
    }

    /// Who meets in the next round, the lower number first; nobody if nobody is left.
    pub(super) fn draw(&self, history: &History) -> Vec<[usize; 2]> {
        if history.rounds == 0 {
            return self.first_round();
        }
        let active = (0..history.active.len()).filter(|&a| history.active[a]).collect();
        let mut posterior = RatingPosterior::new(&history.pool.rate(&[]), active);
        (0..Self::pairs(self.agents)).map_while(|_| posterior.take_best()).collect()
    }

    /// How many pairs a round has: some for every processor, and soon the next round, which knows more.
    pub(super) fn pairs(agents: usize) -> usize {
        (agents / 2).max(4)
    }

    /// Everybody meets those at some distances round a table, of which 1 connects all. With all
    /// distances, and so whenever there are games enough, it is a round robin.
    fn first_round(&self) -> Vec<[usize; 2]> {
        let agents = self.agents;
        let all = agents / 2;
        let games = usize::try_from(self.limit / SHARE).unwrap_or(usize::MAX);
        let distances = if games >= agents * agents.saturating_sub(1) {
            all
        } else {
            (games / (2 * agents)).clamp(1, all.max(1))
        };
        let distance = |i: usize| 1 + i * all / distances;
        let at = |distance: usize| {
            // Half way round, two see each other from both sides.
            let seats = if 2 * distance == agents { distance } else { agents };
            (0..seats).map(move |a| (a, (a + distance) % agents))
        };
        if agents < 2 {
            return Vec::new();
        }
        (0..distances).map(distance).flat_map(at).map(|(a, b)| [a.min(b), a.max(b)]).collect()
    }
}
