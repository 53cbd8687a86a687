//! Exact, fast rules of board games, one file each.
//!
//! | game | type |
//! |---|---|
//! | keep on moving | [`KeepOnMoving`](keep_on_moving::KeepOnMoving) |
//! | tic-tac-toe | [`TicTacToe`] |

mod board;
pub mod keep_on_moving;
mod tictactoe;

pub use tictactoe::TicTacToe;
