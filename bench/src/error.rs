//! Errors of measurements.

use std::io;

use crate::solve::MAX_TRIES;

/// Error of a measurement.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The catalog rejects a game, an agent or a move, or a search fails.
    #[error(transparent)]
    Catalog(#[from] tussle_catalog::Error),
    /// The rules of Go are invalid.
    #[error(transparent)]
    Rules(#[from] tussle_core::ParseError),
    /// The requests cannot be read.
    #[error(transparent)]
    Input(#[from] io::Error),
    /// The results cannot be written.
    #[error("{path}: {source}")]
    Output { path: String, source: io::Error },
    /// The line is not a request.
    #[error("`{0}`: expected a request such as `playouts GAME N` or `search GAME AGENT N`")]
    Request(String),
    /// The playouts of one side have other statistics than random play.
    #[error("{side}: expected {expected} {what}, found {found:.2}")]
    Statistics { side: String, what: &'static str, expected: f64, found: f64 },
    /// Too few random games are long enough.
    #[error(
        "{game}: found only {found} games of more than {plies} plies in {MAX_TRIES}; use fewer plies"
    )]
    ShortGames { game: String, plies: usize, found: usize },
    /// The number of searches is 0.
    #[error("expected at least one search, found 0")]
    NoSearch,
    /// The position to solve is finished.
    #[error("the game is over")]
    GameOver,
    /// The search ended without a proof.
    #[error("the search did not prove an outcome")]
    NotProven,
}
