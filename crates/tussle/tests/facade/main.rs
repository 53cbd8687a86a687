//! Tests of the façade. One binary, so that searches are compiled once for all of them.

mod every_game;
mod matches;
mod serialisation;
