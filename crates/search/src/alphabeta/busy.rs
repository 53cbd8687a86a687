//! What other threads are looking at just now.
//!
//! Threads that search the same tree share the work by leaving alone, for the moment, a move
//! that another thread is already searching (Kerrigan's simplified ABDADA): by the time they
//! come back to it, the transposition table often has the answer.

use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 1 << 12;

/// Moves being searched, by the key of position and move; two of them may share a slot, which
/// costs a little work and no correctness.
#[derive(Debug)]
pub(super) struct Busy(Vec<AtomicU64>);

impl Busy {
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[(key >> 52) as usize % SLOTS]
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.slot(key).load(Ordering::Relaxed) == key
    }

    pub(super) fn enter(&self, key: u64) {
        self.slot(key).store(key, Ordering::Relaxed);
    }

    pub(super) fn leave(&self, key: u64) {
        // If another thread has taken the slot meanwhile, it is no longer ours to clear.
        let _ = self.slot(key).compare_exchange(key, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}
