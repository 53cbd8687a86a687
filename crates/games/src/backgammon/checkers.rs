//! Places of one player's fifteen checkers.

/// Place of the checkers that are borne off.
pub(super) const OFF: usize = 0;
/// Place of the checkers on the bar.
pub(super) const BAR: usize = 25;

/// Set of the points 1 to 24.
pub(super) const POINTS: u32 = 0x01ff_fffe;
/// Set of the points of the home board, 1 to 6.
pub(super) const HOME: u32 = 0x7e;
/// Set of the points of the opponent's home board, 19 to 24.
pub(super) const FAR_HOME: u32 = 0x01f8_0000;

/// Checkers of one player, with the points numbered from that player's side. The number of checkers
/// on a place is a binary number, whose four digits are in four words at the bit of the place:
/// ```text
/// bit     25  24 23 … 2 1   0
/// place  bar  points      off
/// ```
/// The sets of places with any checker, with exactly one and with two or more therefore take a few
/// operations on whole words. Adding a checker is an addition with carry through the four words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Checkers(pub(super) [u32; 4]);

impl Checkers {
    /// Returns the checkers of either player at the start of a game.
    pub(super) fn at_start() -> Self {
        let mut checkers = Self::default();
        for (place, count) in [(24, 2), (13, 5), (8, 3), (6, 5)] {
            checkers.put(place, count);
        }
        checkers
    }

    /// Puts `count` checkers, at most 15, on an empty place.
    pub(super) fn put(&mut self, place: usize, count: u32) {
        for (digit, word) in self.0.iter_mut().enumerate() {
            *word |= (count >> digit & 1) << place;
        }
    }

    /// Returns the number of checkers on a place.
    #[inline]
    pub(super) fn count(self, place: usize) -> u32 {
        let [a, b, c, d] = self.0.map(|word| word >> place & 1);
        a + 2 * b + 4 * c + 8 * d
    }

    /// Returns the points, including the bar, with at least one checker.
    #[inline]
    pub(super) fn taken(self) -> u32 {
        let [a, b, c, d] = self.0;
        (a | b | c | d) & !1
    }

    /// Returns the points with two or more checkers, which no opposing checker can enter.
    #[inline]
    pub(super) fn held(self) -> u32 {
        let [_, b, c, d] = self.0;
        (b | c | d) & POINTS
    }

    /// Returns the points with exactly one checker.
    #[inline]
    pub(super) fn blots(self) -> u32 {
        let [a, b, c, d] = self.0;
        a & !(b | c | d) & POINTS
    }

    /// Returns the places, including bar and off, with exactly one checker.
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

    /// Returns true if all fifteen checkers are off.
    #[inline]
    pub(super) fn all_off(self) -> bool {
        let [a, b, c, d] = self.0;
        a & b & c & d & 1 != 0
    }

    /// Returns true if no checker is off.
    #[inline]
    pub(super) fn none_off(self) -> bool {
        let [a, b, c, d] = self.0;
        (a | b | c | d) & 1 == 0
    }

    /// Returns the pip count, which is the sum of the places of all checkers.
    #[inline]
    pub(super) fn pips(self) -> u32 {
        // Places whose number has the binary digit of value 1, 2, 4, 8, 16.
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

/// Returns a set of one player's points with the numbers of the other player.
#[inline]
pub(super) fn turned(points: u32) -> u32 {
    points.reverse_bits() >> 6 & POINTS
}
