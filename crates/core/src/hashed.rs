//! Keys for transposition tables and opening books.

use crate::Game;

/// Game whose positions have 64-bit keys.
///
/// # Contract
/// Equal states have equal keys. Keys of unequal states differ, except for chance collisions with a
/// probability of about 2^-64 per pair. The methods name the parts of a state that their key ignores.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no keys for tables",
    note = "implement `Hashed` for `{Self}`: `board_key` returns a 64-bit key of the position"
)]
pub trait Hashed: Game {
    /// Returns the key of the board and the player to move, without any step count.
    ///
    /// Opening books and [`Symmetric::canonical`](crate::Symmetric::canonical) use it.
    fn board_key(&self, state: &Self::State) -> u64;

    /// Returns the key for transposition tables, in a search that looks at most `reach` plies ahead of
    /// this state.
    ///
    /// If a game ends after a number of steps, and this end lies within reach, the key must include the
    /// step count: the same board then has different values at different steps.
    fn table_key(&self, state: &Self::State, reach: u32) -> u64 {
        let _ = reach;
        self.board_key(state)
    }

    /// Returns true if a game can end as a draw because an earlier position is repeated [default: false].
    ///
    /// The value of a position then depends on the earlier positions, which keys do not include. So
    /// searches store only bounds in tables that hold for every possible history.
    fn has_repetition_draws(&self) -> bool {
        false
    }

    /// Returns the number of plies since the earlier occurrence of the position, if the game ended by
    /// repetition.
    ///
    /// Only called when the turn is [`Turn::Over`](crate::Turn::Over) and
    /// [`has_repetition_draws`](Hashed::has_repetition_draws) is true.
    fn repeated_after(&self, state: &Self::State) -> Option<u32> {
        let _ = state;
        None
    }
}

/// Scrambles 64 bits so that every input bit affects every output bit (the finaliser of
/// `SplitMix64`). It is a bijection: distinct inputs have distinct outputs.
///
/// ```
/// assert_ne!(tussle_core::mix(1), tussle_core::mix(2));
/// ```
#[inline]
pub const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Returns a table of Zobrist keys. It can be computed at compile time and is the same on every machine.
///
/// Give each game its own `salt`.
///
/// ```
/// const STONES: [u64; 18] = tussle_core::zobrist(7);
/// assert_ne!(STONES[0], STONES[17]);
/// ```
pub const fn zobrist<const N: usize>(salt: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = mix(mix(salt) ^ (i as u64));
        i += 1;
    }
    keys
}
