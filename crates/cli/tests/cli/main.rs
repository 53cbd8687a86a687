//! The `tussle` binary from outside.

mod bad_input;
mod commands;
mod common;
