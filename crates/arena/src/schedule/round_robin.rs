//! Round-robin format: in each round every agent meets every other agent.

use super::pairing::{PairingFormat, Rounds};

/// The round-robin format.
pub(super) struct RoundRobin;

impl PairingFormat for RoundRobin {
    fn name(&self) -> &'static str {
        "round-robin"
    }

    fn summary(&self) -> &'static str {
        "Every agent meets every other agent in each round"
    }

    fn title(&self) -> &'static str {
        "a round robin"
    }

    fn rounds(&self) -> Rounds {
        Rounds::Fixed(all_pairings)
    }

    fn ranks_by_points(&self) -> bool {
        true
    }
}

/// Returns all ways to choose `players` of the agents, in order.
pub(super) fn all_pairings(agents: usize, players: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    choose(agents, players, &mut Vec::new(), &mut found);
    found
}

fn choose(agents: usize, players: usize, taken: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if taken.len() == players {
        found.push(taken.clone());
        return;
    }
    for next in taken.last().map_or(0, |last| last + 1)..agents {
        taken.push(next);
        choose(agents, players, taken, found);
        taken.pop();
    }
}
