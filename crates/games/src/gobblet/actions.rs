//! Action numbers: one plane of nine target cells for each named piece,
//! `action = 9 * piece + cell`.
//! ```text
//!  0  1  2    9 10 11   18 19 20   27 28 29   36 37 38   45 46 47
//!  3  4  5   12 13 14   21 22 23   30 31 32   39 40 41   48 49 50
//!  6  7  8   15 16 17   24 25 26   33 34 35   42 43 44   51 52 53
//!    B1         B2         M1         M2         S1         S2
//! ```
//! The position determines the cell that a piece leaves. Two equal pieces in hand have separate
//! planes, because their moves are different.

use tussle_core::{Actions, Game, Turn};

use super::{Gobblet, Move, State};

const CELLS: usize = 9;
const PIECES: usize = 6;

impl Actions for Gobblet {
    fn actions(&self) -> usize {
        PIECES * CELLS
    }

    #[inline]
    fn action(&self, _: &State, mv: Move) -> usize {
        CELLS * mv.piece() + mv.cell()
    }

    #[inline]
    fn action_move(&self, state: &State, action: usize) -> Option<Move> {
        if action >= PIECES * CELLS || self.turn(state) == Turn::Over {
            return None;
        }
        let mv = Move::new(action / CELLS, action % CELLS);
        (state.legal() >> mv.0 & 1 != 0).then_some(mv)
    }
}
