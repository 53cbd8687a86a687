//! The invariants of `docs/architecture.md`: each test checks one, and its message says what to do.
//!
//! Elsewhere: `nothing_else_reads_a_clock` in `crates/core/src/time.rs` finds readings of the time outside `core::time`.

mod crates;
mod names;
mod sources;
