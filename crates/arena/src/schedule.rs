//! Which games there are: numbered once and for all by the configuration alone.
//!
//! Those who meet play a **pair** in every round: as many games as there are seats, from one
//! opening, in which everybody takes every seat. Games of a pair follow each other, pairs of a
//! round too.

use crate::{Config, Format};

/// One game of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number, from 0.
    pub id: u64,
    /// The number of its pair.
    pub pair: u64,
    /// The index of its game in [`Config::games`].
    pub game: usize,
    /// By seat, the index of the contestant.
    pub seats: Vec<usize>,
}

/// All games of a tournament.
#[derive(Clone, Debug)]
pub struct Schedule {
    players: usize,
    games: usize,
    /// Those who meet each other.
    meetings: Vec<Vec<usize>>,
    len: u64,
}

impl Schedule {
    /// The schedule of a tournament in games for this many players.
    pub fn new(config: &Config, players: usize) -> Self {
        let mut meetings = Vec::new();
        combinations(config.agents.len(), players, &mut Vec::new(), &mut meetings);
        if config.format == Format::Gauntlet {
            meetings.retain(|meeting| meeting.contains(&0));
        }
        let all = (meetings.len() as u64).saturating_mul(players as u64);
        let len = all.saturating_mul(config.rounds).min(config.limit.unwrap_or(u64::MAX));
        Self { players, games: config.games.len().max(1), meetings, len }
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether nobody meets anybody.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The round in which a pair is played.
    pub fn round_of(&self, pair: u64) -> u64 {
        pair / self.meetings.len() as u64
    }

    /// The first pair that plays the game with this index in [`Config::games`], if there is one.
    pub fn first_pair_of(&self, game: usize) -> Option<u64> {
        let pair = game as u64 * self.meetings.len() as u64;
        (pair < self.len.div_ceil(self.players as u64)).then_some(pair)
    }

    /// The index in [`Config::games`] of the game that a pair plays.
    pub fn game_of(&self, pair: u64) -> usize {
        (self.round_of(pair) % self.games as u64) as usize
    }

    /// The game with this number.
    pub fn slot(&self, id: u64) -> Slot {
        let pair = id / self.players as u64;
        let turn = (id % self.players as u64) as usize;
        let meeting = &self.meetings[(pair % self.meetings.len() as u64) as usize];
        // In turn `t` whoever is named at place `a` sits on seat (a + t) mod players.
        let at = |seat: usize| meeting[(seat + self.players - turn) % self.players];
        Slot { id, pair, game: self.game_of(pair), seats: (0..self.players).map(at).collect() }
    }
}

/// All ways to take `k` of `0..n`, in order.
fn combinations(n: usize, k: usize, taken: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if taken.len() == k {
        found.push(taken.clone());
        return;
    }
    for next in taken.last().map_or(0, |last| last + 1)..n {
        taken.push(next);
        combinations(n, k, taken, found);
        taken.pop();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::Contestant;

    fn config(agents: usize, rounds: u64, format: Format) -> Config {
        let contestant = |i: usize| Contestant::new(format!("a{i}"), "random");
        let agents = (0..agents).map(contestant).collect();
        Config { format, rounds, ..Config::new(vec!["x".into(), "y".into()], agents) }
    }

    #[test]
    fn everybody_meets_everybody_equally_often_on_every_seat() {
        for players in 2..=3 {
            let schedule = Schedule::new(&config(4, 6, Format::RoundRobin), players);
            let mut sat = HashMap::new();
            for id in 0..schedule.len() {
                let slot = schedule.slot(id);
                assert_eq!((slot.id, slot.pair), (id, id / players as u64));
                for (seat, agent) in slot.seats.into_iter().enumerate() {
                    *sat.entry((seat, agent, slot.game)).or_insert(0) += 1;
                }
            }
            // 4 agents on every seat of every game: 6 rounds over 2 games, 3 meetings each.
            assert_eq!(sat.len(), 4 * players * 2);
            assert!(sat.values().all(|&n| n == 9), "{sat:?}");
        }
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let schedule = Schedule::new(&config(4, 2, Format::Gauntlet), 2);
        assert_eq!(schedule.len(), 2 * 3 * 2);
        assert!((0..schedule.len()).all(|id| schedule.slot(id).seats.contains(&0)));
    }

    #[test]
    fn the_games_of_a_match_are_as_many_as_asked_for() {
        let config = Config { limit: Some(5), ..config(2, 3, Format::RoundRobin) };
        let schedule = Schedule::new(&config, 2);
        assert_eq!(schedule.len(), 5);
        let seats: Vec<_> = (0..5).map(|id| schedule.slot(id).seats).collect();
        assert_eq!(seats, [[0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]);
    }

    #[test]
    fn a_schedule_without_end_is_no_trouble() {
        let schedule = Schedule::new(&config(9, u64::MAX, Format::RoundRobin), 2);
        assert_eq!(schedule.len(), u64::MAX);
        assert_eq!(schedule.slot(u64::MAX - 1).seats.len(), 2);
    }
}
