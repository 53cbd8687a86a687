//! Plays of a double.

use super::checkers::{BAR, Checkers};
use super::plays::{Bits, Board, sources, target};
use super::{Play, Step};

/// Search for the plays of a double.
///
/// The steps determine the resulting position; their order only matters for legality. Moving the
/// farthest checker first is legal if any order is. The plays are therefore the legal sequences of
/// steps in which no step starts farther away than the one before.
pub(super) struct Doubles<F> {
    open: u32,
    die: usize,
    steps: [Step; 4],
    /// Receives rows of plays: the steps, their number, and the places from which the last step can
    /// start. Only the longest plays are legal, so a longer row invalidates the rows before it.
    row: F,
}

impl<F: FnMut([Step; 4], usize, u32)> Doubles<F> {
    /// Calls `row` with every row of plays.
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
            // Places from which a next step can start.
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

/// Returns the play of a row whose last step starts from `from`.
#[inline]
pub(super) fn with_last(mut steps: [Step; 4], made: usize, from: usize, die: usize) -> Play {
    steps[made - 1] = Step::new(from, die);
    Play(steps)
}
