//! Rules for the libraries that bring none: bitboards, and random games as fast as our plain loops.

pub mod connect4;
pub mod tictactoe;

use rand::RngCore;
use rand::rngs::SmallRng;

/// Choices out of few, many from one random number: the high part of random * n is a choice
/// among n, the low part is as random as before.
pub struct Choices {
    random: u64,
    left: u32,
}

impl Choices {
    /// Choices out of nine: more than half of the bits are to spare.
    const FROM_ONE: u32 = 9;

    pub fn new() -> Self {
        Self { random: 0, left: 0 }
    }

    #[inline]
    pub fn below(&mut self, n: usize, rng: &mut SmallRng) -> usize {
        if self.left == 0 {
            (self.random, self.left) = (rng.next_u64(), Self::FROM_ONE);
        }
        self.left -= 1;
        let wide = u128::from(self.random) * n as u128;
        self.random = wide as u64;
        (wide >> 64) as usize
    }
}
