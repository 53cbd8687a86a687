//! Every search against a naive one, on small random games.
//!
//! `graph` makes a game of a seed; `naive` values its positions by the definitions; `listener` checks the events
//! of a search; the other modules make the claims. Only `tussle-core` and `tussle-search` are compiled, so that a
//! mutant of the search costs seconds.

mod alphabeta;
mod deepening;
mod expectimax;
mod graph;
mod listener;
mod many;
mod minimax;
mod naive;
mod record;
mod sampling;
mod simple;
mod steps;
mod walk;
