//! Plays of two different dice.

use super::plays::{Bits, Board, sources, target};
use super::{Move, Play, Roll, Step};

/// Returns the play with one step of the larger die and one of the smaller die. The step from the
/// farther place comes first, because that order is always legal.
#[inline]
pub(super) fn two_steps(roll: Roll, larger_from: usize, smaller_from: usize) -> Play {
    let larger = Step::new(larger_from, usize::from(roll.high));
    let smaller = Step::new(smaller_from, usize::from(roll.low));
    Play::new(if larger_from >= smaller_from { [larger, smaller] } else { [smaller, larger] })
}

/// The plays that use both of two different dice. A row has the plays that share the start of the step with
/// one die: this start, and the starts of the step with the other die as a bit mask.
pub(super) struct Pairs {
    rows: [(u8, u32); 32],
    /// Number of rows for the larger die, which come first.
    first_of_smaller: usize,
    len: usize,
}

impl Pairs {
    #[inline]
    fn push(&mut self, from: usize, others: u32) {
        // Fifteen checkers are on at most fifteen places, so there are at most 30 rows.
        self.rows[self.len] = (from as u8, others);
        self.len += usize::from(others != 0);
    }

    /// Lists the plays that use both dice, one for each resulting position.
    ///
    /// A play is a set of two steps. The order of the steps does not change the resulting position,
    /// only the legality. Two different sets lead to the same position in two cases only:
    /// - One checker makes both steps, over either of two points, and hits on neither. The play
    ///   that begins with the larger die is kept.
    /// - Two checkers are borne off, and either die can bear off either checker.
    #[inline]
    pub(super) fn new(board: &Board, roll: Roll) -> Self {
        let (larger, smaller) = (usize::from(roll.high), usize::from(roll.low));
        let (taken, open) = (board.own().taken(), board.open());
        let singles = board.own().singles();
        let after = |from: usize, die: usize| {
            taken & !(singles & 1 << from) | (1 << target(from, die)) & !1
        };
        // For each start of a step with the larger die: the starts for the smaller die after it.
        let mut then = [0u32; 26];
        // True if one checker can make both steps from here with the larger die first and neither
        // order hits. The play with the smaller die first then gives the same position.
        let same_way = |then: &[u32; 26], from: usize| {
            from > larger
                && then[from] >> (from - larger) & 1 != 0
                && (board.blots() >> (from - larger) | board.blots() >> (from - smaller)) & 1 == 0
        };
        let mut pairs = Self { rows: [(0, 0); 32], first_of_smaller: 0, len: 0 };
        let with_larger = sources(taken, open, larger);
        for from in Bits(with_larger) {
            let mut others = sources(after(from, larger), open, smaller);
            then[from] = others;
            // This pair of steps moves the checker from `behind` over `from`, with the smaller die
            // first. It is left out if the play with the larger die first is the same.
            let behind = from + smaller;
            if others >> behind & 1 != 0 && same_way(&then, behind) {
                others &= !(1 << behind);
            }
            pairs.push(from, others);
        }
        pairs.first_of_smaller = pairs.len;
        for from in Bits(sources(taken, open, smaller)) {
            // Steps that the larger die can also make first are in the rows above.
            let mut others = sources(after(from, smaller), open, larger) & !with_larger;
            if from > smaller {
                if others >> (from - smaller) & 1 != 0 && same_way(&then, from) {
                    others &= !(1 << (from - smaller));
                }
            } else {
                // The checker is borne off. Other checkers that the smaller die could bear off too
                // give plays that are already listed.
                let either = (1 << (smaller + 1)) - 1;
                others &= !(then[from] & either);
            }
            pairs.push(from, others);
        }
        pairs
    }

    /// Returns the number of plays.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.rows[..self.len].iter().map(|(_, others)| others.count_ones() as usize).sum()
    }

    #[inline]
    fn play(&self, row: usize, other: usize, roll: Roll) -> Play {
        let from = usize::from(self.rows[row].0);
        if row < self.first_of_smaller {
            two_steps(roll, from, other)
        } else {
            two_steps(roll, other, from)
        }
    }

    /// Returns the n-th play of the list.
    #[inline]
    pub(super) fn nth(&self, mut n: usize, roll: Roll) -> Play {
        for row in 0..self.len {
            let others = self.rows[row].1;
            let here = others.count_ones() as usize;
            if n < here {
                let other = Bits(others).nth(n).unwrap_or(0);
                return self.play(row, other, roll);
            }
            n -= here;
        }
        Play::NONE
    }

    /// Appends all plays.
    pub(super) fn append(&self, roll: Roll, out: &mut Vec<Move>) {
        for row in 0..self.len {
            let others = Bits(self.rows[row].1);
            out.extend(others.map(|other| Move::Play(self.play(row, other, roll))));
        }
    }
}

/// Returns the starts and the die of the single steps, for rolls of which only one die can be
/// played: the steps of the larger die, or those of the smaller die if the larger has none.
#[inline]
pub(super) fn single_steps(board: &Board, roll: Roll) -> (u32, usize) {
    let (larger, smaller) = (usize::from(roll.high), usize::from(roll.low));
    match board.sources(larger) {
        0 => (board.sources(smaller), smaller),
        steps => (steps, larger),
    }
}
