//! Position keys as function pointers, for searches that also work without keys.

use std::fmt;

use tussle_core::{Game, Hashed};

/// Methods of [`Hashed`] as function pointers, so that one search type serves games with and without keys.
///
/// Call `with_table` if the game is known to be [`Hashed`], and `with_keys` if that is only known at run
/// time.
pub struct KeyFunctions<G: Game> {
    pub(crate) table_key: fn(&G, &G::State, u32) -> u64,
    pub(crate) has_repetition_draws: fn(&G) -> bool,
    pub(crate) repeated_after: fn(&G, &G::State) -> Option<u32>,
}

impl<G: Game> KeyFunctions<G> {
    /// Returns the functions of a hashed game.
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
