//! Action numbers: the columns from the left.
//! ```text
//! 0 1 2 3 4 5 6
//! ```

use tussle_core::{Actions, Game, Turn};

use super::{Connect4, State};

impl Actions for Connect4 {
    fn actions(&self) -> usize {
        self.width()
    }

    #[inline]
    fn action(&self, _: &State, column: u8) -> usize {
        column.into()
    }

    #[inline]
    fn action_move(&self, state: &State, action: usize) -> Option<u8> {
        if action >= self.width() || self.turn(state) == Turn::Over {
            return None;
        }
        let landing = self.landings(state.occupied()) & self.column(action);
        (landing != 0).then_some(action as u8)
    }
}
