//! Rules for libraries without games: bitboards, and random playouts as fast as our hand-written loops.

pub mod connect4;
pub mod tictactoe;

use rand::RngCore;
use rand::rngs::SmallRng;

/// Source of random choices that uses each random number for several choices: the high half of
/// random * n is the choice, and the low half is the random number of the next choice.
pub struct Choices {
    random: u64,
    left: u32,
}

impl Choices {
    /// Number of choices per random number. Nine choices among up to nine use less than half of the bits.
    const CHOICES_PER_NUMBER: u32 = 9;

    pub fn new() -> Self {
        Self { random: 0, left: 0 }
    }

    #[inline]
    pub fn below(&mut self, n: usize, rng: &mut SmallRng) -> usize {
        if self.left == 0 {
            (self.random, self.left) = (rng.next_u64(), Self::CHOICES_PER_NUMBER);
        }
        self.left -= 1;
        let wide = u128::from(self.random) * n as u128;
        self.random = wide as u64;
        (wide >> 64) as usize
    }
}
