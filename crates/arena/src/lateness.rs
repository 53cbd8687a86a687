//! Late answers in a row that the machine excuses one by one, and that the player's own clock may have caused.

use std::collections::HashMap;
use std::time::Duration;

use tussle_engine::{Usage, Verdict};

use crate::Record;
use crate::referee::Played;

/// A late answer that the machine excuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Late {
    pub(crate) granted: Duration,
    pub(crate) usage: Usage,
}

impl Late {
    /// Returns the time for which the busiest thread ran or waited after the time granted, in seconds.
    fn lateness(&self) -> f64 {
        let [cpu, waited] = self.usage.busiest;
        (cpu + waited).as_secs_f64() - self.granted.as_secs_f64()
    }

    /// Returns true if the answer was late for certain. One that was there when the arena, itself late, looked for it
    /// may have come in time.
    fn is_certain(&self) -> bool {
        self.usage.cpu_late.is_some() || self.lateness() > 0.0
    }
}

/// Maximum number of late answers of a player that are remembered.
const MAX_ANSWERS: usize = 128;
/// Number of excused late answers without one in time between them from which a player's own clock is suspected.
const MIN_ANSWERS: usize = 16;
/// Processor time after the deadline, on average in seconds, from which a player did not just miss the deadline.
const MIN_WORK: f64 = 1e-3;
/// Standard errors by which the correlation of the processor time before the deadline with all of it must exceed zero.
const MIN_ERRORS: f64 = 3.0;

/// Returns true if these consecutive answers, each of which the wait alone would excuse, were late by the player's own
/// clock: it stops when a certain time is over, and that time is too long.
///
/// Two kinds of honest players are late again and again on a busy machine, and neither fits:
///
/// - One with a fixed amount of work makes up after the deadline for what it did not receive before. One that stops by
///   its clock receives less in total, the less it received before the deadline.
/// - One that stops by its clock soon enough is late if it waits for a processor while the deadline passes. After the
///   deadline it waits and does not compute, and sometimes it is in time.
///
/// The wait itself does not tell them apart: on a crowded machine most of its variation is the last turn in the run
/// queue. Only answers whose processor time at the deadline is known count.
fn is_by_own_clock(answers: &[Late]) -> bool {
    if answers.len() < MIN_ANSWERS {
        return false;
    }
    let measured = || answers.iter().filter_map(|one| Some((one, one.usage.cpu_late?)));
    let column = |of: &dyn Fn(&Late, Duration) -> f64| {
        measured().map(|(one, cpu_late)| of(one, cpu_late)).collect::<Vec<_>>()
    };
    let busiest = |of: usize| column(&|one, _| one.usage.busiest[of].as_secs_f64());
    let (cpu, waited) = (mean(&busiest(0)), mean(&busiest(1)));
    let pace = cpu / (cpu + waited);
    let work = mean(&column(&|_, cpu_late| cpu_late.as_secs_f64()));
    let late = mean(&column(&|one, _| one.lateness()));
    // After the deadline it went on computing as it did before, …
    let goes_on = work >= MIN_WORK && work >= late * pace / 2.0;
    // … and did not make up for what it had missed.
    let share = |one: &Late, time: Duration| time.as_secs_f64() / one.granted.as_secs_f64();
    let all = column(&|one, _| share(one, one.usage.cpu));
    let before = column(&|one, cpu_late| share(one, one.usage.cpu.saturating_sub(cpu_late)));
    goes_on && correlation(&before, &all) >= MIN_ERRORS / (all.len() as f64).sqrt()
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

/// By player, the late answers that were excused since its last answer in time.
#[derive(Default)]
pub(crate) struct LateAnswers(HashMap<usize, Vec<Late>>);

impl LateAnswers {
    /// Takes a game into account.
    pub(crate) fn add(&mut self, Played { record, excused }: &Played) {
        for note in record.notes.iter().filter(|note| !note.overrun) {
            if let Some(agent) = note.seat.and_then(|seat| record.seats.get(seat)) {
                self.0.remove(agent);
            }
        }
        let Some(agent) = record.culprit.and_then(|seat| record.seats.get(seat)) else { return };
        // An answer that may have been in time says nothing about the player.
        let Some(late) = excused.filter(Late::is_certain) else { return };
        let answers = self.0.entry(*agent).or_default();
        answers.push(late);
        let excess = answers.len().saturating_sub(MAX_ANSWERS);
        answers.drain(..excess);
    }

    /// Decides a game that was late again with no other game in progress: it is void, unless the player would be late
    /// on any machine.
    pub(crate) fn decide(&self, record: Record) -> Record {
        let agent = record.culprit.map(|seat| record.seats[seat]);
        let answers = agent.and_then(|agent| self.0.get(&agent)).map_or(&[][..], Vec::as_slice);
        if is_by_own_clock(answers) {
            let what = format!(
                "{}; so were its last {} answers, and by its own clock: the less it computed before the deadline, the less in all",
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
