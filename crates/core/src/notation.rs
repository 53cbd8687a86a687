//! Moves and positions as text.

use std::fmt;

use crate::Game;

/// Why a text is not what it should be: one sentence that names the place and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(String);

impl ParseError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}

/// Moves and positions have a text form, and both round-trip.
///
/// # Contract
/// - A move's text contains no white space, comma, `>` or `|`, and is unique among the legal
///   moves of its position.
/// - A position's text is one line; `parse_position(position(s)) == s` for every reachable `s`.
/// - `parse_position` accepts only positions on which every other method works; it never panics.
pub trait Notation: Game {
    /// The text of a legal move.
    fn move_text(&self, state: &Self::State, mv: Self::Move) -> String;

    /// The position in one line.
    fn position_text(&self, state: &Self::State) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// If the text is malformed, or describes a position that these rules cannot have.
    fn parse_position(&self, text: &str) -> Result<Self::State, ParseError>;

    /// Why `text` is no legal move here, as the end of a sentence that began with the text:
    /// "is not a move", "the column is full". Override it to be a better teacher.
    fn why_illegal(&self, state: &Self::State, text: &str) -> String {
        let _ = (state, text);
        "is not a legal move here".to_owned()
    }

    /// Reads a legal move: its text, or another spelling that a game wants to understand.
    ///
    /// # Errors
    /// If the text is no legal move's.
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, ParseError> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves
            .into_iter()
            .find(|&mv| self.move_text(state, mv) == text)
            .ok_or_else(|| ParseError::new(format!("`{text}`: {}", self.why_illegal(state, text))))
    }
}
