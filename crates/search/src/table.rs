//! The transposition table: results of positions that were searched before.
//!
//! Entries have 16 bytes, four of them fill a cache line. An entry is two words, `key ^ data` and
//! `data`, written and read without locks: if two threads write at the same time, the words do
//! not match and the entry is ignored.
//!
//! ```text
//! data   age 5 | proven 1 | bound 2 | depth 12 | move 12 | value 32
//! ```
//!
//! A table starts small and grows as it fills up, until it reaches its maximum size. So short
//! searches stay in the CPU cache, and the shortest allocate only the initial part. It grows by a few
//! lines at a time (linear hashing): doubling a large table takes tens of milliseconds, which is too
//! long for a search whose time is up.
//!
//! Values have 32 bits. A value that needs more is rounded so that the bound stays true: a lower bound
//! down, an upper bound up, and an exact value becomes a lower bound.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use tussle_core::Bound;

/// Move index of an entry without a best move.
pub(crate) const NO_MOVE: u16 = 0xfff;
/// Depth of a search to the end of the game.
pub(crate) const UNLIMITED_DEPTH: u32 = 0xfff;

const WORDS_PER_LINE: usize = 8;
const ENTRIES_PER_LINE: usize = 4;
/// Number of ages, after which they repeat: an entry has 5 bits for its age.
const AGE_COUNT: u8 = 32;
/// Worth of an empty slot, below that of every entry.
const EMPTY_WORTH: u32 = 0;
/// Number of lines of a new table: 64 KB.
const MIN_LINES: usize = 1 << 10;
/// Number of new entries after which a thread adds them to the shared counter.
pub(crate) const COUNT_INTERVAL: u32 = 256;

/// Entry of the table: the result of a search of one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) value: f64,
    pub(crate) bound: Bound,
    /// Depth of the search in plies, at most [`UNLIMITED_DEPTH`].
    pub(crate) depth: u32,
    /// True if the value does not depend on evaluations.
    pub(crate) proven: bool,
    /// Index of the best move in the list of moves, or [`NO_MOVE`].
    pub(crate) index: u16,
}

impl Entry {
    /// Returns true if the value also holds for a search to this depth: the entry has the same depth,
    /// or a proof that needed no more.
    #[inline]
    pub(crate) fn holds_at(self, depth: u32) -> bool {
        self.depth == depth || self.proven && self.depth <= depth
    }
}

pub(crate) struct Table {
    /// Lines of a new table.
    initial: Lines,
    /// All other lines, allocated when the table first grows.
    extension: OnceLock<Lines>,
    /// Maximum number of other lines.
    max_extension_lines: usize,
    /// Number of lines in use.
    lines: AtomicUsize,
    /// Number of entries stored in empty slots.
    filled: AtomicUsize,
    growing: AtomicBool,
    age: u8,
}

/// Memory, aligned to cache lines.
struct Lines {
    words: Vec<AtomicU64>,
    /// Index of the first word that starts a cache line.
    first: usize,
}

impl Lines {
    /// Allocates this number of empty lines, or fewer if memory is short.
    fn new(mut lines: usize) -> Self {
        // The system provides zeroed memory, so pages are only touched when they are used.
        let zeroed = |lines: usize| bytemuck::try_zeroed_vec((lines + 1) * WORDS_PER_LINE).ok();
        let words: Vec<AtomicU64> = loop {
            match zeroed(lines) {
                Some(words) => break words,
                None => lines /= 2,
            }
        };
        let misaligned = words.as_ptr() as usize % 64 / 8;
        Self { words, first: (WORDS_PER_LINE - misaligned) % WORDS_PER_LINE }
    }

    fn len(&self) -> usize {
        self.words.len() / WORDS_PER_LINE - 1
    }

    #[inline]
    fn line(&self, number: usize) -> &[AtomicU64; WORDS_PER_LINE] {
        let start = self.first + number * WORDS_PER_LINE;
        self.words[start..start + WORDS_PER_LINE].try_into().expect("a line has eight words")
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} bytes)", self.bytes())
    }
}

impl Table {
    /// Creates an empty table of at most this many bytes, but at least one line. It is smaller if memory
    /// is short.
    pub(crate) fn new(bytes: usize) -> Self {
        // The alignment of each part costs one line.
        let lines = (bytes / 64).saturating_sub(1).max(1);
        let initial = Lines::new(lines.min(MIN_LINES));
        Self {
            lines: AtomicUsize::new(initial.len()),
            initial,
            extension: OnceLock::new(),
            max_extension_lines: lines.saturating_sub(MIN_LINES + 1),
            filled: AtomicUsize::new(0),
            growing: AtomicBool::new(false),
            age: 0,
        }
    }

    /// Returns the maximum size of the table.
    pub(crate) fn bytes(&self) -> usize {
        let others = if self.max_extension_lines == 0 { 0 } else { self.max_extension_lines + 1 };
        (self.initial.len() + 1 + others) * 64
    }

    /// Starts a new search: entries of earlier searches are replaced first.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGE_COUNT;
    }

    #[inline]
    fn line(&self, number: usize) -> &[AtomicU64; WORDS_PER_LINE] {
        match number.checked_sub(MIN_LINES) {
            None => self.initial.line(number),
            Some(number) => self.extension.get().expect("lines in use are there").line(number),
        }
    }

    #[inline]
    fn line_of(&self, key: u64) -> &[AtomicU64; WORDS_PER_LINE] {
        // Linear hashing: use one bit less of the key if the line with all bits is not in use yet.
        let lines = self.lines.load(Ordering::Acquire);
        let mask = usize::MAX >> ((lines - 1) | 1).leading_zeros();
        let number = key as usize & mask;
        self.line(if number < lines { number } else { number & (mask >> 1) })
    }

    /// Counts another [`COUNT_INTERVAL`] of filled slots, and grows the table before it is full.
    #[cold]
    pub(crate) fn count_filled(&self) {
        let filled = self.filled.fetch_add(COUNT_INTERVAL as usize, Ordering::Relaxed);
        let wanted = filled / (ENTRIES_PER_LINE / 2);
        let wanted = wanted.min(self.initial.len() + self.max_extension_lines);
        if wanted > self.lines.load(Ordering::Relaxed)
            && !self.growing.swap(true, Ordering::Acquire)
        {
            let lines = self.lines.load(Ordering::Relaxed);
            let wanted = wanted.min(lines + COUNT_INTERVAL as usize);
            let others = if wanted > self.initial.len() {
                self.extension.get_or_init(|| Lines::new(self.max_extension_lines)).len()
            } else {
                0
            };
            for new in lines..wanted.min(self.initial.len() + others) {
                self.split_into(new);
            }
            self.growing.store(false, Ordering::Release);
        }
    }

    /// Adds the line with number `new`. Entries whose next key bit is set move to it from their present
    /// line. Entries that other threads store at the same time may be lost, which costs speed but not
    /// correctness.
    fn split_into(&self, new: usize) {
        let bit = 1 << new.ilog2();
        let (old, line) = (self.line(new ^ bit), self.line(new));
        for slot in 0..ENTRIES_PER_LINE {
            let data = old[2 * slot + 1].load(Ordering::Relaxed);
            let check = old[2 * slot].load(Ordering::Relaxed);
            // All ones if the entry moves. A branch would be mispredicted half of the time.
            let moves = 0u64.wrapping_sub(u64::from((check ^ data) as usize & bit != 0));
            line[2 * slot].store(check & moves, Ordering::Relaxed);
            line[2 * slot + 1].store(data & moves, Ordering::Relaxed);
            old[2 * slot].store(check & !moves, Ordering::Relaxed);
            old[2 * slot + 1].store(data & !moves, Ordering::Relaxed);
        }
        // Release: a thread that reads the new number also sees the memory of the new line.
        self.lines.store(new + 1, Ordering::Release);
    }

    /// Returns the entry of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let line = self.line_of(key);
        for slot in 0..ENTRIES_PER_LINE {
            let data = line[2 * slot + 1].load(Ordering::Relaxed);
            if line[2 * slot].load(Ordering::Relaxed) ^ data == key
                && let Some(entry) = unpack(data)
            {
                return Some(entry);
            }
        }
        None
    }

    /// Stores an entry. Returns true if its slot was empty.
    ///
    /// It replaces the entry of the same position, or else the one of least worth: old entries before new
    /// ones, shallow ones before deep ones.
    #[inline]
    pub(crate) fn store(&self, key: u64, entry: Entry) -> bool {
        let line = self.line_of(key);
        let (mut place, mut least) = (0, u32::MAX);
        for slot in 0..ENTRIES_PER_LINE {
            let data = line[2 * slot + 1].load(Ordering::Relaxed);
            if line[2 * slot].load(Ordering::Relaxed) ^ data == key {
                (place, least) = (slot, u32::MAX);
                break;
            }
            let worth = self.worth(data);
            if worth < least {
                (place, least) = (slot, worth);
            }
        }
        let data = pack(entry, self.age);
        line[2 * place].store(key ^ data, Ordering::Relaxed);
        line[2 * place + 1].store(data, Ordering::Relaxed);
        least == EMPTY_WORTH
    }

    #[inline]
    fn worth(&self, data: u64) -> u32 {
        // 31 for entries of this search, 30 for those of the last one, and so on.
        let youth = (data >> 59).wrapping_sub(u64::from(self.age) + 1) & u64::from(AGE_COUNT - 1);
        let worth = (1 + (data >> 44 & 0xfff) + (youth << 12)) as u32;
        if data == 0 { EMPTY_WORTH } else { worth }
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
        | u64::from(entry.depth.min(UNLIMITED_DEPTH)) << 44
        | bound << 56
        | u64::from(entry.proven) << 58
        | u64::from(age) << 59
}

#[inline]
fn unpack(data: u64) -> Option<Entry> {
    // A table instead of branches, which would often be mispredicted.
    const BOUNDS: [Bound; 4] = [Bound::Exact, Bound::Exact, Bound::Lower, Bound::Upper];
    let code = data >> 56 & 3;
    if code == 0 {
        return None;
    }
    let bound = BOUNDS[code as usize];
    Some(Entry {
        value: f64::from(f32::from_bits(data as u32)),
        bound,
        depth: (data >> 44 & 0xfff) as u32,
        proven: data >> 58 & 1 != 0,
        index: (data >> 32 & 0xfff) as u16,
    })
}

/// Rounds a value to 32 bits, so that the returned bound is true.
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
    fn a_stored_entry_is_found() {
        let table = Table::new(1 << 16);
        for (i, bound) in [Bound::Exact, Bound::Lower, Bound::Upper].into_iter().enumerate() {
            let stored = Entry { bound, proven: i == 1, depth: UNLIMITED_DEPTH, ..entry(-3.5, 7) };
            table.store(mix(i as u64), stored);
            assert_eq!(table.probe(mix(i as u64)), Some(stored));
        }
        assert_eq!(table.probe(mix(99)), None);
        assert_eq!(table.probe(0), None, "an empty slot is not an entry, also for the key 0");
    }

    #[test]
    fn a_table_uses_at_most_its_memory_limit() {
        for bytes in [1 << 10, 1 << 16, 3 << 20, 1_000_003] {
            assert!((bytes - 127..=bytes).contains(&Table::new(bytes).bytes()));
        }
    }

    #[test]
    fn a_value_that_needs_more_bits_becomes_a_true_bound() {
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
        for i in 1..=4 {
            assert!(table.store(mix(i), entry(0.0, 10 + i as u32)), "there is room");
        }
        assert!(!table.store(mix(5), entry(0.0, 2)), "it replaces another entry");
        let kept = |table: &Table| (1..=9).filter(|&i| table.probe(mix(i)).is_some()).count();
        assert_eq!((kept(&table), table.probe(mix(1))), (4, None));
        table.grow_older();
        for i in 6..=8 {
            table.store(mix(i), entry(0.0, 1));
        }
        assert!((6..=8).all(|i| table.probe(mix(i)).is_some()));
        assert!(table.probe(mix(4)).is_some(), "the deepest old entry is kept");
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow, and has only one thread")]
    fn nothing_is_lost_when_the_table_grows() {
        let table = Table::new(1 << 20);
        let first = 2 * MIN_LINES as u64;
        for i in 0..first {
            table.store(mix(i), entry(i as f64, 1));
        }
        let kept: Vec<u64> = (0..first).filter(|&i| table.probe(mix(i)).is_some()).collect();
        let lines = || table.lines.load(Ordering::Relaxed);
        while lines() < MIN_LINES + table.max_extension_lines {
            let before = lines();
            table.count_filled();
            assert!(lines() - before <= COUNT_INTERVAL as usize, "it grows by a little");
            for &i in &kept {
                assert_eq!(table.probe(mix(i)).map(|entry| entry.value), Some(i as f64));
            }
        }
        assert!(kept.len() as u64 > first * 9 / 10 && lines() > 4 * MIN_LINES);
    }

    /// Every stored value identifies its key, so that a mixed-up entry is noticed.
    #[test]
    fn threads_never_read_mixed_up_entries() {
        let (keys, rounds) = if cfg!(miri) { (6, 40) } else { (64, 200_000) };
        let table = Table::new(1 << 10);
        table.lines.store(1, Ordering::Relaxed);
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let table = &table;
                scope.spawn(move || {
                    let mut rng = Rng::new(thread);
                    for _ in 0..rounds {
                        let i = rng.below(keys);
                        let key = mix(i as u64);
                        if rng.below(rounds) == 0 {
                            table.count_filled(); // the table grows while others use it
                        } else if rng.below(2) == 0 {
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
