//! Looking through the children of a position.

use super::edge::{Edge, LANES};
use super::tree::{Block, Fours, Tree};

/// The child to go to.
#[derive(Debug)]
pub(super) struct Best<'t, M> {
    pub(super) child: Edge<'t, M>,
    pub(super) weight: f32,
    /// How many children have a place in the tree.
    pub(super) placed: usize,
}

impl<M: Copy> Tree<M> {
    /// The child that weighs most: the first of equals.
    #[expect(clippy::inline_always, reason = "half of a simulation is here")]
    #[inline(always)]
    pub(super) fn best(mut fours: Fours<'_, M>, bonus: f32) -> Best<'_, M> {
        let (weight, lane) = fours.here().heaviest(bonus);
        let child = Edge { four: fours.here(), lane };
        let mut best = Best { child, weight, placed: LANES };
        while best.weight < f32::INFINITY && fours.advance() {
            let (weight, lane) = fours.here().heaviest(bonus);
            if weight > best.weight {
                (best.weight, best.child) = (weight, Edge { four: fours.here(), lane });
            }
            best.placed += LANES;
        }
        best
    }

    /// The same among those that may still change what is proven of the position: not those that
    /// cannot beat what is sure already. But what is sure counts for what the position is worth,
    /// so only lost moves are passed over every time.
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
