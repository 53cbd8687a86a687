//! Sets of points, with neighbours and flood fill.

use std::ops::{BitAnd, BitOr, Not};

/// Set of points of a board, with one bit per point in `N` words.
///
/// Words hold whole rows. Every row ends with a sentinel bit that no set contains, so that no shift
/// moves a point from one edge to the other. With one word:
/// ```text
/// 56 57 58 59 60 61 62 | 63
///  …                      …    rows of 8 bits: 7 points and the sentinel
///  8  9 10 11 12 13 14 | 15
///  0  1  2  3  4  5  6 |  7
/// ```
/// Several words take the rows of the board in turn, the lowest row first: with four words, word 0
/// holds the rows 1, 5, 9 and 13. The rows above and below a row are then at the same place of the
/// next and the previous word, and only the first and the last word need a shift.
///
/// | words | rows in a word | bits in a row | largest board |
/// |---|---|---|---|
/// | 1 | 8 | 8 | 7x8 |
/// | 2 | 5 | 11 | 10x10 |
/// | 4 | 4 | 14 | 13x16 |
/// | 8 | 3 | 20 | 19x24 |
///
/// The sizes are constants of the type, so that every shift is by a constant. The number of words
/// is a power of two, so that a cheap remainder replaces the bounds check of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bits<const N: usize>([u64; N]);

impl<const N: usize> Bits<N> {
    /// Number of bits of all words.
    pub(super) const LEN: usize = 64 * N;
    /// Number of bits of a row with its sentinel.
    const STRIDE: usize = match N {
        1 => 8,
        2 => 11,
        4 => 14,
        _ => 20,
    };
    /// Number of rows of a word.
    const ROWS: usize = 64 / Self::STRIDE;
    /// Points of one row, in the lowest place of a word.
    const ROW: u64 = (1 << Self::STRIDE) - 1;

    pub(super) const EMPTY: Self = Self([0; N]);

    /// Returns true if a board of this size fits.
    pub(super) const fn fits(width: usize, height: usize) -> bool {
        width < Self::STRIDE && height <= N * Self::ROWS
    }

    /// Returns the bit number of a point. Columns and rows count from 0 at the lower left.
    pub(super) fn index(column: usize, row: usize) -> u16 {
        (row % N * 64 + row / N * Self::STRIDE + column) as u16
    }

    /// Returns the column and row of a bit.
    pub(super) fn place(index: u16) -> (usize, usize) {
        let (word, bit) = (usize::from(index / 64), usize::from(index % 64));
        (bit % Self::STRIDE, bit / Self::STRIDE * N + word)
    }

    /// Returns the set of one point.
    ///
    /// It is computed without a store to one word. A load of several words after such a store would
    /// have to wait for it.
    #[inline]
    pub(super) fn single(index: u16) -> Self {
        if N == 1 {
            return Self([1 << (index % 64); N]);
        }
        Self(std::array::from_fn(|i| u64::from(usize::from(index / 64) == i) << (index % 64)))
    }

    #[inline]
    pub(super) fn has(&self, index: u16) -> bool {
        self.0[usize::from(index / 64) % N] >> (index % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn insert(&mut self, index: u16) {
        *self = *self | Self::single(index);
    }

    #[inline]
    pub(super) fn remove(&mut self, index: u16) {
        *self = *self & !Self::single(index);
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    pub(super) fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    #[inline]
    pub(super) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns true if the set has two or more members.
    #[inline]
    pub(super) fn is_many(self) -> bool {
        if N == 1 { self.0[0] & self.0[0].wrapping_sub(1) != 0 } else { self.count() > 1 }
    }

    /// Returns the n-th member, counted from 0.
    pub(super) fn nth(mut self, n: usize) -> Option<u16> {
        for _ in 0..n {
            self.remove(self.first()?);
        }
        self.first()
    }

    /// Returns the lowest member.
    #[inline]
    pub(super) fn first(self) -> Option<u16> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some((64 * word) as u16 + self.0[word].trailing_zeros() as u16)
    }

    /// Calls `visit` with every member, row by row from the lower left.
    #[inline]
    pub(super) fn each(self, mut visit: impl FnMut(u16)) {
        if N == 1 {
            return self.each_unordered(visit);
        }
        for place in 0..Self::ROWS {
            for (i, word) in self.0.into_iter().enumerate() {
                let mut row = word & Self::ROW << (place * Self::STRIDE);
                while row != 0 {
                    visit((64 * i) as u16 + row.trailing_zeros() as u16);
                    row &= row - 1;
                }
            }
        }
    }

    /// Calls `visit` with every member, in any order.
    #[inline]
    pub(super) fn each_unordered(self, mut visit: impl FnMut(u16)) {
        for (i, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                visit((64 * i) as u16 + word.trailing_zeros() as u16);
                word &= word - 1;
            }
        }
    }

    /// Returns the neighbours of the members. The set may also contain sentinels and bits outside
    /// the board; callers intersect it with a set of points.
    #[inline]
    pub(super) fn beside(self) -> Self {
        let rows = self.rows_beside();
        Self(std::array::from_fn(|i| self.0[i] << 1 | self.0[i] >> 1 | rows.0[i]))
    }

    /// Returns the diagonal neighbours of the members, and possibly bits outside the board like
    /// [`beside`](Self::beside).
    #[inline]
    pub(super) fn across(self) -> Self {
        Self(self.0.map(|word| word << 1 | word >> 1)).rows_beside()
    }

    /// Returns the points above and below the members.
    #[inline]
    fn rows_beside(self) -> Self {
        let Self(x) = self;
        Self(std::array::from_fn(|i| {
            let below = if i > 0 { x[i - 1] } else { x[N - 1] << Self::STRIDE };
            let above = if i + 1 < N { x[i + 1] } else { x[0] >> Self::STRIDE };
            below | above
        }))
    }

    /// Returns the members within two columns and rows of a point, as 5 rows of 8 bits, of which
    /// the first is two columns to the left and two rows below. Bits for points outside the board
    /// are undefined.
    #[inline]
    pub(super) fn window(self, index: u16) -> u64 {
        const WINDOW: u64 = 0x1f_1f1f_1f1f;
        let bit = u32::from(index % 64).wrapping_sub(2);
        if N == 1 {
            return self.0[0].rotate_right(bit.wrapping_sub(2 * Self::STRIDE as u32)) & WINDOW;
        }
        let mut window = 0;
        for i in 0..5 {
            let (word, places) = Self::up(index, i - 2);
            let shift = bit.wrapping_add_signed(places * Self::STRIDE as i32);
            window |= (self.0[word % N].rotate_right(shift) & 31) << (8 * i);
        }
        window
    }

    /// Returns the word of the row `rows` above a point, and by how many places the row is higher in
    /// its word.
    #[inline]
    fn up(index: u16, rows: i32) -> (usize, i32) {
        let row = i32::from(index / 64) + rows;
        (row.rem_euclid(N as i32) as usize, row.div_euclid(N as i32))
    }

    /// Returns the points of `ground` that are connected within `ground` to a member of this set,
    /// which must be a subset of `ground`.
    #[inline]
    pub(super) fn flood(self, ground: Self) -> Self {
        let mut reached = self;
        loop {
            let next = reached | reached.beside() & ground;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// Returns true if a flood fill of `ground` from this set reaches a member of `targets`, which
    /// must be a subset of `ground`.
    #[inline]
    pub(super) fn reaches(self, ground: Self, targets: Self) -> bool {
        let mut reached = self;
        loop {
            let next = reached | reached.beside() & ground;
            if next.meets(targets) {
                return true;
            }
            if next == reached {
                return false;
            }
            reached = next;
        }
    }
}

impl<const N: usize> BitAnd for Bits<N> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const N: usize> BitOr for Bits<N> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const N: usize> Not for Bits<N> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    fn check_neighbours<const N: usize>(width: usize, height: usize) {
        assert!(Bits::<N>::fits(width, height));
        let points = || (0..height).flat_map(move |r| (0..width).map(move |c| (c, r)));
        let board = points().fold(Bits::<N>::EMPTY, |mut all, (c, r)| {
            all.insert(Bits::<N>::index(c, r));
            all
        });
        assert_eq!(board.count() as usize, width * height);
        for (c, r) in points() {
            let index = Bits::<N>::index(c, r);
            assert_eq!(Bits::<N>::place(index), (c, r));
            let beside = Bits::<N>::single(index).beside() & board;
            for (x, y) in points() {
                let near = x.abs_diff(c) + y.abs_diff(r) == 1;
                assert_eq!(
                    beside.has(Bits::<N>::index(x, y)),
                    near,
                    "({x}, {y}) beside ({c}, {r})"
                );
            }
        }
        let mut seen = Vec::new();
        board.each(|index| seen.push(Bits::<N>::place(index)));
        assert_eq!(
            seen,
            points().collect::<Vec<_>>(),
            "not in order, row by row from the lower left"
        );
        let corner = Bits::<N>::single(0);
        assert_eq!(corner.flood(board), board);
        let other = Bits::<N>::single(Bits::<N>::index(width - 1, height - 1));
        assert!(corner.reaches(board, other));
    }

    #[test]
    fn beside_gives_exactly_the_neighbours_on_boards_of_every_word_count() {
        check_neighbours::<1>(7, 8);
        check_neighbours::<1>(5, 5);
        check_neighbours::<2>(10, 10);
        check_neighbours::<2>(9, 9);
        check_neighbours::<4>(13, 13);
        check_neighbours::<4>(13, 16);
        check_neighbours::<8>(19, 19);
        check_neighbours::<8>(19, 24);
        assert!(!Bits::<1>::fits(8, 1) && !Bits::<1>::fits(1, 9));
        assert!(!Bits::<2>::fits(11, 1) && !Bits::<2>::fits(1, 11));
        assert!(!Bits::<4>::fits(14, 1) && !Bits::<4>::fits(1, 17));
    }
}
