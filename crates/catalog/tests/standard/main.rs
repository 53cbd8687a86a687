//! Claims about the standard games and agents, by their names.
//!
//! Unit tests of this crate use no standard games: each binary that does compiles every search for every game.

mod agents;
mod book;
mod listing;
mod sgf;
mod tuned;
