//! Connect four of the standard size, with the same bitboards and keys as ours.

use rand::rngs::SmallRng;

use super::Choices;

/// Board with the bit layout of our `connect4::State`: seven bits per column, the uppermost always 0.
#[derive(Clone, Copy, Default)]
pub struct Board {
    pub mover: u64,
    pub all: u64,
    pub plies: u8,
}

pub const BOTTOM: u64 = 0x0000_0408_1020_4081;
pub const CELLS: u64 = BOTTOM * 0x3f;
const TOP: u64 = BOTTOM << 5;
pub const DIRECTIONS: [u32; 4] = [1, 7, 8, 6];

/// Multiplier that moves the lowest bits of the columns to bits 36 to 42, as in our code.
const GATHER_MULTIPLIER: u64 = 1 | 1 << 6 | 1 << 12 | 1 << 18 | 1 << 24 | 1 << 30 | 1 << 36;

/// Columns of each set of columns, from the left.
const COLUMNS: [[u8; 8]; 128] = {
    let mut columns = [[0; 8]; 128];
    let mut set = 0;
    while set < 128 {
        let (mut column, mut n) = (0, 0);
        while column < 7 {
            if set >> column & 1 != 0 {
                columns[set][n] = column;
                n += 1;
            }
            column += 1;
        }
        set += 1;
    }
    columns
};

/// Returns the cells that begin a run of four.
#[inline]
pub fn fours(set: u64, step: u32) -> u64 {
    let pairs = set & set >> step;
    pairs & pairs >> (2 * step)
}

#[inline]
fn holds_four(set: u64) -> bool {
    DIRECTIONS.into_iter().fold(0, |any, step| any | fours(set, step)) != 0
}

impl Board {
    /// Returns the landing cells, one in each column that is not full.
    #[inline]
    pub fn landings(&self) -> u64 {
        (self.all + BOTTOM) & CELLS
    }

    /// Appends the columns that are not full, as our code does.
    #[inline]
    pub fn columns(&self, moves: &mut Vec<u8>) {
        let open = (!(self.all >> 5) & BOTTOM).wrapping_mul(GATHER_MULTIPLIER) >> 36 & 0x7f;
        let end = moves.len() + open.count_ones() as usize;
        moves.extend_from_slice(&COLUMNS[open as usize]);
        moves.truncate(end);
    }

    /// Returns the board after a disc on a cell.
    #[inline]
    pub fn after(self, cell: u64) -> Self {
        Self { mover: self.mover ^ self.all, all: self.all | cell, plies: self.plies + 1 }
    }

    /// Returns 1 if the player who just moved has won, 0 for a draw, and `None` for an unfinished game.
    #[inline]
    pub fn end(&self) -> Option<i32> {
        if holds_four(self.mover ^ self.all) { Some(1) } else { (self.plies == 42).then_some(0) }
    }

    /// Plays a random playout of an unfinished game. Returns 1 if the player who just moved wins, -1 if the
    /// player to move wins, 0 for a draw.
    #[inline]
    pub fn playout(self, rng: &mut SmallRng) -> i32 {
        let (mut mover, mut opponent) = (self.mover, self.mover ^ self.all);
        // The last column of the list replaces a full one.
        let (mut rests, mut open) = ([0u64; 7], 0);
        let mut landings = self.landings();
        while landings != 0 {
            rests[open] = landings & landings.wrapping_neg();
            open += 1;
            landings &= landings - 1;
        }
        let mut choices = Choices::new();
        let mut result = -1;
        for plies in self.plies..42 {
            let i = choices.below(open, rng);
            let disc = rests[i];
            mover |= disc;
            // No player has four discs before the seventh ply.
            if plies >= 6 && holds_four(mover) {
                return result;
            }
            if disc & TOP == 0 {
                rests[i] = disc << 1;
            } else {
                open -= 1;
                rests[i] = rests[open];
            }
            result = -result;
            (mover, opponent) = (opponent, mover);
        }
        0
    }
}
