//! Moves that threads are searching at this moment (Kerrigan's simplified ABDADA).
//!
//! Threads that search the same tree postpone a move that another thread is already searching. When
//! they return to it, the transposition table often has the answer.

use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 1 << 12;

/// Table of the moves being searched, by the key of position and move. Two moves may share a slot, which
/// costs a little speed but not correctness.
#[derive(Debug)]
pub(super) struct AbdadaTable(Vec<AtomicU64>);

impl AbdadaTable {
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
        // If another thread has replaced the key in the meantime, its key stays.
        let _ = self.slot(key).compare_exchange(key, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}
