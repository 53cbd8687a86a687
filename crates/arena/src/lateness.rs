//! The rule that decides whether the player or the machine is at fault for a late answer.
//!
//! The machine is at fault if the player waited for a processor, during this move, for at least as long as it was
//! late. This holds for agents of this process and for programs, for all their threads and child processes. A player
//! that sleeps does not wait for a processor.

use std::time::Duration;

/// Processor use of a player in one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time that all threads of the player received together.
    pub cpu: Duration,
    /// The part of `cpu` that was received after the deadline, if it was measured when the deadline passed.
    pub cpu_late: Option<Duration>,
    /// Longest time that one thread was ready to run and waited for a processor.
    pub waited: Duration,
    /// The part of the wait that the player did not cause itself.
    pub withheld: Duration,
    /// Time for which the arena itself stood still: the answer may have been there before it looked.
    pub stalled: Duration,
    /// Processor time and wait of the thread that ran or waited longest.
    pub busiest: [Duration; 2],
}

impl Usage {
    /// Returns true if the machine is at fault for an answer that was late by this much.
    pub(crate) fn excuses(&self, lateness: Duration) -> bool {
        let longest = self.withheld.max(self.stalled);
        !longest.is_zero() && longest >= lateness
    }
}

/// Set of processors on which a thread may run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Processors(Vec<u64>);

impl Processors {
    /// Returns how many there are.
    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn is_within(&self, other: &Self) -> bool {
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().zip(others).all(|(own, other)| own & !other == 0)
    }
}

impl FromIterator<usize> for Processors {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut words = Vec::new();
        for number in numbers {
            let word = number / 64;
            if words.len() <= word {
                words.resize(word + 1, 0);
            }
            words[word] |= 1 << (number % 64);
        }
        Self(words)
    }
}

/// Processor use of one thread in one move.
#[derive(Clone, Debug)]
pub(crate) struct ThreadUsage {
    pub(crate) cpu: Duration,
    pub(crate) waited: Duration,
    /// Processors on which it may run.
    pub(crate) processors: Processors,
}

/// Returns the longest wait of a thread in a move of this length, without the time for which the player's own threads
/// kept the processors busy on which that thread may run.
pub(crate) fn withheld(threads: &[ThreadUsage], wall: Duration) -> Duration {
    let by_others = |thread: &ThreadUsage| {
        let rivals = threads.iter().filter(|one| one.processors.is_within(&thread.processors));
        let own: Duration = rivals.map(|one| one.cpu).sum();
        let most = wall.saturating_sub(own / thread.processors.count().max(1));
        thread.waited.min(most)
    };
    threads.iter().map(by_others).max().unwrap_or_default()
}

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
    pub(crate) fn is_certain(&self) -> bool {
        self.usage.cpu_late.is_some() || self.lateness() > 0.0
    }
}

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
pub(crate) fn is_by_own_clock(answers: &[Late]) -> bool {
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

#[cfg(test)]
mod tests;
