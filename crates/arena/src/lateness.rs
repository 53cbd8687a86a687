//! Players that are late in every move by their own clock, although the load of the machine would excuse each late
//! answer by itself.

use std::collections::HashMap;
use std::time::Duration;

use tussle_engine::{Usage, Verdict};

use crate::Record;
use crate::referee::RefereedGame;

/// Late answer that is excused by the load of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LateAnswer {
    pub(crate) granted: Duration,
    pub(crate) usage: Usage,
}

impl LateAnswer {
    /// Returns the time that the busiest thread ran or waited in excess of the time granted, in seconds.
    fn lateness(&self) -> f64 {
        let [cpu, waited] = self.usage.busiest;
        (cpu + waited).as_secs_f64() - self.granted.as_secs_f64()
    }

    /// Returns true if the answer was certainly late. An answer that the arena read after a delay of its own may have
    /// arrived in time.
    fn is_certain(&self) -> bool {
        self.usage.cpu_late.is_some() || self.lateness() > 0.0
    }
}

/// Maximum number of late answers that are kept per player.
const MAX_LATE_ANSWERS: usize = 128;
/// Minimum number of consecutive excused late answers from which a player's own clock is suspected.
const MIN_LATE_ANSWERS: usize = 16;
/// Minimum mean CPU time after the deadline, in seconds, of a player that continued to compute after it.
const MIN_CPU_AFTER_DEADLINE_SECONDS: f64 = 1e-3;
/// Number of standard errors by which the correlation of the CPU time before the deadline with the total CPU time must
/// exceed zero.
const MIN_CORRELATION_ERRORS: f64 = 3.0;

/// Returns true if these consecutive late answers, each of which the wait for a processor would excuse, were late by
/// the player's own clock: the player stops after a fixed time, and that time is too long.
///
/// Two kinds of correct players may be late repeatedly on a busy machine. The test must not blame them:
///
/// - A player with a **fixed amount of work** computes after the deadline what it could not compute before it. Its total
///   CPU time does not depend on the CPU time before the deadline. For a player that stops by its clock, less CPU time
///   before the deadline means less in total.
/// - A player that **stops by its clock soon enough** is late if it waits for a processor while the deadline passes.
///   After the deadline it does not compute any more, and it is sometimes in time.
///
/// The waiting time cannot tell them apart: on a crowded machine it varies mainly by the last wait in the run queue.
/// Only answers whose CPU time at the deadline is known are used.
fn is_by_own_clock(answers: &[LateAnswer]) -> bool {
    if answers.len() < MIN_LATE_ANSWERS {
        return false;
    }
    let measured = || answers.iter().filter_map(|one| Some((one, one.usage.cpu_late?)));
    let column = |of: &dyn Fn(&LateAnswer, Duration) -> f64| {
        measured().map(|(one, cpu_late)| of(one, cpu_late)).collect::<Vec<_>>()
    };
    let busiest = |of: usize| column(&|one, _| one.usage.busiest[of].as_secs_f64());
    let (cpu, waited) = (mean(&busiest(0)), mean(&busiest(1)));
    let cpu_share = cpu / (cpu + waited);
    let work = mean(&column(&|_, cpu_late| cpu_late.as_secs_f64()));
    let late = mean(&column(&|one, _| one.lateness()));
    // First condition: the player computed after the deadline about as fast as before.
    let continues = work >= MIN_CPU_AFTER_DEADLINE_SECONDS && work >= late * cpu_share / 2.0;
    // Second condition: it did not make up for CPU time that it had missed before the deadline.
    let share = |one: &LateAnswer, time: Duration| time.as_secs_f64() / one.granted.as_secs_f64();
    let all = column(&|one, _| share(one, one.usage.cpu));
    let before = column(&|one, cpu_late| share(one, one.usage.cpu.saturating_sub(cpu_late)));
    continues && correlation(&before, &all) >= MIN_CORRELATION_ERRORS / (all.len() as f64).sqrt()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the correlation of two columns; 0 if one of them does not vary.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        a.iter().zip(b).map(|(a, b)| of(a - mean_a, b - mean_b)).sum::<f64>()
    };
    let spread = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    if spread > 0.0 { sum(&|a, b| a * b) / spread } else { 0.0 }
}

/// Excused late answers of each player since its last answer in time, by index of the contestant.
#[derive(Default)]
pub(crate) struct LateAnswers(HashMap<usize, Vec<LateAnswer>>);

impl LateAnswers {
    /// Adds a game: an answer in time clears the player's list, an excused late answer extends it.
    pub(crate) fn add(&mut self, RefereedGame { record, excused }: &RefereedGame) {
        for note in record.notes.iter().filter(|note| !note.overrun) {
            if let Some(agent) = note.seat.and_then(|seat| record.seats.get(seat)) {
                self.0.remove(agent);
            }
        }
        let Some(agent) = record.culprit.and_then(|seat| record.seats.get(seat)) else { return };
        // An answer that may have been in time says nothing about the player.
        let Some(late) = excused.filter(LateAnswer::is_certain) else { return };
        let answers = self.0.entry(*agent).or_default();
        answers.push(late);
        let excess = answers.len().saturating_sub(MAX_LATE_ANSWERS);
        answers.drain(..excess);
    }

    /// Decides a game in which an answer was late again although no other game was in progress. The game is void, unless
    /// the player would be late on any machine.
    pub(crate) fn decide(&self, record: Record) -> Record {
        let agent = record.culprit.map(|seat| record.seats[seat]);
        let answers = agent.and_then(|agent| self.0.get(&agent)).map_or(&[][..], Vec::as_slice);
        if is_by_own_clock(answers) {
            let what = format!(
                "{}; its last {} answers were late too, by its own clock: the less CPU time it received before the deadline, the less it used in total",
                record.what,
                answers.len()
            );
            return Record { verdict: Verdict::Time, what, ..record };
        }
        Record { utilities: vec![0.0; record.utilities.len()], ..record }
    }
}

#[cfg(test)]
mod tests;
