//! Test helpers: data files of games, oracles, a browser, misbehaving engines and fuzz entries.
//!
//! Tests read games by their data files (`crates/games/testdata/NAME.toml`), so a new game is
//! tested as soon as it has one.

pub mod browser;
pub mod data;
pub mod fuzz;
pub mod oracle;
pub mod playthrough;
pub mod sampling;
