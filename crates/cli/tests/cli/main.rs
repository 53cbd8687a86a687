//! The `tussle` binary from outside.

mod analyse;
mod bad_input;
mod book;
mod commands;
mod common;
mod mcts;
mod results;
