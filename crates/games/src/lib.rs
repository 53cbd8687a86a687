//! Exact, fast rules of board games, one file each.
//!
//! | game | type |
//! |---|---|
//! | tic-tac-toe | [`TicTacToe`] |

mod board;
mod tictactoe;

pub use tictactoe::TicTacToe;
