//! Keys and symmetries of type-erased positions.

use tussle_core::Game;

use super::{AnyPosition, Position, PositionPlay};
use crate::Error;

/// Keys and reflections of a position, for opening books, tables and counts of different positions.
pub trait PositionKeys {
    /// Returns the key of the board, without step counts; `None` if the game has no keys.
    fn board_key(&self) -> Option<u64>;
    /// Returns the key for transposition tables, in a search that looks at most `reach` plies ahead; `None` if the
    /// game has no keys.
    fn table_key(&self, reach: u32) -> Option<u64>;
    /// Returns the least board key over all symmetries, and the symmetry that gives it; `None` if the
    /// game has no keys.
    fn canonical(&self) -> Option<(u64, usize)>;
    /// Returns the least board key over all symmetries; `None` if the game has no keys.
    fn canonical_key(&self) -> Option<u64> {
        self.canonical().map(|(key, _)| key)
    }
    /// Returns the position reflected by a symmetry, with an empty history.
    fn reflect(&self, symmetry: usize) -> Box<dyn AnyPosition>;
    /// Returns the text of a legal move reflected by a symmetry.
    ///
    /// # Errors
    /// If the move is not legal here.
    fn reflect_move(&self, mv: &str, symmetry: usize) -> Result<String, Error>;
    /// Returns the legal move whose reflection by a symmetry has this text, if there is one: the inverse of
    /// [`reflect_move`](PositionKeys::reflect_move).
    fn unreflect_move(&self, mv: &str, symmetry: usize) -> Option<String>;
}

impl<G: Game + 'static> PositionKeys for Position<G> {
    fn board_key(&self) -> Option<u64> {
        let keys = self.rules.capabilities.keys.as_ref()?;
        Some((keys.board_key)(self.game(), &self.state))
    }

    fn table_key(&self, reach: u32) -> Option<u64> {
        let keys = self.rules.capabilities.keys.as_ref()?;
        Some((keys.table_key)(self.game(), &self.state, reach))
    }

    fn canonical(&self) -> Option<(u64, usize)> {
        match &self.rules.capabilities.symmetry {
            Some(symmetry) => Some((symmetry.canonical)(self.game(), &self.state)),
            None => self.board_key().map(|key| (key, 0)),
        }
    }

    fn reflect(&self, symmetry: usize) -> Box<dyn AnyPosition> {
        match &self.rules.capabilities.symmetry {
            Some(table) => {
                let state = (table.reflect)(self.game(), &self.state, symmetry);
                Box::new(Self::new(&self.rules, state))
            }
            None => self.without_history(),
        }
    }

    fn reflect_move(&self, text: &str, symmetry: usize) -> Result<String, Error> {
        let mv = self.rules.parse_move(&self.state, text)?;
        let Some(table) = &self.rules.capabilities.symmetry else {
            return Ok(self.rules.move_text(&self.state, mv));
        };
        let there = (table.reflect)(self.game(), &self.state, symmetry);
        let reflected = (table.reflect_move)(self.game(), mv, symmetry);
        Ok(self.rules.move_text(&there, reflected))
    }

    fn unreflect_move(&self, text: &str, symmetry: usize) -> Option<String> {
        let seen = |mv: &String| self.reflect_move(mv, symmetry).is_ok_and(|seen| seen == text);
        self.moves().into_iter().find(seen)
    }
}
