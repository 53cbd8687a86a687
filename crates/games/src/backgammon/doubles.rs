//! The plays of a double.

use super::checkers::{BAR, Checkers};
use super::plays::{Bits, Board, sources, target};
use super::{Play, Step};

/// Finds the plays of a double. Which steps are made says where they lead, and their order only
/// whether it is legal; the farthest checker first is legal if any order is. So the plays are
/// the sequences of steps that never go back to a farther place.
pub(super) struct Doubles<F> {
    open: u32,
    die: usize,
    steps: [Step; 4],
    /// Is given the plays by rows: the steps, how many of them, and the places the last one of
    /// them can start from. Only the longest plays are legal: a row of longer ones than before
    /// makes those before void.
    row: F,
}

impl<F: FnMut([Step; 4], usize, u32)> Doubles<F> {
    /// Passes every play to `row`.
    #[inline]
    pub(super) fn find(board: &Board, die: usize, row: F) {
        let mut plays = Self { open: board.open(), die, steps: [Step::NONE; 4], row };
        plays.extend(board.own(), 0, BAR);
    }

    /// Extends a play by steps from `farthest` or nearer.
    fn extend(&mut self, own: Checkers, made: usize, farthest: usize) {
        let (taken, singles) = (own.taken(), own.singles());
        let places = sources(taken, self.open, self.die) & ((2 << farthest) - 1);
        let mut ends = 0;
        for from in Bits(places) {
            let to = target(from, self.die);
            // Where a next step can start from.
            let after = taken & !(singles & 1 << from) | (1 << to) & !1;
            let next = sources(after, self.open, self.die) & ((2 << from) - 1);
            if next == 0 {
                ends |= 1 << from;
                continue;
            }
            self.steps[made] = Step::new(from, self.die);
            if made == 2 {
                (self.row)(self.steps, 4, next);
            } else {
                let mut moved = own;
                moved.remove(from);
                moved.add(to);
                self.extend(moved, made + 1, from);
            }
        }
        self.steps[made] = Step::NONE;
        if ends != 0 {
            (self.row)(self.steps, made + 1, ends);
        }
    }
}

/// A play of a row: its last step starts from here.
#[inline]
pub(super) fn with_last(mut steps: [Step; 4], made: usize, from: usize, die: usize) -> Play {
    steps[made - 1] = Step::new(from, die);
    Play(steps)
}
