//! Exact, fast rules of board games, one file or folder each.
//!
//! | game | type |
//! |---|---|
//! | tic-tac-toe | [`TicTacToe`] |
//! | connect four, any size | [`Connect4`] |
//! | Gobblet Gobblers | [`Gobblet`] |
//! | Go, up to 19x19 | [`Go`] |
//! | keep on moving, two to eight players | [`KeepOnMoving`] |
//! | pentago, with turns or with turns and flips | [`Pentago`], [`PentagoTwist`] |
//! | backgammon | [`Backgammon`] |
//! | a game tree written down node by node | [`DuelTree`], [`ManyTree`] |

pub mod backgammon;
mod board;
pub mod connect4;
#[cfg(test)]
mod fast_playouts;
pub mod go;
pub mod gobblet;
#[cfg(test)]
mod heavy_playouts;
pub mod keep_on_moving;
pub mod pentago;
pub mod tictactoe;
pub mod tree;

pub use backgammon::Backgammon;
pub use connect4::Connect4;
pub use go::Go;
pub use gobblet::Gobblet;
pub use keep_on_moving::KeepOnMoving;
pub use pentago::{Pentago, PentagoTwist};
pub use tictactoe::TicTacToe;
pub use tree::{DuelTree, ManyTree};
