//! Schedules: numbered lists of all games of a tournament.
//!
//! Agents that are paired play a **game pair**: one game per seat from the same opening, in which every agent takes every
//! seat. The games of a pair have consecutive numbers, and so have the pairs of a round.
//!
//! The schedule of a round robin or gauntlet follows from the specification alone. Swiss and adaptive tournaments pair
//! each round when all results of earlier rounds are there, and from these results alone. So an interrupted run
//! gets the same pairings when it is resumed.

mod adaptive;
mod format;
mod gauntlet;
mod matching;
mod pairing;
mod result_pairing;
mod round_robin;
mod swiss;
#[cfg(test)]
mod tests;

use crate::{Record, Shard, TournamentSpec};
use pairing::Rounds;
use result_pairing::ResultPairing;

pub use format::{Format, UnknownFormat};
pub(crate) use pairing::Length;

/// Error of a result whose game is not in the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {id} is not in the schedule of this tournament")]
pub struct UnscheduledGame {
    /// Number of the game.
    pub id: u64,
}

/// Scheduled game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Number of the game, from 0.
    pub id: u64,
    /// Number of its pair.
    pub pair: u64,
    /// Index of its rules in [`TournamentSpec::games`].
    pub game: usize,
    /// Index of the contestant, by seat.
    pub seats: Vec<usize>,
}

/// Entry of a schedule under a given number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A scheduled game.
    Game(Slot),
    /// All games from the given number up to this one belong to other shards.
    Elsewhere(u64),
    /// Not known yet: its round is paired after results that are missing.
    Later,
    /// The schedule has no games from this number on.
    Over,
}

/// Numbered list of all games of a tournament.
#[derive(Clone, Debug)]
pub struct Schedule {
    players: usize,
    games: usize,
    pairings: Pairings,
    shard: Option<Shard>,
    len: u64,
}

/// Pairings of the rounds.
#[derive(Clone, Debug)]
enum Pairings {
    /// Pairings that are the same in every round.
    Fixed(Vec<Vec<usize>>),
    /// Each round is paired from the results of earlier rounds.
    ByResults(Box<ResultPairing>),
}

impl Schedule {
    /// Creates the schedule of a tournament in games for `players` players.
    pub fn new(spec: &TournamentSpec, players: usize) -> Self {
        let limit = spec.limit.unwrap_or(u64::MAX);
        let (pairings, pairs) = match spec.format.rounds() {
            Rounds::Fixed(pairings) => {
                let pairings = pairings(spec.agents.len(), players);
                let pairs = pairings.len();
                (Pairings::Fixed(pairings), pairs)
            }
            Rounds::ByResults(rule) => {
                let pairing = ResultPairing::new(spec, rule(spec));
                let pairs = pairing.first_round();
                (Pairings::ByResults(Box::new(pairing)), pairs)
            }
        };
        // A format without a number of rounds has as many as the limit of games allows.
        let rounds = if spec.format.is_endless() { u64::MAX } else { spec.rounds };
        let games_per_round = (pairs as u64).saturating_mul(players as u64);
        let len = games_per_round.saturating_mul(rounds).min(limit);
        let games = spec.games.len().max(1);
        Self { players, games, pairings, shard: spec.shard, len }
    }

    /// Returns the number of games, including those of other shards. With result-based pairing it is an upper limit.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if the schedule has no games.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of games in this shard.
    pub fn share(&self) -> u64 {
        let Some(shard) = self.shard else { return self.len };
        let players = self.players as u64;
        let (whole, rest) = (self.len / players, self.len % players);
        // The last pair may be incomplete.
        let rest = if shard.has(whole) { rest } else { 0 };
        shard.count(whole).saturating_mul(players).saturating_add(rest)
    }

    /// Returns the number of games in this shard in which only agents play for which `takes_part` returns true. With
    /// result-based pairing, returns the number of all games in this shard.
    pub(crate) fn share_of(&self, takes_part: impl Fn(usize) -> bool) -> u64 {
        let Pairings::Fixed(pairings) = &self.pairings else { return self.share() };
        let (players, count) = (self.players as u64, pairings.len().max(1) as u64);
        let plays = |pair: u64| {
            let pairing = pairings.get((pair % count) as usize);
            pairing.is_some_and(|agents| agents.iter().all(|&agent| takes_part(agent)))
        };
        let (whole, rest) = (self.len / players, self.len % players);
        let rest =
            if self.shard.is_none_or(|shard| shard.has(whole)) && plays(whole) { rest } else { 0 };
        // Every `step`-th pair is in this shard, so the pairings of its pairs repeat with a period.
        let (first, step, pairs) = self.shard.map_or((0, 1, whole), |shard| {
            let first = shard.after(0);
            (first % count, (shard.after(first + 1) - first) % count, shard.count(whole))
        });
        let period = (1..=count).find(|period| (period * step).is_multiple_of(count)).unwrap_or(1);
        let playing = |pairs: u64| (0..pairs).filter(|i| plays(first + i * step)).count() as u64;
        let pairs = match pairs / period {
            0 => playing(pairs),
            periods => periods.saturating_mul(playing(period)) + playing(pairs % period),
        };
        pairs.saturating_mul(players).saturating_add(rest)
    }

    /// Returns the number of pairs in the first round; `None` without result-based pairing.
    pub(crate) fn first_round(&self) -> Option<usize> {
        match &self.pairings {
            Pairings::Fixed(_) => None,
            Pairings::ByResults(pairing) => Some(pairing.first_round()),
        }
    }

    /// Returns the round of a pair; in an adaptive tournament, the number of earlier pairs of its agents.
    pub fn round_of(&self, pair: u64) -> u64 {
        match &self.pairings {
            Pairings::Fixed(pairings) => pair / pairings.len() as u64,
            Pairings::ByResults(pairing) => pairing.round_of(pair),
        }
    }

    /// Returns the first pair that plays the game with this index in [`TournamentSpec::games`]; `None` if it is not known
    /// or does not exist.
    pub fn first_pair_of(&self, game: usize) -> Option<u64> {
        let Pairings::Fixed(pairings) = &self.pairings else { return (game == 0).then_some(0) };
        let pair = game as u64 * pairings.len() as u64;
        (pair < self.len.div_ceil(self.players as u64)).then_some(pair)
    }

    /// Returns the index in [`TournamentSpec::games`] of the game that a pair plays.
    pub fn game_of(&self, pair: u64) -> usize {
        (self.round_of(pair) % self.games as u64) as usize
    }

    /// Returns the entry with this number.
    pub fn next(&self, id: u64) -> Next {
        let pair = id / self.players as u64;
        if id >= self.len {
            return Next::Over;
        }
        if let Some(shard) = self.shard.filter(|shard| !shard.has(pair)) {
            return Next::Elsewhere(shard.after(pair).saturating_mul(self.players as u64));
        }
        let agents = match &self.pairings {
            Pairings::Fixed(pairings) => &pairings[(pair % pairings.len() as u64) as usize][..],
            Pairings::ByResults(pairing) => match pairing.agents_of(pair) {
                Some(agents) => agents,
                None if pairing.is_over() => return Next::Over,
                None => return Next::Later,
            },
        };
        let turn = (id % self.players as u64) as usize;
        // In game `t` of a pair, agent `a` of the pairing has seat (a + t) mod players.
        let at = |seat: usize| agents[(seat + self.players - turn) % self.players];
        let seats = (0..self.players).map(at).collect();
        Next::Game(Slot { id, pair, game: self.game_of(pair), seats })
    }

    /// Returns true if each round is paired from the results of earlier rounds.
    pub fn is_paired_by_results(&self) -> bool {
        matches!(self.pairings, Pairings::ByResults(_))
    }

    /// Returns the schedule in which illegal moves and late answers are not strikes.
    pub(crate) fn without_illegal_strikes(mut self) -> Self {
        if let Pairings::ByResults(pairing) = &mut self.pairings {
            pairing.excuse_illegal_moves();
        }
        self
    }

    /// Adds the result of a game. The order of results does not matter.
    ///
    /// # Errors
    /// If the game is not in the schedule.
    pub fn add(&mut self, record: &Record) -> Result<(), UnscheduledGame> {
        match self.next(record.id) {
            Next::Game(slot) if slot.seats == record.seats && slot.pair == record.pair => {}
            _ => return Err(UnscheduledGame { id: record.id }),
        }
        if let Pairings::ByResults(pairing) = &mut self.pairings {
            pairing.add(record);
        }
        Ok(())
    }
}
