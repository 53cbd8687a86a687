//! Games with some sense: win if a disc can, else block, else drop a disc anywhere.
//!
//! The cells that would complete a line are a set for each player, and only the discs of that
//! player change it. So one look at the board a ply tells of wins and of threats alike, and a
//! game that takes every win needs no test for lines at all.

use tussle_core::Rng;

use super::{Connect4, MAX_CONNECT, MAX_SIDE, State, directions};

/// The cells that complete a line of these discs. Cells that are taken and bits outside the
/// board may be among them: whoever asks takes from it the cells to fall on.
#[inline]
fn completions(discs: u64, stride: u32, connect: usize) -> u64 {
    let [upwards, sideways @ ..] = directions(stride);
    // Nothing lies above a cell to fall on.
    let mut cells = (1..connect).fold(u64::MAX, |below, _| (below & discs) << upwards);
    for step in sideways {
        // A line lacks one cell if so many discs follow it, and the rest come before it.
        let mut after = [u64::MAX; MAX_CONNECT];
        for n in 1..connect {
            after[n] = (after[n - 1] & discs) >> step;
        }
        let mut before = u64::MAX;
        for n in 0..connect {
            cells |= before & after[connect - 1 - n];
            before = (before & discs) << step;
        }
    }
    cells
}

/// The same for lines of four on columns of six: a pair on one side of the cell, and one more
/// disc on the other side or beyond the pair.
#[inline]
fn completions_of_four(discs: u64) -> u64 {
    let [_, sideways @ ..] = directions(7);
    sideways.into_iter().fold(discs << 1 & discs << 2 & discs << 3, |cells, step| {
        let pairs = discs & discs >> step;
        let after = pairs >> step & (discs >> (3 * step) | discs << step);
        let before = pairs << (2 * step) & (discs << (3 * step) | discs >> step);
        cells | after | before
    })
}

impl Connect4 {
    /// Plays on to the end and shows `see` the cell of every disc.
    #[inline]
    fn play_on(
        &self,
        state: &mut State,
        rng: &mut Rng,
        completions: impl Fn(u64) -> u64,
        mut see: impl FnMut(u64),
    ) -> u32 {
        if state.won {
            return 0;
        }
        let first = state.plies;
        let mut reach = self.landings(state.occupied());
        // As in random games: the cells to fall on in a list, for quick choices.
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
        // Nobody has enough discs to lack but one before this many plies.
        let soonest = 2 * self.connect - 4;
        let mut random = 0;
        while open > 0 {
            if (state.plies - first).is_multiple_of(8) {
                random = rng.next_u64();
            }
            let wins = my_wins & reach;
            let urgent = if wins != 0 { wins } else { their_wins & reach };
            let i = if urgent != 0 {
                // Which of several does not matter: a second win is none the better, and a
                // second threat cannot be met.
                let cell = urgent & urgent.wrapping_neg();
                landings[..open].iter().position(|&landing| landing == cell).unwrap_or(0)
            } else {
                let wide = u128::from(random) * open as u128;
                random = wide as u64;
                (wide >> 64) as usize
            } % MAX_SIDE;
            let cell = landings[i];
            see(cell);
            mine |= cell;
            if state.plies >= soonest {
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

    /// [`play_on`](Self::play_on) with what fits the size of the board.
    #[inline]
    pub(super) fn heavy_game(&self, state: &mut State, rng: &mut Rng, see: impl FnMut(u64)) -> u32 {
        if self.is_usual() {
            self.play_on(state, rng, completions_of_four, see)
        } else {
            let (stride, connect) = (self.stride(), self.connect.into());
            self.play_on(state, rng, |discs| completions(discs, stride, connect), see)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::SIZES;
    use super::*;
    use crate::heavy_playouts::{
        after, legal, obey_the_rules, share_against_random_play, take_every_win,
    };
    use tussle_core::Game;

    fn told(game: &Connect4, state: &mut State, rng: &mut Rng, moves: &mut Vec<u8>) -> u32 {
        let column = |cell: u64| (cell.trailing_zeros() / game.stride()) as u8;
        game.heavy_game(state, rng, |cell| moves.push(column(cell)))
    }

    #[test]
    fn every_win_is_taken_on_every_size() {
        for (w, h, k) in SIZES {
            let game = Connect4::new(w, h, k).unwrap();
            let wins = take_every_win(&game, told, 1000);
            // One column fills up in turns, and some lines fit nowhere.
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
            obey_the_rules(&game, told, 1000, |state, chosen| {
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
    fn without_wins_and_threats_every_column_is_as_likely() {
        let game = Connect4::default();
        let (mut rng, mut counts) = (Rng::new(1), [0.0; 7]);
        for _ in 0..70_000 {
            let mut moves = Vec::new();
            told(&game, &mut game.start(), &mut rng, &mut moves);
            counts[usize::from(moves[0])] += 1.0;
        }
        // Six degrees of freedom: 22.5 is the 0.1 % point of chi squared.
        let chi: f64 = counts.iter().map(|c: &f64| (c - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 22.5, "{counts:?}");
    }

    #[test]
    fn it_beats_random_play_from_both_seats() {
        let share = share_against_random_play(&Connect4::default(), told, 600);
        assert!(share > 0.75, "{share}");
    }
}
