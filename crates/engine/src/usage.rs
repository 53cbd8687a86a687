//! Processor use of a player in a move, and the part of its wait that others caused.
//!
//! The machine is at fault for a late answer if the player waited for a processor, during this move, for at least as long as
//! it was late. This holds for agents of this process and for programs, for all their threads and child processes. A player
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
    pub fn excuses(&self, lateness: Duration) -> bool {
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

#[cfg(test)]
mod tests;
