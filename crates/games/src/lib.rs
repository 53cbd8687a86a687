//! Exact, fast rules of board games, one file each.
//!
//! | game | type |
//! |---|---|
//! | keep on moving | [`KeepOnMoving`] |
//! | tic-tac-toe | [`TicTacToe`] |

mod board;
pub mod keep_on_moving;
mod tictactoe;

pub use keep_on_moving::KeepOnMoving;
pub use tictactoe::TicTacToe;
