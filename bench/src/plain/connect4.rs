//! Connect four, 7x6, on two 49-bit boards with seven bits per column, of which the seventh is always 0.

use tussle_core::Rng;

use super::End;

const TOP: u64 = 0b0100000_0100000_0100000_0100000_0100000_0100000_0100000;

fn four_in_a_row(discs: u64) -> bool {
    let upright = discs & discs >> 1;
    let across = discs & discs >> 7;
    let rising = discs & discs >> 8;
    let falling = discs & discs >> 6;
    (upright & upright >> 2)
        | (across & across >> 14)
        | (rising & rising >> 16)
        | (falling & falling >> 12)
        != 0
}

/// Plays one random game from the empty board.
pub fn playout(rng: &mut Rng) -> End {
    let (mut mine, mut theirs) = (0u64, 0u64);
    // List of the landing cells of all columns that are not full. The last one replaces a full column.
    let mut rests = [1u64, 1 << 7, 1 << 14, 1 << 21, 1 << 28, 1 << 35, 1 << 42];
    let mut open = rests.len();
    let mut random = 0;
    for plies in 1..=42 {
        // The high half of random * n is the choice, and the low half is the random number of the
        // next choice. Eight choices use less than half of the 64 bits.
        if plies % 8 == 1 {
            random = rng.next_u64();
        }
        let wide = u128::from(random) * open as u128;
        random = wide as u64;
        let i = (wide >> 64) as usize;
        let disc = rests[i];
        mine |= disc;
        // No player has four discs before the seventh ply.
        if plies >= 7 && four_in_a_row(mine) {
            return End { winner: if plies % 2 == 1 { 1 } else { -1 }, plies };
        }
        if disc & TOP == 0 {
            rests[i] = disc << 1;
        } else {
            open -= 1;
            rests[i] = rests[open];
        }
        (mine, theirs) = (theirs, mine);
    }
    End { winner: 0, plies: 42 }
}
