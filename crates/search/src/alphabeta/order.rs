//! Which move to look at first: the sooner the best one comes, the more is cut.

use std::hash::{Hash, Hasher};

use tussle_core::Rng;

/// History slots for each player; moves share a slot by chance.
const SLOTS: usize = 4096;
/// No history is better or worse than this.
const MOST: i32 = 1 << 14;
/// What it is worth to have cut at the same ply lately. More than a little history, less than a
/// long one: in a game of few moves, such as the columns of connect four, every move has cut
/// somewhere lately, and history knows better.
const KILLER: i32 = 1 << 10;

const HASH_MOVE: u64 = 1 << 62;

/// What earlier cut-offs teach about moves.
#[derive(Clone, Debug)]
pub(super) struct Order<M> {
    /// For each ply the two latest moves that cut there.
    killers: Vec<[Option<M>; 2]>,
    /// For each player and slot how its moves have fared: up with every cut, down when they were
    /// tried in vain before another cut; more the deeper it was, and less the more extreme the
    /// history is, so that it never leaves its bounds and forgets what is long ago.
    history: Vec<[i32; SLOTS]>,
}

impl<M: Copy + Eq + Hash> Order<M> {
    pub(super) fn new(players: usize) -> Self {
        Self { killers: Vec::new(), history: vec![[0; SLOTS]; players] }
    }

    /// A new search begins: its plies are others, but good moves often stay good.
    pub(super) fn start(&mut self) {
        self.killers.clear();
        self.history.as_flattened_mut().iter_mut().for_each(|count| *count /= 8);
    }

    /// This move cut.
    #[inline]
    pub(super) fn reward(&mut self, mv: M, player: usize, depth: u32, ply: usize) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        self.learn(mv, player, weight(depth));
    }

    /// This move was tried in vain before another one cut.
    #[inline]
    pub(super) fn punish(&mut self, mv: M, player: usize, depth: u32) {
        self.learn(mv, player, -weight(depth));
    }

    #[inline]
    fn learn(&mut self, mv: M, player: usize, bonus: i32) {
        let history = &mut self.history[player][slot(&mv)];
        *history += bonus - *history * bonus.abs() / MOST;
    }

    /// Appends a key for each move; larger keys come first, and [`index`] tells whose it is.
    #[inline]
    pub(super) fn keys(
        &self,
        moves: &[M],
        hash_move: u16,
        player: usize,
        ply: usize,
        out: &mut Vec<u64>,
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or([None; 2]);
        let history = &self.history[player];
        out.extend(moves.iter().enumerate().map(|(i, mv)| {
            let rank = if i == usize::from(hash_move) {
                HASH_MOVE
            } else {
                let killer = if killers.contains(&Some(*mv)) { KILLER } else { 0 };
                ((MOST + history[slot(mv)] + killer) as u64) << 32
            };
            rank | tie_break(i)
        }));
    }
}

#[inline]
fn weight(depth: u32) -> i32 {
    depth.min(64).pow(2) as i32
}

/// The keys of moves in their own order.
pub(super) fn plain_keys(moves: usize, out: &mut Vec<u64>) {
    out.extend((0..moves).map(tie_break));
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
fn tie_break(i: usize) -> u64 {
    0xffff - i as u64
}

/// The place in the list of the move with this key.
#[inline]
pub(super) fn index(key: u64) -> usize {
    0xffff - (key & 0xffff) as usize
}

/// Moves looked for one by one before the rest is sorted: most cuts come early.
const PICKED: usize = 4;

/// Brings the next key to the place `i`.
#[inline]
pub(super) fn pick(keys: &mut [u64], i: usize) -> u64 {
    if i < PICKED {
        let mut best = i;
        for j in i + 1..keys.len() {
            if keys[j] > keys[best] {
                best = j;
            }
        }
        keys.swap(i, best);
    } else if i == PICKED {
        keys[i..].sort_unstable_by(|a, b| b.cmp(a));
    }
    keys[i]
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

    /// The moves 0 to 9, the table's move being 8, in the order at ply 4.
    fn picked(order: &Order<u8>) -> Vec<usize> {
        let moves: Vec<u8> = (0..10).collect();
        let mut keys = Vec::new();
        order.keys(&moves, 8, 0, 4, &mut keys);
        (0..10).map(|i| index(pick(&mut keys, i))).collect()
    }

    #[test]
    fn the_table_move_comes_first_then_killers_then_what_has_cut_most_then_the_list() {
        let mut order: Order<u8> = Order::new(2);
        order.reward(7, 0, 10, 9); // only history: it cut at another ply
        order.reward(3, 0, 2, 9);
        order.reward(5, 0, 1, 4);
        order.reward(2, 0, 1, 4);
        order.reward(6, 1, 20, 4); // the other player's
        order.reward(2, 0, 1, 4);
        order.punish(0, 0, 3);
        assert_eq!(picked(&order), [8, 2, 6, 7, 3, 5, 1, 4, 9, 0]);
    }

    #[test]
    fn a_long_history_weighs_more_than_one_late_cut_and_stays_in_bounds() {
        let mut order: Order<u8> = Order::new(2);
        for _ in 0..1000 {
            order.reward(7, 0, 64, 9);
            order.punish(1, 0, 64);
        }
        order.reward(5, 0, 1, 4);
        assert_eq!(picked(&order), [8, 7, 5, 0, 2, 3, 4, 6, 9, 1]);
        assert!(order.history[0].iter().all(|h| h.abs() <= MOST));
    }
}
