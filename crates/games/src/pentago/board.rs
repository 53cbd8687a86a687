//! A player's stones on the whole board, one bit a cell, one 16-bit part of the word a plate:
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
//! The upper seven bits of each part stay empty, so that a plate is a shift and a mask away.
//! Random games keep the motions of plates there.

use super::plate::{MOTIONS, MOVED, SETS, moved};

/// Columns and rows.
pub(super) const SIDE: usize = 6;
/// Cells.
pub(super) const CELLS: usize = 36;

/// The bit of a cell; rows count from the top, and both from 0.
pub(super) const fn bit(column: usize, row: usize) -> usize {
    16 * (2 * (row / 3) + column / 3) + 3 * (row % 3) + column % 3
}

/// The column and the row, from the top, of a bit.
pub(super) const fn place(bit: usize) -> (usize, usize) {
    let (plate, cell) = (bit / 16, bit % 16);
    (3 * (plate % 2) + cell % 3, 3 * (plate / 2) + cell / 3)
}

/// The bits of all cells, row by row from the upper left.
pub(super) static BITS: [u8; CELLS] = {
    let mut bits = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        bits[i] = bit(i % SIDE, i / SIDE) as u8;
        i += 1;
    }
    bits
};

/// Every place where five in a row fit.
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

/// For a plate, the stones on it and a motion, the windows of which no cell on this plate is
/// missing after the motion: `COMPLETE[plate][SETS * motion + set]`. A window is a bit, in the
/// order of [`WINDOWS`]: what is left when the words of the four plates are laid over each other
/// is complete.
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
            words[plate][i] = words[plate][MOVED[i / SETS][i % SETS] as usize];
            i += 1;
        }
        plate += 1;
    }
    words
};

/// The stones on one plate, as an index: always below [`SETS`].
#[inline]
pub(super) const fn part(stones: u64, plate: usize) -> usize {
    (stones >> (16 * plate)) as usize % SETS
}

/// The windows that these stones fill. The bits above a plate's stones may hold a motion that
/// the plate has made since the stones were put there.
#[inline]
pub(super) fn filled(stones: u64) -> u32 {
    let complete =
        |plate: usize| COMPLETE[plate][(stones >> (16 * plate)) as usize % (SETS * MOTIONS)];
    complete(0) & complete(1) & complete(2) & complete(3)
}

/// Whether these stones have five in a row.
#[inline]
pub(super) fn has_five(stones: u64) -> bool {
    filled(stones) != 0
}

/// The stones after a motion of one plate.
#[inline]
pub(super) fn twisted(stones: u64, plate: usize, motion: usize) -> u64 {
    let old = part(stones, plate);
    stones ^ (old as u64 ^ u64::from(MOVED[motion][old])) << (16 * plate)
}

/// The stones after a motion of the whole board: each plate moves in itself and to the place of
/// another.
pub(super) fn reflected(stones: u64, motion: usize) -> u64 {
    (0..4).fold(0, |all, plate| {
        let set = u64::from(MOVED[motion][part(stones, plate)]);
        all | set << (16 * moved_plate(plate, motion))
    })
}

/// Where a motion of the whole board takes a plate.
pub(super) fn moved_plate(plate: usize, motion: usize) -> usize {
    let (r, c) = moved(motion, (plate / 2, plate % 2), 1);
    2 * r + c
}
