//! Heuristics for Pentago.

use tussle_core::{Evaluator, Game};

use super::board::{WINDOWS, part, twisted};
use super::plate::SETS;
use super::{Quadrants, State, Twists};

/// Heuristic for Pentago and Pentago Twist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Sum over the 32 windows, the places where five in a row fit. A window without an opponent's
    /// stone counts the square of the player's stones in it; the opponent's windows are subtracted.
    /// A won game is worth 10,000.
    Lines,
    /// Sum of [`Lines`](Self::Lines) over the current board and the eight boards after one twist.
    Reach,
}

/// Value of a won game, above every sum of windows of nine boards: 9 x 32 x 5 x 5 = 7200.
const WIN: f64 = 10_000.0;

/// `COUNTS[plate][set]` has the number of stones of `set` in every window, 0 to 3, as two binary
/// digits. The lower half of the word has the lower digits. Each window is a bit, in the order of
/// [`WINDOWS`].
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

/// Number of stones in every window, as three binary digits. Bit `w` of each word belongs to window
/// `w`.
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

    /// Adds the counts. Three digits are enough, because a window has five cells.
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

    /// Returns the sum of the squared counts of these windows: (o + 2t + 4f)² = o + 4t + 16f + 4ot
    /// + 8of, because a digit is its own square and no count has both a two and a four.
    #[inline]
    fn squares(self, windows: u32) -> u32 {
        let count = |digits: u32| (digits & windows).count_ones();
        count(self.ones)
            + 4 * (count(self.twos) + count(self.ones & self.twos))
            + 8 * (2 * count(self.fours) + count(self.ones & self.fours))
    }
}

/// Returns the first player's sum over open windows minus the second player's.
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
    use super::super::tests::{EARLY_WINS, LATE_WINS, TWIST, random_games};
    use super::*;
    use tussle_core::Notation;

    /// Computes the heuristic window by window.
    fn naive(stones: [u64; 2]) -> f64 {
        let square = |window: &u64| match stones.map(|set| f64::from((set & window).count_ones())) {
            [n, 0.0] => n * n,
            [0.0, n] => -n * n,
            _ => 0.0,
        };
        WINDOWS.iter().map(square).sum()
    }

    fn check_window_sums<T: Twists>(rules: Quadrants<T>) {
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
    fn window_sums_match_a_naive_count_in_all_variants() {
        check_window_sums(TWIST);
        check_window_sums(EARLY_WINS);
        check_window_sums(LATE_WINS);
    }

    #[test]
    fn lines_counts_the_windows_of_a_stone_and_values_a_win_above_them() {
        let value = |text: &str, player| {
            let state = LATE_WINS.parse_position(text).unwrap();
            Eval::Lines.value(&LATE_WINS, &state, player)
        };
        assert_eq!(value("x...../....../....../....../....../...... o", 0), 3.0);
        assert_eq!(value(".x..../....../....../....../....../...... o", 0), 4.0);
        assert_eq!(value("....../.x..../....../....../....../...... o", 0), 6.0);
        assert_eq!(value("....../.x..../....../....../....../...... o", 1), -6.0);
        assert_eq!(value("xxxxx./....../....../....../o...../ooo... o", 0), WIN);
        assert_eq!(value("ooooo./xxxxx./....../....../....../.....x o", 1), 0.0);
    }
}
