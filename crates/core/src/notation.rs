//! Moves and positions as text.

use std::fmt;

use crate::Game;

/// Error of a text that could not be parsed: one sentence that names the place and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(String);

impl ParseError {
    /// Creates an error with this message.
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

/// Game whose moves and positions have a text form, and round-trip through it.
///
/// # Contract
/// - A move's text contains no white space, comma, `>` or `|`, and is unique among the legal
///   moves of its position.
/// - A position's text is one line; `parse_position(position(s)) == s` for every reachable `s`.
/// - `parse_position` accepts only positions on which every other method works; it never panics.
pub trait Notation: Game {
    /// Returns the text of a legal move.
    fn move_text(&self, state: &Self::State, mv: Self::Move) -> String;

    /// Returns the text of a position, on one line.
    fn position_text(&self, state: &Self::State) -> String;

    /// Parses a position.
    ///
    /// # Errors
    /// If the text is malformed, or describes a position that these rules cannot have.
    fn parse_position(&self, text: &str) -> Result<Self::State, ParseError>;

    /// Returns the reason why `text` is not a legal move here, as the end of a sentence that began with the
    /// text: "is not a move", "the column is full". Override it to explain the rules of a game.
    fn why_illegal(&self, state: &Self::State, text: &str) -> String {
        let _ = (state, text);
        "is not a legal move here".to_owned()
    }

    /// Parses a legal move. The default accepts its [text](Notation::move_text); a game may accept other
    /// spellings too.
    ///
    /// # Errors
    /// If the text does not name a legal move.
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, ParseError> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves
            .into_iter()
            .find(|&mv| self.move_text(state, mv) == text)
            .ok_or_else(|| ParseError::new(format!("`{text}`: {}", self.why_illegal(state, text))))
    }
}
