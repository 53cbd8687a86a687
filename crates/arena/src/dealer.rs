//! The dealer of a run: decides which game is played next, and counts the results.
//!
//! The dealer has no threads, no clocks and no files. A [`Crew`](crate::crew::Crew) plays its jobs, in any order and
//! on any number of workers; a job whose worker was lost is dealt again, and a result that is reported twice counts
//! once. [`run`](crate::run) connects the dealer, the crew and the store.

use std::collections::{BTreeMap, BTreeSet};

use tussle_stats::{SequentialTest, SprtStatus};

use crate::lateness::LateAnswers;
use crate::openings::Openings;
use crate::referee::RefereedGame;
use crate::{
    Next, Opening, OpeningsError, Outlook, Record, Schedule, Slot, Tournament, UnscheduledGame,
    Withdrawals,
};

/// Number of times that a game is excused because the machine was at fault. Then it is played with no other game in
/// progress, and that verdict stands.
const MAX_EXCUSES: u32 = 3;

/// A game for a worker. The seeds of the game follow from its number and the seed of the tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) slot: Slot,
    pub(crate) opening: Opening,
    /// Number of earlier attempts that were excused.
    pub(crate) attempt: u32,
}

impl Job {
    /// Returns true if the machine must play no other game at the same time.
    pub(crate) fn is_alone(&self) -> bool {
        self.attempt >= MAX_EXCUSES
    }
}

/// Answer of the dealer to a worker without a job.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Deal {
    /// A job, which the dealer counts as dealt.
    Job(Job),
    /// Nothing yet: the pairings of the next round depend on results that are missing.
    Later,
    /// Nothing, unless a dealt job comes back.
    Over,
}

/// Ruling on a game that a worker played.
#[derive(Debug, PartialEq)]
pub(crate) enum Ruling {
    /// The verdict stands: the record goes to the store.
    Stands(Record),
    /// The machine was at fault: the game is dealt again.
    Excused(Record),
    /// The attempt was ruled on before.
    Stale,
}

/// Effect of a result on the tournament.
#[derive(Debug, PartialEq)]
pub(crate) struct Effect {
    /// Status of the sequential test of a match.
    pub(crate) sprt: Option<SprtStatus>,
    /// Contestant that this result withdraws.
    pub(crate) withdrawn: Option<usize>,
}

/// Decides which game is played next.
pub(crate) struct Dealer<'a> {
    tournament: &'a Tournament,
    schedule: Schedule,
    openings: Openings,
    test: Option<SequentialTest>,
    withdrawals: Withdrawals,
    late: LateAnswers,
    /// Number of the first game that was neither dealt nor skipped.
    next: u64,
    /// Games from `next` on that have a result, and games that had one when the run began.
    finished: BTreeSet<u64>,
    /// Jobs of the crew, by the number of their game.
    dealt: BTreeMap<u64, Job>,
    /// Jobs that were returned or excused. They are dealt before new ones, the last one first.
    again: Vec<Job>,
}

impl<'a> Dealer<'a> {
    /// Creates the dealer of a tournament without results.
    ///
    /// # Errors
    /// If the openings of the tournament cannot be made.
    pub(crate) fn new(tournament: &'a Tournament) -> Result<Self, OpeningsError> {
        Ok(Self {
            tournament,
            schedule: tournament.schedule.clone(),
            openings: tournament.openings()?,
            test: tournament.spec.sprt.map(SequentialTest::new),
            withdrawals: Withdrawals::new(&tournament.spec),
            late: LateAnswers::default(),
            next: 0,
            finished: BTreeSet::new(),
            dealt: BTreeMap::new(),
            again: Vec::new(),
        })
    }

    /// Pairs the rounds as earlier versions did, for which illegal moves were not strikes.
    pub(crate) fn without_illegal_strikes(self) -> Self {
        Self { schedule: self.schedule.without_illegal_strikes(), ..self }
    }

    /// Adds a result of an earlier run, before the first job is dealt.
    ///
    /// # Errors
    /// If the game is not in the schedule. This is only checked if results decide the pairings or end the match.
    pub(crate) fn resume(&mut self, record: &Record) -> Result<(), UnscheduledGame> {
        self.finished.insert(record.id);
        self.withdrawals.add(record);
        // Nothing else depends on the results, and there may be many.
        if self.schedule.is_paired_by_results() || self.test.is_some() {
            self.add(record)?;
        }
        Ok(())
    }

    /// Returns the numbers of played, remaining and cancelled games.
    pub(crate) fn outlook(&self) -> Outlook {
        self.withdrawals.outlook()
    }

    /// Deals the next job. Returned jobs come before new ones.
    ///
    /// # Errors
    /// If the opening of the game cannot be made.
    pub(crate) fn deal(&mut self) -> Result<Deal, OpeningsError> {
        if self.test.as_ref().is_some_and(|test| test.accepted().is_some()) {
            return Ok(Deal::Over);
        }
        let job = match self.again.pop() {
            Some(job) => job,
            None => match self.next_slot() {
                Ok(slot) => self.job(slot)?,
                Err(nothing) => return Ok(nothing),
            },
        };
        self.dealt.insert(job.slot.id, job.clone());
        Ok(Deal::Job(job))
    }

    /// Returns the next pending game of the schedule, or the answer to the worker if there is none.
    fn next_slot(&mut self) -> Result<Slot, Deal> {
        loop {
            let slot = match self.schedule.next(self.next) {
                Next::Over => return Err(Deal::Over),
                Next::Later => return Err(Deal::Later),
                Next::Elsewhere(until) => {
                    self.next = until;
                    continue;
                }
                Next::Game(slot) => slot,
            };
            self.next += 1;
            if !self.finished.remove(&slot.id) && !self.is_cancelled(&slot) {
                return Ok(slot);
            }
        }
    }

    /// Returns true if a game is skipped because one of its agents was withdrawn.
    ///
    /// A round that was paired by results is always completed. Otherwise, the next pairings would depend on the order in
    /// which games finish.
    fn is_cancelled(&self, slot: &Slot) -> bool {
        let is_withdrawn = |&agent: &usize| self.withdrawals.is_withdrawn(agent);
        !self.schedule.is_paired_by_results() && slot.seats.iter().any(is_withdrawn)
    }

    fn job(&mut self, slot: Slot) -> Result<Job, OpeningsError> {
        let opening = self.tournament.opening(&mut self.openings, &self.schedule, slot.pair)?;
        Ok(Job { slot, opening, attempt: 0 })
    }

    /// Takes back a dealt job without a result, because its worker could not play it or was lost. The game is dealt
    /// again. Does nothing for a job that has a result or was taken back before.
    pub(crate) fn take_back(&mut self, id: u64) {
        self.again.extend(self.dealt.remove(&id));
    }

    /// Rules on a game that a worker played, as attempt number `attempt` of its job.
    ///
    /// # Errors
    /// If the game is not in the schedule.
    pub(crate) fn rule(
        &mut self,
        attempt: u32,
        played: RefereedGame,
    ) -> Result<Ruling, UnscheduledGame> {
        let record = &played.record;
        let id = record.id;
        if !self.is_scheduled(record) {
            return Err(UnscheduledGame { id });
        }
        let Some(job) = self.open_job(id) else {
            // The game already has a result. The store compares this one with it.
            let is_void = record.is_void();
            return Ok(if is_void { Ruling::Stale } else { Ruling::Stands(played.record) });
        };
        if record.is_void() && job.attempt != attempt {
            return Ok(Ruling::Stale);
        }
        let is_final = !record.is_void() || job.is_alone();
        job.attempt += 1;
        self.late.add(&played);
        self.take_back(id);
        if !is_final {
            return Ok(Ruling::Excused(played.record));
        }
        self.again.retain(|job| job.slot.id != id);
        let record = played.record;
        Ok(Ruling::Stands(if record.is_void() { self.late.decide(record) } else { record }))
    }

    /// Returns true if the schedule has this game with these agents on these seats.
    fn is_scheduled(&self, record: &Record) -> bool {
        matches!(self.schedule.next(record.id), Next::Game(slot)
            if slot.seats == record.seats && slot.pair == record.pair)
    }

    /// Returns the job of a game that was dealt and has no result yet.
    fn open_job(&mut self, id: u64) -> Option<&mut Job> {
        let returned = self.again.iter_mut().find(|job| job.slot.id == id);
        returned.or_else(|| self.dealt.get_mut(&id))
    }

    /// Counts a result that the store accepted. Each result must be counted exactly once.
    ///
    /// # Errors
    /// If the game is not in the schedule.
    pub(crate) fn count(&mut self, record: &Record) -> Result<Effect, UnscheduledGame> {
        if record.id >= self.next {
            self.finished.insert(record.id);
        }
        self.add(record)?;
        let struck = record.struck().filter(|&agent| !self.withdrawals.is_withdrawn(agent));
        self.withdrawals.add(record);
        let withdrawn = struck.filter(|&agent| self.withdrawals.is_withdrawn(agent));
        Ok(Effect { sprt: self.test.as_ref().map(SequentialTest::status), withdrawn })
    }

    /// Adds a result to the pairings and the sequential test.
    fn add(&mut self, record: &Record) -> Result<(), UnscheduledGame> {
        self.schedule.add(record)?;
        if let (Some(test), Some(game)) = (&mut self.test, record.paired_game()) {
            test.add(game);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
