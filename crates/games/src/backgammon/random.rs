//! Random choice of a play without a list of all plays.

use tussle_core::Rng;

use super::checkers::{BAR, HOME};
use super::doubles::{Doubles, with_last};
use super::pairs::{Pairs, single_steps, two_steps};
use super::plays::Board;
use super::{Play, Roll, Step};

/// Rolls two dice. An opening roll is never a double.
#[inline]
pub(super) fn throw(opening: bool, rng: &mut Rng) -> Roll {
    let (a, b) = if opening {
        let a = rng.below(6);
        (a, (a + 1 + rng.below(5)) % 6)
    } else {
        let both = rng.below(36);
        (both / 6, both % 6)
    };
    Roll { high: a.max(b) as u8 + 1, low: a.min(b) as u8 + 1 }
}

/// Returns the position of the n-th lowest bit of a set, counted from 0.
#[inline]
fn nth(mut set: u32, n: usize) -> usize {
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros() as usize
}

fn size(set: u32) -> usize {
    set.count_ones() as usize
}

/// Returns a random play of a roll. All plays are equally likely.
#[inline]
pub(super) fn random_play(board: &Board, roll: Roll, rng: &mut Rng) -> Play {
    if roll.is_double() {
        return random_double(board, roll.high.into(), rng);
    }
    if let Some(play) = random_pair(board, roll, rng) {
        return play;
    }
    let pairs = Pairs::new(board, roll);
    let count = pairs.count();
    if count > 0 {
        return pairs.nth(rng.below(count), roll);
    }
    let (steps, die) = single_steps(board, roll);
    if steps == 0 {
        return Play::NONE;
    }
    Play::one(Step::new(nth(steps, rng.below(size(steps))), die))
}

/// Returns a random play of a double by reservoir sampling: each row of plays replaces the choice
/// so far with a probability of its size divided by the number of plays seen.
fn random_double(board: &Board, die: usize, rng: &mut Rng) -> Play {
    let (mut longest, mut seen, mut chosen) = (0, 0, Play::NONE);
    Doubles::find(board, die, |steps, made, places| {
        if made > longest {
            (longest, seen) = (made, 0);
        }
        if made == longest {
            let here = size(places);
            seen += here;
            let n = rng.below(seen);
            if n < here {
                chosen = with_last(steps, made, nth(places, n), die);
            }
        }
    });
    chosen
}

/// Returns a random play of two different dice from the list of [`Pairs`], if no checker is on the
/// bar and no checker can be borne off. In this case a few sets give all pairs of steps, and
/// invalid pairs are drawn again. Returns `None` in all other cases and if there is no such play.
#[inline]
fn random_pair(board: &Board, roll: Roll, rng: &mut Rng) -> Option<Play> {
    let (larger, smaller) = (usize::from(roll.high), usize::from(roll.low));
    let (taken, singles) = (board.own().taken(), board.own().singles());
    let (open, blots) = (board.open(), board.blots());
    let outside = taken & !HOME;
    let two_outside = outside & outside.wrapping_sub(1) | outside & !singles;
    if two_outside == 0 || outside >> BAR != 0 {
        return None;
    }
    // Starts of legal steps with each die, and starts from which both steps end on an open point.
    let with_larger = taken & open << larger;
    let with_smaller = taken & open << smaller;
    let both = open << (larger + smaller);
    // Starts of both steps by one checker over an empty point, whose second step is not in the
    // product of the first two sets.
    let larger_first = with_larger & both & !(taken << larger);
    let smaller_first = with_smaller & both & !(taken << smaller);
    // Starts of both steps by one checker that lead to the same position with either die first.
    let same = with_larger & with_smaller & both & !(blots << larger | blots << smaller);
    // A single checker cannot make both steps from its place.
    let lone = with_larger & with_smaller & singles;
    let square = size(with_larger) * size(with_smaller);
    let all = square + size(larger_first) + size(smaller_first);
    if all == size(lone) + size(same) {
        return None;
    }
    loop {
        let n = rng.below(all);
        let (larger_from, smaller_from) = if n < square {
            let columns = size(with_smaller) as u32;
            let (row, column) = (n as u32 / columns, n as u32 % columns);
            (nth(with_larger, row as usize), nth(with_smaller, column as usize))
        } else if n - square < size(larger_first) {
            let from = nth(larger_first, n - square);
            (from, from - larger)
        } else {
            let from = nth(smaller_first, n - square - size(larger_first));
            (from - smaller, from)
        };
        let lone = larger_from == smaller_from && lone >> larger_from & 1 != 0;
        let twice = larger_from + smaller == smaller_from && same >> smaller_from & 1 != 0;
        if !lone && !twice {
            return Some(two_steps(roll, larger_from, smaller_from));
        }
    }
}
