//! Action numbers: points row by row from the upper left, then the pass. On 5x5:
//! ```text
//! 5    0  1  2  3  4
//! 4    5  6  7  8  9
//! 3   10 11 12 13 14
//! 2   15 16 17 18 19
//! 1   20 21 22 23 24     pass 25
//!      A  B  C  D  E
//! ```

use tussle_core::{Actions, Game, Turn};

use super::bits::Bits;
use super::{Go, Move, Repetition, State};

impl<const N: usize> Go<N> {
    /// Returns the action of a pass, which is the last one.
    fn pass_action(&self) -> usize {
        self.options.width * self.options.height
    }
}

impl<const N: usize> Actions for Go<N> {
    fn actions(&self) -> usize {
        self.pass_action() + 1
    }

    #[inline]
    fn action(&self, _: &State<N>, mv: Move) -> usize {
        if mv == Move::PASS {
            return self.pass_action();
        }
        let (column, row) = Bits::<N>::place(mv.0);
        (self.options.height - 1 - row) * self.options.width + column
    }

    fn action_move(&self, state: &State<N>, action: usize) -> Option<Move> {
        let pass = self.pass_action();
        if action > pass || self.turn(state) == Turn::Over {
            return None;
        }
        if action == pass {
            return Some(Move::PASS);
        }
        let (column, row_from_top) = (action % self.options.width, action / self.options.width);
        let point = Bits::<N>::index(column, self.options.height - 1 - row_from_top);
        let playable = self.playable(state).has(point)
            && !(self.options.repetition == Repetition::Positional
                && self.would_repeat(state, point));
        playable.then_some(Move(point))
    }
}
