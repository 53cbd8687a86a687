//! Table of the children of positions, for transpositions.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::tree::Block;

/// Number of slots that are allocated together.
const SLOTS_PER_PAGE: usize = 1 << 9;

/// Children of positions, by the key of the position. A new entry replaces the one in its slot; a position
/// whose entry was replaced is expanded again, which costs speed but not correctness.
///
/// A slot is two words, `key ^ data` and `data`. If two threads write it at the same time, the words do not
/// match and the entry is ignored.
pub(super) struct SharedChildren {
    pages: Vec<OnceLock<Box<[Slot]>>>,
    hits: AtomicU64,
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl SharedChildren {
    /// Creates a table of at most this many bytes, but at least one page.
    pub(super) fn new(bytes: usize) -> Self {
        let page = SLOTS_PER_PAGE * size_of::<Slot>() + size_of::<OnceLock<Box<[Slot]>>>();
        let pages = (0..(bytes / page).max(1)).map(|_| OnceLock::new()).collect();
        Self { pages, hits: AtomicU64::new(0) }
    }

    pub(super) fn bytes(&self) -> usize {
        let held = self.pages.iter().filter(|page| page.get().is_some()).count();
        held * SLOTS_PER_PAGE * size_of::<Slot>()
            + self.pages.len() * size_of::<OnceLock<Box<[Slot]>>>()
    }

    /// Returns the number of positions found.
    pub(super) fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    fn slot(&self, key: u64) -> &Slot {
        let page = (key >> 9) as usize % self.pages.len();
        let page =
            self.pages[page].get_or_init(|| (0..SLOTS_PER_PAGE).map(|_| Slot::default()).collect());
        &page[key as usize % SLOTS_PER_PAGE]
    }

    pub(super) fn find(&self, key: u64) -> Option<Block> {
        let slot = self.slot(key);
        let data = slot.data.load(Acquire);
        let block = Block { first: data as u32 };
        let found = data != 0 && slot.check.load(Relaxed) ^ data == key;
        self.hits.fetch_add(u64::from(found), Relaxed);
        found.then_some(block)
    }

    pub(super) fn insert(&self, key: u64, block: Block) {
        let slot = self.slot(key);
        let data = u64::from(block.first); // never 0, which is the root
        slot.check.store(key ^ data, Relaxed);
        slot.data.store(data, Release);
    }
}
