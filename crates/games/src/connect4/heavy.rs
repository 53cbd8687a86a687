//! Heavy playout: win if possible, else block a threat, else drop a disc in a random column.
//!
//! For each player there is a set of the cells that would complete a line. Only that player's discs
//! change the set, so a ply updates one set and gets both wins and threats from the two. Because
//! every win is taken, the playout never has to test for lines.

use tussle_core::Rng;

use super::tactics::{completions, completions_of_four};
use super::{Connect4, MAX_SIDE, State};

impl Connect4 {
    /// Plays to the end of the game and calls `visit` with the cell of every disc.
    #[inline]
    fn play_on(
        &self,
        state: &mut State,
        rng: &mut Rng,
        completions: impl Fn(u64) -> u64,
        mut visit: impl FnMut(u64),
    ) -> u32 {
        if state.won {
            return 0;
        }
        let first = state.plies;
        let mut reach = self.landings(state.occupied());
        // A list of the landing cells for quick random choices, as in `random_game`.
        let mut landings = [0; MAX_SIDE];
        let mut open = 0;
        let mut rest = reach;
        while rest != 0 {
            landings[open % MAX_SIDE] = rest & rest.wrapping_neg();
            rest &= rest - 1;
            open += 1;
        }
        let (mut mine, mut theirs) = (state.discs[state.mover()], state.discs[1 - state.mover()]);
        let (mut my_wins, mut their_wins) = (completions(mine), completions(theirs));
        // Before this ply, no player has all but one of the discs of a line.
        let first_threat = 2 * self.connect - 4;
        let mut random = 0;
        while open > 0 {
            if (state.plies - first).is_multiple_of(8) {
                random = rng.next_u64();
            }
            let wins = my_wins & reach;
            let urgent = if wins != 0 { wins } else { their_wins & reach };
            let i = if urgent != 0 {
                // Any of several urgent cells will do: all wins are equal, and of two threats
                // only one can be blocked.
                let cell = urgent & urgent.wrapping_neg();
                landings[..open].iter().position(|&landing| landing == cell).unwrap_or(0)
            } else {
                let wide = u128::from(random) * open as u128;
                random = wide as u64;
                (wide >> 64) as usize
            } % MAX_SIDE;
            let cell = landings[i];
            visit(cell);
            mine |= cell;
            if state.plies >= first_threat {
                my_wins = completions(mine);
            }
            (mine, theirs) = (theirs, mine);
            (my_wins, their_wins) = (their_wins, my_wins);
            state.plies += 1;
            if wins != 0 {
                state.won = true;
                break;
            }
            let above = cell << 1 & self.cells;
            reach ^= cell | above;
            landings[i] = above;
            if above == 0 {
                open -= 1;
                landings[i] = landings[open % MAX_SIDE];
            }
        }
        state.discs[state.mover()] = mine;
        state.discs[1 - state.mover()] = theirs;
        u32::from(state.plies - first)
    }

    /// Calls [`play_on`](Self::play_on) with the completions function for the size of the board.
    #[inline]
    pub(super) fn heavy_game(
        &self,
        state: &mut State,
        rng: &mut Rng,
        visit: impl FnMut(u64),
    ) -> u32 {
        if self.is_standard() {
            self.play_on(state, rng, completions_of_four, visit)
        } else {
            let (stride, connect) = (self.stride(), self.connect.into());
            self.play_on(state, rng, |discs| completions(discs, stride, connect), visit)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::SIZES;
    use super::*;
    use crate::heavy_playouts::{
        after, assert_every_win_is_taken, assert_heavy_games_are_legal, legal,
        share_against_random_play,
    };
    use tussle_core::Game;

    fn recorded(game: &Connect4, state: &mut State, rng: &mut Rng, moves: &mut Vec<u8>) -> u32 {
        let column = |cell: u64| (cell.trailing_zeros() / game.stride()) as u8;
        game.heavy_game(state, rng, |cell| moves.push(column(cell)))
    }

    #[test]
    fn every_win_is_taken_on_every_size() {
        for (w, h, k) in SIZES {
            let game = Connect4::new(w, h, k).unwrap();
            let wins = assert_every_win_is_taken(&game, recorded, 1000);
            // No line is possible in a single column, which the players fill alternately, or on a
            // board that is too small.
            let none = w == 1 || w < k && h < k;
            assert!(none == (wins == 0), "{wins} wins on {w}x{h} with {k}");
        }
    }

    #[test]
    fn a_threat_is_blocked_unless_there_is_a_win() {
        let mut blocks = 0;
        for (w, h, k) in SIZES {
            let game = Connect4::new(w, h, k).unwrap();
            let wins = |state: &State| -> Vec<u8> {
                let mut columns = legal(&game, state);
                columns.retain(|&column| after(&game, state, column).won);
                columns
            };
            assert_heavy_games_are_legal(&game, recorded, 1000, |state, chosen| {
                let [first, second] = state.discs;
                let swapped = State { discs: [second, first], ..*state };
                let threats = wins(&swapped);
                if wins(state).is_empty() && !threats.is_empty() {
                    assert!(threats.contains(&chosen), "{chosen} in {state:?}");
                    blocks += 1;
                }
            });
        }
        assert!(blocks > 10_000, "{blocks}");
    }

    #[test]
    fn columns_are_equally_likely_without_wins_and_threats() {
        let game = Connect4::default();
        let (mut rng, mut counts) = (Rng::new(1), [0.0; 7]);
        for _ in 0..70_000 {
            let mut moves = Vec::new();
            recorded(&game, &mut game.start(), &mut rng, &mut moves);
            counts[usize::from(moves[0])] += 1.0;
        }
        // Six degrees of freedom: 22.5 is the 0.1 % point of chi squared.
        let chi: f64 = counts.iter().map(|c: &f64| (c - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 22.5, "{counts:?}");
    }

    #[test]
    fn heavy_playouts_beat_random_play_from_both_seats() {
        let share = share_against_random_play(&Connect4::default(), recorded, 600);
        assert!(share > 0.75, "{share}");
    }
}
