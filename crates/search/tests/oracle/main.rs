//! Tests of every search against naive implementations, on small random games.
//!
//! `graph` makes a game from a seed; `naive` values its positions by the definitions; `listener` checks the events
//! of a search; the other modules have the tests. Only `tussle-core` and `tussle-search` are compiled, so that
//! mutation tests of the searches are fast.

mod alphabeta;
mod deepening;
mod expectimax;
mod goals;
mod graph;
mod listener;
mod many;
mod minimax;
mod naive;
mod record;
mod sampling;
mod simple;
mod steps;
mod threads;
mod walk;
