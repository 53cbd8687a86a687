//! Crews: the workers that play the games of a run.

mod permits;
mod seats;
#[cfg(test)]
mod tests;
mod threads;
#[cfg(test)]
mod unreliable;

use crate::RunError;
use crate::dealer::Job;
use crate::referee::Played;

pub(crate) use threads::{Machine, Threads};

/// The workers that play the games of a run.
///
/// A crew may report in any order. It may report a game twice, or take back a job whose result comes all the same:
/// the dealer and the store let each game count once. It must answer each job with a report in the end.
pub(crate) trait Crew {
    /// Returns true if a worker has no job.
    fn is_free(&self) -> bool;

    /// Gives a job to a free worker.
    fn play(&mut self, job: Job);

    /// Waits for reports and returns those that are there, at least one. Empty if no job is in progress.
    fn reports(&mut self) -> Vec<Report>;

    /// Lets the workers of the last reports go on: their results are durable.
    fn release(&mut self);

    /// Dismisses free workers, because no new job is left. The crew must still play a job that comes back.
    fn dismiss(&mut self) {}
}

/// Report of a worker about its job.
pub(crate) enum Report {
    /// The game was played, as the attempt with this number.
    Played(u32, Box<Played>),
    /// The game with this number was not played: its worker was stopped or lost.
    Returned(u64),
    /// This machine is short of what games need.
    Fewer {
        /// Number of workers that are left.
        workers: usize,
        /// Error of the system that names what is short.
        why: String,
    },
    /// No game can be played any more.
    Failed(RunError),
}
