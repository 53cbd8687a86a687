//! Random games without twisting anything.
//!
//! A plate carries its holes along when it is twisted, and a cell chosen at random among the
//! empty ones is a hole chosen at random among the empty ones. So the stones are kept as if no
//! plate had ever moved, with the motion that each plate has made so far beside them. Then the
//! free holes stand in a list, where a choice is a multiplication and a load, and no choice
//! waits for the board that the twist before it made.

use tussle_core::Rng;

use super::board::{BITS, CELLS, filled, part};
use super::plate::{MOTIONS, MOVED, compose};
use super::{Quadrants, State, Twists};

/// For the motion a plate has made and both twists of a game, the bits of the motion that one
/// more twist changes: four bits each in one word, which is quicker to look into than a table.
const fn changes(twists: [usize; 2]) -> u64 {
    let mut changes = 0;
    let mut i = 0;
    while i < 2 * MOTIONS {
        let motion = i / 2;
        changes |= ((motion ^ compose(twists[i % 2], motion)) as u64) << (4 * i);
        i += 1;
    }
    changes
}

/// Where the motion of a plate is in its 16 bits: above the stones.
const ABOVE: usize = 9;

/// Plays at random to the end and returns the number of plies.
#[inline]
pub(super) fn random_game<T: Twists>(rules: Quadrants<T>, state: &mut State, rng: &mut Rng) -> u32 {
    let changes = const { changes(T::MOTIONS) };
    if state.is_over() {
        return 0;
    }
    let first = usize::from(state.plies);
    let (mut theirs, mut mine) = (state.stones[state.mover()], state.stones[1 - state.mover()]);
    let mut motions = 0u64;
    // 64 places for 36 holes: a remainder of 64 is a mask and spares a check of the bounds.
    let mut free = [0u8; 64];
    let mut count = 0;
    for &bit in &BITS {
        free[count % 64] = bit;
        count += usize::from((mine | theirs) >> bit & 1 == 0);
    }
    let mut random = 0;
    let mut plies = first;
    // The windows that the player who moved last and the rival have filled.
    let mut ends = (0, 0);
    while plies < CELLS {
        (mine, theirs) = (theirs, mine);
        // The high half of random * n is the choice, the low half is the randomness left for
        // the next one. Four choices among up to 288 use 33 of the 64 bits.
        if (plies - first).is_multiple_of(4) {
            random = rng.next_u64();
        }
        let left = CELLS - plies;
        let wide = u128::from(random) * (8 * left) as u128;
        random = wide as u64;
        let choice = (wide >> 64) as usize;
        let i = choice / 8 % 64;
        mine |= 1 << free[i];
        free[i] = free[left - 1];
        plies += 1;
        // Nobody has five stones before the ninth ply.
        if rules.early && plies > 8 {
            ends.0 = filled(mine | motions);
            if ends.0 != 0 {
                break;
            }
        }
        let shift = 16 * (choice / 2 % 4) + ABOVE;
        let motion = (motions >> shift) as usize % MOTIONS;
        motions ^= (changes >> (8 * motion + 4 * (choice % 2)) & 7) << shift;
        if plies > 8 {
            ends = (filled(mine | motions), filled(theirs | motions));
            if ends.0 | ends.1 != 0 {
                break;
            }
        }
    }
    let last = (plies - 1) % 2;
    state.stones[last] = settled(mine, motions);
    state.stones[1 - last] = settled(theirs, motions);
    state.plies = plies as u8;
    state.fives = u8::from(ends.0 != 0) << last | u8::from(ends.1 != 0) << (1 - last);
    (plies - first) as u32
}

/// The stones where the motions of their plates have brought them.
#[inline]
fn settled(stones: u64, motions: u64) -> u64 {
    (0..4).fold(0, |all, plate| {
        let motion = (motions >> (16 * plate + ABOVE)) as usize % MOTIONS;
        all | u64::from(MOVED[motion][part(stones, plate)]) << (16 * plate)
    })
}
