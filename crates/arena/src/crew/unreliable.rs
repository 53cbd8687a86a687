//! A crew for tests: its workers lose jobs and results, and report twice, late and in another order.

use std::collections::{BTreeMap, BTreeSet};

use tussle_core::Rng;
use tussle_engine::{Guard, Seat, Verdict};

use super::{Crew, Report};
use crate::dealer::Job;
use crate::referee::{self, GameSetup, RefereedGame};
use crate::{Record, Tournament};

/// Workers of an unreliable crew, each of which has a job.
const WORKERS: usize = 7;
/// Time until a job counts as lost, in steps of the simulation.
const LEASE: u64 = 40;
/// Maximum time that a report which has arrived waits for others.
const MAX_DELAY: u64 = 4;

/// Number of mishaps of each kind in an unreliable crew.
#[derive(Debug, Default)]
pub(super) struct Mishaps {
    /// Jobs that were lost before or after they were played.
    pub(super) lost: u64,
    /// Reports that were sent again.
    pub(super) doubled: u64,
    /// Results that arrived after their job had been returned.
    pub(super) late: u64,
    /// Results that arrived after the result of a later game.
    pub(super) reordered: u64,
    /// Attempts that were excused.
    pub(super) excused: u64,
    /// Games that were reported again with a different outcome.
    pub(super) falsified: u64,
}

/// Crew whose reports are simulated from a seed alone, without threads and clocks.
pub(super) struct Unreliable<'a> {
    tournament: &'a Tournament,
    seats: BTreeMap<usize, Box<dyn Seat>>,
    rng: Rng,
    now: u64,
    /// Games that a worker has.
    leases: BTreeSet<u64>,
    /// Reports on their way, by the time when they arrive.
    mail: Vec<(u64, Mail)>,
    /// Share of attempts that are excused, in percent.
    pub(super) excuses: usize,
    /// Share of second reports with a different outcome, in percent.
    pub(super) lies: usize,
    pub(super) mishaps: Mishaps,
    /// Number of the latest game that was reported.
    latest: u64,
}

#[derive(Clone)]
enum Mail {
    Result(u32, Box<RefereedGame>),
    Lost(u64),
}

impl<'a> Unreliable<'a> {
    pub(super) fn new(tournament: &'a Tournament, seed: u64) -> Self {
        let seat = |agent: usize| {
            let contestant = &tournament.spec.agents[agent];
            (agent, contestant.seat(&Guard::none(), &tournament.terms).unwrap())
        };
        Self {
            tournament,
            seats: (0..tournament.spec.agents.len()).map(seat).collect(),
            rng: Rng::derive(seed, &[]),
            now: 0,
            leases: BTreeSet::new(),
            mail: Vec::new(),
            excuses: 0,
            lies: 0,
            mishaps: Mishaps::default(),
            latest: 0,
        }
    }

    /// Returns true in `percent` percent of all calls.
    fn happens(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    /// Returns a random time in the near future.
    fn soon(&mut self) -> u64 {
        self.now + 1 + self.rng.below(20) as u64
    }

    fn referee(&mut self, job: &Job) -> RefereedGame {
        let mut seats: Vec<(usize, &mut Box<dyn Seat>)> = self
            .seats
            .iter_mut()
            .filter_map(|(agent, seat)| {
                let place = job.slot.seats.iter().position(|other| other == agent)?;
                Some((place, seat))
            })
            .collect();
        seats.sort_by_key(|(place, _)| *place);
        let mut seats: Vec<&mut dyn Seat> =
            seats.into_iter().map(|(_, seat)| seat.as_mut() as &mut dyn Seat).collect();
        let played = referee::play(&GameSetup::of(self.tournament, job), &mut seats).unwrap();
        untimed(played)
    }

    fn send(&mut self, at: u64, mail: Mail) {
        self.mail.push((at, mail));
    }

    /// Turns mail that has arrived into a report.
    fn open(&mut self, mail: Mail) -> Report {
        match mail {
            Mail::Result(attempt, played) => {
                let id = played.record.id;
                let in_time = self.leases.remove(&id);
                self.mishaps.late += u64::from(!in_time);
                self.mishaps.reordered += u64::from(id < self.latest);
                self.latest = self.latest.max(id);
                Report::Played(attempt, played)
            }
            Mail::Lost(id) => {
                self.leases.remove(&id);
                Report::Returned(id)
            }
        }
    }
}

impl Crew for Unreliable<'_> {
    fn is_free(&self) -> bool {
        self.leases.len() < WORKERS
    }

    fn play(&mut self, job: Job) {
        let (id, lost_at) = (job.slot.id, self.now + LEASE);
        assert!(self.leases.insert(id), "game {id} is dealt to two workers");
        if self.happens(8) {
            self.mishaps.lost += 1;
            self.send(lost_at, Mail::Lost(id));
            return;
        }
        let mut played = self.referee(&job);
        if !job.is_alone() && self.happens(self.excuses) {
            let record = Record { verdict: Verdict::Host, culprit: Some(0), ..played.record };
            played = RefereedGame { record, excused: None };
            self.mishaps.excused += 1;
        }
        // All cases except the last one are rare.
        let at = match self.rng.below(12) {
            // The result is on its way for longer than the lease.
            0 => {
                self.send(lost_at, Mail::Lost(id));
                lost_at + self.rng.below(200) as u64
            }
            // The worker is counted as lost by mistake, before or after its result.
            1 => {
                let at = self.soon();
                self.send(at, Mail::Lost(id));
                self.soon()
            }
            _ => self.soon(),
        };
        while self.happens(15) {
            let again = self.soon() + self.rng.below(300) as u64;
            let mut copy = Box::new(played.clone());
            // After the true result, even if both arrive together.
            if !copy.record.is_void() && self.happens(self.lies) && again > at + MAX_DELAY {
                self.mishaps.falsified += 1;
                copy.record.utilities.reverse();
                copy.record.moves.pop();
            }
            self.mishaps.doubled += 1;
            self.send(again, Mail::Result(job.attempt, copy));
        }
        self.send(at, Mail::Result(job.attempt, Box::new(played)));
    }

    fn reports(&mut self) -> Vec<Report> {
        let Some(first) = self.mail.iter().map(|(at, _)| *at).min() else { return Vec::new() };
        // Often several arrive together.
        self.now = self.now.max(first) + self.rng.below(MAX_DELAY as usize) as u64;
        let (mut arrived, on_their_way): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.mail).into_iter().partition(|(at, _)| *at <= self.now);
        self.mail = on_their_way;
        self.rng.shuffle(&mut arrived);
        arrived.into_iter().map(|(_, mail)| self.open(mail)).collect()
    }

    fn release(&mut self) {}
}

/// Removes the times, which differ from run to run.
pub(super) fn untimed(mut played: RefereedGame) -> RefereedGame {
    for note in &mut played.record.notes {
        (note.used, note.left) = (0, 0);
    }
    played
}
