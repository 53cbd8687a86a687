//! Copy of a subtree into a new tree.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::Ordering::Relaxed;

use super::edge::{EDGES_PER_FOUR, Edge, Four};
use super::tree::{Block, Id, Tree};

impl<M: Copy> Tree<M> {
    /// Copies the subtree below an edge into a new tree of about `bytes` bytes at most, the most visited
    /// positions first.
    pub(super) fn copy_below(&self, id: Id, bytes: usize) -> Self {
        let copy = self.twin();
        copy.edge(0).copy_from(self.edge(id));
        // Among equally visited positions, the one that was added first is copied first.
        let mut open = BinaryHeap::from([(u32::MAX, Reverse(0), id, 0)]);
        let mut added = 0;
        // Transpositions keep sharing their children.
        let mut copied = HashMap::new();
        while let Some((_, _, from, to)) = open.pop() {
            let Some(block) = self.edge(from).block() else { continue };
            let new = match copied.get(&block.first) {
                Some(&twin) => Some(twin),
                None if copy.used_bytes() > bytes => None,
                None => copy.copy_block(self, block),
            };
            let Some(new) = new else { continue };
            let edge = copy.edge(to);
            edge.claim(true);
            edge.set_children(new, true);
            if copied.insert(block.first, new).is_none() {
                for ((old, edge), (new, _)) in self.children(block).zip(copy.children(new)) {
                    if edge.block().is_some() {
                        added += 1;
                        open.push((edge.visits(), Reverse(added), old, new));
                    }
                }
            }
        }
        copy
    }

    fn copy_block(&self, other: &Self, block: Block) -> Option<Block> {
        let mut first = None;
        let mut before: Option<&Four<M>> = None;
        for segment in other.segments(block) {
            let Some(place) = self.room_for(segment.fours.len()) else { break };
            let fours = self.segment(place);
            for (four, old) in fours.iter().zip(segment.fours) {
                if let Some(moves) = old.moves.get() {
                    let _ = four.moves.set(*moves);
                }
                for lane in 0..EDGES_PER_FOUR {
                    Edge { four, lane }.copy_from(Edge { four: old, lane });
                }
            }
            if let Some(before) = before {
                before.next.store(place, Relaxed);
            }
            before = fours.first();
            first = first.or(Some(place));
        }
        let copy = Block { first: first? };
        self.set_size(copy, other.size(block));
        Some(copy)
    }
}
