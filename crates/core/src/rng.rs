//! Random numbers.

/// Small, fast random number generator (wyrand): 64 bits of state, one multiplication per number.
///
/// Equal seeds give equal streams on every machine. It is not suitable for cryptography.
///
/// ```
/// use tussle_core::Rng;
/// let (mut a, mut b) = (Rng::new(7), Rng::new(7));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!(a.below(6) < 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed. Neighbouring seeds give unrelated streams.
    pub const fn new(seed: u64) -> Self {
        Self(crate::mix(seed))
    }

    /// Creates a generator from a seed and a path, such as game 17 of a match and the second seat of that
    /// game. Different paths give unrelated streams.
    ///
    /// ```
    /// use tussle_core::Rng;
    /// assert_ne!(Rng::derive(1, &[0, 1]), Rng::derive(1, &[1, 0]));
    /// ```
    pub fn derive(seed: u64, path: &[u64]) -> Self {
        let folded =
            path.iter().fold(crate::mix(seed), |h, &part| crate::mix(h ^ crate::mix(part)));
        Self::new(folded)
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (wide >> 64) as u64 ^ wide as u64
    }

    /// Returns a number in `0..n`; the bias is below n / 2^64.
    ///
    /// # Panics
    /// In debug builds, if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0, "there is nothing to choose from");
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// Returns a number in `0.0..1.0`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffles a slice; every order is equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn every_face_of_a_die_comes_up_equally_often() {
        let mut rng = Rng::new(3);
        let mut counts = [0u32; 6];
        for _ in 0..600_000 {
            counts[rng.below(6)] += 1;
        }
        // Five degrees of freedom: 20.5 is the 0.1 % point of chi squared.
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 100_000.0).powi(2) / 100_000.0).sum();
        assert!(chi < 20.5, "{counts:?} chi² {chi}");
    }

    #[test]
    fn unit_numbers_fill_the_interval() {
        let mut rng = Rng::new(4);
        let mean = (0..100_000).map(|_| rng.unit()).sum::<f64>() / 100_000.0;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::new(1).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
