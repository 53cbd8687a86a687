//! Keys of positions, for searches that work without them too.

use std::fmt;

use tussle_core::{Game, Hashed};

/// The methods of [`Hashed`] as plain functions, so that one instance of a search serves games with
/// keys and games without.
///
/// Code that learns at run time whether a game is hashed gives a search its keys by `with_keys`; other
/// code calls `with_table`.
pub struct KeyFunctions<G: Game> {
    pub(crate) table_key: fn(&G, &G::State, u32) -> u64,
    pub(crate) has_repetition_draws: fn(&G) -> bool,
    pub(crate) repeated_after: fn(&G, &G::State) -> Option<u32>,
}

impl<G: Game> KeyFunctions<G> {
    /// The functions of a hashed game.
    #[must_use]
    pub fn of_game() -> Self
    where
        G: Hashed,
    {
        Self {
            table_key: G::table_key,
            has_repetition_draws: G::has_repetition_draws,
            repeated_after: G::repeated_after,
        }
    }
}

impl<G: Game> Clone for KeyFunctions<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for KeyFunctions<G> {}

impl<G: Game> fmt::Debug for KeyFunctions<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyFunctions")
    }
}
