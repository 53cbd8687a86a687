//! Playout loops written by hand for one game each: no traits, no parameters, nothing that any
//! other game needs. They are what a generic library has to keep up with.
//!
//! Both sides of a comparison draw from the same generator, so that a ratio speaks of the rules
//! alone.

pub mod connect4;
pub mod go;
pub mod pentago;
pub mod tictactoe;

/// How a random game ended.
#[derive(Clone, Copy)]
pub struct End {
    /// 1 if the first player won, -1 if the second did, 0 for a draw.
    pub winner: i8,
    /// The number of moves.
    pub plies: u32,
}
