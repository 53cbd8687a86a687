//! Heavy playout: win if possible, and try once to replace a move that lets the opponent win.
//!
//! The search for winning moves is exact; see `tactics.rs`.
//!
//! After a random move, the same is computed for the opponent, whose turn needs it anyway. If the
//! opponent can win, one other move is tried, with the stone on the cell that the opponent needs,
//! and this move is played in any case. A loss is therefore often, but not always, avoided. A third
//! try would cost more time than it gains.

use tussle_core::Rng;

use super::board::{CELLS, has_five, part, twisted};
use super::plate::{SETS, inverse};
use super::tactics::{BOARD, FIRST_WIN_PLY, Outlook, Win, WinFinder, after};
use super::{Move, Quadrants, State, Twists, fives};

/// Cells of each set of cells of a plate, in ascending order, four bits each.
static MEMBERS: [u64; SETS] = {
    let mut members = [0; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut rest, mut n) = (set, 0);
        while rest != 0 {
            members[set] |= (rest.trailing_zeros() as u64) << (4 * n);
            rest &= rest - 1;
            n += 1;
        }
        set += 1;
    }
    members
};

/// Returns the n-th of these cells.
#[inline]
fn nth_cell(cells: u64, n: usize) -> usize {
    let (mut plate, mut rank) = (0, n);
    for next in 1..4 {
        let before = (cells & ((1 << (16 * next)) - 1)).count_ones() as usize;
        if n >= before {
            (plate, rank) = (next, n - before);
        }
    }
    16 * plate + (MEMBERS[part(cells, plate)] >> (4 * rank)) as usize % 16
}

/// Plays to the end of the game, calls `visit` with every move, and returns the number of plies.
#[inline]
pub(super) fn heavy_game<T: Twists>(
    rules: Quadrants<T>,
    state: &mut State,
    rng: &mut Rng,
    mut visit: impl FnMut(Move),
) -> u32 {
    if state.is_over() {
        return 0;
    }
    let first = usize::from(state.plies);
    let (mut mine, mut theirs) = (state.stones[state.mover()], state.stones[1 - state.mover()]);
    let mut plies = first;
    let mut outlook = if first < FIRST_WIN_PLY {
        Outlook::Quiet
    } else {
        WinFinder::<T>::outlook(rules, mine, theirs)
    };
    loop {
        plies += 1;
        if let Outlook::Win(Win { mv, .. }) = outlook {
            visit(mv);
            let won = mine | 1 << mv.bit();
            let won_early = rules.early && has_five(won);
            (theirs, mine) = if won_early { (won, theirs) } else { after::<T>(mine, theirs, mv) };
            break;
        }
        let free = BOARD & !(mine | theirs);
        let choices = 8 * (CELLS + 1 - plies);
        let choice = rng.below(choices);
        let mut mv = Move::new(nth_cell(free, choice / 8), choice % 8);
        let (mut moved, mut opponent) = after::<T>(mine, theirs, mv);
        if plies >= FIRST_WIN_PLY {
            outlook = WinFinder::<T>::outlook(rules, opponent, moved);
            if !matches!(outlook, Outlook::Quiet) && plies < CELLS {
                let choice = rng.below(choices);
                let cell = match outlook {
                    Outlook::Win(Win { mv: reply, by_stone: true }) => {
                        // The cell of the opponent's stone before the twist of the rejected move.
                        let back = inverse(T::MOTIONS[mv.kind()]);
                        let stone = twisted(1 << reply.bit(), mv.plate(), back);
                        stone.trailing_zeros() as usize
                    }
                    _ => nth_cell(free, choice / 8),
                };
                mv = Move::new(cell, choice % 8);
                (moved, opponent) = after::<T>(mine, theirs, mv);
                outlook = WinFinder::<T>::outlook(rules, opponent, moved);
            }
        }
        visit(mv);
        (mine, theirs) = (opponent, moved);
        if plies == CELLS || matches!(outlook, Outlook::Five) {
            break;
        }
    }
    let mover = plies % 2;
    state.stones[mover] = mine;
    state.stones[1 - mover] = theirs;
    state.plies = plies as u8;
    state.fives = fives(state.stones);
    (plies - first) as u32
}

#[cfg(test)]
mod tests {
    use super::super::board::place;
    use super::super::tests::{EARLY_WINS, LATE_WINS, TWIST, legal};
    use super::*;
    use crate::heavy_playouts::{
        RecordedPlayout, after, assert_every_win_is_taken, final_utility, random_positions,
        share_against_random_play,
    };
    use tussle_core::{Game, Notation};

    const fn recorded<T: Twists>() -> RecordedPlayout<Quadrants<T>> {
        |rules, state, rng, moves| heavy_game(*rules, state, rng, |mv| moves.push(mv))
    }

    #[test]
    fn every_win_is_taken() {
        assert!(assert_every_win_is_taken(&TWIST, recorded(), 1000) > 500);
        assert!(assert_every_win_is_taken(&EARLY_WINS, recorded(), 1000) > 500);
        assert!(assert_every_win_is_taken(&LATE_WINS, recorded(), 1000) > 500);
    }

    #[test]
    fn an_early_win_is_found_even_if_every_twist_would_undo_it() {
        // `o` misses only a2 on the diagonal from e6 to a2. Its window has no cell on quadrant 3.
        // Both turns of that quadrant complete a row of `x`.
        let cells = |texts: &str| -> u64 {
            texts
                .split(' ')
                .map(|text| 1 << EARLY_WINS.parse_move(&EARLY_WINS.start(), text).unwrap().bit())
                .sum()
        };
        let stones = [cells("e1:0l e2:0l e3:0l b2:0l c2:0l"), cells("e6:0l d5:0l c4:0l b3:0l")];
        let state = State::new(stones, 9);
        for seed in 0..20 {
            let (mut end, mut moves) = (state, Vec::new());
            assert_eq!(recorded()(&EARLY_WINS, &mut end, &mut Rng::new(seed), &mut moves), 1);
            assert_eq!(place(moves[0].bit()), (0, 4));
            assert_eq!(EARLY_WINS.utility(&end, 1), 1.0);
            assert_eq!(after(&EARLY_WINS, &state, moves[0]), end);
        }
        // Without early wins there is no winning move.
        let won = |mv| final_utility(&LATE_WINS, &state, mv) == Some(1.0);
        assert!(!legal(&LATE_WINS, &state).into_iter().any(won));
    }

    #[test]
    fn nth_cell_returns_the_cells_in_ascending_order() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let cells = BOARD & rng.next_u64();
            let listed = (0..64).filter(|bit| cells >> bit & 1 != 0);
            for (n, bit) in listed.enumerate() {
                assert_eq!(nth_cell(cells, n), bit);
            }
        }
    }

    /// Returns the share of chosen moves that lose or let the opponent win, in positions with
    /// better moves.
    fn blunders<T: Twists>(
        rules: Quadrants<T>,
        mut choose: impl FnMut(&State, &[Move]) -> Move,
    ) -> f64 {
        let wins = |state: &State| {
            legal(&rules, state).into_iter().any(|mv| final_utility(&rules, state, mv) == Some(1.0))
        };
        let (mut positions, mut blunders) = (0, 0);
        random_positions(&rules, 1500, |state| {
            let moves = legal(&rules, state);
            if moves.is_empty() || wins(state) {
                return;
            }
            let safe = |&mv: &Move| match final_utility(&rules, state, mv) {
                None => !wins(&after(&rules, state, mv)),
                Some(utility) => utility >= 0.0,
            };
            let count = moves.iter().filter(|mv| safe(mv)).count();
            if 0 < count && count < moves.len() {
                positions += 1;
                blunders += u32::from(!safe(&choose(state, &moves)));
            }
        });
        assert!(positions > 100, "{positions}");
        f64::from(blunders) / f64::from(positions)
    }

    #[test]
    fn heavy_playouts_lose_in_one_less_often_than_random_ones() {
        fn compare<T: Twists>(rules: Quadrants<T>) {
            let (mut rng, mut list) = (Rng::new(2), Vec::new());
            let random = blunders(rules, |_, moves| moves[rng.below(moves.len())]);
            let heavy = blunders(rules, |state, _| {
                list.clear();
                recorded()(&rules, &mut state.clone(), &mut rng, &mut list);
                list[0]
            });
            assert!(heavy < 0.7 * random, "heavy {heavy}, random {random}");
        }
        compare(TWIST);
        compare(EARLY_WINS);
    }

    #[test]
    fn heavy_playouts_beat_random_play_from_both_seats() {
        let shares = [
            share_against_random_play(&TWIST, recorded(), 400),
            share_against_random_play(&EARLY_WINS, recorded(), 400),
            share_against_random_play(&LATE_WINS, recorded(), 400),
        ];
        assert!(shares.iter().all(|&share| share > 0.75), "{shares:?}");
    }
}
