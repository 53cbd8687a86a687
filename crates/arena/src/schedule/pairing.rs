//! Traits of pairing formats.

use std::fmt::Debug;
use std::sync::Arc;

use super::result_pairing::{History, Pair};
use crate::TournamentSpec;

/// Pairing format. One file of this folder implements one format.
pub(super) trait PairingFormat: Sync {
    /// Returns the name in tournament files, on the command line and in stores.
    fn name(&self) -> &'static str;

    /// Returns a one-line description for help and forms.
    fn summary(&self) -> &'static str;

    /// Returns the name with its article, for sentences.
    fn title(&self) -> &'static str;

    /// Returns the source of the pairings.
    fn rounds(&self) -> Rounds;

    /// Returns the default length of a tournament, in the unit of the format.
    fn default_length(&self, agents: u64) -> Length {
        let _ = agents;
        Length::Rounds(1)
    }

    /// Returns the number of pairs in a later round of a result-based format if `active` of the agents are not withdrawn.
    fn pairs_of_round(&self, active: usize, agents: usize) -> usize {
        let _ = agents;
        active / 2
    }

    /// Returns the words that name the format when a tournament is announced; `None` for formats that need none.
    fn announcement(&self, spec: &TournamentSpec) -> Option<String> {
        let _ = spec;
        None
    }

    /// Returns true if agents with equally many games are ranked by points, not by ratings.
    fn ranks_by_points(&self) -> bool {
        false
    }

    /// Returns the agent whose rating is 0 if no anchor is given.
    fn reference_agent(&self) -> Option<usize> {
        None
    }
}

/// Length of a tournament, in the unit of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// Number of rounds, in each of which every pairing plays a pair of games.
    Rounds(u64),
    /// Total number of games, in as many rounds as needed.
    Games(u64),
}

/// Source of the pairings of a tournament.
pub(super) enum Rounds {
    /// Function that makes the pairings of every round from the numbers of agents and players.
    Fixed(fn(usize, usize) -> Vec<Vec<usize>>),
    /// Function that creates the rule of a result-based format.
    ByResults(fn(&TournamentSpec) -> Arc<dyn PairingRule>),
}

/// Rule that pairs rounds of two-player games from earlier results alone.
pub(super) trait PairingRule: Debug + Send + Sync {
    /// Returns the pairs of the next round, the lower index first. Empty if the tournament is over.
    fn next_round(&self, history: &History) -> Vec<[usize; 2]>;

    /// Returns the number that selects the game of a pair from the list of games.
    fn round_of(&self, pair: &Pair) -> u64 {
        pair.round
    }
}
