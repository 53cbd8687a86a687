//! Tactics of games, for searches that work without them too.

use std::fmt;

use tussle_core::{EarliestEnds, Game, Tactic, Tactics};

use crate::alphabeta::promise_key;
use crate::score;

/// Signature of [`Tactics::narrow`].
type Narrow<G> = fn(&G, &<G as Game>::State, &mut Vec<<G as Game>::Move>, from: usize) -> Tactic;

/// Signature of [`Tactics::promise`].
pub(crate) type Promise<G> = fn(&G, &<G as Game>::State, <G as Game>::Move) -> u32;
/// Situation of a node of alpha-beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Situation {
    /// A move wins at once.
    Win,
    /// Every move loses within this number of plies.
    Loss(u32),
    /// Neither.
    Open(EarliestEnds),
}

/// Signature of [`list`].
type List<G> = fn(&G, &<G as Game>::State, bool, &mut Vec<<G as Game>::Move>) -> Situation;
/// Signature of [`promises`].
type Promises<G> = fn(&G, &<G as Game>::State, &[<G as Game>::Move], &mut [u64]);

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
    pub(crate) list: List<G>,
    pub(crate) promises: Promises<G>,
}

/// Appends the moves to search that the tactics leave, and returns the situation.
///
/// One function for all that a node needs costs one call through a pointer.
fn list<G: Tactics>(
    game: &G,
    state: &G::State,
    dedupe: bool,
    moves: &mut Vec<G::Move>,
) -> Situation {
    let from = moves.len();
    score::moves(game, state, dedupe, moves);
    match game.narrow(state, moves, from) {
        Tactic::Win => Situation::Win,
        Tactic::Loss(plies) => Situation::Loss(plies),
        Tactic::Open => Situation::Open(game.earliest_ends(state)),
    }
}

/// Adds the promise of each move to its key.
fn promises<G: Tactics>(game: &G, state: &G::State, moves: &[G::Move], keys: &mut [u64]) {
    for (key, &mv) in keys.iter_mut().zip(moves) {
        *key += promise_key(game.promise(state, mv));
    }
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
            list: list::<G>,
            promises: promises::<G>,
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
