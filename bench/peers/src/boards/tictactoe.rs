//! Tic-tac-toe with nine bits per player and a lookup table for lines.

use rand::rngs::SmallRng;

use super::Choices;

#[derive(Clone, Copy, Default)]
pub struct Board {
    pub mover: u16,
    pub opponent: u16,
}

const FULL: u16 = 0x1ff;
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// True for every set of cells that contains a line.
static HAS_LINE: [bool; 512] = {
    let mut table = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            table[set] |= set as u16 & LINES[i] == LINES[i];
            i += 1;
        }
        set += 1;
    }
    table
};

impl Board {
    /// Returns the free cells, one bit each.
    #[inline]
    pub fn free(&self) -> u16 {
        FULL & !(self.mover | self.opponent)
    }

    #[inline]
    pub fn after(self, cell: u16) -> Self {
        Self { mover: self.opponent, opponent: self.mover | cell }
    }

    /// Returns 1 if the player who just moved has won, 0 for a draw, and `None` for an unfinished game.
    #[inline]
    pub fn end(&self) -> Option<i32> {
        if HAS_LINE[usize::from(self.opponent & FULL)] {
            Some(1)
        } else {
            (self.free() == 0).then_some(0)
        }
    }

    /// Plays a random playout of an unfinished game. Returns 1 if the player who just moved wins, -1 if the
    /// player to move wins, 0 for a draw.
    #[inline]
    pub fn playout(self, rng: &mut SmallRng) -> i32 {
        let Self { mut mover, mut opponent } = self;
        // List of the free cells. The last one replaces a chosen cell.
        let (mut free, mut left) = ([0u16; 9], 0);
        let mut set = self.free();
        while set != 0 {
            free[left] = set & set.wrapping_neg();
            left += 1;
            set &= set - 1;
        }
        let mut choices = Choices::new();
        let mut result = -1;
        while left > 0 {
            let i = choices.below(left, rng);
            mover |= free[i];
            left -= 1;
            free[i] = free[left];
            if HAS_LINE[usize::from(mover & FULL)] {
                return result;
            }
            result = -result;
            (mover, opponent) = (opponent, mover);
        }
        0
    }
}
