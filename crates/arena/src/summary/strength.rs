//! Data for the ratings: the pool of games, and for games of more than two players the ranks and points of each agent.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use tussle_stats::{ClusteredSamples, Pool, RatedGame, is_repetitive};

use crate::Record;

/// Games of a tournament, grouped by game pair. Each pair is one sample.
#[derive(Clone)]
pub(super) struct Strength {
    agents: usize,
    players: usize,
    /// Games by the sorted indices of their agents.
    meetings: BTreeMap<Vec<usize>, Meeting>,
    /// Hashes of the seats and moves of all pairs.
    seen: HashSet<u64>,
    /// Number of the current pair.
    pair: u64,
    /// Games of the current pair.
    games: Vec<Game>,
}

/// Seats, utilities and fingerprint of a game.
#[derive(Clone)]
struct Game {
    seats: Vec<usize>,
    utilities: Vec<f64>,
    fingerprint: u64,
}

/// Games of the same agents against each other.
#[derive(Clone)]
struct Meeting {
    all: Pool,
    /// Pairs whose moves differ from those of all earlier pairs.
    distinct: Pool,
    pairs: u64,
    distinct_pairs: u64,
    /// Samples of each agent, in the order of their indices; only for games of more than two players.
    tables: Vec<Tables>,
}

/// Samples of an agent in games of more than two players.
#[derive(Clone, Default)]
pub(super) struct Tables {
    pub(super) ranks: ClusteredSamples,
    pub(super) points: ClusteredSamples,
}

impl Strength {
    pub(super) fn new(agents: usize) -> Self {
        Self {
            agents,
            players: 2,
            meetings: BTreeMap::new(),
            seen: HashSet::new(),
            pair: 0,
            games: Vec::new(),
        }
    }

    /// Adds a game with its fingerprint.
    pub(super) fn add(&mut self, record: &Record, fingerprint: u64) {
        if record.pair != self.pair {
            self.close();
            self.pair = record.pair;
        }
        self.games.push(Game {
            seats: record.seats.clone(),
            utilities: record.utilities.clone(),
            fingerprint,
        });
    }

    /// Adds the games of the current pair, which is complete.
    fn close(&mut self) {
        let games = std::mem::take(&mut self.games);
        let Some(Game { seats, .. }) = games.first() else { return };
        self.players = seats.len();
        self.count(&games);
    }

    /// Adds the games of a pair.
    fn count(&mut self, games: &[Game]) {
        let rated: Vec<RatedGame<'_>> = (games.iter())
            .map(|Game { seats, utilities, .. }| RatedGame { seats, utilities })
            .collect();
        let mut hasher = DefaultHasher::new();
        for Game { seats, fingerprint, .. } in games {
            (seats, fingerprint).hash(&mut hasher);
        }
        let is_new = self.seen.insert(hasher.finish());
        let mut sorted = games[0].seats.clone();
        sorted.sort_unstable();
        let none = || Pool::new(self.agents, self.players);
        let is_table = self.players > 2;
        let meeting = self.meetings.entry(sorted.clone()).or_insert_with_key(|agents| Meeting {
            all: none(),
            distinct: none(),
            pairs: 0,
            distinct_pairs: 0,
            tables: vec![Tables::default(); if is_table { agents.len() } else { 0 }],
        });
        meeting.all.add(&rated);
        meeting.pairs += 1;
        if is_new {
            meeting.distinct.add(&rated);
            meeting.distinct_pairs += 1;
        }
        for (agent, tables) in sorted.iter().zip(&mut meeting.tables) {
            tables.add(*agent, games);
        }
    }

    /// Returns all games except those of agents that are left out. Only distinct pairs count for agents that repeat many of
    /// their pairs, and for all agents if `repetitive` is true.
    pub(super) fn finish(mut self, repetitive: bool, is_left_out: &[bool]) -> (Pool, Vec<Tables>) {
        self.close();
        let mut pool = Pool::new(self.agents, self.players);
        let mut tables = vec![Tables::default(); self.agents];
        for (agents, meeting) in &self.meetings {
            if agents.iter().any(|&agent| is_left_out[agent]) {
                continue;
            }
            let Meeting { all, distinct, pairs, distinct_pairs, .. } = meeting;
            let repetitive = repetitive || is_repetitive(*distinct_pairs, *pairs);
            pool.merge(if repetitive { distinct } else { all });
            for (&agent, own) in agents.iter().zip(&meeting.tables) {
                tables[agent].ranks.merge(&own.ranks);
                tables[agent].points.merge(&own.points);
            }
        }
        (pool, tables)
    }
}

impl Tables {
    /// Adds an agent's games of one game pair as a sample.
    fn add(&mut self, agent: usize, games: &[Game]) {
        let (mut count, mut ranks, mut points) = (0.0, 0.0, 0.0);
        for Game { seats, utilities, .. } in games {
            let Some(seat) = seats.iter().position(|&other| other == agent) else { continue };
            count += 1.0;
            ranks += rank(utilities, seat);
            points += utilities[seat];
        }
        self.ranks.add(count, ranks);
        self.points.add(count, points);
    }
}

/// Returns the rank of a seat, from 1. Tied seats have the mean of their ranks.
fn rank(utilities: &[f64], seat: usize) -> f64 {
    let own = utilities[seat];
    let better = utilities.iter().filter(|&&other| other > own).count();
    let worse = utilities.iter().filter(|&&other| other < own).count();
    // The ranks from better + 1 to all - worse are shared.
    f64::midpoint(better as f64 + 1.0, (utilities.len() - worse) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tied_seats_share_the_mean_rank() {
        let ranks = |utilities: &[f64]| -> Vec<f64> {
            (0..utilities.len()).map(|seat| rank(utilities, seat)).collect()
        };
        assert_eq!(ranks(&[0.0, 2.0, 1.0]), [3.0, 1.0, 2.0]);
        assert_eq!(ranks(&[0.5, 0.5, 0.0]), [1.5, 1.5, 3.0]);
        assert_eq!(ranks(&[0.0, 1.0, 0.0, 0.0]), [3.0, 1.0, 3.0, 3.0]);
    }
}
