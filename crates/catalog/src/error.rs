//! Errors of names, parameters, moves and positions.

use tussle_core::ParseError;
use tussle_search::SearchError;

use crate::book::BookError;

/// Error of a request to the catalog: one sentence that says what is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A spec string has an unknown name or wrong parameters.
    #[error("{0}")]
    Spec(String),
    /// The game or agent cannot be made with these parameters.
    #[error("{spec}: {reason}")]
    Rules {
        /// The name of the game or agent.
        spec: String,
        /// Reason why the parameters do not fit.
        reason: ParseError,
    },
    /// A move or a position does not fit the game.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// An opening book cannot be used.
    #[error("{path}: {reason}")]
    Book {
        /// The file.
        path: String,
        /// Error of the book.
        reason: BookError,
    },
    /// An agent was asked for a move in a finished game or at a chance node.
    #[error("an agent was asked for a move, but no player is to move")]
    NoPlayerToMove,
    /// A search has no answer.
    #[error("{spec}: {reason}")]
    Search {
        /// The game.
        spec: String,
        /// Error of the search.
        reason: SearchError,
    },
    /// An external program that plays as an agent has failed.
    #[error("{agent}: {what}")]
    Program {
        /// The spec of the program.
        agent: String,
        /// The verdict and its evidence.
        what: String,
    },
    /// An agent was given a position of another game.
    #[error("this agent plays {agent}, but was given a position of {position}")]
    WrongGame {
        /// The agent's game.
        agent: String,
        /// The position's game.
        position: String,
    },
}
