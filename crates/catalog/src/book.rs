//! Opening libraries: what an agent found out beforehand about the first positions of a game.
//!
//! Positions that are reflections of one another share an entry, in the orientation whose
//! [`board_key`](crate::PositionKeys::board_key) is the least. That key knows neither a count of
//! steps nor earlier boards, and so neither does a book: a position that came about in another
//! way gets the same move and value, but only the very same position gets the proof.
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

/// Why a file is not the book it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// It cannot be read at all.
    #[error("{0}")]
    Unreadable(String),
    /// It is something else.
    #[error("this is not an opening library; `tussle book build` makes one")]
    NotABook,
    /// It was written by another version of the program.
    #[error(
        "an opening library of version {0}, but this program reads version {VERSION}; build it again"
    )]
    Version(u64),
    /// It is not as it was written.
    #[error("the opening library is damaged: {0}; build it again")]
    Damaged(#[from] BookDamage),
    /// It belongs to another game.
    #[error("the opening library was made for {made_for}, not {wanted}")]
    Foreign {
        /// The game it was made for.
        made_for: String,
        /// The game it was to be used for.
        wanted: String,
    },
    /// The rules are in a file, and that file is not the same any more.
    #[error("the rules of {0} have changed since the opening library was made; build it again")]
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
    /// A line is not the JSON object it should be.
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
    #[error("line {line}: `{key}` is not a key")]
    Key {
        /// Number of the line.
        line: usize,
        /// The text in place of the key.
        key: String,
    },
    /// A position has more plies than the book.
    #[error("line {line}: ply {ply} of a book of {plies}")]
    Ply {
        /// Number of the line.
        line: usize,
        /// Ply of the position.
        ply: u32,
        /// Number of plies of the book.
        plies: u32,
    },
    /// A line is not sorted by ply and key.
    #[error("line {0} is out of order")]
    Order(usize),
    /// A position has two lines.
    #[error("line {0}: its position is there twice")]
    Repeated(usize),
    /// The text was changed after it was written.
    #[error("its checksum is wrong")]
    Checksum,
    /// Lines are missing, or there are too many.
    #[error("it has {found} entries instead of {expected}")]
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
    #[error("it has another key")]
    Key,
    /// The move is not legal.
    #[error("the move `{0}` is illegal there")]
    Move(String),
}

/// What is known of one position and its reflections.
#[derive(Clone, Debug, PartialEq)]
pub struct BookEntry {
    /// The fewest plies from the start in which it is reached.
    pub ply: u32,
    /// The least board key over all symmetries.
    pub key: u64,
    /// The position that was asked about, in the orientation that has this key.
    pub position: String,
    /// The best move in that orientation, and what it is worth.
    pub line: Line<String>,
}

impl BookEntry {
    /// Whether this entry holds by itself: its position has its key, and its move is legal.
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

/// An opening library.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    recipe: Recipe,
    complete: bool,
    /// By ply, then by key.
    entries: Vec<BookEntry>,
    /// Where the entry of a key is.
    places: HashMap<u64, usize>,
}

impl Book {
    /// A book of these entries; `complete` if they are all that the recipe asks for.
    pub fn new(recipe: Recipe, mut entries: Vec<BookEntry>, complete: bool) -> Self {
        entries.sort_by_key(|entry| (entry.ply, entry.key));
        let places = entries.iter().enumerate().map(|(n, entry)| (entry.key, n)).collect();
        Self { recipe, complete, entries, places }
    }

    /// How it was made.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Whether it has all positions of its first plies.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// What it knows, by ply and then by key.
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// Whether it was made for these rules.
    ///
    /// # Errors
    /// [`BookError::Foreign`] or [`BookError::ChangedRules`] if not.
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
    /// If the book is of another game, or an entry does not hold.
    pub fn check(&self, game: &dyn AnyGame) -> Result<(), BookError> {
        self.fits(game)?;
        self.entries.iter().try_for_each(|entry| entry.check(game))?;
        Ok(())
    }

    /// What the book says about a position of `game`, which it [`fits`](Book::fits).
    ///
    /// The line has an outcome and a distance only if this is the very position that was asked
    /// about, or a reflection of it: a proof need not hold for a board that came about in another
    /// way.
    ///
    /// # Errors
    /// If the entry cannot be right. A move that only the history of the game forbids (a board
    /// that may not be repeated) is no error; then there is no answer.
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
