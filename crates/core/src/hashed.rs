//! Keys for transposition tables and opening books.

use crate::Game;

/// Positions have 64-bit keys.
///
/// # Contract
/// Equal states have equal keys. Unequal ones differ except by chance (about 2^-64 a pair),
/// where "unequal" leaves out what the method says it leaves out.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no keys for tables",
    note = "implement `Hashed` for `{Self}`: `board_key` returns a 64-bit key of the position"
)]
pub trait Hashed: Game {
    /// The key of the board and the side to move, without any count of steps.
    ///
    /// Books and symmetry folding use it.
    fn board_key(&self, state: &Self::State) -> u64;

    /// The key under which a search that looks at most `reach` plies ahead of this state may
    /// store what it finds.
    ///
    /// A game that ends after a number of steps mixes the step count in whenever that end lies
    /// within reach, because then two equal boards are worth different things.
    fn table_key(&self, state: &Self::State, reach: u32) -> u64 {
        let _ = reach;
        self.board_key(state)
    }

    /// Whether a game can end as a draw because an earlier position came back.
    ///
    /// Then the worth of a position depends on how it came about, which no key says, and
    /// searches keep in tables only what holds whatever came before.
    fn has_repetition_draws(&self) -> bool {
        false
    }

    /// If the game is over because an earlier position came back: how many plies ago that was.
    ///
    /// Only called when the turn is [`Turn::Over`](crate::Turn::Over) and
    /// [`has_repetition_draws`](Hashed::has_repetition_draws) says so.
    fn repeated_after(&self, state: &Self::State) -> Option<u32> {
        let _ = state;
        None
    }
}

/// Scrambles 64 bits so that every input bit moves every output bit (the finaliser of
/// `SplitMix64`). It is a bijection, so distinct inputs keep distinct outputs.
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

/// A table of Zobrist keys, made at compile time and the same on every machine.
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
