//! Plates, the quadrants of the board with 3x3 cells, and their motions.
//!
//! A set of cells of a plate is nine bits, row by row from the upper left:
//! ```text
//! 0 1 2
//! 3 4 5
//! 6 7 8
//! ```
//! A *motion* is one of the eight rotations and reflections of a square, numbered
//! `quarters + 4 * flip`: swap left and right if `flip` is 1, then turn clockwise by `quarters`
//! quarters. Motions of the whole board have the same numbers.

/// Identity.
pub(super) const IDENTITY: usize = 0;
/// Quarter turn clockwise: `new[r][c] = old[2 - c][r]`.
pub(super) const RIGHT: usize = 1;
/// Half turn.
pub(super) const HALF: usize = 2;
/// Quarter turn anticlockwise.
pub(super) const LEFT: usize = 3;
/// Flip that swaps left and right: `new[r][c] = old[r][2 - c]`.
pub(super) const FLIP: usize = 4;

/// Number of motions.
pub(super) const MOTIONS: usize = 8;
/// Number of sets of cells of a plate.
pub(super) const SETS: usize = 512;

/// Returns the row and column to which a motion moves a cell of a square with `last + 1` columns.
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

/// Returns the motion `before` followed by `after`. A flip reverses the direction of the turns
/// before it.
pub(super) const fn compose(after: usize, before: usize) -> usize {
    let turns = if after >= FLIP { 4 - before % 4 } else { before % 4 };
    (after + turns) % 4 + 4 * ((after / 4 + before / 4) % 2)
}

/// Returns the inverse motion. A flip followed by turns is a reflection, which is its own inverse.
pub(super) const fn inverse(motion: usize) -> usize {
    if motion >= FLIP { motion } else { (4 - motion) % 4 }
}

/// `MOTION_IMAGES[motion][set]` is a set of cells after a motion.
pub(super) static MOTION_IMAGES: [[u16; SETS]; MOTIONS] = {
    let mut sets = [[0; SETS]; MOTIONS];
    let mut motion = 0;
    while motion < MOTIONS {
        let mut cell = 0;
        while cell < 9 {
            let (r, c) = moved(motion, (cell / 3, cell % 3), 2);
            // Sets whose highest cell is this one are the sets of lower cells with this cell added.
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
