//! Tic-tac-toe: nine bits a player, lines looked up in a table.

use rand::rngs::SmallRng;

use super::Choices;

#[derive(Clone, Copy, Default)]
pub struct Board {
    pub mover: u16,
    pub rival: u16,
}

const FULL: u16 = 0x1ff;
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// For every set of cells whether it holds a line.
static HOLDS_LINE: [bool; 512] = {
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
    /// The free cells, one bit each.
    #[inline]
    pub fn free(&self) -> u16 {
        FULL & !(self.mover | self.rival)
    }

    #[inline]
    pub fn after(self, cell: u16) -> Self {
        Self { mover: self.rival, rival: self.mover | cell }
    }

    /// 1 if the player who just moved has won, 0 for a draw.
    #[inline]
    pub fn end(&self) -> Option<i32> {
        if HOLDS_LINE[usize::from(self.rival & FULL)] {
            Some(1)
        } else {
            (self.free() == 0).then_some(0)
        }
    }

    /// Plays on at random: 1 if the player who just moved wins, -1 if the one to move does. The
    /// game must not be over.
    #[inline]
    pub fn playout(self, rng: &mut SmallRng) -> i32 {
        let Self { mut mover, mut rival } = self;
        // The free cells stand in the first places of a list; a chosen one leaves it by letting
        // the last one take its place.
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
            if HOLDS_LINE[usize::from(mover & FULL)] {
                return result;
            }
            result = -result;
            (mover, rival) = (rival, mover);
        }
        0
    }
}
