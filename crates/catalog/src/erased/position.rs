//! Type-erased positions.

use std::any::Any;
use std::sync::Arc;

use tussle_core::Game;

use super::{AnyGame, PositionDrawing, PositionKeys, PositionMeasures, PositionPlay, Rules};
use crate::{Catalog, Error};

/// Position of a game whose type is not known, with the moves that led to it.
///
/// Its methods are in several traits. A `dyn AnyPosition` has all of them without imports.
pub trait AnyPosition:
    PositionPlay + PositionDrawing + PositionMeasures + PositionKeys + Send
{
    /// Returns the position after a move, made by [`Game::visit`] as searches do, with an empty history.
    ///
    /// # Errors
    /// If the move is not legal here.
    fn visit(&mut self, mv: &str) -> Result<Box<dyn AnyPosition>, Error>;
    /// Returns true if the other position is equal and of the same type of game; histories are not compared.
    fn same(&self, other: &dyn AnyPosition) -> bool;
    /// Returns a copy.
    fn boxed(&self) -> Box<dyn AnyPosition>;
    /// Returns a copy with an empty history.
    fn without_history(&self) -> Box<dyn AnyPosition>;
    /// Returns the position as [`Any`], to downcast it to its type.
    fn as_any(&self) -> &dyn Any;
    /// Returns the canonical spec of its game.
    fn game_spec(&self) -> &str;
    /// Returns the catalog of its game.
    fn catalog(&self) -> &Catalog;
    /// Returns its game.
    fn rules(&self) -> Arc<dyn AnyGame>;
}

/// Typed position behind [`AnyPosition`].
pub(crate) struct Position<G: Game> {
    pub(super) rules: Arc<Rules<G>>,
    pub(super) state: G::State,
    /// The moves made, each with the state before it; copies of the position share the states.
    pub(super) past: Vec<(G::Move, Arc<G::State>)>,
    pub(super) texts: Vec<String>,
    /// In a game without notation: the moves made before those of `texts`, from the start.
    pub(super) earlier: Vec<String>,
}

impl<G: Game + 'static> Position<G> {
    pub(super) fn new(rules: &Arc<Rules<G>>, state: G::State) -> Self {
        let (past, texts, earlier) = (Vec::new(), Vec::new(), Vec::new());
        Self { rules: rules.clone(), state, past, texts, earlier }
    }

    /// Returns the moves from the start, for the text of a position in a game without notation.
    pub(super) fn all_moves(&self) -> impl Iterator<Item = &String> {
        self.earlier.iter().chain(&self.texts)
    }

    /// Returns this position after `more` with an empty history.
    pub(super) fn fresh(&self, state: G::State, more: Option<String>) -> Self {
        let mut fresh = Self::new(&self.rules, state);
        if self.rules.capabilities.notation.is_none() {
            fresh.earlier = self.all_moves().cloned().chain(more).collect();
        }
        fresh
    }

    pub(super) fn game(&self) -> &G {
        &self.rules.game
    }

    pub(super) fn texts_of(&self, moves: &[G::Move]) -> Vec<String> {
        self.rules.move_texts(&self.state, moves)
    }

    pub(super) fn legal(&self) -> Vec<G::Move> {
        self.game().legal_moves(&self.state)
    }
}

impl<G: Game + 'static> AnyPosition for Position<G> {
    fn visit(&mut self, text: &str) -> Result<Box<dyn AnyPosition>, Error> {
        let mv = self.rules.parse_move(&self.state, text)?;
        let text = self.rules.move_text(&self.state, mv);
        let child = self.rules.game.visit(&mut self.state, mv, |child| child.clone());
        Ok(Box::new(self.fresh(child, Some(text))))
    }

    fn same(&self, other: &dyn AnyPosition) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.is_some_and(|other| self.state == other.state)
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(Self {
            rules: self.rules.clone(),
            state: self.state.clone(),
            past: self.past.clone(),
            texts: self.texts.clone(),
            earlier: self.earlier.clone(),
        })
    }

    fn without_history(&self) -> Box<dyn AnyPosition> {
        Box::new(self.fresh(self.state.clone(), None))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn game_spec(&self) -> &str {
        &self.rules.spec
    }

    fn rules(&self) -> Arc<dyn AnyGame> {
        self.rules.erased()
    }

    fn catalog(&self) -> &Catalog {
        &self.rules.catalog
    }
}
