//! Exact, fast rules of board games, one file or folder each.
//!
//! | game | type |
//! |---|---|
//! | tic-tac-toe | [`TicTacToe`] |
//! | connect four, any size | [`Connect4`] |
//! | Gobblet Gobblers | [`Gobblet`] |
//! | Go, up to 19x19 | [`Go`] |
//! | keep-on-moving, two to eight players | [`KeepOnMoving`] |
//! | pentago, with turns or with turns and flips | [`Pentago`], [`PentagoTwist`] |
//! | backgammon | [`Backgammon`] |
//! | game trees from a file | [`DuelTree`], [`ManyTree`] |
//!
//! The moves of every game have fixed numbers, see [`Actions`](tussle_core::Actions). This example
//! uses them to mask a policy to the legal moves:
//!
//! ```
//! use tussle_core::{Actions, Game, Notation};
//! use tussle_games::Connect4;
//!
//! let game = Connect4::new(3, 1, 2).unwrap();
//! let mut state = game.start();
//! game.play(&mut state, 1);
//! let mut moves = Vec::new();
//! game.moves(&state, &mut moves);
//! let mut mask = vec![false; game.actions()];
//! for mv in moves {
//!     mask[game.action(&state, mv)] = true;
//! }
//! assert_eq!(mask, [true, false, true]); // the middle column is full
//! let mv = game.action_move(&state, 2).unwrap();
//! assert_eq!(game.move_text(&state, mv), "3");
//! assert_eq!(game.action_move(&state, 1), None);
//! ```

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
mod record;
#[cfg(test)]
mod tactics_tests;
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
