//! Adaptive: games are spent where the ranking is least certain.
//!
//! The first round gives everybody games, so that all can be compared. Then everybody is rated after
//! each round, and of all meetings that is drawn next which lowers the expected number of agents
//! in wrong order most; it is taken to be played, which changes how certain the ratings
//! are, and the next is drawn.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use tussle_stats::RatingPosterior;

use super::drawn::{History, Pair};
use super::pairing::{Draw, Length, Pairing, Rounds};
use crate::TournamentSpec;

/// The first round has at most one of this many games, unless some agent would have none.
const SHARE: u64 = 3;

/// Games for each agent if no number of games is given.
const USUAL_GAMES_PER_AGENT: u64 = 30;

/// The adaptive format.
pub(super) struct AdaptivePairing;

impl Pairing for AdaptivePairing {
    fn name(&self) -> &'static str {
        "adaptive"
    }

    fn summary(&self) -> &'static str {
        "Games go to the pairings that tell most about the ranking"
    }

    fn title(&self) -> &'static str {
        "an adaptive tournament"
    }

    fn rounds(&self) -> Rounds {
        Rounds::Drawn(|spec| {
            let limit = spec.limit.unwrap_or(u64::MAX);
            Arc::new(Adaptive { agents: spec.agents.len(), limit })
        })
    }

    fn usual_length(&self, agents: u64) -> Length {
        Length::Games(USUAL_GAMES_PER_AGENT * agents)
    }

    fn pairs_of_round(&self, active: usize, agents: usize) -> usize {
        if active < 2 { 0 } else { Adaptive::pairs(agents) }
    }

    fn announcement(&self, _: &TournamentSpec) -> Option<String> {
        Some("adaptive".to_owned())
    }
}

/// Rule that draws the rounds of an adaptive tournament.
#[derive(Clone, Debug)]
struct Adaptive {
    agents: usize,
    limit: u64,
}

impl Draw for Adaptive {
    fn draw(&self, history: &History) -> Vec<[usize; 2]> {
        if history.rounds == 0 {
            return self.first_round();
        }
        let active = (0..history.active.len()).filter(|&a| history.active[a]).collect();
        let mut posterior = RatingPosterior::new(&history.pool.rate(&[]), active);
        (0..Self::pairs(self.agents)).map_while(|_| posterior.take_best()).collect()
    }

    /// Pairs of a round are few, so the number of earlier meetings takes its place.
    fn round_of(&self, pair: &Pair) -> u64 {
        pair.met_before
    }
}

impl Adaptive {
    /// Returns the number of pairs in a later round: work for every processor, and soon the next
    /// round, which knows more results.
    fn pairs(agents: usize) -> usize {
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
