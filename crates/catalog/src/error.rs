//! What can be wrong with a name, a parameter, a move or a position.

use tussle_core::ParseError;
use tussle_search::SearchError;

use crate::book::BookError;

/// A request that cannot be met: one sentence that says what was wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A spec string names nothing we have, or its parameters are wrong.
    #[error("{0}")]
    Spec(String),
    /// The game or agent cannot be made with these parameters.
    #[error("{spec}: {reason}")]
    Rules {
        /// The name of the game or agent.
        spec: String,
        /// What does not fit.
        reason: ParseError,
    },
    /// A move or a position does not fit the game.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// An opening library cannot be used.
    #[error("{path}: {reason}")]
    Book {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: BookError,
    },
    /// An agent was asked for a move in a finished game, or before a roll of the dice.
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
    /// A program that was asked as an agent failed.
    #[error("{agent}: {what}")]
    Program {
        /// The spec of the program.
        agent: String,
        /// The verdict and its evidence.
        what: String,
    },
    /// An agent was shown a position of another game.
    #[error("this agent plays {agent}, but was shown a position of {position}")]
    WrongGame {
        /// The agent's game.
        agent: String,
        /// The position's game.
        position: String,
    },
}
