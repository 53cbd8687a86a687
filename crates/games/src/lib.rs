//! Exact, fast rules of board games, one file each.
//!
//! | game | type |
//! |---|---|
//! | tic-tac-toe | [`TicTacToe`] |
//! | connect four, any size | [`Connect4`] |

mod board;
mod connect4;
mod tictactoe;

pub use connect4::Connect4;
pub use tictactoe::TicTacToe;
