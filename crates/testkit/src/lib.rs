//! Test tools: data files of games, golden playthroughs, oracles, misbehaving engines, fuzz entries and a browser.
//!
//! Tests find the games by their data files (`crates/games/testdata/NAME.toml`), so a new game is
//! tested as soon as it has one.

pub mod browser;
pub mod data;
pub mod fuzz;
pub mod oracle;
pub mod playthrough;
pub mod sampling;
