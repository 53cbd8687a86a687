//! Rounds that are drawn from the results of those before.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tussle_engine::Verdict;
use tussle_stats::{GameResult, Pool, RatedGame};

use super::pairing::Draw;
use crate::{Record, TournamentSpec};

/// The rounds so far.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    rule: Arc<dyn Draw>,
    history: History,
    /// Games of the last round that are not finished.
    missing: usize,
    /// Numbers of the games that are finished.
    finished: HashSet<u64>,
    /// By contestant, the games it lost by not working, and how many are too many.
    strikes: Vec<u64>,
    most_strikes: u64,
    /// True if an illegal move is a strike.
    illegal_counts: bool,
    is_over: bool,
    /// How often two have met, the lower number first.
    met: HashMap<[usize; 2], u64>,
}

/// What rounds are drawn from.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// All pairs, in their order.
    pub(super) pairs: Vec<Pair>,
    /// How many rounds they were drawn in.
    pub(super) rounds: u64,
    /// By contestant, whether it may be drawn; one whose program does not work may not.
    pub(super) active: Vec<bool>,
    /// The games, for rating.
    pub(super) pool: Pool,
    /// How many pairs are in the pool.
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

    /// The last round is over: its games may be rated.
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
    /// Its round, from 0.
    pub(super) round: u64,
    /// Who met.
    pub(super) agents: [usize; 2],
    /// How often they had met before.
    pub(super) met_before: u64,
    /// Results for the first of them, of the games where it moved first and second. None if not finished, or void.
    pub(super) results: [Option<GameResult>; 2],
}

impl Pair {
    /// Adds the games to a pool.
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

impl Drawn {
    /// Draws the first round.
    pub(super) fn new(spec: &TournamentSpec, rule: Arc<dyn Draw>) -> Self {
        let agents = spec.agents.len();
        let history = History::new(agents);
        let mut drawn = Self {
            rule,
            history,
            missing: 0,
            finished: HashSet::new(),
            strikes: vec![0; agents],
            most_strikes: spec.strikes,
            illegal_counts: true,
            is_over: false,
            met: HashMap::new(),
        };
        drawn.draw();
        drawn
    }

    /// Who meets in a pair, if that is known.
    pub(super) fn meeting(&self, pair: u64) -> Option<&[usize]> {
        self.pair(pair).map(|pair| pair.agents.as_slice())
    }

    fn pair(&self, number: u64) -> Option<&Pair> {
        self.history.pairs.get(usize::try_from(number).ok()?)
    }

    /// Returns the number of pairs in the first round.
    pub(super) fn first_round(&self) -> usize {
        self.history.pairs.iter().take_while(|pair| pair.round == 0).count()
    }

    /// Whether there will be no other round.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the number by which a pair takes its game from the list of games.
    pub(super) fn round_of(&self, pair: u64) -> u64 {
        self.pair(pair).map_or(0, |pair| self.rule.round_of(pair))
    }

    /// Lets illegal moves and late answers be no strikes, before any result is there.
    pub(super) fn excuse_illegal_moves(&mut self) {
        self.illegal_counts = false;
    }

    /// Takes the result of one of the games, and draws the next round if it was the last one missing.
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
        // Earlier versions counted neither illegal moves nor late answers.
        let is_new_strike = matches!(record.verdict, Verdict::Illegal | Verdict::Time);
        let counts = self.illegal_counts || !is_new_strike;
        if let Some(struck) = record.struck().filter(|_| counts) {
            self.strikes[struck] += 1;
        }
        self.missing -= 1;
        if self.missing == 0 {
            self.draw();
        }
    }

    fn draw(&mut self) {
        self.history.close_round();
        for (active, &strikes) in self.history.active.iter_mut().zip(&self.strikes) {
            *active = self.most_strikes == 0 || strikes < self.most_strikes;
        }
        let drawn = self.rule.draw(&self.history);
        let round = self.history.rounds;
        self.history.rounds += 1;
        self.missing = 2 * drawn.len();
        self.is_over = drawn.is_empty();
        for agents in drawn {
            let met = self.met.entry(agents).or_default();
            let met_before = *met;
            *met += 1;
            self.history.pairs.push(Pair { round, agents, met_before, results: [None; 2] });
        }
    }
}
