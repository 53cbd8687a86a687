//! The transposition table: what is known about positions seen before.
//!
//! A fixed number of entries of 16 bytes, four to a cache line. An entry is two words, `key ^
//! data` and `data`, written and read without locks: if two threads write at once, the words do
//! not fit together and nobody reads them as an entry.
//!
//! ```text
//! data   age 5 | proven 1 | bound 2 | depth 12 | move 12 | value 32
//! ```
//!
//! Values are kept in 32 bits. One that does not fit is rounded away from where it matters: a
//! lower bound down, an upper bound up, and an exact value becomes a lower bound.

use std::sync::atomic::{AtomicU64, Ordering};

use tussle_core::Bound;

/// The move of an entry that has none: what was stored first is not known.
pub(crate) const NO_MOVE: u16 = 0xfff;
/// A search to the end of the game.
pub(crate) const TO_THE_END: u32 = 0xfff;

const WORDS_A_LINE: usize = 8;
const ENTRIES_A_LINE: usize = 4;
const AGES: u8 = 32;
/// The lines in use at first.
const FIRST_LINES: u64 = 1 << 10;
/// A search that has entered so many nodes for every line in use needs more of them. Half of
/// the nodes are leaves, which are not stored, and many are entered again and again.
const NODES_A_LINE: u64 = 16;

/// What the table says about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) value: f64,
    pub(crate) bound: Bound,
    /// The plies searched, at most [`TO_THE_END`].
    pub(crate) depth: u32,
    /// No evaluation took part in the value.
    pub(crate) proven: bool,
    /// The best move, as its place in the list of moves, or [`NO_MOVE`].
    pub(crate) index: u16,
}

pub(crate) struct Table {
    words: Vec<AtomicU64>,
    /// The first word that begins a cache line.
    first: usize,
    lines: u64,
    /// The lines in use so far: a short search stays in a small part of the memory, which is
    /// soon in the processor's cache, and leaves pages alone that the system has not made yet.
    used: AtomicU64,
    age: u8,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} MB)", self.bytes() >> 20)
    }
}

impl Table {
    /// An empty table of at most this many bytes, and at least one line.
    pub(crate) fn new(bytes: usize) -> Self {
        let lines = (bytes / 64).saturating_sub(1).max(1);
        // Memory that the system hands out zeroed: pages are touched when they are used.
        let words: Vec<AtomicU64> = bytemuck::zeroed_vec((lines + 1) * WORDS_A_LINE);
        let misaligned = words.as_ptr() as usize % 64 / 8;
        Self {
            words,
            first: (WORDS_A_LINE - misaligned) % WORDS_A_LINE,
            lines: lines as u64,
            used: AtomicU64::new(FIRST_LINES.min(lines as u64)),
            age: 0,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// A new search begins: what is older gives way first.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline]
    fn line(&self, key: u64) -> &[AtomicU64; WORDS_A_LINE] {
        let used = self.used.load(Ordering::Relaxed);
        self.nth_line(((u128::from(key) * u128::from(used)) >> 64) as usize)
    }

    #[inline]
    fn nth_line(&self, n: usize) -> &[AtomicU64; WORDS_A_LINE] {
        let start = self.first + n * WORDS_A_LINE;
        self.words[start..start + WORDS_A_LINE].try_into().expect("a line has eight words")
    }

    /// Uses more of the memory once a search has entered so many nodes that it is crowded;
    /// returns the number of nodes at which to ask again.
    ///
    /// Others may search meanwhile: what moves just then is not found for a moment.
    #[cold]
    pub(crate) fn make_room(&self, nodes: u64) -> u64 {
        let used = self.used.load(Ordering::Relaxed);
        if used == self.lines {
            return u64::MAX;
        }
        if nodes < used * NODES_A_LINE {
            return used * NODES_A_LINE;
        }
        let more = (2 * used).min(self.lines);
        if self.used.compare_exchange(used, more, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            // No entry moves down, so that from the top none is met twice. One that somebody
            // writes just then gets a key that, but for chance, no position has.
            for line in (0..used as usize).rev().map(|n| self.nth_line(n)) {
                for slot in 0..ENTRIES_A_LINE {
                    let data = line[2 * slot + 1].swap(0, Ordering::Relaxed);
                    let key = line[2 * slot].load(Ordering::Relaxed) ^ data;
                    if unpack(data).is_some() {
                        self.put(key, data);
                    }
                }
            }
        }
        more * NODES_A_LINE
    }

    /// What is known about the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let line = self.line(key);
        for slot in 0..ENTRIES_A_LINE {
            let data = line[2 * slot + 1].load(Ordering::Relaxed);
            if line[2 * slot].load(Ordering::Relaxed) ^ data == key
                && let Some(entry) = unpack(data)
            {
                return Some(entry);
            }
        }
        None
    }

    /// Remembers an entry, in the place of the same position or of the one that is worth least:
    /// an old one before a new one, a shallow one before a deep one.
    #[inline]
    pub(crate) fn store(&self, key: u64, entry: Entry) {
        self.put(key, pack(entry, self.age));
    }

    #[inline]
    fn put(&self, key: u64, new: u64) {
        let line = self.line(key);
        let (mut place, mut least) = (0, u32::MAX);
        for slot in 0..ENTRIES_A_LINE {
            let data = line[2 * slot + 1].load(Ordering::Relaxed);
            if line[2 * slot].load(Ordering::Relaxed) ^ data == key {
                place = slot;
                break;
            }
            let worth = self.worth(data);
            if worth < least {
                (place, least) = (slot, worth);
            }
        }
        line[2 * place].store(key ^ new, Ordering::Relaxed);
        line[2 * place + 1].store(new, Ordering::Relaxed);
    }

    #[inline]
    fn worth(&self, data: u64) -> u32 {
        if unpack(data).is_none() {
            return 0;
        }
        let years = (self.age + AGES - (data >> 59) as u8) % AGES;
        let depth = (data >> 44 & 0xfff) as u32;
        1 + depth + u32::from(AGES - years) * 4096
    }
}

#[inline]
fn pack(entry: Entry, age: u8) -> u64 {
    let (value, bound) = narrow(entry.value, entry.bound);
    let bound = match bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(value.to_bits())
        | u64::from(entry.index.min(NO_MOVE)) << 32
        | u64::from(entry.depth.min(TO_THE_END)) << 44
        | bound << 56
        | u64::from(entry.proven) << 58
        | u64::from(age) << 59
}

#[inline]
fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None,
    };
    Some(Entry {
        value: f64::from(f32::from_bits(data as u32)),
        bound,
        depth: (data >> 44 & 0xfff) as u32,
        proven: data >> 58 & 1 != 0,
        index: (data >> 32 & 0xfff) as u16,
    })
}

/// A value in 32 bits that still holds.
#[inline]
fn narrow(value: f64, bound: Bound) -> (f32, Bound) {
    let near = value as f32;
    let wide = f64::from(near);
    if wide == value {
        return (near, bound);
    }
    match bound {
        Bound::Upper if wide < value => (near.next_up(), bound),
        Bound::Upper => (near, bound),
        _ if wide > value => (near.next_down(), Bound::Lower),
        _ => (near, Bound::Lower),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tussle_core::{Rng, mix};

    fn entry(value: f64, depth: u32) -> Entry {
        Entry { value, bound: Bound::Exact, depth, proven: false, index: 3 }
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let table = Table::new(1 << 16);
        for (i, bound) in [Bound::Exact, Bound::Lower, Bound::Upper].into_iter().enumerate() {
            let stored = Entry { bound, proven: i == 1, depth: TO_THE_END, ..entry(-3.5, 7) };
            table.store(mix(i as u64), stored);
            assert_eq!(table.probe(mix(i as u64)), Some(stored));
        }
        assert_eq!(table.probe(mix(99)), None);
        assert_eq!(table.probe(0), None, "an empty entry is no entry, also for the key 0");
    }

    #[test]
    fn it_never_takes_more_memory_than_it_is_given() {
        for bytes in [1 << 10, 1 << 16, 3 << 20, 1_000_003] {
            assert!(Table::new(bytes).bytes() <= bytes);
        }
    }

    #[test]
    fn a_value_too_fine_for_the_entry_becomes_a_bound_that_holds() {
        let mut rng = Rng::new(4);
        for _ in 0..10_000 {
            let value = (rng.unit() - 0.5) * 10f64.powi(rng.below(90) as i32 - 45);
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let (narrowed, new) = narrow(value, bound);
                let narrowed = f64::from(narrowed);
                match new {
                    Bound::Exact => assert_eq!(narrowed, value),
                    Bound::Lower => assert!(bound != Bound::Upper && narrowed <= value),
                    Bound::Upper => assert!(bound == Bound::Upper && narrowed >= value),
                }
            }
        }
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_and_new_ones_outlive_old_ones() {
        let mut table = Table::new(0); // one line of four entries
        (1..=4).for_each(|i| table.store(mix(i), entry(0.0, 10 + i as u32)));
        table.store(mix(5), entry(0.0, 2));
        let kept = |table: &Table| (1..=9).filter(|&i| table.probe(mix(i)).is_some()).count();
        assert_eq!((kept(&table), table.probe(mix(1))), (4, None));
        table.grow_older();
        (6..=8).for_each(|i| table.store(mix(i), entry(0.0, 1)));
        assert!((6..=8).all(|i| table.probe(mix(i)).is_some()));
        assert!(table.probe(mix(4)).is_some(), "the deepest of the old ones is left");
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_knows_and_its_size() {
        let table = Table::new(1 << 20);
        let bytes = table.bytes();
        (0..300).for_each(|i| table.store(mix(i), entry(i as f64, 5)));
        let (mut nodes, mut growths) = (0, 0);
        while nodes < u64::MAX {
            nodes = table.make_room(nodes);
            let found = |&i: &u64| table.probe(mix(i)).is_some_and(|e| e.value == i as f64);
            assert_eq!((0..300).filter(found).count(), 300, "at {nodes} nodes");
            growths += 1;
        }
        assert_eq!(
            (growths, table.bytes()),
            (6, bytes),
            "1024 lines to 16384 lines, and once more"
        );
    }

    /// Every value stored says which key it belongs to, so a mixed-up entry would show.
    #[test]
    fn threads_never_read_what_nobody_wrote() {
        let (keys, rounds) = if cfg!(miri) { (6, 40) } else { (64, 200_000) };
        // One line for all, and one that grows meanwhile.
        let tables = [Table::new(0), Table::new(if cfg!(miri) { 1 << 17 } else { 1 << 20 })];
        std::thread::scope(|scope| {
            for (thread, table) in (0..3).flat_map(|t| tables.iter().map(move |table| (t, table))) {
                scope.spawn(move || {
                    let mut rng = Rng::new(thread);
                    for round in 0..rounds {
                        if round % (rounds / 8) == 0 {
                            table.make_room(u64::MAX - 1);
                        }
                        let i = rng.below(keys);
                        let key = mix(i as u64);
                        if rng.below(2) == 0 {
                            let depth = rng.below(1000) as u32;
                            let value = f64::from(depth * 64 + i as u32);
                            table.store(key, entry(value, depth));
                        } else if let Some(found) = table.probe(key) {
                            assert_eq!(found.value, f64::from(found.depth * 64 + i as u32));
                        }
                    }
                });
            }
        });
    }
}
