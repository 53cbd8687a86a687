//! The numbers of moves: the places of a node's children in the order in which they are written.
//! ```text
//!       A
//!     0/ \1
//!     B   C
//!       0/ \1
//!       D   E
//! ```
//! Numbers for every edge of the tree would identify moves across nodes, but a mask would be as
//! long as the tree is large.

use tussle_core::{Actions, Game};

use super::{State, Tree};

impl<const DUEL: bool> Actions for Tree<DUEL> {
    /// The largest number of children of a player's node.
    fn actions(&self) -> usize {
        self.0.most_moves as usize
    }

    /// The largest number of children of a chance node.
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
