//! Tactics of games, for searches that work without them too.

use std::fmt;

use tussle_core::{Game, Tactic, Tactics};

/// Signature of [`Tactics::narrow`].
type Narrow<G> = fn(&G, &<G as Game>::State, &mut Vec<<G as Game>::Move>, from: usize) -> Tactic;

/// Signature of [`Tactics::promise`].
pub(crate) type Promise<G> = fn(&G, &<G as Game>::State, <G as Game>::Move) -> u32;

/// The methods of [`Tactics`] as plain functions, so that one instance of a search serves games with
/// tactics and games without.
///
/// Code that learns at run time whether a game has tactics gives them to a search by
/// `with_tactic_functions`; other code calls `with_tactics`.
pub struct TacticFunctions<G: Game> {
    pub(crate) winning_moves: fn(&G, &G::State, &mut Vec<G::Move>),
    pub(crate) narrow: Narrow<G>,
    pub(crate) has_fast_narrow: fn(&G) -> bool,
    pub(crate) promise: Promise<G>,
}

impl<G: Game> TacticFunctions<G> {
    /// The functions of a game with tactics.
    #[must_use]
    pub fn of_game() -> Self
    where
        G: Tactics,
    {
        Self {
            winning_moves: G::winning_moves,
            narrow: G::narrow,
            has_fast_narrow: G::has_fast_narrow,
            promise: G::promise,
        }
    }
}

impl<G: Game> Clone for TacticFunctions<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for TacticFunctions<G> {}

impl<G: Game> fmt::Debug for TacticFunctions<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TacticFunctions")
    }
}
