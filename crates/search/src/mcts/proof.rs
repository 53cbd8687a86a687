//! Proofs of MCTS-Solver: a lower and an upper bound of the outcome of a move.
//!
//! Two bounds prove more than a single outcome: once a draw is certain, moves that cannot win need no
//! further search, whether they draw or lose (score-bounded Monte Carlo tree search, Cazenave and
//! Saffidine 2010).

use tussle_core::{Game, Outcome};

use super::edge::Edge;
use super::tree::{Block, Tree};

/// Bounds of the outcome for the player who makes the move: 0 is a loss, 1 a draw, 2 a win.
///
/// The number of set bits among the two lowest is the lower bound; the number of set bits among the next two
/// is 2 minus the upper bound. Bits are only ever set and never cleared, so threads need no lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof(u8);

impl Proof {
    pub(super) const BITS: u8 = 0b1111;
    pub(super) const UNKNOWN: Self = Self(0);
    pub(super) const WIN: Self = Self(0b0011);
    pub(super) const DRAW: Self = Self(0b0101);
    pub(super) const LOSS: Self = Self(0b1100);

    /// Returns the proof by a finished game for a player.
    pub(super) fn of_end<G: Game>(game: &G, state: &G::State, player: usize) -> Self {
        match game.utility(state, player) {
            u if u > 0.0 => Self::WIN,
            u if u < 0.0 => Self::LOSS,
            _ => Self::DRAW,
        }
    }

    pub(super) fn from_bits(bits: u8) -> Self {
        Self(bits & Self::BITS)
    }

    pub(super) fn to_bits(self) -> u8 {
        self.0
    }

    /// Returns the lower bound.
    pub(super) fn least(self) -> u32 {
        (self.0 & 0b11).count_ones()
    }

    /// Returns the upper bound.
    pub(super) fn most(self) -> u32 {
        2 - (self.0 >> 2).count_ones()
    }

    fn between(least: u32, most: u32) -> Self {
        Self([0, 0b01, 0b11][least as usize] | [0b1100, 0b0100, 0][most as usize])
    }

    /// Returns true if both bounds are equal.
    pub(super) fn is_exact(self) -> bool {
        self.least() == self.most()
    }

    /// Returns the outcome, if both bounds are equal.
    pub(super) fn outcome(self) -> Option<Outcome> {
        let outcomes = [Outcome::Loss, Outcome::Draw, Outcome::Win];
        self.is_exact().then(|| outcomes[self.least() as usize])
    }

    /// Returns the proof for the other player.
    pub(super) fn turned(self) -> Self {
        Self::between(2 - self.most(), 2 - self.least())
    }
}

impl<M: Copy> Tree<M> {
    /// Returns the bounds for the player who chooses among these children.
    pub(super) fn proof_of(&self, block: Block) -> Proof {
        let (mut least, mut most, mut seen) = (0, 0, 0);
        for (_, edge) in self.children(block) {
            let proof = edge.proof();
            least = least.max(proof.least());
            most = most.max(proof.most());
            seen += 1;
        }
        Proof::between(least, if seen < self.size(block) { 2 } else { most })
    }
}

/// Returns the rank of a move by its proof, where `least` is the lower bound of the position.
///
/// The rank is 3 for a win, 2 for a move that may be better than `least`, 1 for one that cannot, and 0 for a loss.
pub(super) fn rank<M: Copy>(edge: Edge<'_, M>, least: u32) -> u32 {
    let proof = edge.proof();
    match (proof.least(), proof.most()) {
        (2, _) => 3,
        (_, 0) => 0,
        (0, most) if most <= least => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_change_sides_for_the_other_player() {
        assert_eq!(Proof::WIN.turned(), Proof::LOSS);
        assert_eq!(Proof::DRAW.turned(), Proof::DRAW);
        let not_lost = Proof::between(1, 2);
        assert_eq!(not_lost.turned(), Proof::between(0, 1));
        assert_eq!(not_lost.turned().turned(), not_lost);
        assert_eq!((not_lost.least(), not_lost.most(), not_lost.outcome()), (1, 2, None));
    }

    #[test]
    fn two_proofs_are_combined_by_setting_the_bits_of_both() {
        let draws = Proof::between(1, 2).to_bits() | Proof::between(0, 1).to_bits();
        assert_eq!(Proof::from_bits(draws), Proof::DRAW);
        assert_eq!(Proof::from_bits(0xf0), Proof::UNKNOWN);
        for (proof, outcome) in
            [(Proof::WIN, Outcome::Win), (Proof::DRAW, Outcome::Draw), (Proof::LOSS, Outcome::Loss)]
        {
            assert_eq!(proof.outcome(), Some(outcome));
        }
    }
}
