//! Choice of the child with the largest weight.

use super::edge::{EDGES_PER_FOUR, Edge};
use super::tree::{Block, Fours, Tree};

/// Result of a choice.
#[derive(Debug)]
pub(super) struct Best<'t, M> {
    pub(super) child: Edge<'t, M>,
    pub(super) weight: f32,
    /// Number of slots that were compared.
    pub(super) placed: usize,
}

impl<M: Copy> Tree<M> {
    /// Returns the child with the largest weight, the first among equals.
    #[expect(clippy::inline_always, reason = "half of a simulation is here")]
    #[inline(always)]
    pub(super) fn best(mut fours: Fours<'_, M>, bonus: f32) -> Best<'_, M> {
        let (weight, lane) = fours.here().largest_weight(bonus);
        let child = Edge { four: fours.here(), lane };
        let mut best = Best { child, weight, placed: EDGES_PER_FOUR };
        while best.weight < f32::INFINITY && fours.advance() {
            let (weight, lane) = fours.here().largest_weight(bonus);
            if weight > best.weight {
                (best.weight, best.child) = (weight, Edge { four: fours.here(), lane });
            }
            best.placed += EDGES_PER_FOUR;
        }
        best
    }

    /// Returns the child with the largest weight among those that can still improve the proof of the
    /// position. Children that cannot exceed the proven lower bound still affect its mean, so with
    /// `all_but_lost` only lost moves are skipped.
    pub(super) fn best_unproven(
        &self,
        block: Block,
        bonus: f32,
        all_but_lost: bool,
    ) -> Best<'_, M> {
        let sure = if all_but_lost { 0 } else { self.proof_of(block).least() };
        let child = self.first_child(block);
        let mut best = Best { child, weight: f32::NEG_INFINITY, placed: 0 };
        for (_, edge) in self.children(block) {
            best.placed += 1;
            let weight = edge.weight().under(bonus);
            if edge.proof().most() > sure && weight > best.weight {
                (best.child, best.weight) = (edge, weight);
            }
        }
        best
    }
}
