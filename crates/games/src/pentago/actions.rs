//! Action numbers: one plane of 36 cells for each twist, `action = 36 * twist + cell`. Cells and
//! quadrants are numbered row by row from the upper left:
//! ```text
//! 6    0  1  2 |  3  4  5
//! 5    6  7  8 |  9 10 11
//! 4   12 13 14 | 15 16 17      quadrant         0    1    2    3
//!     ---------+---------      twist           0 1  2 3  4 5  6 7
//! 3   18 19 20 | 21 22 23      pentago         l r  l r  l r  l r
//! 2   24 25 26 | 27 28 29      pentago-twist   r f  r f  r f  r f
//! 1   30 31 32 | 33 34 35
//!      a  b  c    d  e  f
//! ```
//! A twist that changes nothing has its own number, because it is a separate move.

use tussle_core::Actions;

use super::board::{BITS, CELLS, SIDE, place};
use super::{Move, Quadrants, State, Twists};

/// Number of twists: two for each quadrant.
const TWISTS: usize = 8;

impl<T: Twists> Actions for Quadrants<T> {
    fn actions(&self) -> usize {
        TWISTS * CELLS
    }

    #[inline]
    fn action(&self, _: &State, mv: Move) -> usize {
        let (column, row_from_top) = place(mv.bit());
        CELLS * mv.twist() + SIDE * row_from_top + column
    }

    #[inline]
    fn action_move(&self, state: &State, action: usize) -> Option<Move> {
        if action >= TWISTS * CELLS || state.is_over() {
            return None;
        }
        let bit = usize::from(BITS[action % CELLS]);
        (state.occupied() >> bit & 1 == 0).then(|| Move::new(bit, action / CELLS))
    }
}
