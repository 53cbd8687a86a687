//! Adaptive format: schedules the games that tell most about the ranking.
//!
//! In the first round every agent plays, so that all agents can be compared. After each round the agents are rated. The
//! next round is chosen pair by pair: the pair that most reduces the expected number of agents in wrong order comes next.
//! The uncertainty of the ratings is then updated as if this pair had been played.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use tussle_stats::RatingPosterior;

use super::pairing::{Length, PairingFormat, PairingRule, Rounds};
use super::result_pairing::{History, Pair};
use crate::TournamentSpec;

/// The first round has at most this part of the games (a third), unless some agent would have no game.
const FIRST_ROUND_DIVISOR: u64 = 3;

/// Number of games per agent if no number of games is given.
const DEFAULT_GAMES_PER_AGENT: u64 = 30;

/// The adaptive format.
pub(super) struct AdaptiveFormat;

impl PairingFormat for AdaptiveFormat {
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
        Rounds::ByResults(|spec| {
            let limit = spec.limit.unwrap_or(u64::MAX);
            Arc::new(Adaptive { agents: spec.agents.len(), limit })
        })
    }

    fn default_length(&self, agents: u64) -> Length {
        Length::Games(DEFAULT_GAMES_PER_AGENT * agents)
    }

    fn pairs_of_round(&self, active: usize, agents: usize) -> usize {
        if active < 2 { 0 } else { Adaptive::pairs(agents) }
    }

    fn announcement(&self, _: &TournamentSpec) -> Option<String> {
        Some("adaptive".to_owned())
    }
}

/// Rule that pairs the rounds of an adaptive tournament.
#[derive(Clone, Debug)]
struct Adaptive {
    agents: usize,
    limit: u64,
}

impl PairingRule for Adaptive {
    fn next_round(&self, history: &History) -> Vec<[usize; 2]> {
        if history.rounds == 0 {
            return self.first_round();
        }
        let active = (0..history.active.len()).filter(|&a| history.active[a]).collect();
        let mut posterior = RatingPosterior::new(&history.pool.rate(&[]), active);
        (0..Self::pairs(self.agents)).map_while(|_| posterior.take_best()).collect()
    }

    /// Rounds are short, so the games change with the number of earlier pairs of the same two agents.
    fn round_of(&self, pair: &Pair) -> u64 {
        pair.met_before
    }
}

impl Adaptive {
    /// Returns the number of pairs in a later round: enough work for every processor, but few, so that the next round can
    /// use the results soon.
    fn pairs(agents: usize) -> usize {
        (agents / 2).max(4)
    }

    /// Pairs agents at certain distances around a circle. Distance 1 connects all agents. With enough games, all distances
    /// are used, which is a round robin.
    fn first_round(&self) -> Vec<[usize; 2]> {
        let agents = self.agents;
        let all = agents / 2;
        let games = usize::try_from(self.limit / FIRST_ROUND_DIVISOR).unwrap_or(usize::MAX);
        let distances = if games >= agents * agents.saturating_sub(1) {
            all
        } else {
            (games / (2 * agents)).clamp(1, all.max(1))
        };
        let distance = |i: usize| 1 + i * all / distances;
        let at = |distance: usize| {
            // At half the circle, each pair would appear twice.
            let seats = if 2 * distance == agents { distance } else { agents };
            (0..seats).map(move |a| (a, (a + distance) % agents))
        };
        if agents < 2 {
            return Vec::new();
        }
        (0..distances).map(distance).flat_map(at).map(|(a, b)| [a.min(b), a.max(b)]).collect()
    }
}
