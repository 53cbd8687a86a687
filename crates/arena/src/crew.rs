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
use crate::referee::RefereedGame;

pub(crate) use threads::{Machine, Threads};

/// The workers that play the games of a run.
///
/// A crew may report in any order. It may report a game twice, or return a job whose result arrives later: the dealer
/// and the store count each game once. Each job must lead to a report in the end.
pub(crate) trait Crew {
    /// Returns true if a worker has no job.
    fn is_free(&self) -> bool;

    /// Gives a job to a free worker.
    fn play(&mut self, job: Job);

    /// Waits for a report and returns all that have arrived. Empty if no job is in progress.
    fn reports(&mut self) -> Vec<Report>;

    /// Lets the workers of the last reports continue: their results are durable.
    fn release(&mut self);

    /// Dismisses free workers, because no new job is left. The crew must still play a job that was returned.
    fn dismiss(&mut self) {}
}

/// Report of a worker about its job.
pub(crate) enum Report {
    /// The game was played, as the attempt with this number.
    Played(u32, Box<RefereedGame>),
    /// The game with this number was not played: its worker was stopped or lost.
    Returned(u64),
    /// This machine is short of threads, file descriptors, processes or memory.
    Fewer {
        /// Number of workers that are left.
        workers: usize,
        /// Error of the system that names what is short.
        why: String,
    },
    /// No further game can be played.
    Failed(RunError),
}
