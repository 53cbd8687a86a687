//! The `tussle` binary from outside.

mod analyse;
mod bad_input;
mod commands;
mod common;
