//! The moves of one node, in the order in which they are searched.
//!
//! Moves and their keys lie on the stacks of the search; a queue only knows where. It is left
//! at the end of the node, whatever happened there.

use tussle_core::{Observer, ZeroSum};

use super::MoveOrder;
use super::order;
use super::search::{Place, Search};
use crate::score;

#[derive(Clone, Copy)]
pub(super) struct Queue {
    /// Where the moves begin in the stack of moves, and their keys in that of keys.
    base: usize,
    first_key: usize,
    /// The moves of the node.
    count: usize,
    /// Those that were put off, which wait behind all others.
    waiting: usize,
    /// How many have been taken so far.
    pub(super) taken: usize,
    /// Whether there are keys: otherwise moves are taken as they stand.
    ordered: bool,
}

impl Queue {
    /// Whether the move just taken was put off before.
    #[inline]
    pub(super) fn was_put_off(&self) -> bool {
        self.taken > self.count
    }
}

/// Moves that a cut skips.
pub(super) struct Left<M> {
    pub(super) number: usize,
    /// The moves, if anybody wants to know.
    pub(super) moves: Vec<M>,
}

impl<G: ZeroSum, O: Observer<G::Move>> Search<'_, G, O> {
    /// Lines up the moves of a node.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call for every node is a twentieth of the time")]
    pub(super) fn line_up(&mut self, state: &G::State, hash_move: u16, place: Place) -> Queue {
        let (base, first_key) = (self.buffer.len(), self.keys.len());
        score::moves(self.game, state, self.switches.dedupe, &mut self.buffer);
        let moves = &self.buffer[base..];
        let count = moves.len();
        let full = self.switches.order == MoveOrder::Full;
        let ordered =
            (full || self.switches.shuffle || self.busy.is_some()) && count <= order::MOST_MOVES;
        if ordered {
            if full {
                self.order.keys(moves, hash_move, place, &mut self.keys);
            } else {
                order::plain_keys(count, &mut self.keys);
            }
            if self.switches.shuffle {
                order::shuffle(&mut self.keys[first_key..], &mut self.rng);
            }
        }
        Queue { base, first_key, count, waiting: 0, taken: 0, ordered }
    }

    /// The next move, by its place in the list of moves.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call for every node is a twentieth of the time")]
    pub(super) fn take(&mut self, queue: &mut Queue) -> Option<usize> {
        let Queue { first_key, count, taken, .. } = *queue;
        if taken >= count + queue.waiting {
            return None;
        }
        queue.taken += 1;
        Some(if taken >= count {
            self.keys[first_key + taken] as usize
        } else if queue.ordered {
            order::index(order::pick(&mut self.keys[first_key..first_key + count], taken))
        } else {
            taken
        })
    }

    /// Puts the move just taken off to the end, once.
    pub(super) fn put_off(&mut self, queue: &mut Queue, index: usize) {
        self.keys.push(index as u64);
        queue.waiting += 1;
    }

    #[inline]
    pub(super) fn move_at(&self, queue: &Queue, index: usize) -> G::Move {
        self.buffer[queue.base + index]
    }

    /// The node is done.
    #[inline]
    pub(super) fn clear_up(&mut self, queue: Queue) {
        self.buffer.truncate(queue.base);
        self.keys.truncate(queue.first_key);
    }

    /// The moves that have not been taken.
    #[inline]
    pub(super) fn left(&self, queue: Queue) -> Left<G::Move> {
        let Queue { base, first_key, count, waiting, taken, ordered } = queue;
        let moves = if !self.observer.is_active() {
            Vec::new()
        } else if ordered {
            let mut keys = self.keys[first_key..first_key + count].to_vec();
            keys.sort_unstable_by(|a, b| b.cmp(a));
            let behind = &self.keys[first_key + taken.max(count)..];
            let places = keys.iter().take_while(|&&key| !order::is_taken(key));
            let places = places.map(|&key| order::index(key));
            let places = places.chain(behind.iter().map(|&index| index as usize));
            places.map(|index| self.buffer[base + index]).collect()
        } else {
            self.buffer[base + taken..base + count].to_vec()
        };
        Left { number: count + waiting - taken, moves }
    }

    /// Remembers that a move cut, and that those taken before it did not.
    #[inline]
    pub(super) fn learn(&mut self, queue: Queue, index: usize, place: Place) {
        if self.switches.order != MoveOrder::Full {
            return;
        }
        let Queue { base, first_key, count, .. } = queue;
        let moves = &self.buffer[base..base + count];
        self.order.reward(moves[index], place);
        if queue.taken > 1 && queue.ordered {
            for &key in &self.keys[first_key..first_key + count] {
                let other = order::index(key);
                if order::is_taken(key) && other != index {
                    self.order.punish(moves[other], place);
                }
            }
        }
    }
}
