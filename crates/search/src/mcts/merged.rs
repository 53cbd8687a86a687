//! Positions that were reached in several ways.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::tree::Block;

/// Slots that get their memory together.
const PAGE: usize = 1 << 9;

/// The children of positions, by the position's key. What was written last to a slot stays: a
/// position that is forgotten gets children anew, which costs work and no correctness.
///
/// A slot is two words, `key ^ data` and `data`. If two threads write it at once they do not fit
/// together, and nobody takes them for an entry.
pub(super) struct Merged {
    pages: Vec<OnceLock<Box<[Slot]>>>,
    hits: AtomicU64,
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Merged {
    /// Never more than these bytes, or those of one page.
    pub(super) fn new(bytes: usize) -> Self {
        let page = PAGE * size_of::<Slot>() + size_of::<OnceLock<Box<[Slot]>>>();
        let pages = (0..(bytes / page).max(1)).map(|_| OnceLock::new()).collect();
        Self { pages, hits: AtomicU64::new(0) }
    }

    pub(super) fn bytes(&self) -> usize {
        let held = self.pages.iter().filter(|page| page.get().is_some()).count();
        held * PAGE * size_of::<Slot>() + self.pages.len() * size_of::<OnceLock<Box<[Slot]>>>()
    }

    /// How often a position was found.
    pub(super) fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    fn slot(&self, key: u64) -> &Slot {
        let page = (key >> 9) as usize % self.pages.len();
        let page = self.pages[page].get_or_init(|| (0..PAGE).map(|_| Slot::default()).collect());
        &page[key as usize % PAGE]
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
        let data = u64::from(block.first); // never 0, that is the root's place
        slot.check.store(key ^ data, Relaxed);
        slot.data.store(data, Release);
    }
}
