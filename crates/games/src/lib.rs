//! Exact, fast rules of board games, one file each.
//!
//! | game | type |
//! |---|---|
//! | Gobblet Gobblers | [`Gobblet`] |
//! | tic-tac-toe | [`TicTacToe`] |

mod board;
mod gobblet;
mod tictactoe;

pub use gobblet::Gobblet;
pub use tictactoe::TicTacToe;
