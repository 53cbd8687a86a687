//! The moves of one node, in the order in which they are searched.
//!
//! Moves and their keys lie on the stacks of the search; a queue has their positions there. The caller
//! removes them with [`Search::remove_moves`] at the end of the node.

use tussle_core::{Observer, ZeroSum};

use super::MoveOrder;
use super::order;
use super::search::{Place, Search};

#[derive(Clone, Copy)]
pub(super) struct Queue {
    /// Start of the moves in the stack of moves.
    base: usize,
    /// Start of the keys in the stack of keys.
    first_key: usize,
    /// Number of moves of the node.
    count: usize,
    /// Number of postponed moves, which come after all others.
    waiting: usize,
    /// Number of moves taken so far.
    pub(super) taken: usize,
    /// True if the moves have keys; otherwise they are taken in the order of the list.
    ordered: bool,
}

impl Queue {
    /// Returns true if the moves have keys, so that moves can be postponed.
    #[inline]
    pub(super) fn has_keys(&self) -> bool {
        self.ordered
    }

    /// Returns true if the move just taken was postponed before.
    #[inline]
    pub(super) fn was_postponed(&self) -> bool {
        self.taken > self.count
    }
}

/// Moves that a cutoff skips.
pub(super) struct SkippedMoves<M> {
    pub(super) number: usize,
    /// The moves, if there is an observer.
    pub(super) moves: Vec<M>,
}

impl<G: ZeroSum, O: Observer<G::Move>> Search<'_, G, O> {
    /// Computes the keys of the moves of a node, which begin at `base` in the stack of moves.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call for every node is a twentieth of the time")]
    pub(super) fn queue_moves(
        &mut self,
        state: &G::State,
        base: usize,
        hash_move: u16,
        place: Place,
    ) -> Queue {
        let first_key = self.keys.len();
        let moves = &mut self.buffer[base..];
        let count = moves.len();
        let full = self.switches.order == MoveOrder::Full;
        if full && place.depth == 1 && count < order::MIN_FRONTIER_KEYS && !self.switches.shuffle {
            self.order.put_refutations_first(moves, place.who);
            return Queue { base, first_key, count, waiting: 0, taken: 0, ordered: false };
        }
        let ordered = (full || self.switches.shuffle || self.teamwork.is_some())
            && count <= order::MAX_KEYED_MOVES;
        if ordered {
            if full {
                self.order.keys(moves, hash_move, place, &mut self.keys);
                if let Some(tactics) = self.tactics.filter(|_| place.depth > 1 && count > 1) {
                    (tactics.promises)(self.game, state, moves, &mut self.keys[first_key..]);
                }
            } else {
                order::plain_keys(count, &mut self.keys);
            }
            if self.switches.shuffle {
                order::shuffle(&mut self.keys[first_key..], &mut self.rng);
            }
        }
        Queue { base, first_key, count, waiting: 0, taken: 0, ordered }
    }

    /// Takes the next move and returns its index in the list.
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

    /// Postpones the move just taken to the end of the queue.
    pub(super) fn postpone(&mut self, queue: &mut Queue, index: usize) {
        self.keys.push(index as u64);
        queue.waiting += 1;
    }

    /// Removes what deeper nodes have left on the stacks after an interrupt.
    pub(super) fn remove_deeper(&mut self, queue: &Queue) {
        self.buffer.truncate(queue.base + queue.count);
        self.keys.truncate(queue.first_key + queue.count + queue.waiting);
    }

    #[inline]
    pub(super) fn move_at(&self, queue: &Queue, index: usize) -> G::Move {
        self.buffer[queue.base + index]
    }

    /// Removes the moves and keys of a finished node.
    #[inline]
    pub(super) fn remove_moves(&mut self, queue: Queue) {
        self.buffer.truncate(queue.base);
        self.keys.truncate(queue.first_key);
    }

    /// Returns the moves that have not been taken.
    #[inline]
    pub(super) fn skipped(&self, queue: Queue) -> SkippedMoves<G::Move> {
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
        SkippedMoves { number: count + waiting - taken, moves }
    }

    /// Updates the move ordering after a cutoff by the move at `index`; the moves taken before it did not
    /// cause one.
    #[inline]
    pub(super) fn learn(&mut self, queue: Queue, index: usize, place: Place) {
        if self.switches.order != MoveOrder::Full {
            return;
        }
        let Queue { base, first_key, count, .. } = queue;
        let moves = &self.buffer[base..base + count];
        if place.depth == 1 && !queue.ordered {
            self.order.refute(moves[index], place.who);
            return;
        }
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
