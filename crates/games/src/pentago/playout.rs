//! Random playout that never twists the stones.
//!
//! A twist moves the empty cells of a plate together with its stones, so a random empty cell after
//! the twist corresponds to a random empty cell before it. The stones are therefore stored as if no
//! plate had moved, together with the motion that each plate has made so far. The empty cells are a
//! list, from which a choice takes one multiplication and one load, and a choice does not depend on
//! the twists before it.

use tussle_core::Rng;

use super::board::{BITS, CELLS, filled, part};
use super::plate::{MOTION_IMAGES, MOTIONS, compose};
use super::{Quadrants, State, Twists};

/// Returns a table of the bits that a twist changes in the motion of a plate. It has four bits for
/// each motion and twist, in one word, which is faster to access than an array.
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

/// Position of the motion of a plate in its 16 bits, above the stones.
const MOTION_SHIFT: usize = 9;

/// Plays random moves to the end of the game and returns the number of plies.
#[inline]
pub(super) fn random_game<T: Twists>(rules: Quadrants<T>, state: &mut State, rng: &mut Rng) -> u32 {
    let changes = const { changes(T::MOTIONS) };
    if state.is_over() {
        return 0;
    }
    let first = usize::from(state.plies);
    let (mut theirs, mut mine) = (state.stones[state.mover()], state.stones[1 - state.mover()]);
    let mut motions = 0u64;
    // An array of 64 instead of 36: the remainder by 64 is a mask and avoids a bounds check.
    let mut free = [0u8; 64];
    let mut count = 0;
    for &bit in &BITS {
        free[count % 64] = bit;
        count += usize::from((mine | theirs) >> bit & 1 == 0);
    }
    let mut random = 0;
    let mut plies = first;
    // Windows filled by the player who moved last, and by the opponent.
    let mut ends = (0, 0);
    while plies < CELLS {
        (mine, theirs) = (theirs, mine);
        // The high half of random * n is the choice, and the low half is the random number of the
        // next choice. Four choices among up to 288 moves use 33 of the 64 bits.
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
        // No player has five stones before the ninth ply.
        if rules.early && plies > 8 {
            ends.0 = filled(mine | motions);
            if ends.0 != 0 {
                break;
            }
        }
        let shift = 16 * (choice / 2 % 4) + MOTION_SHIFT;
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
    state.stones[last] = apply_motions(mine, motions);
    state.stones[1 - last] = apply_motions(theirs, motions);
    state.plies = plies as u8;
    state.fives = u8::from(ends.0 != 0) << last | u8::from(ends.1 != 0) << (1 - last);
    (plies - first) as u32
}

/// Returns the stones after the motions of their plates.
#[inline]
fn apply_motions(stones: u64, motions: u64) -> u64 {
    (0..4).fold(0, |all, plate| {
        let motion = (motions >> (16 * plate + MOTION_SHIFT)) as usize % MOTIONS;
        all | u64::from(MOTION_IMAGES[motion][part(stones, plate)]) << (16 * plate)
    })
}
