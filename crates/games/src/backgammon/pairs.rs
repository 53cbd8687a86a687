//! The plays of two different dice.

use super::plays::{Bits, Board, sources, target};
use super::{Move, Play, Roll, Step};

/// The play that moves from one place with the larger die and from one with the smaller. The
/// farther checker's step comes first: that order is always legal.
#[inline]
pub(super) fn two_steps(roll: Roll, larger_from: usize, smaller_from: usize) -> Play {
    let larger = Step::new(larger_from, usize::from(roll.high));
    let smaller = Step::new(smaller_from, usize::from(roll.low));
    Play::new(if larger_from >= smaller_from { [larger, smaller] } else { [smaller, larger] })
}

/// The plays of two different dice. A row is a place to move from with one die, and the set of
/// places to move from with the other.
pub(super) struct Pairs {
    rows: [(u8, u32); 32],
    /// The first rows are for the larger die, the others for the smaller one.
    first_of_smaller: usize,
    len: usize,
}

impl Pairs {
    #[inline]
    fn push(&mut self, from: usize, others: u32) {
        // Fifteen checkers stand on fifteen places at most, so there are 30 rows at most.
        self.rows[self.len] = (from as u8, others);
        self.len += usize::from(others != 0);
    }

    /// The plays that use both dice, each result once.
    ///
    /// A play is a set of two steps; the order does not change where it leads, only whether it
    /// is legal. Two sets lead to the same position in two cases only:
    /// - one checker makes both steps, by way of the one point or the other, and hits on
    ///   neither; the way that begins with the larger die is kept;
    /// - two checkers are borne off, and either die would do for either.
    #[inline]
    pub(super) fn new(board: &Board, roll: Roll) -> Self {
        let (larger, smaller) = (usize::from(roll.high), usize::from(roll.low));
        let (taken, open) = (board.own().taken(), board.open());
        let singles = board.own().singles();
        let after = |from: usize, die: usize| {
            taken & !(singles & 1 << from) | (1 << target(from, die)) & !1
        };
        // After a step of the larger die from here: where the smaller one can be played from.
        let mut then = [0u32; 26];
        // Whether one checker's way from here that begins with the smaller die leads nowhere else
        // than the way that begins with the larger one.
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
            // The checker behind, by way of this point, where another one leaves for it.
            let behind = from + smaller;
            if others >> behind & 1 != 0 && same_way(&then, behind) {
                others &= !(1 << behind);
            }
            pairs.push(from, others);
        }
        pairs.first_of_smaller = pairs.len;
        for from in Bits(sources(taken, open, smaller)) {
            // What the larger die could do at once, it could do first: those are listed.
            let mut others = sources(after(from, smaller), open, larger) & !with_larger;
            if from > smaller {
                if others >> (from - smaller) & 1 != 0 && same_way(&then, from) {
                    others &= !(1 << (from - smaller));
                }
            } else {
                // Borne off; so would the others be that the smaller die could bear off too.
                let either = (1 << (smaller + 1)) - 1;
                others &= !(then[from] & either);
            }
            pairs.push(from, others);
        }
        pairs
    }

    /// How many plays there are.
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

    /// The play at this place of the list.
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

    /// Appends them all.
    pub(super) fn append(&self, roll: Roll, out: &mut Vec<Move>) {
        for row in 0..self.len {
            let others = Bits(self.rows[row].1);
            out.extend(others.map(|other| Move::Play(self.play(row, other, roll))));
        }
    }
}

/// The single steps, where two cannot be made: the larger die's, or if it has none the smaller
/// one's.
#[inline]
pub(super) fn single_steps(board: &Board, roll: Roll) -> (u32, usize) {
    let (larger, smaller) = (usize::from(roll.high), usize::from(roll.low));
    match board.sources(larger) {
        0 => (board.sources(smaller), smaller),
        steps => (steps, larger),
    }
}
