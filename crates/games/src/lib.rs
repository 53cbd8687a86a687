//! Exact, fast rules of board games, one file or folder each.
//!
//! | game | type |
//! |---|---|
//! | tic-tac-toe | [`TicTacToe`] |
//! | connect four, any size | [`Connect4`] |
//! | Gobblet Gobblers | [`Gobblet`] |
//! | keep on moving, two to eight players | [`KeepOnMoving`] |
//! | backgammon | [`Backgammon`] |
//! | a game tree written down node by node | [`DuelTree`], [`ManyTree`] |

pub mod backgammon;
mod board;
mod connect4;
mod gobblet;
pub mod keep_on_moving;
mod tictactoe;
pub mod tree;

pub use backgammon::Backgammon;
pub use connect4::Connect4;
pub use gobblet::Gobblet;
pub use keep_on_moving::KeepOnMoving;
pub use tictactoe::TicTacToe;
pub use tree::{DuelTree, ManyTree};
