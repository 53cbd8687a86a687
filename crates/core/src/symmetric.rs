//! Reflections and rotations of boards.

use crate::Hashed;

/// Game with symmetries: reflections and rotations of the board under which its rules stay the same.
/// Symmetry 0 is the identity.
///
/// A game without symmetry writes `impl Symmetric for MyGame {}`.
///
/// # Contract
/// For every symmetry `s`: reflecting a position and then making the reflected move gives the
/// reflection of making the move. Symmetries form a group, so that
/// [`canonical`](Symmetric::canonical) is the same for all reflections of a position.
pub trait Symmetric: Hashed {
    /// Returns the number of symmetries, including the identity [default: 1].
    fn symmetries(&self) -> usize {
        1
    }

    /// Returns the position reflected by symmetry `s`.
    fn reflect(&self, state: &Self::State, s: usize) -> Self::State {
        debug_assert_eq!(s, 0);
        state.clone()
    }

    /// Returns the move reflected by symmetry `s`.
    fn reflect_move(&self, mv: Self::Move, s: usize) -> Self::Move {
        debug_assert_eq!(s, 0);
        mv
    }

    /// Returns the least [`board_key`](Hashed::board_key) of all reflections, and the symmetry that
    /// gives it.
    fn canonical(&self, state: &Self::State) -> (u64, usize) {
        (0..self.symmetries())
            .map(|s| (self.board_key(&self.reflect(state, s)), s))
            .min()
            .expect("the identity is always there")
    }
}
