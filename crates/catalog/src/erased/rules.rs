//! Typed rules that the type-erased positions and agents of a game share.

use std::sync::Arc;

use tussle_core::{Game, ParseError};
use tussle_search::KeyFunctions;

use super::AnyGame;
use super::game::TypedGame;
use crate::entry::Capabilities;
use crate::{Catalog, Evaluation, plain};

/// Typed rules of a game, with its spec and its capabilities.
pub(crate) struct Rules<G: Game> {
    pub(crate) spec: String,
    pub(crate) game: Arc<G>,
    pub(crate) capabilities: Arc<Capabilities<G>>,
    pub(crate) catalog: Catalog,
}

impl<G: Game + 'static> Rules<G> {
    /// Returns the type-erased game.
    pub(crate) fn erased(self: &Arc<Self>) -> Arc<dyn AnyGame> {
        Arc::new(TypedGame(self.clone()))
    }

    pub(crate) fn evaluations(&self) -> &[Evaluation] {
        self.capabilities.evaluation_list()
    }

    /// Returns the keys for tables of searches, if the game is hashed.
    pub(crate) fn search_keys(&self) -> Option<KeyFunctions<G>> {
        self.capabilities.keys.as_ref().map(|keys| keys.of_searches)
    }

    /// Returns the text of a legal move.
    pub(crate) fn move_text(&self, state: &G::State, mv: G::Move) -> String {
        if let Some(notation) = &self.capabilities.notation {
            return (notation.move_text)(&self.game, state, mv);
        }
        let moves = self.game.legal_moves(state);
        let index = moves.iter().position(|&other| other == mv);
        index.map_or_else(
            || "illegal".to_owned(),
            |index| plain::move_texts(&moves).swap_remove(index),
        )
    }

    /// Returns the texts of some or all legal moves.
    pub(super) fn move_texts(&self, state: &G::State, moves: &[G::Move]) -> Vec<String> {
        if self.capabilities.notation.is_none() && moves == self.game.legal_moves(state) {
            return plain::move_texts(moves);
        }
        moves.iter().map(|&mv| self.move_text(state, mv)).collect()
    }

    /// Returns the text of a position in a game with notation; empty in others.
    pub(crate) fn position_text(&self, state: &G::State) -> String {
        let notation = self.capabilities.notation.as_ref();
        notation.map(|notation| (notation.position_text)(&self.game, state)).unwrap_or_default()
    }

    pub(super) fn parse_move(&self, state: &G::State, text: &str) -> Result<G::Move, ParseError> {
        if let Some(notation) = &self.capabilities.notation {
            return (notation.parse_move)(&self.game, state, text);
        }
        let moves = self.game.legal_moves(state);
        let index = plain::move_texts(&moves).iter().position(|other| other == text);
        index
            .map(|index| moves[index])
            .ok_or_else(|| ParseError::new(format!("`{text}`: is not a legal move here")))
    }
}
