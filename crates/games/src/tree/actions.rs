//! Action numbers: the children of each node, in the order of the definition.
//! ```text
//!       A
//!     0/ \1
//!     B   C
//!       0/ \1
//!       D   E
//! ```
//! The same number means different moves at different nodes. A number for every edge of the tree
//! would avoid this, but a policy would then have as many entries as the tree has nodes.

use tussle_core::{Actions, Game};

use super::{State, Tree};

impl<const DUEL: bool> Actions for Tree<DUEL> {
    /// Returns the largest number of children of a player's node.
    fn actions(&self) -> usize {
        self.0.most_moves as usize
    }

    /// Returns the largest number of children of a chance node.
    fn chance_actions(&self) -> usize {
        self.0.most_outcomes as usize
    }

    #[inline]
    fn action(&self, _: &State, mv: u32) -> usize {
        mv as usize
    }

    #[inline]
    fn action_move(&self, state: &State, action: usize) -> Option<<Self as Game>::Move> {
        let mv = u32::try_from(action).ok()?;
        (mv < self.0.vertex(*state).children).then_some(mv)
    }
}
