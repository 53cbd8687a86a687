//! Tic-tac-toe on two 9-bit boards.

use tussle_core::Rng;

use super::End;

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];

const WINS: [bool; 512] = {
    let mut wins = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            if set as u16 & LINES[i] == LINES[i] {
                wins[set] = true;
            }
            i += 1;
        }
        set += 1;
    }
    wins
};

/// Plays one random game from the empty board.
pub fn playout(rng: &mut Rng) -> End {
    let (mut mine, mut theirs) = (0u16, 0u16);
    // List of the free cells. The last one replaces a chosen cell.
    let mut free = [1u16, 2, 4, 8, 16, 32, 64, 128, 256];
    // The high half of random * n is the choice, and the low half is the random number of the next
    // choice. One number is enough for nine choices.
    let mut random = rng.next_u64();
    for plies in 1..=9 {
        let left = 10 - plies;
        let wide = u128::from(random) * left as u128;
        random = wide as u64;
        let i = (wide >> 64) as usize;
        mine |= free[i];
        free[i] = free[left - 1];
        if WINS[usize::from(mine & 511)] {
            return End { winner: if plies % 2 == 1 { 1 } else { -1 }, plies: plies as u32 };
        }
        (mine, theirs) = (theirs, mine);
    }
    End { winner: 0, plies: 9 }
}
