//! Which games there are, and who plays them.
//!
//! Those who meet play a **pair**: as many games as there are seats, from one opening, in which
//! everybody takes every seat. Games of a pair follow each other, pairs of a round too. Round robins and
//! gauntlets follow from the configuration alone; Swiss and adaptive tournaments draw each round when
//! the results of all earlier ones are there, and from nothing else, so that a run that was
//! interrupted draws the same again.

mod adaptive;
mod drawn;
mod format;
mod gauntlet;
mod matching;
mod pairing;
mod round_robin;
mod swiss;
#[cfg(test)]
mod tests;

use crate::{Record, Shard, TournamentSpec};
use drawn::Drawn;
use pairing::Rounds;

pub use format::{Format, UnknownFormat};
pub(crate) use pairing::Length;

/// Error of a result whose game is not one of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {id} is not one of the schedule")]
pub struct UnscheduledGame {
    /// Number of the game.
    pub id: u64,
}

/// One game of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number, from 0.
    pub id: u64,
    /// The number of its pair.
    pub pair: u64,
    /// The index of its game in [`TournamentSpec::games`].
    pub game: usize,
    /// By seat, the index of the contestant.
    pub seats: Vec<usize>,
}

/// What a schedule has under a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A game.
    Game(Slot),
    /// A game that somebody else plays, as all before this number: they are in other shards.
    Elsewhere(u64),
    /// Nothing yet: results are awaited, from which it will be drawn.
    Later,
    /// Nothing, and no number after it has anything.
    Over,
}

/// All games of a tournament.
#[derive(Clone, Debug)]
pub struct Schedule {
    players: usize,
    games: usize,
    meetings: Meetings,
    shard: Option<Shard>,
    len: u64,
}

/// Meetings of agents.
#[derive(Clone, Debug)]
enum Meetings {
    /// Every round has these.
    Fixed(Vec<Vec<usize>>),
    /// Results decide the pairings of each round.
    Drawn(Box<Drawn>),
}

impl Schedule {
    /// Creates the schedule of a tournament in games for this many players.
    pub fn new(spec: &TournamentSpec, players: usize) -> Self {
        let limit = spec.limit.unwrap_or(u64::MAX);
        let (meetings, a_round) = match spec.format.rounds() {
            Rounds::Fixed(meetings) => {
                let meetings = meetings(spec.agents.len(), players);
                let a_round = meetings.len();
                (Meetings::Fixed(meetings), a_round)
            }
            Rounds::Drawn(rule) => {
                let drawn = Drawn::new(spec, rule(spec));
                let a_round = drawn.first_round();
                (Meetings::Drawn(Box::new(drawn)), a_round)
            }
        };
        // Without a number of rounds there are as many as the limit allows.
        let rounds = if spec.format.is_endless() { u64::MAX } else { spec.rounds };
        let a_round = (a_round as u64).saturating_mul(players as u64);
        let len = a_round.saturating_mul(rounds).min(limit);
        let games = spec.games.len().max(1);
        Self { players, games, meetings, shard: spec.shard, len }
    }

    /// The number of games in all, those of other shards included; of games that are drawn no more
    /// than so many.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether nobody meets anybody.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of games in this shard.
    pub fn share(&self) -> u64 {
        let Some(shard) = self.shard else { return self.len };
        let players = self.players as u64;
        let (whole, rest) = (self.len / players, self.len % players);
        // The last pair may be incomplete.
        let rest = if shard.has(whole) { rest } else { 0 };
        shard.count(whole).saturating_mul(players).saturating_add(rest)
    }

    /// Returns the number of games in this shard in which only these agents play. Results decide
    /// no pairing of the schedule.
    pub(crate) fn share_of(&self, takes_part: impl Fn(usize) -> bool) -> u64 {
        let Meetings::Fixed(meetings) = &self.meetings else { return self.share() };
        let (players, count) = (self.players as u64, meetings.len().max(1) as u64);
        let plays = |pair: u64| {
            let meeting = meetings.get((pair % count) as usize);
            meeting.is_some_and(|agents| agents.iter().all(|&agent| takes_part(agent)))
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

    /// Returns the number of pairs in the first round, if results decide the pairings of later ones.
    pub(crate) fn first_round(&self) -> Option<usize> {
        match &self.meetings {
            Meetings::Fixed(_) => None,
            Meetings::Drawn(drawn) => Some(drawn.first_round()),
        }
    }

    /// The round in which a pair is played, or how often its agents have met before.
    pub fn round_of(&self, pair: u64) -> u64 {
        match &self.meetings {
            Meetings::Fixed(meetings) => pair / meetings.len() as u64,
            Meetings::Drawn(drawn) => drawn.round_of(pair),
        }
    }

    /// The first pair that plays the game with this index in [`TournamentSpec::games`], if that is known.
    pub fn first_pair_of(&self, game: usize) -> Option<u64> {
        let Meetings::Fixed(meetings) = &self.meetings else { return (game == 0).then_some(0) };
        let pair = game as u64 * meetings.len() as u64;
        (pair < self.len.div_ceil(self.players as u64)).then_some(pair)
    }

    /// The index in [`TournamentSpec::games`] of the game that a pair plays.
    pub fn game_of(&self, pair: u64) -> usize {
        (self.round_of(pair) % self.games as u64) as usize
    }

    /// The game with this number.
    pub fn next(&self, id: u64) -> Next {
        let pair = id / self.players as u64;
        if id >= self.len {
            return Next::Over;
        }
        if let Some(shard) = self.shard.filter(|shard| !shard.has(pair)) {
            return Next::Elsewhere(shard.after(pair).saturating_mul(self.players as u64));
        }
        let meeting = match &self.meetings {
            Meetings::Fixed(meetings) => &meetings[(pair % meetings.len() as u64) as usize][..],
            Meetings::Drawn(drawn) => match drawn.meeting(pair) {
                Some(meeting) => meeting,
                None if drawn.is_over() => return Next::Over,
                None => return Next::Later,
            },
        };
        let turn = (id % self.players as u64) as usize;
        // In turn `t` whoever is named at place `a` sits on seat (a + t) mod players.
        let at = |seat: usize| meeting[(seat + self.players - turn) % self.players];
        let seats = (0..self.players).map(at).collect();
        Next::Game(Slot { id, pair, game: self.game_of(pair), seats })
    }

    /// Whether results decide who meets whom.
    pub fn is_drawn(&self) -> bool {
        matches!(self.meetings, Meetings::Drawn(_))
    }

    /// Returns the schedule in which illegal moves are not strikes.
    pub(crate) fn without_illegal_strikes(mut self) -> Self {
        if let Meetings::Drawn(drawn) = &mut self.meetings {
            drawn.excuse_illegal_moves();
        }
        self
    }

    /// Takes the result of a game into account. Order does not matter.
    ///
    /// # Errors
    /// If this game is not one of the schedule.
    pub fn add(&mut self, record: &Record) -> Result<(), UnscheduledGame> {
        match self.next(record.id) {
            Next::Game(slot) if slot.seats == record.seats && slot.pair == record.pair => {}
            _ => return Err(UnscheduledGame { id: record.id }),
        }
        if let Meetings::Drawn(drawn) = &mut self.meetings {
            drawn.add(record);
        }
        Ok(())
    }
}
