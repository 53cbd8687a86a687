//! Action numbers: the directions, clockwise from the top, on every board.
//! ```text
//!   0
//! 3   1
//!   2
//! ```

use tussle_core::{Actions, Game, Turn};

use super::{DIRECTIONS, Direction, KeepOnMoving};

impl<const WORDS: usize, const PLAYERS: usize> Actions for KeepOnMoving<WORDS, PLAYERS> {
    fn actions(&self) -> usize {
        DIRECTIONS.len()
    }

    #[inline]
    fn action(&self, _: &Self::State, direction: Direction) -> usize {
        direction as usize
    }

    #[inline]
    fn action_move(&self, state: &Self::State, action: usize) -> Option<Direction> {
        let &direction = DIRECTIONS.get(action)?;
        let exits = self.exits(&state.free, state.cells[usize::from(state.mover)]);
        let legal = self.turn(state) != Turn::Over && exits >> action & 1 != 0;
        legal.then_some(direction)
    }
}
