//! Searches for any game.
//!
//! Each search is an [`Agent`] with a plain struct of options.
//!
//! | search | needs |
//! |---|---|
//! | [`Mcts`]: Monte Carlo tree search | only the rules |
//! | [`AlphaBeta`], [`Minimax`] | two players with opposite interests, an evaluator |
//! | [`Paranoid`], [`Maxn`] | an evaluator; any number of players |
//! | [`Expectimax`] | an evaluator; games with or without chance |
//! | [`Greedy`] | an evaluator |
//! | [`Random`] | only the rules |
//! | [`agent_fn`] | a closure that chooses moves |
//!
//! A [`Query`] holds the limits of a search and the receivers of its progress and events. [`perft()`] counts move
//! sequences, [`playouts()`] counts the results of random games.
//!
//! ```
//! use tussle_core::Game;
//! use tussle_search::perft;
//! # struct Coin;
//! # impl Game for Coin {
//! #     type State = u32;
//! #     type Move = u32;
//! #     fn start(&self) -> u32 { 0 }
//! #     fn turn(&self, &plies: &u32) -> tussle_core::Turn {
//! #         if plies == 3 { tussle_core::Turn::Over } else { tussle_core::Turn::Player(0) }
//! #     }
//! #     fn moves(&self, _: &u32, out: &mut Vec<u32>) { out.extend([0, 1]) }
//! #     fn play(&self, plies: &mut u32, _: u32) { *plies += 1 }
//! #     fn utility(&self, _: &u32, _: usize) -> f64 { 0.0 }
//! # }
//! // `Coin` lasts three plies of two moves each.
//! assert_eq!(perft(&Coin, &mut Coin.start(), 3)?, 8);
//! assert_eq!(perft(&Coin, &mut Coin.start(), 4)?, 0);
//! # Ok::<(), tussle_search::SearchError>(())
//! ```

mod agent;
mod alphabeta;
mod deepening;
mod expectimax;
#[cfg(test)]
mod failures;
mod fault;
mod goal;
mod greedy;
mod keys;
mod maxn;
mod mcts;
mod minimax;
mod options;
mod paranoid;
mod perft;
mod playouts;
mod pv;
mod random;
mod scale;
mod score;
mod score_tree;
mod table;
mod tactics;
#[cfg(test)]
mod tests;

pub use agent::{
    Agent, FnAgent, ProgressCallback, Query, SearchError, UnsupportedOption, agent_fn,
};
pub use alphabeta::{AlphaBeta, AlphaBetaOptions, MoveOrder, WindowMode};
pub use expectimax::{Expectimax, ExpectimaxOptions, OpponentModel};
pub use fault::EvaluatorFault;
pub use goal::Goal;
pub use greedy::{Greedy, GreedyOptions, TieBreak};
pub use keys::KeyFunctions;
pub use maxn::{Maxn, MaxnOptions};
pub use mcts::{
    FinalMove, Mcts, MctsOptions, Priors, Rollout, SelectionPolicy, TreeFilter, TreeNode,
    WrittenPlayouts,
};
pub use minimax::{Minimax, MinimaxOptions};
pub use options::{Deepening, MAX_THREADS, TerminalValue};
pub use paranoid::Paranoid;
pub use perft::perft;
pub use playouts::{PlayoutCounts, heavy_playouts, playouts};
pub use random::Random;
pub use score_tree::{ScoreNode, ScoreTree};
pub use tactics::TacticFunctions;
