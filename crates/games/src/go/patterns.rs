//! Patterns of 3x3 points around a candidate move.

use std::sync::LazyLock;

/// Patterns around a point where a stone of either colour can be good, in all rotations and
/// reflections. Either colour can be `X`.
///
/// | character | point |
/// |---|---|
/// | `X`, `O` | stone of one colour, stone of the other |
/// | `.` | empty |
/// | `x`, `o` | no stone of that colour |
/// | `?` | any |
/// | `#` | outside the board |
/// | `*` | the move |
///
/// They follow those of the program `MoGo` (Gelly, Wang, Munos, Teytaud 2006).
const EITHER_COLOUR: [[&str; 3]; 9] = [
    // Hane.
    ["XOX", ".*.", "???"],
    ["XO.", ".*.", "?.?"],
    ["XO?", "X*.", "?.?"],
    // Cuts that are not already protected.
    ["XO?", "O*o", "?o?"],
    ["?X?", "O*O", "xxx"],
    // The edge.
    ["X.?", "O*?", "###"],
    ["?X?", "O*X", "###"],
    ["OX?", "X*O", "###"],
    ["?XO", "?*?", "###"],
];

/// Patterns of the colour `X` only.
const OWN_COLOUR: [[&str; 3]; 1] = [["XOO", ".*.", "?.?"]];

/// Set of codes: bit `c % 64` of word `c / 64` is set if the surroundings with the code `c` match a
/// pattern.
pub(super) type PatternSet = [u64; 1024];

/// Codes that match a pattern.
pub(super) static PATTERNS: LazyLock<PatternSet> = LazyLock::new(|| {
    let mut set = [0; 1024];
    for picture in EITHER_COLOUR {
        insert(&mut set, picture, false);
        insert(&mut set, picture, true);
    }
    for picture in OWN_COLOUR {
        insert(&mut set, picture, false);
    }
    set
});

/// Contents of a point: bit 0 an own stone, bit 1 an opposing stone, both outside the board.
const EMPTY: u8 = 0;
const OWN: u8 = 1;
const OPPONENT: u8 = 2;
const OUTSIDE: u8 = 3;

/// Returns the contents that a character of a pattern allows.
fn allowed(character: u8, swapped: bool) -> &'static [u8] {
    match (character, swapped) {
        (b'.', _) => &[EMPTY],
        (b'#', _) => &[OUTSIDE],
        (b'X', false) | (b'O', true) => &[OWN],
        (b'O', false) | (b'X', true) => &[OPPONENT],
        (b'x', false) | (b'o', true) => &[EMPTY, OPPONENT, OUTSIDE],
        (b'o', false) | (b'x', true) => &[EMPTY, OWN, OUTSIDE],
        _ => &[EMPTY, OWN, OPPONENT, OUTSIDE],
    }
}

/// Adds the codes that match a picture in any orientation.
fn insert(set: &mut PatternSet, picture: [&str; 3], swapped: bool) {
    for symmetry in 0..8 {
        let cell = |i: usize| {
            let (mut column, mut row) = (i % 3, i / 3);
            if symmetry & 1 != 0 {
                column = 2 - column;
            }
            if symmetry & 2 != 0 {
                row = 2 - row;
            }
            if symmetry & 4 != 0 {
                (column, row) = (row, column);
            }
            allowed(picture[row].as_bytes()[column], swapped)
        };
        // The codes of the first points, extended by one point at a time. The centre has no bits.
        let mut codes = vec![0_u16];
        for (place, i) in [0, 1, 2, 3, 5, 6, 7, 8].into_iter().enumerate() {
            codes = codes
                .iter()
                .flat_map(|&code| {
                    cell(i).iter().map(move |&content| {
                        let (own, opponent) = (u16::from(content & 1), u16::from(content >> 1));
                        code | own << place | opponent << (8 + place)
                    })
                })
                .collect();
        }
        for code in codes {
            set[usize::from(code / 64)] |= 1 << (code % 64);
        }
    }
}

/// Points of a board within two steps of a point, as 5 rows of 8 bits; the first of them is two
/// columns to the left and two rows below.
#[derive(Clone, Copy)]
pub(super) struct Window(pub(super) u64);

impl Window {
    /// Bits of all points.
    pub(super) const ALL: u64 = 0x1f_1f1f_1f1f;

    /// Returns the eight neighbours of the point `right` columns and `up` rows from the lower left
    /// of the 3x3 candidates, as bits from the lower left.
    #[inline]
    fn ring(self, right: usize, up: usize) -> usize {
        let x = self.0 >> (8 * up + right);
        (x & 7 | x >> 5 & 8 | x >> 6 & 16 | x >> 11 & 0xe0) as usize
    }
}

/// Returns true if the surroundings of the candidate `right` columns and `up` rows from the lower
/// left of the 3x3 candidates match a pattern. Both windows contain the points outside the board.
#[inline]
pub(super) fn is_match(
    set: &PatternSet,
    [own, opponent]: [Window; 2],
    right: usize,
    up: usize,
) -> bool {
    let code = own.ring(right, up) | opponent.ring(right, up) << 8;
    set[code / 64 % 1024] >> (code % 64) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the empty centre of a picture is a pattern move of `X`.
    fn is_pattern(picture: [&str; 3]) -> bool {
        let mut windows = [0_u64; 2];
        for (row, text) in picture.into_iter().enumerate() {
            for (column, character) in text.bytes().enumerate() {
                let bit = 1 << (8 * row + column);
                windows[0] |= if matches!(character, b'X' | b'#') { bit } else { 0 };
                windows[1] |= if matches!(character, b'O' | b'#') { bit } else { 0 };
            }
        }
        is_match(&PATTERNS, windows.map(Window), 0, 0)
    }

    #[test]
    fn hanes_cuts_and_edge_moves_match_and_quiet_points_do_not() {
        for picture in [
            ["XOX", "...", "..."],
            ["OXO", "...", "..."],
            [".XO", "...", "..."],
            ["XO.", "X..", "..."],
            ["XO.", "O..", "..."],
            ["OX.", "X.X", "###"],
            ["..#", "O.#", "X.#"],
            ["###", "O..", "X.."],
            [".X.", "O.O", "..."],
            ["OO.", "X..", "..."],
        ] {
            assert!(is_pattern(picture), "{picture:?}");
        }
        for picture in [
            ["...", "...", "..."],
            ["XXX", "X.X", "XXX"],
            ["XO.", "O.O", ".O."],
            ["OXO", "X.X", "OXO"],
            ["###", "...", "..."],
            ["#..", "#..", "###"],
        ] {
            assert!(!is_pattern(picture), "{picture:?}");
        }
    }

    #[test]
    fn one_hane_holds_for_one_colour_only() {
        assert!(is_pattern(["XOO", "...", "..."]));
        assert!(!is_pattern(["OXX", "...", "..."]));
    }
}
