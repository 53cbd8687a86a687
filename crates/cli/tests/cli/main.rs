//! The `tussle` binary from outside.

mod analyse;
mod arena;
mod bad_input;
mod baseline;
mod book;
mod check;
mod commands;
mod common;
mod doctor;
mod engines;
mod experiment;
mod explain;
mod files;
mod formats;
mod host;
mod mcts;
mod names;
mod new_game;
mod programs;
mod reproduce;
mod results;
mod review;
mod serve;
mod shards;
mod signature;
mod standing;
