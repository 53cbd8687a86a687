//! Errors of requests.

use std::fmt;

/// Error of a request, printed after `?`.
#[derive(Debug)]
pub enum RequestError {
    /// The line is not a request.
    Form(String),
    /// The library does not have the task.
    Unsupported { library: &'static str, request: String },
    /// The moves do not lead to an unfinished position.
    Moves(String),
    /// The number of searches is 0.
    NoSearch,
    /// Repeated searches of the same position found different values.
    DifferentValues,
}

impl RequestError {
    /// Creates the error of a task that a library does not have.
    pub fn unsupported(library: &'static str, kind: &str, task: &str) -> Self {
        Self::Unsupported { library, request: format!("{kind} {task}") }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(line) => write!(
                f,
                "`{line}`: expected `playouts GAME N`, `search TASK N`, `mcts GAME N` or `solve MOVES N`"
            ),
            Self::Unsupported { library, request } => {
                write!(f, "{library} does not have {request}")
            }
            Self::Moves(moves) => write!(
                f,
                "`{moves}`: expected legal moves as digits of columns from 1, and an unfinished game"
            ),
            Self::NoSearch => f.write_str("expected at least one search, found 0"),
            Self::DifferentValues => f.write_str("the same search found different values"),
        }
    }
}

impl std::error::Error for RequestError {}
