//! Gauntlet: in each round the first agent meets each of the others.

use super::pairing::{Pairing, Rounds};
use super::round_robin::all_meetings;

/// The gauntlet.
pub(super) struct Gauntlet;

impl Pairing for Gauntlet {
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
            let mut meetings = all_meetings(agents, players);
            meetings.retain(|meeting| meeting.contains(&0));
            meetings
        })
    }

    fn reference_agent(&self) -> Option<usize> {
        Some(0)
    }
}
