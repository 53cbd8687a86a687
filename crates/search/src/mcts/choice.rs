//! Looking through the children of a position.

use super::edge::{LANES, Proof};
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

    /// The same among those that are not proven to lose, and, if so wished, not to draw either:
    /// what is proven needs no further look. But a proven draw still counts for what the position
    /// is worth, so it cannot be passed over every time.
    pub(super) fn best_unproven(&self, block: Block, bonus: f32, without_draws: bool) -> Best {
        let mut best = Best { child: block.first_child(), weight: f32::NEG_INFINITY, placed: 0 };
        for (id, edge) in self.children(block) {
            best.placed += 1;
            let skipped = match edge.proof() {
                Proof::Loss => true,
                Proof::Draw => without_draws,
                Proof::Win | Proof::Unknown => false,
            };
            let weight = edge.weight().under(bonus);
            if !skipped && weight > best.weight {
                (best.child, best.weight) = (id, weight);
            }
        }
        best
    }

    /// What the player who chooses among these can prove: a win if one of them wins, otherwise
    /// the best if all are proven.
    pub(super) fn best_proof(&self, block: Block) -> Option<Proof> {
        let (mut best, mut proven) = (Proof::Loss, 0);
        for (_, edge) in self.children(block) {
            match edge.proof() {
                Proof::Win => return Some(Proof::Win),
                Proof::Draw => best = Proof::Draw,
                Proof::Loss => {}
                Proof::Unknown => continue,
            }
            proven += 1;
        }
        (proven == block.len).then_some(best)
    }
}
