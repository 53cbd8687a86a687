//! How many simulations there may be, and how many there were.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Shared by the threads of a search.
#[derive(Debug)]
pub(super) struct Counter {
    taken: AtomicU64,
    limit: u64,
    alone: bool,
}

impl Counter {
    pub(super) fn new(limit: Option<u64>, alone: bool) -> Self {
        Self { taken: AtomicU64::new(0), limit: limit.unwrap_or(u64::MAX), alone }
    }

    /// Takes the right to one simulation more.
    #[inline]
    pub(super) fn take(&self) -> bool {
        if self.alone {
            let taken = self.taken.load(Relaxed);
            if taken < self.limit {
                self.taken.store(taken + 1, Relaxed);
            }
            return taken < self.limit;
        }
        let granted = self.taken.fetch_add(1, Relaxed) < self.limit;
        if !granted {
            self.taken.fetch_sub(1, Relaxed);
        }
        granted
    }

    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Relaxed).min(self.limit)
    }
}
