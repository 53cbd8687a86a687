//! A random play without the list of all of them.

use tussle_core::Rng;

use super::checkers::{BAR, HOME};
use super::doubles::{Doubles, with_last};
use super::pairs::{Pairs, single_steps, two_steps};
use super::plays::Board;
use super::{Play, Roll, Step};

/// Two dice thrown; for an opening roll, until they differ.
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

/// The number of the n-th lowest bit of a set, from 0.
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

/// One of the plays of a roll, each equally likely.
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

/// Of a double: each row of plays replaces the choice so far with the probability that the
/// choice lies in it, given that it is not in a later one.
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

/// Of two different dice, as [`Pairs`] lists them, if nothing can enter or be borne off:
/// then which pairs of steps there are follows from a few sets, and only those that must not be
/// drawn are drawn again. `None` if there are none, or it is not so simple.
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
    // Steps of each die that can be made at once, and checkers that can make both.
    let with_larger = taken & open << larger;
    let with_smaller = taken & open << smaller;
    let both = open << (larger + smaller);
    // Those that make both by way of an empty point: the second step cannot be made at once.
    let larger_first = with_larger & both & !(taken << larger);
    let smaller_first = with_smaller & both & !(taken << smaller);
    // Ways of one checker that lead to the same position, whichever die comes first.
    let same = with_larger & with_smaller & both & !(blots << larger | blots << smaller);
    // A lone checker does not make both steps from one place.
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
