//! Conformance suite for games: checks the contracts of `tussle-core` in random games.
//!
//! ```
//! let game = tussle_catalog::game("tictactoe")?;
//! for seed in 0..10 {
//!     tussle_conformance::check(game.as_ref(), seed);
//! }
//! # Ok::<(), tussle_catalog::Error>(())
//! ```

mod actions;
mod contracts;
mod tactics;

pub use actions::{check_action_symmetries, check_actions};
pub use contracts::{check, is_another_spelling};
pub use tactics::check_tactics;
