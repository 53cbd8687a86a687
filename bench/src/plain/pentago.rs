//! Pentago without early wins, on two words of four 3x3 plates each.
//!
//! A twist moves the empty cells of a plate together with its stones, so a random empty cell before
//! the twists is as good as one after them. The stones are stored as if no plate had turned, and a third
//! word has the number of turns of each plate.

use tussle_core::Rng;

use super::End;

/// Returns the cells of a plate after a quarter turn to the right.
const fn turned(set: usize) -> usize {
    let (mut turned, mut cell) = (0, 0);
    while cell < 9 {
        let from = 3 * (2 - cell % 3) + cell / 3;
        turned |= (set >> from & 1) << cell;
        cell += 1;
    }
    turned
}

/// Returns the cells of a plate that belong to one of the 32 windows of five cells.
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

/// Windows, one bit each, that are complete on a plate, for its stones (nine bits) and its number of
/// turns (the next two bits).
static COMPLETE: [[u32; 2048]; 4] = {
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

/// Returns the windows with five in a row, for stones and turns.
#[inline]
fn fives(stones: u64, turns: u64) -> u32 {
    let word = |plate: usize| COMPLETE[plate][((stones | turns) >> (16 * plate)) as usize % 2048];
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
        // The high half of random * n is the choice, and the low half is the random number of the
        // next choice. Four choices use about half of the 64 bits.
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
        // No player has five stones before the ninth ply.
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
