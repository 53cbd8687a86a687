//! Opponents for your game: rules, games and searches in one light crate.
//!
//! Implement [`Game`] for your rules, or take one of [`games`], and hand it to an agent:
//!
//! ```
//! use tussle::games::TicTacToe;
//! use tussle::search::{Agent, Greedy, Ties};
//! use tussle::{Args, Budget, Evaluations, Game, Turn};
//!
//! let game = TicTacToe;
//! let eval = game.evaluation(0, &Args::default());
//! let mut agent = Greedy::new(eval, Ties::First, 1);
//!
//! let mut state = game.start();
//! while game.turn(&state) != Turn::Over {
//!     let report = agent.choose(&game, &state, &Budget::unlimited());
//!     let &mv = report.best().expect("the game is not over");
//!     game.play(&mut state, mv);
//! }
//! ```
//!
//! A position in which no player is to move (the game is over, or chance moves) gives a report without
//! lines. A budget may be used for any number of searches; no limit means no limit, so give [`Mcts`] one,
//! or a [`StopFlag`].
//!
//! Nothing heavy comes along: this crate depends on its three siblings, and they on `bytemuck` alone.
//!
//! [`Mcts`]: search::Mcts

pub use tussle_core::*;

/// The games Tussle brings along.
pub mod games {
    pub use tussle_games::*;
}

/// The searches.
pub mod search {
    pub use tussle_search::*;
}

/// The README's examples are tested with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
