//! Errors of commands: the text of a `?` response.

use std::io;

use tussle_catalog::Error;
use tussle_catalog::file::ReadError;

use crate::serve::search::SearchError;

/// Error of a command.
#[derive(Debug, thiserror::Error)]
pub(super) enum GtpError {
    #[error("syntax error")]
    Syntax,
    #[error("unknown command")]
    Unknown,
    #[error("cannot undo")]
    NothingToUndo,
    #[error("unacceptable size: {0}")]
    Size(#[source] Error),
    #[error("cannot load file: {path}: {source}")]
    Load { path: String, source: LoadError },
    #[error("invalid number of stones; this board is too small for a handicap")]
    NoHandicap,
    #[error("invalid number of stones; this board takes 2 to {most}")]
    Handicap { most: usize },
    #[error("bad vertex list")]
    VertexList,
    #[error("board not empty")]
    NotEmpty,
    #[error("illegal move: {0}")]
    Illegal(#[source] Error),
    #[error("illegal move: the game is over")]
    MoveAfterEnd,
    #[error(
        "illegal move: it is the other colour's turn, and the pass inserted for it could end the game"
    )]
    OutOfTurn,
    #[error("the game is over")]
    GameOver,
    #[error("there is no move")]
    NoMove,
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The catalog rejects rules, a position, a move or an agent.
    #[error(transparent)]
    Catalog(#[from] Error),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Error of a game record that cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Record(#[from] Error),
}
