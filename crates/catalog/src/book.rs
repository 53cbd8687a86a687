//! Opening books: stored moves and values for the first positions of a game.
//!
//! Positions that are reflections of each other share an entry, in the canonical orientation, which has the
//! least [`board_key`](crate::PositionKeys::board_key). This key contains neither step counts nor earlier
//! boards. So a book gives the same move and value for a board with another history, but a proof only for exactly
//! the stored position.
//!
//! ```
//! use tussle_catalog::book::{Book, BookLimits, Recipe, openings};
//! use tussle_core::StopFlag;
//!
//! let game = tussle_catalog::game("tictactoe")?;
//! let recipe = Recipe::new(game.as_ref(), "minimax:depth=2", BookLimits::default(), 1, 3);
//! let mut entries = Vec::new();
//! for opening in openings(game.as_ref(), recipe.plies, &StopFlag::default())? {
//!     let mut agent = game.agent(&recipe.agent, recipe.seed_for(&opening))?;
//!     entries.extend(recipe.ask(agent.as_mut(), &opening, &StopFlag::default())?);
//! }
//! let book = Book::new(recipe, entries, true);
//! assert_eq!(book.entries().len(), 1 + 3 + 12);
//! assert!(book.answer(game.as_ref(), game.start().as_ref()).unwrap().is_some());
//! # Ok::<(), tussle_catalog::Error>(())
//! ```

mod file;
mod recipe;

use std::collections::HashMap;

use tussle_core::{Line, Turn};

use crate::{AnyGame, AnyPosition, Error};

pub use file::{VERSION, seal};
pub use recipe::{BookLimits, MAX_BOOK_POSITIONS, Opening, Recipe, openings};

/// Error of a file that cannot be used as an opening book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The file has another format.
    #[error("this is not an opening book; `tussle book build` makes one")]
    NotABook,
    /// The book has another version of the format.
    #[error("expected an opening book of version {VERSION}, found version {0}; build it again")]
    Version(u64),
    /// The file was changed or truncated.
    #[error("the opening book is damaged: {0}; build it again")]
    Damaged(#[from] BookDamage),
    /// The book is for another game.
    #[error("the opening book was made for {made_for}, not {wanted}")]
    Foreign {
        /// Game of the book.
        made_for: String,
        /// Game that should use the book.
        wanted: String,
    },
    /// The game reads its rules from a file, and this file was changed.
    #[error("the rules of {0} have changed since the opening book was made; build it again")]
    ChangedRules(String),
}

/// Damage to an opening book. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookDamage {
    /// The last line, with the checksum, is missing.
    #[error("it ends in line {lines}, before its checksum")]
    Unsealed {
        /// Number of lines.
        lines: usize,
    },
    /// The first line is missing.
    #[error("it is empty")]
    Empty,
    /// A line is not valid JSON, or lacks a field.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// Number of the line.
        line: usize,
        /// Column of the line, from 1.
        column: usize,
        /// Message of the JSON parser.
        message: String,
    },
    /// A key is not sixteen hexadecimal digits.
    #[error("line {line}: `{key}` is not a key: expected 16 hexadecimal digits")]
    Key {
        /// Number of the line.
        line: usize,
        /// The text in place of the key.
        key: String,
    },
    /// A position has more plies than the book.
    #[error("line {line}: expected a ply below {plies}, found {ply}")]
    Ply {
        /// Number of the line.
        line: usize,
        /// Ply of the position.
        ply: u32,
        /// Number of plies of the book.
        plies: u32,
    },
    /// A line is not sorted by ply and key.
    #[error("line {0} is not sorted by ply and key")]
    Order(usize),
    /// A position has two lines.
    #[error("line {0}: its position is in the book twice")]
    Repeated(usize),
    /// The text was changed after it was written.
    #[error("its checksum is wrong")]
    Checksum,
    /// Lines are missing, or there are too many.
    #[error("expected {expected} entries, found {found}")]
    Count {
        /// Number of entries in the text.
        found: usize,
        /// Number of entries by the first line.
        expected: usize,
    },
    /// An entry contradicts the rules of the game.
    #[error("position `{position}`: {source}")]
    Entry {
        /// Position of the entry.
        position: String,
        /// The contradiction.
        source: EntryError,
    },
}

/// Contradiction between an entry of an opening book and the rules of its game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The game has no such position.
    #[error(transparent)]
    Position(Box<Error>),
    /// The key is that of another position.
    #[error("its key is that of another position")]
    Key,
    /// The move is not legal.
    #[error("the move `{0}` is illegal there")]
    Move(String),
}

/// Entry of one position and its reflections.
#[derive(Clone, Debug, PartialEq)]
pub struct BookEntry {
    /// Least number of plies from the start to the position.
    pub ply: u32,
    /// Least board key over all symmetries.
    pub key: u64,
    /// Position that was searched, in the orientation that has this key.
    pub position: String,
    /// Best move in this orientation, with its value.
    pub line: Line<String>,
}

impl BookEntry {
    /// Checks that the position has the key of the entry, and that the move is legal.
    fn check(&self, game: &dyn AnyGame) -> Result<(), BookDamage> {
        let wrong = |source| BookDamage::Entry { position: self.position.clone(), source };
        let position = game.position(&self.position);
        let position = position.map_err(|e| wrong(EntryError::Position(Box::new(e))))?;
        if (position.board_key(), position.canonical_key()) != (Some(self.key), Some(self.key)) {
            return Err(wrong(EntryError::Key));
        }
        let mv = &self.line.mv;
        if !position.moves().contains(mv) {
            return Err(wrong(EntryError::Move(mv.clone())));
        }
        Ok(())
    }
}

/// Opening book.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    recipe: Recipe,
    complete: bool,
    /// Entries sorted by ply, then by key.
    entries: Vec<BookEntry>,
    /// Index of the entry of each key.
    places: HashMap<u64, usize>,
}

impl Book {
    /// Creates a book. `complete` means that the entries are all positions of the recipe.
    pub fn new(recipe: Recipe, mut entries: Vec<BookEntry>, complete: bool) -> Self {
        entries.sort_by_key(|entry| (entry.ply, entry.key));
        let places = entries.iter().enumerate().map(|(n, entry)| (entry.key, n)).collect();
        Self { recipe, complete, entries, places }
    }

    /// Returns the recipe by which the book was made.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Returns true if the book has all positions of its recipe.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns all entries, sorted by ply and then by key.
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// Checks that the book was made for the rules of a game.
    ///
    /// # Errors
    /// If it was made for another game ([`BookError::Foreign`]) or for an earlier version of its rules
    /// ([`BookError::ChangedRules`]).
    pub fn fits(&self, game: &dyn AnyGame) -> Result<(), BookError> {
        if self.recipe.game != game.spec() {
            return Err(BookError::Foreign {
                made_for: self.recipe.game.clone(),
                wanted: game.spec().to_owned(),
            });
        }
        if self.recipe.rules != recipe::rules_checksum(game) {
            return Err(BookError::ChangedRules(game.spec().to_owned()));
        }
        Ok(())
    }

    /// Checks every entry against the rules.
    ///
    /// # Errors
    /// If the book is for another game, or an entry contradicts the rules.
    pub fn check(&self, game: &dyn AnyGame) -> Result<(), BookError> {
        self.fits(game)?;
        self.entries.iter().try_for_each(|entry| entry.check(game))?;
        Ok(())
    }

    /// Returns the line of a position; `None` if the book does not have it. The book must [fit](Book::fits) the game.
    ///
    /// The line has an outcome and a distance only if the position, or a reflection of it, is exactly the one that was
    /// searched: a proof need not hold for the same board with another history.
    ///
    /// # Errors
    /// If the entry contradicts the rules. A move that only the history of the game forbids (because it would repeat
    /// a board) is not an error; the answer is then `None`.
    pub fn answer(
        &self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
    ) -> Result<Option<Line<String>>, BookError> {
        let asked = matches!(position.turn(), Turn::Player(_));
        if !asked || position.game_spec() != self.recipe.game {
            return Ok(None);
        }
        let Some((key, symmetry)) = position.canonical() else { return Ok(None) };
        let Some(&place) = self.places.get(&key) else { return Ok(None) };
        let entry = &self.entries[place];
        let Some(mv) = position.unreflect_move(&entry.line.mv, symmetry) else {
            entry.check(game)?;
            return Ok(None);
        };
        let mut line = Line { mv: mv.clone(), pv: vec![mv], ..entry.line.clone() };
        if position.reflect(symmetry).text() != entry.position {
            line.value = line.value.without_proof();
        }
        Ok(Some(line))
    }
}
