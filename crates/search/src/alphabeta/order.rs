//! Move ordering: the sooner the best move is searched, the more is pruned.

use std::hash::{Hash, Hasher};

use tussle_core::Rng;

use super::search::Place;

/// Number of history slots per player; moves may share a slot by chance.
const SLOTS: usize = 4096;
/// Maximum size of a history score.
const MAX_HISTORY: i32 = 1 << 14;
/// Bonus of a killer move: more than a short history, less than a long one. In a game of few moves, such
/// as connect four, every move was a killer recently, and history is the better guide.
const KILLER_BONUS: u32 = 1 << 10;

/// Weight of a step in the promise of a move: half the range of the history.
const PROMISE_WEIGHT: u64 = MAX_HISTORY as u64;
/// Largest promise of a move that fits a key.
const MAX_PROMISE: u32 = 4095;

/// Bit of a key: the move has not been taken yet.
const OPEN: u64 = 1 << 63;
/// Bit of a key: the move is the best move of the table entry.
const HASH_MOVE: u64 = 1 << 62;

/// Killer moves and history of one thread.
#[derive(Clone, Debug)]
pub(super) struct Order<M> {
    /// Slots of the two latest killer moves, for each ply.
    killers: Vec<[usize; 2]>,
    /// History score for each player and slot. It rises when a move causes a cutoff, and falls when the
    /// move was searched before another one caused the cutoff. Deeper nodes change it more. The change
    /// shrinks as the score approaches its bound, so that old results fade.
    history: Vec<[i32; SLOTS]>,
    /// The two latest moves of each player that caused a cutoff directly above the leaves.
    refutations: [[Option<M>; 2]; 2],
}

/// Killer slot of a ply without killer moves.
const NO_KILLER: usize = usize::MAX;

impl<M: Copy + Eq + Hash> Order<M> {
    pub(super) fn new(players: usize) -> Self {
        Self {
            killers: Vec::new(),
            history: vec![[0; SLOTS]; players],
            refutations: [[None; 2]; 2],
        }
    }

    /// Starts a new search: clears the killers, whose plies have changed, and shrinks the history.
    pub(super) fn start(&mut self) {
        self.killers.clear();
        self.history.as_flattened_mut().iter_mut().for_each(|count| *count /= 8);
    }

    /// Learns that a move caused a cutoff.
    #[inline]
    pub(super) fn reward(&mut self, mv: M, place: Place) {
        let ply = place.ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [NO_KILLER; 2]);
        }
        let (slot, killers) = (slot(&mv), &mut self.killers[ply]);
        *killers = [slot, if killers[0] == slot { killers[1] } else { killers[0] }];
        self.learn(slot, place.who, weight(place.depth));
    }

    /// Learns that a move was searched before another one caused the cutoff.
    #[inline]
    pub(super) fn punish(&mut self, mv: M, place: Place) {
        self.learn(slot(&mv), place.who, -weight(place.depth));
    }

    /// Learns that a move caused a cutoff directly above the leaves.
    #[inline]
    pub(super) fn refute(&mut self, mv: M, who: usize) {
        let [latest, earlier] = &mut self.refutations[who % 2];
        if *latest != Some(mv) {
            (*latest, *earlier) = (Some(mv), *latest);
        }
    }

    /// Moves the latest refutations to the front of a list.
    ///
    /// Directly above the leaves, keys for all moves would take longer than the leaves that they save.
    #[inline]
    pub(super) fn put_refutations_first(&self, moves: &mut [M], who: usize) {
        let mut front = 0;
        for mv in self.refutations[who % 2].into_iter().flatten() {
            if let Some(i) = moves.iter().position(|&other| other == mv) {
                moves.swap(front, i);
                front += 1;
            }
        }
    }

    #[inline]
    fn learn(&mut self, slot: usize, player: usize, bonus: i32) {
        let history = &mut self.history[player][slot % SLOTS];
        *history += bonus - *history * bonus.abs() / MAX_HISTORY;
    }

    /// Appends a key for each move; moves with larger keys are searched first, and [`index`] returns the
    /// move of a key.
    ///
    /// One ply above the leaves, only history counts: killers cost more there than they save.
    #[inline]
    pub(super) fn keys(&self, moves: &[M], hash_move: u16, place: Place, out: &mut Vec<u64>) {
        let (history, first) = (&self.history[place.who], out.len());
        let rank = |slot| (MAX_HISTORY + history[slot]) as u32;
        let moves = moves.iter().enumerate();
        match self.killers.get(place.ply as usize).filter(|_| place.depth > 1) {
            None => out.extend(moves.map(|(i, mv)| key(rank(slot(mv)), i))),
            Some(&[latest, earlier]) => out.extend(moves.map(|(i, mv)| {
                let slot = slot(mv);
                let killer = u32::from(slot == latest) | u32::from(slot == earlier);
                key(rank(slot) + killer * KILLER_BONUS, i)
            })),
        }
        if let Some(key) = out.get_mut(first + usize::from(hash_move)) {
            *key |= HASH_MOVE;
        }
    }
}

/// Returns what the static promise of a move adds to its key.
#[inline]
pub(crate) fn promise_key(promise: u32) -> u64 {
    (u64::from(promise.min(MAX_PROMISE)) * PROMISE_WEIGHT) << 32
}

#[inline]
fn weight(depth: u32) -> i32 {
    depth.min(64).pow(2) as i32
}

/// Appends keys that keep the order of the list.
pub(super) fn plain_keys(moves: usize, out: &mut Vec<u64>) {
    out.extend((0..moves).map(|i| key(0, i)));
}

/// Randomises the order of moves with equal rank.
pub(super) fn shuffle(keys: &mut [u64], rng: &mut Rng) {
    for key in keys {
        *key |= rng.next_u64() >> 48 << 16;
    }
}

/// Minimum number of moves that get keys directly above the leaves. Shorter lists begin with the latest
/// refutations instead.
pub(super) const MIN_FRONTIER_KEYS: usize = 65;

/// Maximum number of moves with keys: a key has 16 bits for the index of its move.
pub(super) const MAX_KEYED_MOVES: usize = 0x1_0000;

/// Returns the key of move number `i`; among moves of equal rank, the first in the list has the largest key.
#[inline]
fn key(rank: u32, i: usize) -> u64 {
    OPEN | u64::from(rank) << 32 | (0xffff - i as u64)
}

/// Returns the index in the list of the move with this key.
#[inline]
pub(super) fn index(key: u64) -> usize {
    0xffff - (key & 0xffff) as usize
}

/// Number of moves that are selected one by one before the rest is sorted: most cutoffs come early.
const PICKS_BEFORE_SORT: usize = 4;
/// Maximum number of moves that are never sorted: scanning a short list is faster.
const MAX_UNSORTED_MOVES: usize = 16;

/// Returns key number `i` in descending order, and marks it as taken.
///
/// Until the keys are sorted, they have the order of the moves.
#[inline]
pub(super) fn pick(keys: &mut [u64], i: usize) -> u64 {
    let (key, place) = if i < PICKS_BEFORE_SORT || keys.len() <= MAX_UNSORTED_MOVES {
        let key = keys.iter().fold(0, |best, &key| best.max(key));
        (key, index(key))
    } else {
        if i == PICKS_BEFORE_SORT {
            sort(keys);
        }
        (keys[i - PICKS_BEFORE_SORT], i - PICKS_BEFORE_SORT)
    };
    keys[place] = key & !OPEN;
    key
}

/// Sorts keys in descending order. Not inlined into [`pick`], because few nodes get here.
#[inline(never)]
fn sort(keys: &mut [u64]) {
    keys.sort_unstable_by(|a, b| b.cmp(a));
}

/// Returns true if the move with this key has been taken.
#[inline]
pub(super) fn is_taken(key: u64) -> bool {
    key & OPEN == 0
}

#[inline]
fn slot<M: Hash>(mv: &M) -> usize {
    (hash(mv) >> 52) as usize % SLOTS
}

/// Returns a hash of a move, with the best bits first.
#[inline]
pub(super) fn hash<M: Hash>(mv: &M) -> u64 {
    let mut hasher = Fold(0);
    mv.hash(&mut hasher);
    hasher.0
}

/// Fast hasher for moves, which consist of a few small numbers.
struct Fold(u64);

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u8(byte);
        }
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(who: usize, depth: u32, ply: u32) -> Place {
        Place { depth, ply, who }
    }

    /// Returns the moves 0 to 9 in their order at ply 4, with 8 as the table move.
    fn picked(order: &Order<u8>) -> Vec<usize> {
        let moves: Vec<u8> = (0..10).collect();
        let mut keys = Vec::new();
        order.keys(&moves, 8, at(0, 2, 4), &mut keys);
        (0..10).map(|i| index(pick(&mut keys, i))).collect()
    }

    #[test]
    fn moves_are_ordered_by_table_killers_history_and_list() {
        let mut order: Order<u8> = Order::new(2);
        order.reward(7, at(0, 10, 9)); // history only: the cutoff was at another ply
        order.reward(3, at(0, 2, 9));
        order.reward(5, at(0, 1, 4));
        order.reward(2, at(0, 1, 4));
        order.reward(6, at(1, 20, 4)); // a move of the other player
        order.reward(2, at(0, 1, 4));
        order.punish(0, at(0, 3, 9));
        assert_eq!(picked(&order), [8, 2, 6, 7, 3, 5, 1, 4, 9, 0]);
    }

    #[test]
    fn a_long_history_outranks_a_killer_and_stays_in_bounds() {
        let mut order: Order<u8> = Order::new(2);
        for _ in 0..1000 {
            order.reward(7, at(0, 64, 9));
            order.punish(1, at(0, 64, 9));
        }
        order.reward(5, at(0, 1, 4));
        assert_eq!(picked(&order), [8, 7, 5, 0, 2, 3, 4, 6, 9, 1]);
        assert!(order.history[0].iter().all(|h| h.abs() <= MAX_HISTORY));
    }
}
