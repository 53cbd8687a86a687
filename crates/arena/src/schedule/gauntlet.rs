//! Gauntlet format: in each round the first agent meets each of the others.

use super::pairing::{PairingFormat, Rounds};
use super::round_robin::all_pairings;

/// The gauntlet format.
pub(super) struct Gauntlet;

impl PairingFormat for Gauntlet {
    fn name(&self) -> &'static str {
        "gauntlet"
    }

    fn summary(&self) -> &'static str {
        "The first agent meets each of the others in each round"
    }

    fn title(&self) -> &'static str {
        "a gauntlet"
    }

    fn rounds(&self) -> Rounds {
        Rounds::Fixed(|agents, players| {
            let mut pairings = all_pairings(agents, players);
            pairings.retain(|pairing| pairing.contains(&0));
            pairings
        })
    }

    fn reference_agent(&self) -> Option<usize> {
        Some(0)
    }
}
