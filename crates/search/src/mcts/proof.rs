//! What is proven about a move: bounds on how the game ends, in steps of loss, draw and win.
//!
//! Two bounds prove more than results do: where a draw is sure, moves that cannot win need no
//! further look, whether they draw or lose (score-bounded Monte Carlo tree search, Cazenave and
//! Saffidine 2010).

use tussle_core::{Game, Outcome};

use super::edge::Edge;
use super::tree::{Block, Tree};

/// At least and at most this much for the player who makes the move: 0 loss, 1 draw, 2 win.
///
/// The two low bits count what is sure, the next two what is out of reach: they are only ever
/// set, so that threads need not agree on who sets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof(u8);

impl Proof {
    pub(super) const BITS: u8 = 0b1111;
    pub(super) const UNKNOWN: Self = Self(0);
    pub(super) const WIN: Self = Self(0b0011);
    pub(super) const DRAW: Self = Self(0b0101);
    pub(super) const LOSS: Self = Self(0b1100);

    /// What a finished game proves for a player.
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

    /// At least this.
    pub(super) fn least(self) -> u32 {
        (self.0 & 0b11).count_ones()
    }

    /// At most this.
    pub(super) fn most(self) -> u32 {
        2 - (self.0 >> 2).count_ones()
    }

    fn between(least: u32, most: u32) -> Self {
        Self([0, 0b01, 0b11][least as usize] | [0b1100, 0b0100, 0][most as usize])
    }

    /// Whether nothing is left to prove.
    pub(super) fn is_exact(self) -> bool {
        self.least() == self.most()
    }

    /// As reports say it.
    pub(super) fn outcome(self) -> Option<Outcome> {
        let outcomes = [Outcome::Loss, Outcome::Draw, Outcome::Win];
        self.is_exact().then(|| outcomes[self.least() as usize])
    }

    /// The same for the other player.
    pub(super) fn turned(self) -> Self {
        Self::between(2 - self.most(), 2 - self.least())
    }
}

impl<M: Copy> Tree<M> {
    /// What the player who chooses among these can be sure of, and cannot exceed.
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

/// Which move to play rather, as far as that is proven, where the position is sure to give
/// `least`: a win, then what may still be one, then what cannot be better than that, then a loss.
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
    fn bounds_turn_round_with_the_player() {
        assert_eq!(Proof::WIN.turned(), Proof::LOSS);
        assert_eq!(Proof::DRAW.turned(), Proof::DRAW);
        let not_lost = Proof::between(1, 2);
        assert_eq!(not_lost.turned(), Proof::between(0, 1));
        assert_eq!(not_lost.turned().turned(), not_lost);
        assert_eq!((not_lost.least(), not_lost.most(), not_lost.outcome()), (1, 2, None));
    }

    #[test]
    fn more_proof_is_more_bits() {
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
