//! How many simulations there may be, and how many there were.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Simulations a thread takes at once: every look at a shared number costs time.
const PORTION: u64 = 32;

/// Pads a value that threads share to its own cache lines, to avoid false sharing.
///
/// It replaces `crossbeam_utils::CachePadded`, for which the searches would need a dependency.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct CachePadded<T>(pub(super) T);

/// Shared by the threads of a search.
#[derive(Debug)]
pub(super) struct Counter {
    taken: AtomicU64,
    limit: u64,
}

impl Counter {
    pub(super) fn new(limit: u64) -> Self {
        Self { taken: AtomicU64::new(0), limit }
    }

    /// The simulations that threads have taken.
    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Relaxed)
    }
}

/// One thread's simulations; what is left over goes back.
#[derive(Debug)]
pub(super) struct Quota<'a> {
    counter: &'a Counter,
    left: u64,
}

impl<'a> Quota<'a> {
    pub(super) fn new(counter: &'a Counter) -> Self {
        Self { counter, left: 0 }
    }

    /// Takes the right to one simulation more.
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
        let more = |taken: u64| Some(taken.saturating_add(PORTION).min(*limit));
        let before = taken.fetch_update(Relaxed, Relaxed, more).unwrap_or(*limit);
        self.left = (limit - before).min(PORTION);
    }
}

impl Drop for Quota<'_> {
    fn drop(&mut self) {
        self.counter.taken.fetch_sub(self.left, Relaxed);
    }
}
