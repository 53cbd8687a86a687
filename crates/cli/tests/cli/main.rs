//! The `tussle` binary from outside.

mod bad_input;
mod book;
mod commands;
mod common;
