//! Traits of pairing formats.

use std::fmt::Debug;
use std::sync::Arc;

use super::drawn::{History, Pair};
use crate::TournamentSpec;

/// Pairing format. One file of this folder implements one format.
pub(super) trait Pairing: Sync {
    /// Returns the name in tournament files, on the command line and in stores.
    fn name(&self) -> &'static str;

    /// Returns a sentence for help and forms.
    fn summary(&self) -> &'static str;

    /// Returns the name with its article, for sentences.
    fn title(&self) -> &'static str;

    /// Returns the source of the meetings.
    fn rounds(&self) -> Rounds;

    /// Returns the length of a tournament for which none is given. Its unit is the unit of the format.
    fn usual_length(&self, agents: u64) -> Length {
        let _ = agents;
        Length::Rounds(1)
    }

    /// Returns the number of pairs in a later round that is drawn from results, if `active` of the
    /// agents are not withdrawn.
    fn pairs_of_round(&self, active: usize, agents: usize) -> usize {
        let _ = agents;
        active / 2
    }

    /// Returns the part of an announcement that names the format, unless it is the usual one.
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
    /// Rounds, in each of which agents that meet play a pair of games.
    Rounds(u64),
    /// Games in all, as many rounds as that takes.
    Games(u64),
}

/// Source of the meetings of a tournament.
pub(super) enum Rounds {
    /// Makes the meetings of every round from the numbers of agents and of players.
    Fixed(fn(usize, usize) -> Vec<Vec<usize>>),
    /// Creates the rule that draws each round from the results of those before.
    Drawn(fn(&TournamentSpec) -> Arc<dyn Draw>),
}

/// Rule that draws rounds of games of two players from results, and from nothing else.
pub(super) trait Draw: Debug + Send + Sync {
    /// Returns the pairs of the next round, the lower index first; none if the tournament is over.
    fn draw(&self, history: &History) -> Vec<[usize; 2]>;

    /// Returns the number by which a pair takes its game from the list of games.
    fn round_of(&self, pair: &Pair) -> u64 {
        pair.round
    }
}
