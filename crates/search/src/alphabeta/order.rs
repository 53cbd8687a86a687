//! Which move to look at first: the sooner the best one comes, the more is cut.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use tussle_core::Rng;

use super::search::Place;

/// History slots for each player; moves share a slot by chance.
const SLOTS: usize = 4096;
/// No history is better or worse than this.
const MOST: i32 = 1 << 14;
/// What it is worth to have cut at the same ply lately. More than a little history, less than a
/// long one: in a game of few moves, such as the columns of connect four, every move has cut
/// somewhere lately, and history knows better.
const KILLER: u32 = 1 << 10;

/// In a key: the move has not been taken yet, and it is the table's.
const OPEN: u64 = 1 << 63;
const HASH_MOVE: u64 = 1 << 62;

/// What earlier cut-offs teach about moves.
#[derive(Clone, Debug)]
pub(super) struct Order<M> {
    /// For each ply the slots of the two latest moves that cut there.
    killers: Vec<[usize; 2]>,
    /// For each player and slot how its moves have fared: up with every cut, down when they were
    /// tried in vain before another cut; more the deeper it was, and less the more extreme the
    /// history is, so that it never leaves its bounds and forgets what is long ago.
    history: Vec<[i32; SLOTS]>,
    moves: PhantomData<fn(M)>,
}

/// No move has cut here.
const NOBODY: usize = usize::MAX;

impl<M: Copy + Eq + Hash> Order<M> {
    pub(super) fn new(players: usize) -> Self {
        Self { killers: Vec::new(), history: vec![[0; SLOTS]; players], moves: PhantomData }
    }

    /// A new search begins: its plies are others, but good moves often stay good.
    pub(super) fn start(&mut self) {
        self.killers.clear();
        self.history.as_flattened_mut().iter_mut().for_each(|count| *count /= 8);
    }

    /// This move cut.
    #[inline]
    pub(super) fn reward(&mut self, mv: M, place: Place) {
        let ply = place.ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [NOBODY; 2]);
        }
        let (slot, killers) = (slot(&mv), &mut self.killers[ply]);
        *killers = [slot, if killers[0] == slot { killers[1] } else { killers[0] }];
        self.learn(slot, place.who, weight(place.depth));
    }

    /// This move was tried in vain before another one cut.
    #[inline]
    pub(super) fn punish(&mut self, mv: M, place: Place) {
        self.learn(slot(&mv), place.who, -weight(place.depth));
    }

    #[inline]
    fn learn(&mut self, slot: usize, player: usize, bonus: i32) {
        let history = &mut self.history[player][slot % SLOTS];
        *history += bonus - *history * bonus.abs() / MOST;
    }

    /// Appends a key for each move; larger keys come first, and [`index`] tells whose it is.
    ///
    /// Just above the leaves, history alone orders them: killers cost more than they cut there.
    #[inline]
    pub(super) fn keys(&self, moves: &[M], hash_move: u16, place: Place, out: &mut Vec<u64>) {
        let (history, first) = (&self.history[place.who], out.len());
        let rank = |slot| (MOST + history[slot]) as u32;
        let moves = moves.iter().enumerate();
        match self.killers.get(place.ply as usize).filter(|_| place.depth > 1) {
            None => out.extend(moves.map(|(i, mv)| key(rank(slot(mv)), i))),
            Some(&[latest, earlier]) => out.extend(moves.map(|(i, mv)| {
                let slot = slot(mv);
                let killer = u32::from(slot == latest) | u32::from(slot == earlier);
                key(rank(slot) + killer * KILLER, i)
            })),
        }
        if let Some(key) = out.get_mut(first + usize::from(hash_move)) {
            *key |= HASH_MOVE;
        }
    }
}

#[inline]
fn weight(depth: u32) -> i32 {
    depth.min(64).pow(2) as i32
}

/// The keys of moves in their own order.
pub(super) fn plain_keys(moves: usize, out: &mut Vec<u64>) {
    out.extend((0..moves).map(|i| key(0, i)));
}

/// Equal moves come in random order.
pub(super) fn shuffle(keys: &mut [u64], rng: &mut Rng) {
    for key in keys {
        *key |= rng.next_u64() >> 48 << 16;
    }
}

/// Keys have room for the places of this many moves.
pub(super) const MOST_MOVES: usize = 0x1_0000;

/// The first of equals is the first in the list.
#[inline]
fn key(rank: u32, i: usize) -> u64 {
    OPEN | u64::from(rank) << 32 | (0xffff - i as u64)
}

/// The place in the list of the move with this key.
#[inline]
pub(super) fn index(key: u64) -> usize {
    0xffff - (key & 0xffff) as usize
}

/// Moves looked for one by one before the rest is sorted: most cuts come early.
const PICKED: usize = 4;
/// So few moves are never sorted: to look for the next one needs no guesses.
const FEW: usize = 16;

/// Takes the key of number `i` in the order, and marks it as taken.
///
/// Until they are sorted, keys stand where their moves do.
#[inline]
pub(super) fn pick(keys: &mut [u64], i: usize) -> u64 {
    let (key, place) = if i < PICKED || keys.len() <= FEW {
        let key = keys.iter().fold(0, |best, &key| best.max(key));
        (key, index(key))
    } else {
        if i == PICKED {
            sort(keys);
        }
        (keys[i - PICKED], i - PICKED)
    };
    keys[place] = key & !OPEN;
    key
}

/// Not where moves are picked: few nodes get here.
#[inline(never)]
fn sort(keys: &mut [u64]) {
    keys.sort_unstable_by(|a, b| b.cmp(a));
}

/// Whether the move with this key has been taken.
#[inline]
pub(super) fn is_taken(key: u64) -> bool {
    key & OPEN == 0
}

#[inline]
fn slot<M: Hash>(mv: &M) -> usize {
    let mut hasher = Fold(0);
    mv.hash(&mut hasher);
    (hasher.0 >> 52) as usize % SLOTS
}

/// A hasher for moves, which are a few small numbers.
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

    /// The moves 0 to 9, the table's move being 8, in the order at ply 4.
    fn picked(order: &Order<u8>) -> Vec<usize> {
        let moves: Vec<u8> = (0..10).collect();
        let mut keys = Vec::new();
        order.keys(&moves, 8, at(0, 2, 4), &mut keys);
        (0..10).map(|i| index(pick(&mut keys, i))).collect()
    }

    #[test]
    fn the_table_move_comes_first_then_killers_then_what_has_cut_most_then_the_list() {
        let mut order: Order<u8> = Order::new(2);
        order.reward(7, at(0, 10, 9)); // only history: it cut at another ply
        order.reward(3, at(0, 2, 9));
        order.reward(5, at(0, 1, 4));
        order.reward(2, at(0, 1, 4));
        order.reward(6, at(1, 20, 4)); // the other player's
        order.reward(2, at(0, 1, 4));
        order.punish(0, at(0, 3, 9));
        assert_eq!(picked(&order), [8, 2, 6, 7, 3, 5, 1, 4, 9, 0]);
    }

    #[test]
    fn a_long_history_weighs_more_than_one_late_cut_and_stays_in_bounds() {
        let mut order: Order<u8> = Order::new(2);
        for _ in 0..1000 {
            order.reward(7, at(0, 64, 9));
            order.punish(1, at(0, 64, 9));
        }
        order.reward(5, at(0, 1, 4));
        assert_eq!(picked(&order), [8, 7, 5, 0, 2, 3, 4, 6, 9, 1]);
        assert!(order.history[0].iter().all(|h| h.abs() <= MOST));
    }
}
