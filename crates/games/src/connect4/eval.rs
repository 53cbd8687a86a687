//! Heuristics for connect four.

use tussle_core::{Evaluator, Game};

use super::{Connect4, State, directions, runs};

/// Heuristic for connect four.
#[derive(Clone, Copy, Debug)]
pub enum Eval {
    /// Sum over all windows, the places where a line fits. A window without an opponent's disc
    /// counts the square of the player's discs in it; the opponent's windows are subtracted. A won
    /// game is worth 100,000.
    Windows,
    /// Own discs in the middle columns minus the opponent's. It is cheap, so that measurements
    /// show the cost of the search. A won game is worth 100,000.
    Centre,
}

/// Value of a won game, above every sum of windows: at most 4 windows begin in each of at most 56
/// cells, and an unfinished one counts at most 7 x 7.
const WIN: f64 = 100_000.0;

/// Sums the squared numbers of discs of `mine` over all windows without a disc of `theirs`, in a
/// position without a line.
///
/// All windows of a direction are counted at once: bit `i` of `ones`, `twos` and `fours` are the
/// binary digits of the number of discs in the window that begins in cell `i`. The square is
/// (o + 2t + 4f)² = o + 4t + 16f + 4ot + 8of + 16tf, because a digit is its own square.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the shifts must be constants for the standard size")]
fn windows(mine: u64, theirs: u64, cells: u64, stride: u32, connect: u32) -> u32 {
    let mut sum = 0;
    for step in directions(stride) {
        let open = runs(cells & !theirs, step, connect);
        let (mut ones, mut twos, mut fours) = (mine & open, 0, 0);
        for i in 1..connect {
            let disc = mine.checked_shr(i * step).unwrap_or(0) & open;
            let carry = ones & disc;
            ones ^= disc;
            fours |= twos & carry;
            twos ^= carry;
        }
        sum += ones.count_ones() + 4 * (twos.count_ones() + (ones & twos).count_ones());
        if connect > 4 {
            sum += 16 * (fours.count_ones() + (twos & fours).count_ones());
            sum += 8 * (ones & fours).count_ones();
        }
    }
    sum
}

impl Connect4 {
    /// Returns the windows heuristic for any size. Not inlined, so that the code for the standard
    /// size can be.
    #[inline(never)]
    fn any_windows(&self, mine: u64, theirs: u64) -> f64 {
        let (stride, connect) = (self.stride(), self.connect.into());
        let sum = |mine, theirs| windows(mine, theirs, self.cells, stride, connect);
        f64::from(sum(mine, theirs)) - f64::from(sum(theirs, mine))
    }
}

impl Evaluator<Connect4> for Eval {
    #[inline]
    fn value(&self, game: &Connect4, state: &State, player: usize) -> f64 {
        if state.won {
            return WIN * game.utility(state, player);
        }
        let (mine, theirs) = (state.discs[player], state.discs[1 - player]);
        if let Self::Centre = self {
            let discs = |set: u64| f64::from((set & game.middle).count_ones());
            return discs(mine) - discs(theirs);
        }
        if game.is_standard() {
            let sum = |mine, theirs| windows(mine, theirs, game.cells, 7, 4);
            f64::from(sum(mine, theirs) as i32 - sum(theirs, mine) as i32)
        } else {
            game.any_windows(mine, theirs)
        }
    }

    fn range(&self, _: &Connect4) -> Option<(f64, f64)> {
        Some((-WIN, WIN))
    }

    fn is_antisymmetric(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect4::tests::{SIZES, owner};
    use tussle_core::{Notation, Rng, Turn};

    /// Computes the windows heuristic window by window and cell by cell.
    fn naive(game: &Connect4, state: &State, player: usize) -> f64 {
        let (w, h, k) = (game.width() as i32, game.height() as i32, game.connect() as i32);
        let mut sum = 0;
        for (dc, dr) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            for (c, r) in (0..w).flat_map(|c| (0..h).map(move |r| (c, r))) {
                let (ec, er) = (c + dc * (k - 1), r + dr * (k - 1));
                if !(0..w).contains(&ec) || !(0..h).contains(&er) {
                    continue;
                }
                let count = |p| {
                    let mine = |i: &i32| owner(game, state, c + dc * i, r + dr * i) == Some(p);
                    (0..k).filter(mine).count() as i32
                };
                match (count(player), count(1 - player)) {
                    (n, 0) => sum += n * n,
                    (0, n) => sum -= n * n,
                    _ => {}
                }
            }
        }
        f64::from(sum)
    }

    #[test]
    fn window_sums_match_a_naive_count_on_every_size() {
        let mut rng = Rng::new(5);
        for (w, h, k) in SIZES {
            let game = Connect4::new(w, h, k).unwrap();
            for _ in 0..20 {
                let (mut state, mut moves) = (game.start(), Vec::new());
                while game.turn(&state) != Turn::Over {
                    for player in 0..2 {
                        let value = Eval::Windows.value(&game, &state, player);
                        assert_eq!(value, naive(&game, &state, player), "{w}x{h} {k} {state:?}");
                    }
                    moves.clear();
                    game.moves(&state, &mut moves);
                    game.play(&mut state, moves[rng.below(moves.len())]);
                }
            }
        }
    }

    #[test]
    fn centre_is_own_minus_opposing_discs_in_the_middle_columns() {
        let mut rng = Rng::new(6);
        for (w, h, k) in SIZES {
            let game = Connect4::new(w, h, k).unwrap();
            let is_middle = |c: usize| c >= w / 3 && w - 1 - c >= w / 3;
            let (mut state, mut moves, mut count) = (game.start(), Vec::new(), [0.0; 2]);
            while game.turn(&state) != Turn::Over {
                for player in 0..2 {
                    let value = Eval::Centre.value(&game, &state, player);
                    assert_eq!(value, count[player] - count[1 - player], "{w}x{h} {state:?}");
                }
                moves.clear();
                game.moves(&state, &mut moves);
                let column = moves[rng.below(moves.len())];
                count[state.mover()] += f64::from(u8::from(is_middle(column.into())));
                game.play(&mut state, column);
            }
        }
        let standard = Connect4::default();
        assert_eq!(standard.middle, (2..5).map(|c| standard.column(c) & standard.cells).sum());
    }

    #[test]
    fn windows_prefers_the_centre_to_the_edge_and_a_win_to_everything() {
        let game = Connect4::default();
        let value = |text: &str| {
            let state = game.parse_position(text).unwrap();
            Eval::Windows.value(&game, &state, 0)
        };
        // A cell of the lowest row is in 3 (edge) to 7 (centre) windows.
        assert_eq!(value("......./......./......./......./......./x...... o"), 3.0);
        assert_eq!(value("......./......./......./......./......./...x... o"), 7.0);
        assert_eq!(value("......./......./......./......./ooo..../xxxx... o"), WIN);
        assert_eq!(value("......./......./......./x....../ooo..../oxxxx.. o"), WIN);
    }
}
