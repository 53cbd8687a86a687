//! Exact, fast rules of board games, one file each.
//!
//! | game | type |
//! |---|---|
//! | tic-tac-toe | [`TicTacToe`] |
//! | a game tree written down node by node | [`DuelTree`], [`ManyTree`] |

mod board;
mod tictactoe;
pub mod tree;

pub use tictactoe::TicTacToe;
pub use tree::{DuelTree, ManyTree};
