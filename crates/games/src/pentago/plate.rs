//! One quarter of the board, a plate of 3x3 cells, and the ways it can be put back.
//!
//! A set of its cells is nine bits, row by row from the upper left:
//! ```text
//! 0 1 2
//! 3 4 5
//! 6 7 8
//! ```
//! A *motion* is one of the eight ways to put a square back in its place, numbered
//! `quarters + 4 * flip`: first flip left and right if `flip` is 1, then turn clockwise by so
//! many quarters. The same numbers do for the whole board.

/// Leaves everything where it is.
pub(super) const STAY: usize = 0;
/// A quarter turn clockwise: `new[r][c] = old[2 - c][r]`.
pub(super) const RIGHT: usize = 1;
/// A half turn.
pub(super) const HALF: usize = 2;
/// A quarter turn anticlockwise.
pub(super) const LEFT: usize = 3;
/// Left and right swapped: `new[r][c] = old[r][2 - c]`.
pub(super) const FLIP: usize = 4;

/// The number of motions.
pub(super) const MOTIONS: usize = 8;
/// The number of sets of cells, and the set of all cells plus one.
pub(super) const SETS: usize = 512;

/// Where a motion takes the place in this row and column, of a square `last + 1` places wide.
pub(super) const fn moved(
    motion: usize,
    (mut r, mut c): (usize, usize),
    last: usize,
) -> (usize, usize) {
    if motion >= FLIP {
        c = last - c;
    }
    let mut quarter = 0;
    while quarter < motion % 4 {
        (r, c) = (c, last - r);
        quarter += 1;
    }
    (r, c)
}

/// `after` made after `before`. A flip turns the sense of every turn made before it.
pub(super) const fn compose(after: usize, before: usize) -> usize {
    let turns = if after >= FLIP { 4 - before % 4 } else { before % 4 };
    (after + turns) % 4 + 4 * ((after / 4 + before / 4) % 2)
}

/// The motion that takes this one back. A flip followed by turns is a reflection, which takes
/// itself back.
pub(super) const fn inverse(motion: usize) -> usize {
    if motion >= FLIP { motion } else { (4 - motion) % 4 }
}

/// What a motion makes of a set of cells.
pub(super) static MOVED: [[u16; SETS]; MOTIONS] = {
    let mut sets = [[0; SETS]; MOTIONS];
    let mut motion = 0;
    while motion < MOTIONS {
        let mut cell = 0;
        while cell < 9 {
            let (r, c) = moved(motion, (cell / 3, cell % 3), 2);
            // The sets that have this cell as their largest are smaller ones and this cell.
            let mut rest = 0;
            while rest < 1 << cell {
                sets[motion][1 << cell | rest] = sets[motion][rest] | 1 << (3 * r + c);
                rest += 1;
            }
            cell += 1;
        }
        motion += 1;
    }
    sets
};
