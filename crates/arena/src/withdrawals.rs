//! Withdrawn agents, and the games that are not played because of them.

use std::collections::HashMap;

use crate::schedule::Schedule;
use crate::{Record, Store, StoreError, TournamentSpec};

/// Strikes of each agent, and the games of the schedule that withdrawals cancel.
#[derive(Clone, Debug)]
pub struct Withdrawals {
    config: TournamentSpec,
    players: usize,
    /// Number of strikes, by agent.
    strikes: Vec<u64>,
    /// Pair and agent of each strike, in the order of the games.
    struck: Vec<(u64, usize)>,
    /// Number of stored games, by the sorted indices of their agents.
    played: HashMap<Vec<usize>, u64>,
    games: u64,
}

/// Numbers of played, remaining and cancelled games of a schedule. For a shard, only its own games are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Games in the store.
    pub played: u64,
    /// Games that can still be played.
    pub remaining: u64,
    /// Games that are not played because an agent was withdrawn.
    pub cancelled: u64,
}

impl Outlook {
    /// Counts a game that was played.
    pub fn count(&mut self) {
        self.played += 1;
        self.remaining = self.remaining.saturating_sub(1);
    }

    /// Returns the final number of games: those played and those remaining.
    pub fn attainable(self) -> u64 {
        self.played.saturating_add(self.remaining)
    }
}

impl Withdrawals {
    /// Creates the count of a tournament without games.
    pub fn new(config: &TournamentSpec) -> Self {
        Self {
            players: config.players,
            strikes: vec![0; config.agents.len()],
            struck: Vec::new(),
            played: HashMap::new(),
            games: 0,
            config: config.clone(),
        }
    }

    /// Counts the games of a store.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        let mut withdrawals = Self::new(store.spec());
        store.for_each(|record| {
            withdrawals.add(&record);
            Ok::<_, StoreError>(())
        })?;
        Ok(withdrawals)
    }

    /// Counts a game.
    pub fn add(&mut self, record: &Record) {
        self.games += 1;
        self.players = record.seats.len();
        let mut agents = record.seats.clone();
        agents.sort_unstable();
        *self.played.entry(agents).or_default() += 1;
        if let Some(agent) = record.struck() {
            self.strikes[agent] += 1;
            self.struck.push((record.pair, agent));
        }
    }

    /// Returns the number of games that an agent lost by a fault that counts as a strike.
    pub fn strikes(&self, agent: usize) -> u64 {
        self.strikes[agent]
    }

    /// Returns true if an agent has enough strikes to be withdrawn.
    pub fn is_withdrawn(&self, agent: usize) -> bool {
        self.is_too_many(self.strikes[agent])
    }

    /// Returns the agents that are withdrawn.
    pub(crate) fn withdrawn(&self) -> impl Iterator<Item = usize> {
        (0..self.strikes.len()).filter(|&agent| self.is_withdrawn(agent))
    }

    fn is_too_many(&self, strikes: u64) -> bool {
        self.config.strikes > 0 && strikes >= self.config.strikes
    }

    /// Returns the numbers of played, remaining and cancelled games if no other agent is withdrawn.
    pub fn outlook(&self) -> Outlook {
        let schedule = Schedule::new(&self.config, self.players);
        let share = schedule.share();
        let attainable = if self.withdrawn().next().is_none() {
            share
        } else if let Some(first) = schedule.first_round() {
            self.attainable_by_rounds(first).min(share)
        } else {
            let takes_part = |agent: usize| !self.is_withdrawn(agent);
            let is_stored_anyway = |agents: &[usize]| !agents.iter().all(|&a| takes_part(a));
            let stored = self.played.iter().filter(|(agents, _)| is_stored_anyway(agents));
            stored.map(|(_, games)| games).sum::<u64>() + schedule.share_of(takes_part)
        };
        let remaining = attainable.saturating_sub(self.games);
        let cancelled = share.saturating_sub(self.games).saturating_sub(remaining);
        Outlook { played: self.games, remaining, cancelled }
    }

    /// Returns the final number of games of a result-based format whose first round has `first` pairs. A withdrawn agent
    /// completes its last round, and later rounds have fewer pairs.
    fn attainable_by_rounds(&self, first: usize) -> u64 {
        let TournamentSpec { format, rounds, .. } = self.config;
        let mut strikes = vec![0; self.strikes.len()];
        let mut struck = self.struck.iter().copied().peekable();
        let mut pairs = 0_u64;
        let mut round = 0;
        loop {
            let active = strikes.iter().filter(|&&strikes| !self.is_too_many(strikes)).count();
            let size =
                if round == 0 { first } else { format.pairs_of_round(active, strikes.len()) };
            if size == 0 || round == rounds && !format.is_endless() {
                return 2 * pairs;
            }
            if struck.peek().is_none() {
                // All later rounds have the same size.
                let left = if format.is_endless() { u64::MAX } else { rounds - round };
                let games = left.saturating_mul(2 * size as u64);
                return games.saturating_add(2 * pairs);
            }
            pairs += size as u64;
            round += 1;
            while let Some((_, agent)) = struck.next_if(|(pair, _)| *pair < pairs) {
                strikes[agent] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tussle_engine::Verdict;

    use super::*;
    use crate::{Contestant, Format, Next};

    fn config(agents: usize, format: Format, rounds: u64) -> TournamentSpec {
        let agent = |i: usize| Contestant::new(format!("a{i}"), "random");
        let agents = (0..agents).map(agent).collect();
        TournamentSpec {
            format,
            rounds,
            ..TournamentSpec::new(vec!["tictactoe".to_owned()], agents)
        }
    }

    /// Plays a tournament in the order of its schedule, in which some agents crash in every game. Leaves out the same games
    /// of withdrawn agents as a run.
    fn played(config: &TournamentSpec, crashes: &dyn Fn(usize) -> bool) -> Vec<Record> {
        let mut schedule = Schedule::new(config, config.players);
        let mut withdrawals = Withdrawals::new(config);
        let mut records = Vec::new();
        let mut id = 0;
        loop {
            let slot = match schedule.next(id) {
                Next::Over | Next::Later => return records,
                Next::Elsewhere(until) => {
                    id = until;
                    continue;
                }
                Next::Game(slot) => slot,
            };
            id += 1;
            let is_cancelled = slot.seats.iter().any(|&agent| withdrawals.is_withdrawn(agent));
            if !schedule.is_paired_by_results() && is_cancelled {
                continue;
            }
            let culprit = slot.seats.iter().position(|&agent| crashes(agent));
            let winner = culprit.map_or(0, |seat| 1 - seat.min(1));
            let mut utilities = vec![-1.0; slot.seats.len()];
            utilities[winner] = 1.0;
            let verdict = if culprit.is_some() { Verdict::Crash } else { Verdict::Normal };
            let record = Record {
                id: slot.id,
                pair: slot.pair,
                seats: slot.seats,
                utilities,
                verdict,
                culprit,
                ..Record::default()
            };
            schedule.add(&record).unwrap();
            withdrawals.add(&record);
            records.push(record);
        }
    }

    fn outlook(config: &TournamentSpec, records: &[Record]) -> Outlook {
        let mut withdrawals = Withdrawals::new(config);
        for record in records {
            withdrawals.add(record);
        }
        withdrawals.outlook()
    }

    #[test]
    fn no_game_remains_after_all_attainable_games() {
        let broken = |crashing: &'static [usize]| move |agent: usize| crashing.contains(&agent);
        for crashing in [&[][..], &[1], &[0], &[0, 3], &[2, 3, 4], &[0, 1, 2, 4], &[0, 1, 2, 3, 4]]
        {
            for agents in [5, 6, 7] {
                for &format in Format::ALL {
                    for (rounds, limit) in [(1, None), (4, None), (4, Some(31)), (7, Some(200))] {
                        let limit = limit.or(format.is_endless().then_some(150));
                        let config = TournamentSpec { limit, ..config(agents, format, rounds) };
                        let records = played(&config, &broken(crashing));
                        let all = outlook(&config, &records);
                        let what = format!("{format:?} {agents} {rounds} {limit:?} {crashing:?}");
                        assert_eq!(all.remaining, 0, "{what}: {all:?}");
                        let share = Schedule::new(&config, 2).share();
                        assert_eq!(all.played + all.cancelled, share, "{what}: {all:?}");
                        // A run that stops earlier has remaining games.
                        for end in 0..records.len() {
                            let before = outlook(&config, &records[..end]);
                            assert!(before.remaining > 0, "{what}, {end}: {before:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_shard_counts_its_own_games() {
        for of in [1, 2, 3, 4, 7] {
            for part in 1..=of {
                let shard = Some(format!("{part}/{of}").parse().unwrap());
                let limit = Some(101);
                let config = TournamentSpec { limit, shard, ..config(6, Format::RoundRobin, 9) };
                let records = played(&config, &|agent| agent == 2);
                let all = outlook(&config, &records);
                assert_eq!(all.remaining, 0, "{part}/{of}: {all:?}");
                let share = Schedule::new(&config, 2).share();
                assert_eq!(all.played + all.cancelled, share, "{part}/{of}");
            }
        }
    }

    #[test]
    fn zero_strikes_disable_withdrawals() {
        let config = TournamentSpec { strikes: 0, ..config(4, Format::RoundRobin, 2) };
        let records = played(&config, &|agent| agent == 0);
        assert_eq!(outlook(&config, &records), Outlook { played: 24, remaining: 0, cancelled: 0 });
        assert_eq!(outlook(&config, &records[..20]).remaining, 4);
    }
}
