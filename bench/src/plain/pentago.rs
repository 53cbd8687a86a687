//! Pentago with lines read after the twist, on two words of four 3x3 plates each.
//!
//! A twist turns a plate with its holes, so a random free cell is a random free hole: stones stay
//! in their holes, and the turns that a plate has made are added up in a third word.

use tussle_core::Rng;

use super::End;

/// The cells of a plate after a quarter turn to the right.
const fn turned(set: usize) -> usize {
    let (mut turned, mut cell) = (0, 0);
    while cell < 9 {
        let from = 3 * (2 - cell % 3) + cell / 3;
        turned |= (set >> from & 1) << cell;
        cell += 1;
    }
    turned
}

/// The cells of a plate that five in a row need at one of the 32 places.
const fn needed(place: usize, plate: usize) -> usize {
    let (start, step) = match place {
        0..12 => (place / 2 * 6 + place % 2, 1),
        12..24 => (place - 12, 6),
        24..28 => (place % 2 + place / 2 % 2 * 6, 7),
        _ => (4 + place % 2 + place / 2 % 2 * 6, 5),
    };
    let (mut cells, mut i) = (0, 0);
    while i < 5 {
        let (r, c) = ((start + i * step) / 6, (start + i * step) % 6);
        if r / 3 * 2 + c / 3 == plate {
            cells |= 1 << (r % 3 * 3 + c % 3);
        }
        i += 1;
    }
    cells
}

/// The places, a bit each, where five in a row lack no stone on this plate, for the plate's holes
/// with stones (nine bits) and its turns (the next two).
static LACKS_NONE: [[u32; 2048]; 4] = {
    let mut words = [[0; 2048]; 4];
    let mut i = 0;
    while i < 4 * 32 {
        let (plate, place) = (i / 32, i % 32);
        let needed = needed(place, plate);
        let mut set = 0;
        while set < 512 {
            if set & needed == needed {
                words[plate][set] |= 1 << place;
            }
            set += 1;
        }
        i += 1;
    }
    let mut set = 0;
    while set < 512 {
        let (mut cells, mut turns) = (set, 1);
        while turns < 4 {
            cells = turned(cells);
            let mut plate = 0;
            while plate < 4 {
                words[plate][512 * turns + set] = words[plate][cells];
                plate += 1;
            }
            turns += 1;
        }
        set += 1;
    }
    words
};

/// The places with five in a row, for stones in their holes and the turns of the plates.
#[inline]
fn fives(stones: u64, turns: u64) -> u32 {
    let word = |plate: usize| LACKS_NONE[plate][((stones | turns) >> (16 * plate)) as usize % 2048];
    word(0) & word(1) & word(2) & word(3)
}

const HOLES: [u8; 36] = {
    let mut holes = [0; 36];
    let mut i = 0;
    while i < 36 {
        holes[i] = (i / 9 * 16 + i % 9) as u8;
        i += 1;
    }
    holes
};

/// Plays one random game from the empty board.
pub fn playout(rng: &mut Rng) -> End {
    let (mut mine, mut theirs, mut turns) = (0, 0, 0);
    let mut free = HOLES;
    let mut random = 0;
    for ply in 0..36 {
        // The high part of random * n is a choice among n, the low part is as random as before:
        // one number is enough for four choices, with half of its bits to spare.
        if ply % 4 == 0 {
            random = rng.next_u64();
        }
        let left = 36 - ply;
        let wide = u128::from(random) * (8 * left) as u128;
        random = wide as u64;
        let choice = (wide >> 64) as usize;
        mine |= 1 << free[choice / 8];
        free[choice / 8] = free[left - 1];
        let turn = [0x600, 0x200][choice % 2];
        turns = (turns + (turn << (choice / 2 % 4 * 16))) & 0x0600_0600_0600_0600;
        // Before the ninth move nobody has five stones.
        if ply >= 8 {
            let (my, their) = (fives(mine, turns), fives(theirs, turns));
            if my | their != 0 {
                let winner = i8::from(my != 0) - i8::from(their != 0);
                let winner = if ply % 2 == 0 { winner } else { -winner };
                return End { winner, plies: ply as u32 + 1 };
            }
        }
        (mine, theirs) = (theirs, mine);
    }
    End { winner: 0, plies: 36 }
}
