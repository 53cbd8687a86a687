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
//! A table begins small and grows as it fills up, until it has the size it was given: short
//! searches stay in the cache and touch little memory, and the shortest never ask for more than
//! the beginning. It grows by a few lines at a time (linear hashing): to double a large table at
//! once takes tens of milliseconds, and a search whose time is up cannot wait for that.
//!
//! Values are kept in 32 bits. One that does not fit is rounded away from where it matters: a
//! lower bound down, an upper bound up, and an exact value becomes a lower bound.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use tussle_core::Bound;

/// The move of an entry that has none: what was stored first is not known.
pub(crate) const NO_MOVE: u16 = 0xfff;
/// A search to the end of the game.
pub(crate) const TO_THE_END: u32 = 0xfff;

const WORDS_A_LINE: usize = 8;
const ENTRIES_A_LINE: usize = 4;
const AGES: u8 = 32;
/// What an empty place is worth, less than any entry.
const EMPTY: u32 = 0;
/// A new table has this many lines, 64 KB.
const FEWEST_LINES: usize = 1 << 10;
/// New entries are counted in portions.
pub(crate) const PORTION: u32 = 256;

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
    /// The lines that a table begins with.
    beginning: Lines,
    /// The others, once they are needed.
    rest: OnceLock<Lines>,
    /// How many others there may be.
    most_others: usize,
    /// The lines in use.
    lines: AtomicUsize,
    /// Entries that took an empty place.
    filled: AtomicUsize,
    growing: AtomicBool,
    age: u8,
}

/// Memory, a cache line at a time.
struct Lines {
    words: Vec<AtomicU64>,
    /// The first word that begins a cache line.
    first: usize,
}

impl Lines {
    /// So many empty lines, or fewer if there is no such memory.
    fn new(mut lines: usize) -> Self {
        // Memory that the system hands out zeroed: pages are touched when they are used.
        let zeroed = |lines: usize| bytemuck::try_zeroed_vec((lines + 1) * WORDS_A_LINE).ok();
        let words: Vec<AtomicU64> = loop {
            match zeroed(lines) {
                Some(words) => break words,
                None => lines /= 2,
            }
        };
        let misaligned = words.as_ptr() as usize % 64 / 8;
        Self { words, first: (WORDS_A_LINE - misaligned) % WORDS_A_LINE }
    }

    fn len(&self) -> usize {
        self.words.len() / WORDS_A_LINE - 1
    }

    #[inline]
    fn line(&self, number: usize) -> &[AtomicU64; WORDS_A_LINE] {
        let start = self.first + number * WORDS_A_LINE;
        self.words[start..start + WORDS_A_LINE].try_into().expect("a line has eight words")
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} bytes)", self.bytes())
    }
}

impl Table {
    /// An empty table of at most this many bytes, and at least one line. It is smaller if there
    /// is no such memory.
    pub(crate) fn new(bytes: usize) -> Self {
        // One line in each part is lost to its alignment.
        let lines = (bytes / 64).saturating_sub(1).max(1);
        let beginning = Lines::new(lines.min(FEWEST_LINES));
        Self {
            lines: AtomicUsize::new(beginning.len()),
            beginning,
            rest: OnceLock::new(),
            most_others: lines.saturating_sub(FEWEST_LINES + 1),
            filled: AtomicUsize::new(0),
            growing: AtomicBool::new(false),
            age: 0,
        }
    }

    /// What it may take.
    pub(crate) fn bytes(&self) -> usize {
        let others = if self.most_others == 0 { 0 } else { self.most_others + 1 };
        (self.beginning.len() + 1 + others) * 64
    }

    /// A new search begins: what is older gives way first.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline]
    fn line(&self, number: usize) -> &[AtomicU64; WORDS_A_LINE] {
        match number.checked_sub(FEWEST_LINES) {
            None => self.beginning.line(number),
            Some(number) => self.rest.get().expect("lines in use are there").line(number),
        }
    }

    #[inline]
    fn line_of(&self, key: u64) -> &[AtomicU64; WORDS_A_LINE] {
        // As many bits of the key as number all lines; one less if that line is not there yet.
        let lines = self.lines.load(Ordering::Acquire);
        let mask = usize::MAX >> ((lines - 1) | 1).leading_zeros();
        let number = key as usize & mask;
        self.line(if number < lines { number } else { number & (mask >> 1) })
    }

    /// Another [`PORTION`] of empty places has been filled: makes room for more in time.
    #[cold]
    pub(crate) fn count_portion(&self) {
        let filled = self.filled.fetch_add(PORTION as usize, Ordering::Relaxed);
        let wanted = filled / (ENTRIES_A_LINE / 2);
        let wanted = wanted.min(self.beginning.len() + self.most_others);
        if wanted > self.lines.load(Ordering::Relaxed)
            && !self.growing.swap(true, Ordering::Acquire)
        {
            let lines = self.lines.load(Ordering::Relaxed);
            let wanted = wanted.min(lines + PORTION as usize);
            let others = if wanted > self.beginning.len() {
                self.rest.get_or_init(|| Lines::new(self.most_others)).len()
            } else {
                0
            };
            for new in lines..wanted.min(self.beginning.len() + others) {
                self.split_into(new);
            }
            self.growing.store(false, Ordering::Release);
        }
    }

    /// Takes one more line into use. Entries whose next bit is set move there from the line
    /// where they were till now; what other threads store meanwhile may get lost, which costs
    /// work and no correctness.
    fn split_into(&self, new: usize) {
        let bit = 1 << new.ilog2();
        let (old, line) = (self.line(new ^ bit), self.line(new));
        for slot in 0..ENTRIES_A_LINE {
            let data = old[2 * slot + 1].load(Ordering::Relaxed);
            let check = old[2 * slot].load(Ordering::Relaxed);
            if (check ^ data) as usize & bit != 0 {
                line[2 * slot].store(check, Ordering::Relaxed);
                line[2 * slot + 1].store(data, Ordering::Relaxed);
                old[2 * slot].store(0, Ordering::Relaxed);
                old[2 * slot + 1].store(0, Ordering::Relaxed);
            }
        }
        // Who sees the line sees that it is there.
        self.lines.store(new + 1, Ordering::Release);
    }

    /// What is known about the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let line = self.line_of(key);
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
    /// an old one before a new one, a shallow one before a deep one. Whether its place was empty.
    #[inline]
    pub(crate) fn store(&self, key: u64, entry: Entry) -> bool {
        let line = self.line_of(key);
        let (mut place, mut least) = (0, u32::MAX);
        for slot in 0..ENTRIES_A_LINE {
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
        least == EMPTY
    }

    #[inline]
    fn worth(&self, data: u64) -> u32 {
        let years = (self.age + AGES - (data >> 59) as u8) % AGES;
        let depth = (data >> 44 & 0xfff) as u32;
        let worth = 1 + depth + u32::from(AGES - years) * 4096;
        let bound = data >> 56 & 3;
        if bound == 0 { EMPTY } else { worth }
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
    fn it_takes_the_memory_it_is_given_and_no_more() {
        for bytes in [1 << 10, 1 << 16, 3 << 20, 1_000_003] {
            assert!((bytes - 127..=bytes).contains(&Table::new(bytes).bytes()));
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
        for i in 1..=4 {
            assert!(table.store(mix(i), entry(0.0, 10 + i as u32)), "there is room");
        }
        assert!(!table.store(mix(5), entry(0.0, 2)), "it takes the place of another");
        let kept = |table: &Table| (1..=9).filter(|&i| table.probe(mix(i)).is_some()).count();
        assert_eq!((kept(&table), table.probe(mix(1))), (4, None));
        table.grow_older();
        for i in 6..=8 {
            table.store(mix(i), entry(0.0, 1));
        }
        assert!((6..=8).all(|i| table.probe(mix(i)).is_some()));
        assert!(table.probe(mix(4)).is_some(), "the deepest of the old ones is left");
    }

    #[test]
    #[cfg_attr(miri, ignore = "one thread, and long")]
    fn nothing_is_lost_when_the_table_grows() {
        let table = Table::new(1 << 20);
        let first = 2 * FEWEST_LINES as u64;
        for i in 0..first {
            table.store(mix(i), entry(i as f64, 1));
        }
        let kept: Vec<u64> = (0..first).filter(|&i| table.probe(mix(i)).is_some()).collect();
        let lines = || table.lines.load(Ordering::Relaxed);
        while lines() < FEWEST_LINES + table.most_others {
            let before = lines();
            table.count_portion();
            assert!(lines() - before <= PORTION as usize, "it grows by a little");
            for &i in &kept {
                assert_eq!(table.probe(mix(i)).map(|entry| entry.value), Some(i as f64));
            }
        }
        assert!(kept.len() as u64 > first * 9 / 10 && lines() > 4 * FEWEST_LINES);
    }

    /// Every value stored says which key it belongs to, so a mixed-up entry would show.
    #[test]
    fn threads_never_read_what_nobody_wrote() {
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
                            table.count_portion(); // it grows under the others' hands
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
