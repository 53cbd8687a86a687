//! Looking through the children of a position.

use super::edge::LANES;
use super::tree::{Block, Id, Tree};

/// The child to go to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) child: Id,
    pub(super) weight: f32,
    /// How many children have a place in the tree.
    pub(super) placed: usize,
}

/// One instruction, where `f32::max` takes several because it looks for NaN.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

impl<M: Copy> Tree<M> {
    /// The child that weighs most: the first of equals.
    #[inline]
    pub(super) fn best(&self, block: Block, bonus: f32) -> Best {
        let mut best = Best { child: block.first_child(), weight: f32::NEG_INFINITY, placed: 0 };
        for segment in self.segments(block) {
            for (i, four) in segment.fours.iter().enumerate() {
                let [a, b, c, d] = four.weigh(bonus);
                let weight = larger(larger(a, b), larger(c, d));
                // Seldom true, and so cheap.
                if weight > best.weight {
                    let lane = if a == weight {
                        0
                    } else if b == weight {
                        1
                    } else {
                        2 + Id::from(c != weight)
                    };
                    best.weight = weight;
                    best.child = (segment.first + i as u32) * LANES as Id + lane;
                    if weight == f32::INFINITY {
                        return best;
                    }
                }
            }
            best.placed = segment.end();
        }
        best
    }

    /// The same among those that may still change what is proven of the position: not those that
    /// cannot beat what is sure already. But what is sure counts for what the position is worth,
    /// so only lost moves are passed over every time.
    pub(super) fn best_unproven(&self, block: Block, bonus: f32, all_but_lost: bool) -> Best {
        let sure = if all_but_lost { 0 } else { self.proof_of(block).least() };
        let mut best = Best { child: block.first_child(), weight: f32::NEG_INFINITY, placed: 0 };
        for (id, edge) in self.children(block) {
            best.placed += 1;
            let weight = edge.weight().under(bonus);
            if edge.proof().most() > sure && weight > best.weight {
                (best.child, best.weight) = (id, weight);
            }
        }
        best
    }
}
