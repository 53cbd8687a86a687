//! Where one player's fifteen checkers stand.

/// The places of a player's checkers, as that player counts them.
pub(super) const OFF: usize = 0;
pub(super) const BAR: usize = 25;

/// Points 1 to 24.
pub(super) const POINTS: u32 = 0x01ff_fffe;
/// Points 1 to 6.
pub(super) const HOME: u32 = 0x7e;
/// The rival's home, points 19 to 24.
pub(super) const FAR_HOME: u32 = 0x01f8_0000;

/// One player's checkers, by that player's own count of the points. The number of checkers on
/// a place is a binary number whose four digits lie in four words, at the bit of the place:
/// ```text
/// bit     25  24 23 … 2 1   0
/// place  bar  points      off
/// ```
/// So the places with a checker, with exactly one, with two or more are a few operations on
/// whole words, and a checker is added to any place by a carry that runs through four words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Checkers(pub(super) [u32; 4]);

impl Checkers {
    /// The checkers of either player at the start of a game.
    pub(super) fn at_start() -> Self {
        let mut checkers = Self::default();
        for (place, count) in [(24, 2), (13, 5), (8, 3), (6, 5)] {
            checkers.put(place, count);
        }
        checkers
    }

    /// Puts so many checkers, at most 15, on an empty place.
    pub(super) fn put(&mut self, place: usize, count: u32) {
        for (digit, word) in self.0.iter_mut().enumerate() {
            *word |= (count >> digit & 1) << place;
        }
    }

    /// How many stand on a place.
    #[inline]
    pub(super) fn count(self, place: usize) -> u32 {
        let [a, b, c, d] = self.0.map(|word| word >> place & 1);
        a + 2 * b + 4 * c + 8 * d
    }

    /// The points with at least one, and the bar; not what is off.
    #[inline]
    pub(super) fn taken(self) -> u32 {
        let [a, b, c, d] = self.0;
        (a | b | c | d) & !1
    }

    /// The points with two or more: no rival may come there.
    #[inline]
    pub(super) fn held(self) -> u32 {
        let [_, b, c, d] = self.0;
        (b | c | d) & POINTS
    }

    /// The points with exactly one.
    #[inline]
    pub(super) fn blots(self) -> u32 {
        let [a, b, c, d] = self.0;
        a & !(b | c | d) & POINTS
    }

    /// The places with exactly one, the bar included.
    #[inline]
    pub(super) fn singles(self) -> u32 {
        let [a, b, c, d] = self.0;
        a & !(b | c | d)
    }

    #[inline]
    pub(super) fn add(&mut self, place: usize) {
        let mut carry = 1 << place;
        for word in &mut self.0 {
            let next = *word & carry;
            *word ^= carry;
            carry = next;
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, place: usize) {
        let mut borrow = 1 << place;
        for word in &mut self.0 {
            let next = !*word & borrow;
            *word ^= borrow;
            borrow = next;
        }
    }

    /// Whether all fifteen are off.
    #[inline]
    pub(super) fn all_off(self) -> bool {
        let [a, b, c, d] = self.0;
        a & b & c & d & 1 != 0
    }

    /// Whether none is off.
    #[inline]
    pub(super) fn none_off(self) -> bool {
        let [a, b, c, d] = self.0;
        (a | b | c | d) & 1 == 0
    }

    /// The pips left to bear all off: the sum of the places.
    #[inline]
    pub(super) fn pips(self) -> u32 {
        // The places whose number has binary digit 0, 1, 2, 3, 4.
        const DIGITS: [u32; 5] = [0x02aa_aaaa, 0x00cc_cccc, 0x00f0_f0f0, 0x0300_ff00, 0x03ff_0000];
        let mut pips = 0;
        for (i, word) in self.0.into_iter().enumerate() {
            for (digit, places) in DIGITS.into_iter().enumerate() {
                pips += (word & places).count_ones() << (i + digit);
            }
        }
        pips
    }
}

/// A set of one player's points as the other one counts them.
#[inline]
pub(super) fn turned(points: u32) -> u32 {
    points.reverse_bits() >> 6 & POINTS
}
