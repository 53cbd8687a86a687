//! Sets of cells of the whole board, such as the stones of a player. A set is a 64-bit word with
//! one bit per cell and 16 bits per plate (quadrant):
//! ```text
//!      a  b  c    d  e  f
//! 6    0  1  2   16 17 18
//! 5    3  4  5   19 20 21      plates 0 and 1
//! 4    6  7  8   22 23 24
//!
//! 3   32 33 34   48 49 50
//! 2   35 36 37   51 52 53      plates 2 and 3
//! 1   38 39 40   54 55 56
//! ```
//! The upper seven bits of each plate are unused, so that a shift and a mask give the stones of a
//! plate. Random playouts store the motions of the plates there.

use super::plate::{MOTION_IMAGES, MOTIONS, SETS, moved};

/// Number of columns and of rows.
pub(super) const SIDE: usize = 6;
/// Number of cells.
pub(super) const CELLS: usize = 36;

/// Returns the bit of a cell. Columns count from the left, rows from the top, both from 0.
pub(super) const fn bit(column: usize, row: usize) -> usize {
    16 * (2 * (row / 3) + column / 3) + 3 * (row % 3) + column % 3
}

/// Returns the column, and the row from the top, of a bit.
pub(super) const fn place(bit: usize) -> (usize, usize) {
    let (plate, cell) = (bit / 16, bit % 16);
    (3 * (plate % 2) + cell % 3, 3 * (plate / 2) + cell / 3)
}

/// Bits of all cells, row by row from the upper left.
pub(super) static BITS: [u8; CELLS] = {
    let mut bits = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        bits[i] = bit(i % SIDE, i / SIDE) as u8;
        i += 1;
    }
    bits
};

/// All windows: the sets of five cells in a row.
pub(super) static WINDOWS: [u64; 32] = {
    let mut windows = [0; 32];
    let mut count = 0;
    let mut first = 0;
    while first < CELLS {
        let (c, r) = (first % SIDE, first / SIDE);
        if c < 2 {
            windows[count] = window((c, r), (1, 0));
            count += 1;
        }
        if r < 2 {
            windows[count] = window((c, r), (0, 1));
            count += 1;
        }
        if c < 2 && r < 2 {
            windows[count] = window((c, r), (1, 1));
            windows[count + 1] = window((c, r + 4), (1, -1));
            count += 2;
        }
        first += 1;
    }
    windows
};

const fn window((column, row): (usize, usize), (right, down): (isize, isize)) -> u64 {
    let mut cells = 0;
    let mut i = 0;
    while i < 5 {
        let (c, r) = (column as isize + i * right, row as isize + i * down);
        cells |= 1 << bit(c as usize, r as usize);
        i += 1;
    }
    cells
}

/// `COMPLETE[plate][SETS * motion + set]` has the windows of which no cell on this plate is
/// missing, if the stones `set` are on the plate and it makes the motion. A window is a bit, in the
/// order of [`WINDOWS`]. The conjunction of the words of all four plates has the complete windows.
pub(super) static COMPLETE: [[u32; SETS * MOTIONS]; 4] = {
    let mut words = [[0; SETS * MOTIONS]; 4];
    let mut plate = 0;
    while plate < 4 {
        let mut set = 0;
        while set < SETS {
            let mut w = 0;
            while w < 32 {
                let needed = part(WINDOWS[w], plate);
                if set & needed == needed {
                    words[plate][set] |= 1 << w;
                }
                w += 1;
            }
            set += 1;
        }
        let mut i = SETS;
        while i < SETS * MOTIONS {
            words[plate][i] = words[plate][MOTION_IMAGES[i / SETS][i % SETS] as usize];
            i += 1;
        }
        plate += 1;
    }
    words
};

/// Returns the stones on one plate, as an index below [`SETS`].
#[inline]
pub(super) const fn part(stones: u64, plate: usize) -> usize {
    (stones >> (16 * plate)) as usize % SETS
}

/// Returns the windows that these stones fill. The bits above a plate's stones can contain a motion
/// that is still to be applied to the plate.
#[inline]
pub(super) fn filled(stones: u64) -> u32 {
    let complete =
        |plate: usize| COMPLETE[plate][(stones >> (16 * plate)) as usize % (SETS * MOTIONS)];
    complete(0) & complete(1) & complete(2) & complete(3)
}

/// Returns true if these stones have five in a row.
#[inline]
pub(super) fn has_five(stones: u64) -> bool {
    filled(stones) != 0
}

/// Returns the stones after a motion of one plate.
#[inline]
pub(super) fn twisted(stones: u64, plate: usize, motion: usize) -> u64 {
    let old = part(stones, plate);
    stones ^ (old as u64 ^ u64::from(MOTION_IMAGES[motion][old])) << (16 * plate)
}

/// Returns the stones after a motion of the whole board: each plate makes the motion and moves to
/// the place of another plate.
pub(super) fn reflected(stones: u64, motion: usize) -> u64 {
    (0..4).fold(0, |all, plate| {
        let set = u64::from(MOTION_IMAGES[motion][part(stones, plate)]);
        all | set << (16 * moved_plate(plate, motion))
    })
}

/// Returns the place to which a motion of the whole board moves a plate.
pub(super) fn moved_plate(plate: usize, motion: usize) -> usize {
    let (r, c) = moved(motion, (plate / 2, plate % 2), 1);
    2 * r + c
}
