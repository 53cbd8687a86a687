//! Simulation limit, shared by the threads of a search.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of simulations that a thread takes from the shared counter at once, because each access to it
/// costs time.
const SIMULATIONS_PER_BATCH: u64 = 32;

/// Pads a value that threads share to its own cache lines, which avoids false sharing.
///
/// Written here because `crossbeam_utils::CachePadded` would add a dependency.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct CachePadded<T>(pub(super) T);

/// Counter of the simulations that the threads of a search have taken.
#[derive(Debug)]
pub(super) struct Counter {
    taken: AtomicU64,
    limit: u64,
}

impl Counter {
    pub(super) fn new(limit: u64) -> Self {
        Self { taken: AtomicU64::new(0), limit }
    }

    /// Returns the number of simulations that threads have taken.
    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Relaxed)
    }
}

/// Simulations that one thread has taken. Unused ones are returned on drop.
#[derive(Debug)]
pub(super) struct Quota<'a> {
    counter: &'a Counter,
    left: u64,
}

impl<'a> Quota<'a> {
    pub(super) fn new(counter: &'a Counter) -> Self {
        Self { counter, left: 0 }
    }

    /// Takes one simulation; returns false if the limit is reached.
    #[inline]
    pub(super) fn take(&mut self) -> bool {
        if self.left == 0 {
            self.take_more();
        }
        let granted = self.left > 0;
        self.left -= u64::from(granted);
        granted
    }

    #[cold]
    fn take_more(&mut self) {
        let Counter { taken, limit } = self.counter;
        let more = |taken: u64| Some(taken.saturating_add(SIMULATIONS_PER_BATCH).min(*limit));
        let before = taken.fetch_update(Relaxed, Relaxed, more).unwrap_or(*limit);
        self.left = (limit - before).min(SIMULATIONS_PER_BATCH);
    }
}

impl Drop for Quota<'_> {
    fn drop(&mut self) {
        self.counter.taken.fetch_sub(self.left, Relaxed);
    }
}
