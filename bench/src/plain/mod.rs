//! Playout loops written by hand for one game each, without traits, parameters and code for other
//! games. They are the reference for the speed of a generic library.
//!
//! Both sides of a comparison use the same random generator, so that the ratio depends on the rules
//! only.

pub mod connect4;
pub mod go;
pub mod pentago;
pub mod tictactoe;

/// End of a random game.
#[derive(Clone, Copy)]
pub struct End {
    /// 1 if the first player won, -1 if the second player won, 0 for a draw.
    pub winner: i8,
    /// Number of plies.
    pub plies: u32,
}
