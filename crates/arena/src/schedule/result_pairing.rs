//! Result-based pairing: each round is paired from the results of the earlier ones.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tussle_engine::Verdict;
use tussle_stats::{GameResult, Pool, RatedGame};

use super::pairing::PairingRule;
use crate::{Record, TournamentSpec};

/// Rounds of a tournament with result-based pairing.
#[derive(Clone, Debug)]
pub(super) struct ResultPairing {
    rule: Arc<dyn PairingRule>,
    history: History,
    /// Number of games of the last round that are not finished.
    missing: usize,
    /// Numbers of the finished games.
    finished: HashSet<u64>,
    /// Number of strikes, by contestant.
    strikes: Vec<u64>,
    /// Number of strikes that withdraws a contestant; 0 for never.
    max_strikes: u64,
    /// True if illegal moves and late answers can be strikes.
    illegal_counts: bool,
    is_over: bool,
    /// Number of pairs that two agents have played, by their indices, the lower one first.
    met: HashMap<[usize; 2], u64>,
}

/// Pairs and results from which the next round is paired.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// All pairs, in their order.
    pub(super) pairs: Vec<Pair>,
    /// Number of rounds of these pairs.
    pub(super) rounds: u64,
    /// By contestant, true if it may be paired; false after it was withdrawn.
    pub(super) active: Vec<bool>,
    /// Games of the finished rounds, for the ratings.
    pub(super) pool: Pool,
    /// Number of pairs in the pool.
    counted: usize,
}

impl History {
    pub(super) fn new(agents: usize) -> Self {
        Self {
            pairs: Vec::new(),
            rounds: 0,
            active: vec![true; agents],
            pool: Pool::new(agents, 2),
            counted: 0,
        }
    }

    /// Adds the games of the last round, which is over, to the pool.
    pub(super) fn close_round(&mut self) {
        for pair in &self.pairs[self.counted..] {
            pair.count(&mut self.pool);
        }
        self.counted = self.pairs.len();
    }
}

/// A pair of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// Number of its round, from 0.
    pub(super) round: u64,
    /// Indices of the two agents.
    pub(super) agents: [usize; 2],
    /// Number of earlier pairs of the same agents.
    pub(super) met_before: u64,
    /// Results of the first agent, in the game where it moved first and the one where it moved second. `None` if the game
    /// is not finished, or void.
    pub(super) results: [Option<GameResult>; 2],
}

impl Pair {
    /// Adds the finished games to a pool.
    fn count(&self, pool: &mut Pool) {
        let [a, b] = self.agents;
        let seats = [[a, b], [b, a]];
        let utilities = [0, 1].map(|seat| {
            let first = match self.results[seat]? {
                GameResult::Win => 1.0,
                GameResult::Draw => 0.0,
                GameResult::Loss => -1.0,
            };
            let mut utilities = [-first; 2];
            utilities[seat] = first;
            Some(utilities)
        });
        let games: Vec<RatedGame<'_>> = (seats.iter().zip(&utilities))
            .filter_map(|(seats, utilities)| {
                Some(RatedGame { seats, utilities: utilities.as_ref()? })
            })
            .collect();
        if !games.is_empty() {
            pool.add(&games);
        }
    }
}

impl ResultPairing {
    /// Creates the rounds of a tournament and pairs the first one.
    pub(super) fn new(spec: &TournamentSpec, rule: Arc<dyn PairingRule>) -> Self {
        let agents = spec.agents.len();
        let history = History::new(agents);
        let mut pairing = Self {
            rule,
            history,
            missing: 0,
            finished: HashSet::new(),
            strikes: vec![0; agents],
            max_strikes: spec.strikes,
            illegal_counts: true,
            is_over: false,
            met: HashMap::new(),
        };
        pairing.pair_round();
        pairing
    }

    /// Returns the agents of a pair, or `None` if its round is not paired yet.
    pub(super) fn agents_of(&self, pair: u64) -> Option<&[usize]> {
        self.pair(pair).map(|pair| pair.agents.as_slice())
    }

    fn pair(&self, number: u64) -> Option<&Pair> {
        self.history.pairs.get(usize::try_from(number).ok()?)
    }

    /// Returns the number of pairs in the first round.
    pub(super) fn first_round(&self) -> usize {
        self.history.pairs.iter().take_while(|pair| pair.round == 0).count()
    }

    /// Returns true if there is no further round.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the number that selects the game of a pair from the list of games.
    pub(super) fn round_of(&self, pair: u64) -> u64 {
        self.pair(pair).map_or(0, |pair| self.rule.round_of(pair))
    }

    /// Makes illegal moves and late answers not count as strikes. Call it before the first result.
    pub(super) fn excuse_illegal_moves(&mut self) {
        self.illegal_counts = false;
    }

    /// Adds the result of a game. After the last result of a round, the next round is paired.
    pub(super) fn add(&mut self, record: &Record) {
        let Some(pair) = self.history.pairs.get_mut(record.pair as usize) else { return };
        let Some(seat) = record.seats.iter().position(|&agent| agent == pair.agents[0]) else {
            return;
        };
        if !self.finished.insert(record.id) {
            return;
        }
        if !record.is_void() {
            pair.results[seat] = Some(record.result(seat));
        }
        // Earlier versions counted neither illegal moves nor late answers as strikes.
        let is_new_strike = matches!(record.verdict, Verdict::Illegal | Verdict::Time);
        let counts = self.illegal_counts || !is_new_strike;
        if let Some(struck) = record.struck().filter(|_| counts) {
            self.strikes[struck] += 1;
        }
        self.missing -= 1;
        if self.missing == 0 {
            self.pair_round();
        }
    }

    fn pair_round(&mut self) {
        self.history.close_round();
        for (active, &strikes) in self.history.active.iter_mut().zip(&self.strikes) {
            *active = self.max_strikes == 0 || strikes < self.max_strikes;
        }
        let pairs = self.rule.next_round(&self.history);
        let round = self.history.rounds;
        self.history.rounds += 1;
        self.missing = 2 * pairs.len();
        self.is_over = pairs.is_empty();
        for agents in pairs {
            let met = self.met.entry(agents).or_default();
            let met_before = *met;
            *met += 1;
            self.history.pairs.push(Pair { round, agents, met_before, results: [None; 2] });
        }
    }
}
