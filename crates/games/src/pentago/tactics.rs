//! Moves that win or lose at once.
//!
//! A window wins if at most one of its stones is missing after a twist and the opponent has none in
//! it. For each plate, a table lookup gives three sets of windows: those that are complete there,
//! those that miss at most one stone there, and those with a stone there. The table has the sets for
//! the plate as it is and after each of its two twists. A dozen lookups and some bit operations
//! therefore cover the current board and the eight boards after one twist. The result is exact.

use std::marker::PhantomData;

use tussle_core::{Tactic, Tactics, generic_winning_moves, retain_from};

use super::board::{CELLS, WINDOWS, has_five, part, twisted};
use super::plate::{MOTION_IMAGES, SETS, inverse};
use super::{Move, Quadrants, State, Twists};

/// Set of all cells.
pub(super) const BOARD: u64 = 0x01ff_01ff_01ff_01ff;

/// Ply before which no player can win in one move, because that takes four stones.
pub(super) const FIRST_WIN_PLY: usize = 8;

/// Windows that a set of stones on one plate completes, for the plate as it is and after each of
/// its two twists. The lower half of each word has the windows with no stone missing on this plate,
/// the upper half those with at most one missing. The unused fourth word aligns entries to cache
/// lines.
type PlateWindows = [u64; 4];

/// Winning move.
#[derive(Clone, Copy)]
pub(super) struct Win {
    pub(super) mv: Move,
    /// True if the stone is part of the line; false if the twist alone completes it.
    pub(super) by_stone: bool,
}

/// Result of the search for wins of the player to move.
#[derive(Clone, Copy)]
pub(super) enum Outlook {
    /// No winning move.
    Quiet,
    /// A winning move.
    Win(Win),
    /// Five in a row already exist: the opponent's twist made them.
    Five,
}

/// Search for winning moves with the twists of `T`.
pub(super) struct WinFinder<T>(PhantomData<T>);

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
    pub(super) fn outlook(rules: Quadrants<T>, mine: u64, theirs: u64) -> Outlook {
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
pub(super) fn after<T: Twists>(mine: u64, theirs: u64, mv: Move) -> (u64, u64) {
    let (plate, motion) = (mv.plate(), T::MOTIONS[mv.kind()]);
    let mine = mine | 1 << mv.bit();
    (twisted(mine, plate, motion), twisted(theirs, plate, motion))
}

/// Set of moves: a bit for each number.
#[derive(Default)]
struct MoveSet([u64; 8]);

impl MoveSet {
    fn insert(&mut self, mv: Move) {
        self.0[usize::from(mv.0) / 64] |= 1 << (mv.0 % 64);
    }

    fn contains(&self, mv: Move) -> bool {
        self.0[usize::from(mv.0) / 64] >> (mv.0 % 64) & 1 != 0
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

impl<T: Twists> Quadrants<T> {
    /// Returns true if the player to move has a winning move.
    #[inline]
    fn can_win(self, state: &State) -> bool {
        let (mine, theirs) = (state.stones[state.mover()], state.stones[1 - state.mover()]);
        usize::from(state.plies) >= FIRST_WIN_PLY
            && matches!(WinFinder::<T>::outlook(self, mine, theirs), Outlook::Win(_))
    }

    /// Returns the plies until a move has lost, 1 or 2, or `None` if it is safe. There must be no
    /// winning move.
    #[inline]
    fn lost_in(self, state: &State, mv: Move) -> Option<u32> {
        let (mine, theirs) = (state.stones[state.mover()], state.stones[1 - state.mover()]);
        let (mine, theirs) = after::<T>(mine, theirs, mv);
        if has_five(theirs) {
            return (!has_five(mine)).then_some(1); // lines of both players are a draw
        }
        let is_full = usize::from(state.plies) + 1 == CELLS;
        let can_reply = !is_full && usize::from(state.plies) + 1 >= FIRST_WIN_PLY;
        let replies =
            can_reply && matches!(WinFinder::<T>::outlook(self, theirs, mine), Outlook::Win(_));
        replies.then_some(2)
    }
}

impl<T: Twists> Tactics for Quadrants<T> {
    fn winning_moves(&self, state: &State, out: &mut Vec<Move>) {
        if self.can_win(state) {
            generic_winning_moves(self, state, out);
        }
    }

    fn narrow(&self, state: &State, moves: &mut Vec<Move>, from: usize) -> Tactic {
        if usize::from(state.plies) + 1 < FIRST_WIN_PLY {
            return Tactic::Open;
        }
        if self.can_win(state) {
            let (mine, theirs) = (state.stones[state.mover()], state.stones[1 - state.mover()]);
            retain_from(moves, from, |mv| {
                let early = self.early && has_five(mine | 1 << mv.bit());
                let (mine, theirs) = after::<T>(mine, theirs, mv);
                early || has_five(mine) && !has_five(theirs)
            });
            return Tactic::Win;
        }
        let (mut safe, mut longest) = (MoveSet::default(), 1);
        for &mv in &moves[from..] {
            match self.lost_in(state, mv) {
                Some(plies) => longest = longest.max(plies),
                None => safe.insert(mv),
            }
        }
        match safe.len() {
            0 => return Tactic::Loss(longest),
            count if count < moves.len() - from => {
                retain_from(moves, from, |mv| safe.contains(mv));
            }
            _ => {}
        }
        Tactic::Open
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{EARLY_WINS, LATE_WINS, TWIST};
    use crate::tactics_tests::assert_tactics_are_exact;

    #[test]
    fn tactics_equal_trying_every_reply() {
        let counts = assert_tactics_are_exact(&TWIST, 60);
        assert!(counts.wins > 5 && counts.narrowed > 5, "{counts:?}");
        assert_tactics_are_exact(&EARLY_WINS, 40);
        assert_tactics_are_exact(&LATE_WINS, 40);
    }
}
