//! Tests of the façade. One binary, so that searches are compiled once for all of them.

mod compiler_messages;
mod every_game;
mod matches;
mod serialisation;
