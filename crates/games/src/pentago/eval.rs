//! What an unfinished game seems to be worth.

use tussle_core::{Evaluator, Game};

use super::board::{WINDOWS, part, twisted};
use super::plate::SETS;
use super::{Quadrants, State, Twists};

/// A heuristic of pentago.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Windows are the 32 places where five in a row fit. Each window without a rival's stone
    /// counts the square of one's own stones in it; the rival's windows count against one.
    Lines,
    /// The same, summed over the board as it is and the eight boards that are a twist away.
    Reach,
}

/// More than all windows of nine boards together: 9 x 32 x 5 x 5 = 7200.
const WIN: f64 = 10_000.0;

/// For a plate and the stones on it, the number of them in every window, 0 to 3, as two binary
/// digits: the lower ones in the lower half, a window a bit in the order of [`WINDOWS`].
static COUNTS: [[u64; SETS]; 4] = {
    let mut counts = [[0; SETS]; 4];
    let mut plate = 0;
    while plate < 4 {
        let mut set = 0;
        while set < SETS {
            let mut w = 0;
            while w < 32 {
                let stones = (part(WINDOWS[w], plate) & set).count_ones() as u64;
                counts[plate][set] |= (stones & 1) << w | (stones >> 1) << (32 + w);
                w += 1;
            }
            set += 1;
        }
        plate += 1;
    }
    counts
};

/// The number of stones in every window, as three binary digits: bit `w` of each word belongs
/// to window `w`.
#[derive(Clone, Copy)]
struct Counts {
    ones: u32,
    twos: u32,
    fours: u32,
}

impl Counts {
    #[inline]
    fn of(stones: u64) -> Self {
        let on = |plate: usize| {
            let counts = COUNTS[plate][part(stones, plate)];
            Self { ones: counts as u32, twos: (counts >> 32) as u32, fours: 0 }
        };
        on(0).plus(on(1)).plus(on(2).plus(on(3)))
    }

    /// The sums; no window has more than five cells.
    #[inline]
    fn plus(self, other: Self) -> Self {
        let carry = self.ones & other.ones;
        let either = self.twos ^ other.twos;
        Self {
            ones: self.ones ^ other.ones,
            twos: either ^ carry,
            fours: self.fours | other.fours | (self.twos & other.twos) | (either & carry),
        }
    }

    #[inline]
    fn touched(self) -> u32 {
        self.ones | self.twos | self.fours
    }

    /// The sum of the squared counts of these windows. A digit is its own square, and no count
    /// has both a two and a four: (o + 2t + 4f)² = o + 4t + 16f + 4ot + 8of.
    #[inline]
    fn squares(self, windows: u32) -> u32 {
        let count = |digits: u32| (digits & windows).count_ones();
        count(self.ones)
            + 4 * (count(self.twos) + count(self.ones & self.twos))
            + 8 * (2 * count(self.fours) + count(self.ones & self.fours))
    }
}

/// The first player's open windows minus the second's.
#[inline]
fn lines(stones: [u64; 2]) -> i32 {
    let [first, second] = stones.map(Counts::of);
    first.squares(!second.touched()) as i32 - second.squares(!first.touched()) as i32
}

impl<T: Twists> Evaluator<Quadrants<T>> for Eval {
    #[inline]
    fn value(&self, game: &Quadrants<T>, state: &State, player: usize) -> f64 {
        if state.is_over() {
            return WIN * game.utility(state, player);
        }
        let mut value = lines(state.stones);
        if *self == Self::Reach {
            for plate in 0..4 {
                for motion in T::MOTIONS {
                    value += lines(state.stones.map(|stones| twisted(stones, plate, motion)));
                }
            }
        }
        f64::from(if player == 0 { value } else { -value })
    }

    fn is_antisymmetric(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{EARLY, LATE, TWIST, random_games};
    use super::*;
    use tussle_core::Notation;

    /// Counts window by window.
    fn naive(stones: [u64; 2]) -> f64 {
        let square = |window: &u64| match stones.map(|set| f64::from((set & window).count_ones())) {
            [n, 0.0] => n * n,
            [0.0, n] => -n * n,
            _ => 0.0,
        };
        WINDOWS.iter().map(square).sum()
    }

    fn windows_are_counted_as_by_hand<T: Twists>(rules: Quadrants<T>) {
        random_games(rules, 60, |state| {
            if state.is_over() {
                return;
            }
            let boards = (0..8).map(|twist| {
                state.stones.map(|set| twisted(set, twist / 2, T::MOTIONS[twist % 2]))
            });
            let sum = naive(state.stones) + boards.map(naive).sum::<f64>();
            for (eval, value) in [(Eval::Lines, naive(state.stones)), (Eval::Reach, sum)] {
                assert_eq!(eval.value(&rules, &state, 0), value, "{eval:?} {state:?}");
                assert_eq!(eval.value(&rules, &state, 1), -value, "{eval:?} {state:?}");
                assert!(value.abs() < WIN);
            }
        });
    }

    #[test]
    fn windows_are_counted_as_by_hand_in_all_variants() {
        windows_are_counted_as_by_hand(TWIST);
        windows_are_counted_as_by_hand(EARLY);
        windows_are_counted_as_by_hand(LATE);
    }

    #[test]
    fn a_place_is_worth_the_windows_through_it_and_a_result_more_than_any() {
        let value = |text: &str, player| {
            let state = LATE.parse_position(text).unwrap();
            Eval::Lines.value(&LATE, &state, player)
        };
        assert_eq!(value("x...../....../....../....../....../...... o", 0), 3.0);
        assert_eq!(value(".x..../....../....../....../....../...... o", 0), 4.0);
        assert_eq!(value("....../.x..../....../....../....../...... o", 0), 6.0);
        assert_eq!(value("....../.x..../....../....../....../...... o", 1), -6.0);
        assert_eq!(value("xxxxx./....../....../....../o...../ooo... o", 0), WIN);
        assert_eq!(value("ooooo./xxxxx./....../....../....../.....x o", 1), 0.0);
    }
}
