//! CPU usage of a player in a move, and the time that the machine withheld from it.
//!
//! The machine is at fault for a late answer if the player waited for a processor during this move at least as long as the
//! answer was late. This rule holds for built-in agents and for programs, with all their threads and child processes. A
//! player that sleeps does not wait for a processor.

use std::time::Duration;

/// CPU usage of a player in one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Total CPU time of all threads of the player.
    pub cpu: Duration,
    /// Part of `cpu` after the deadline; `None` if it was not measured when the deadline passed.
    pub cpu_late: Option<Duration>,
    /// Longest time that one thread was ready to run and waited for a processor.
    pub waited: Duration,
    /// Part of the wait that the player did not cause itself.
    pub withheld: Duration,
    /// Time for which the arena or the search stalled, so that the answer may have been ready earlier.
    pub stalled: Duration,
    /// CPU time and wait of the thread for which their sum is largest.
    pub busiest: [Duration; 2],
}

impl Usage {
    /// Returns true if the machine is at fault for an answer with this lateness.
    pub fn excuses(&self, lateness: Duration) -> bool {
        let longest = self.withheld.max(self.stalled);
        !longest.is_zero() && longest >= lateness
    }
}

/// Set of processors on which a thread may run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Processors(Vec<u64>);

impl Processors {
    /// Returns the number of processors.
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

/// CPU usage of one thread in one move.
#[derive(Clone, Debug)]
pub(crate) struct ThreadUsage {
    pub(crate) cpu: Duration,
    pub(crate) waited: Duration,
    /// Processors on which the thread may run.
    pub(crate) processors: Processors,
}

/// Returns the longest wait of a thread in a move of length `wall`, without the time in which the player's own threads kept
/// that thread's processors busy.
pub(crate) fn withheld(threads: &[ThreadUsage], wall: Duration) -> Duration {
    let by_others = |thread: &ThreadUsage| {
        let competing = threads.iter().filter(|one| one.processors.is_within(&thread.processors));
        let own: Duration = competing.map(|one| one.cpu).sum();
        let most = wall.saturating_sub(own / thread.processors.count().max(1));
        thread.waited.min(most)
    };
    threads.iter().map(by_others).max().unwrap_or_default()
}

#[cfg(test)]
mod tests;
