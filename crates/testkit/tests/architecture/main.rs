//! The invariants of `docs/architecture.md`: each test checks one, and its message says what to do.
//!
//! Elsewhere: `core_search_and_games_read_the_clock_here_only` in `crates/core/src/time.rs` finds readings of the time in
//! these crates outside `core::time`.

mod crates;
mod names;
mod sources;
