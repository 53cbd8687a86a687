//! Heavy playout: win if possible, and try once to replace a move that lets the opponent win.
//!
//! A window wins if at most one of its stones is missing after a twist and the opponent has none in
//! it. For each plate, a table lookup gives three sets of windows: those that are complete there,
//! those that miss at most one stone there, and those with a stone there. The table has the sets for
//! the plate as it is and after each of its two twists. A dozen lookups and some bit operations
//! therefore cover the current board and the eight boards after one twist. The result is exact.
//!
//! After a random move, the same is computed for the opponent, whose turn needs it anyway. If the
//! opponent can win, one other move is tried, with the stone on the cell that the opponent needs,
//! and this move is played in any case. A loss is therefore often, but not always, avoided. A third
//! try would cost more time than it gains.

use std::marker::PhantomData;

use tussle_core::Rng;

use super::board::{CELLS, WINDOWS, has_five, part, twisted};
use super::plate::{MOTION_IMAGES, SETS, inverse};
use super::{Move, Quadrants, State, Twists, fives};

/// Set of all cells.
const BOARD: u64 = 0x01ff_01ff_01ff_01ff;

/// Ply before which no player can win in one move, because that takes four stones.
const FIRST_WIN_PLY: usize = 8;

/// Windows that a set of stones on one plate completes, for the plate as it is and after each of
/// its two twists. The lower half of each word has the windows with no stone missing on this plate,
/// the upper half those with at most one missing. The unused fourth word aligns entries to cache
/// lines.
type PlateWindows = [u64; 4];

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

/// Winning move.
#[derive(Clone, Copy)]
struct Win {
    mv: Move,
    /// True if the stone is part of the line; false if the twist alone completes it.
    by_stone: bool,
}

/// Result of the search for wins of the player to move.
#[derive(Clone, Copy)]
enum Outlook {
    /// No winning move.
    Quiet,
    /// A winning move.
    Win(Win),
    /// Five in a row already exist: the opponent's twist made them.
    Five,
}

/// Search for winning moves with the twists of `T`.
struct WinFinder<T>(PhantomData<T>);

impl<T: Twists> WinFinder<T> {
    /// Windows for every plate and every set of its cells.
    #[expect(clippy::large_stack_arrays, reason = "computed at compile time")]
    const WINDOWS_OF: &'static [[PlateWindows; SETS]; 4] = &{
        let mut table = [[[0; 4]; SETS]; 4];
        let mut plate = 0;
        while plate < 4 {
            let mut set = 0;
            while set < SETS {
                let mut w = 0;
                while w < 32 {
                    let missing = (part(WINDOWS[w], plate) & !set).count_ones();
                    let (complete, nearly) = ((missing == 0) as u64, (missing <= 1) as u64);
                    table[plate][set][0] |= (complete | nearly << 32) << w;
                    w += 1;
                }
                set += 1;
            }
            while set > 0 {
                set -= 1;
                table[plate][set][1] = table[plate][MOTION_IMAGES[T::MOTIONS[0]][set] as usize][0];
                table[plate][set][2] = table[plate][MOTION_IMAGES[T::MOTIONS[1]][set] as usize][0];
            }
            plate += 1;
        }
        table
    };

    /// Searches for a win of the player with the stones `mine`, who is to move.
    #[inline]
    fn outlook(rules: Quadrants<T>, mine: u64, theirs: u64) -> Outlook {
        // A window without an opponent's stone is complete in the set of all other cells.
        let open = BOARD & !theirs;
        let mine_windows = four(|plate| &Self::WINDOWS_OF[plate][part(mine, plate)]);
        let open_windows = four(|plate| &Self::WINDOWS_OF[plate][part(open, plate)]);
        let complete = mine_windows.map(|share| share[0] as u32);
        let nearly = mine_windows.map(|share| (share[0] >> 32) as u32);
        let open_still = open_windows.map(|share| share[0] as u32);
        if complete[0] & complete[1] & complete[2] & complete[3] != 0 {
            return Outlook::Five;
        }
        // The windows of two plates together: complete, at most one stone missing, open.
        let pair = |a: usize, b: usize| {
            let one = nearly[a] & complete[b] | complete[a] & nearly[b];
            (complete[a] & complete[b], one, open_still[a] & open_still[b])
        };
        let halves = [pair(0, 1), pair(2, 3)];
        let (mut chances, mut any) = ([0; 8], 0);
        for plate in 0..4 {
            // The other three plates are the horizontal neighbour and the other half of the board.
            let ((all, one, rest_open), beside) = (halves[1 - plate / 2], plate ^ 1);
            let rest_open = rest_open & open_still[beside];
            let one = (nearly[beside] & all | complete[beside] & one) & rest_open;
            let all = complete[beside] & all & rest_open;
            let rest = u64::from(all) << 32 | u64::from(one);
            for kind in 0..2 {
                let filled = mine_windows[plate][1 + kind] & rest;
                let filled = (filled | filled >> 32) & open_windows[plate][1 + kind];
                chances[2 * plate + kind] = filled as u32;
                any |= filled as u32;
            }
        }
        if any == 0 { Outlook::Quiet } else { Self::find(rules, &chances, mine, theirs) }
    }

    /// Returns a win among the windows that can be filled after each of the eight twists.
    #[inline(never)]
    fn find(rules: Quadrants<T>, chances: &[u32; 8], mine: u64, theirs: u64) -> Outlook {
        for (twist, &windows) in chances.iter().enumerate() {
            let (plate, motion, mut windows) = (twist / 2, T::MOTIONS[twist % 2], windows);
            // Lines of both players are a draw, unless the stone wins before the twist. Such a
            // stone is also found here, because a twist of a plate on which its window has no cell
            // does not change the window.
            let both = windows != 0 && has_five(twisted(theirs, plate, motion));
            while windows != 0 {
                let window = WINDOWS[windows.trailing_zeros() as usize];
                windows &= windows - 1;
                let stone = window & !twisted(mine, plate, motion);
                let by_stone = stone != 0;
                // The cell of the stone before the twist, or any cell if the twist alone wins.
                let cells = if by_stone {
                    twisted(stone, plate, inverse(motion))
                } else {
                    BOARD & !(mine | theirs)
                };
                let bit = cells.trailing_zeros() as usize;
                if !both || rules.early && by_stone && has_five(mine | cells) {
                    return Outlook::Win(Win { mv: Move::new(bit, twist), by_stone });
                }
            }
        }
        Outlook::Quiet
    }
}

fn four<A>(each: impl FnMut(usize) -> A) -> [A; 4] {
    std::array::from_fn(each)
}

/// Returns the stones of both players after a move of the player with the stones `mine`.
#[inline]
fn after<T: Twists>(mine: u64, theirs: u64, mv: Move) -> (u64, u64) {
    let (plate, motion) = (mv.plate(), T::MOTIONS[mv.kind()]);
    let mine = mine | 1 << mv.bit();
    (twisted(mine, plate, motion), twisted(theirs, plate, motion))
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
