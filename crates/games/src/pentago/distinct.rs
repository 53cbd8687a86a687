//! Finds moves that give the same board, without making them.
//!
//! Two moves with stones on different plates never give the same board, because the numbers of
//! stones on the plates differ. It is therefore enough to compare moves with stones on the same
//! plate, called *home*:
//! - A twist that changes another plate is visible there. An equal move has the same stone and the
//!   other twist of that plate, if both twists have the same effect.
//! - Every other move changes only home, in one of three *ways*: home is not twisted (the twist
//!   changes nothing on another plate, or the move is an early win without a twist), or it makes
//!   one of its two twists.
//!
//! Let `m` be the motion of way `i` followed by the inverse motion of way `j`. Way `i` after stone
//! `c` is equal to way `j` after stone `d` if `m` does not change the opponent's stones and maps the
//! mover's stones with `c` to the mover's stones with `d`.

use super::board::{BITS, COMPLETE, part};
use super::plate::{IDENTITY, MOTION_IMAGES, compose, inverse};
use super::{MOVES, Move, Quadrants, State, Twists};

/// Returns a player's stones on each plate.
fn parts(stones: u64) -> [usize; 4] {
    std::array::from_fn(|plate| part(stones, plate))
}

fn after(motion: usize, set: usize) -> usize {
    MOTION_IMAGES[motion][set].into()
}

/// Effects of the twists of all plates. Each set has one bit per twist.
struct Effects {
    /// Twists that change their plate, without a second twist of the same effect.
    visible: u8,
    /// Twists that change nothing.
    idle: u8,
}

impl Effects {
    fn of<T: Twists>(mine: [usize; 4], theirs: [usize; 4]) -> Self {
        let mut effects = Self { visible: 0, idle: 0 };
        for plate in 0..4 {
            let now = (mine[plate], theirs[plate]);
            let [first, second] = T::MOTIONS.map(|m| (after(m, now.0), after(m, now.1)));
            effects.idle |= (u8::from(first == now) | u8::from(second == now) << 1) << (2 * plate);
            let new = u8::from(first != now) | u8::from(second != now && second != first) << 1;
            effects.visible |= new << (2 * plate);
        }
        effects
    }
}

/// Plate on which the compared moves put their stones.
struct Home {
    plate: usize,
    mine: usize,
    /// Cells on which a stone wins before the twist.
    wins: usize,
    /// First twist that changes nothing on another plate, if there is one.
    idle: Option<u8>,
    /// For two ways, the motion of the first followed by the inverse of the second, if it does not
    /// change the opponent's stones.
    equivalences: [[Option<usize>; 3]; 3],
}

impl Home {
    /// Returns the first twist that changes home in this way after a stone on `cell`, if there is
    /// one.
    #[inline]
    fn twist(&self, way: usize, cell: usize) -> Option<u8> {
        match (way, self.wins & cell != 0) {
            (0, true) => Some(0),
            (0, false) => self.idle,
            (_, true) => None,
            (_, false) => Some((2 * self.plate + way - 1) as u8),
        }
    }

    /// Returns true if a move that is listed before this one gives the same board.
    #[inline]
    fn is_known(&self, way: usize, cell: usize, twist: u8) -> bool {
        (0..3).any(|other| {
            let Some(motion) = self.equivalences[way][other] else { return false };
            let set = after(motion, self.mine | cell);
            // `set` has one stone more than `mine`. If it contains `mine`, the other move puts its
            // stone on the remaining cell.
            let stone = set ^ self.mine;
            set & self.mine == self.mine
                && self.twist(other, stone).is_some_and(|t| (stone, t) < (cell, twist))
        })
    }

    /// Returns the twists of a stone that change only home and give a board that no earlier move
    /// gives.
    #[inline]
    fn new_twists(&self, cell: usize) -> u8 {
        (0..3).fold(0, |kept, way| match self.twist(way, cell) {
            Some(twist) if !self.is_known(way, cell, twist) => kept | 1 << twist,
            _ => kept,
        })
    }
}

/// Appends the first of all moves that lead to the same state.
pub(super) fn distinct_moves<T: Twists>(rules: Quadrants<T>, state: State, out: &mut Vec<Move>) {
    if state.is_over() {
        return;
    }
    let ways = [IDENTITY, T::MOTIONS[0], T::MOTIONS[1]];
    let mine = parts(state.stones[state.mover()]);
    let theirs = parts(state.stones[1 - state.mover()]);
    let effects = Effects::of::<T>(mine, theirs);
    // Twists to keep for every free cell, by its bit.
    let mut kept = [0u8; 64];
    for plate in 0..4 {
        let own = 0b11 << (2 * plate);
        let idle = effects.idle & !own;
        let equivalence = |i: usize, j: usize| {
            let motion = compose(inverse(ways[j]), ways[i]);
            (i != j && after(motion, theirs[plate]) == theirs[plate]).then_some(motion)
        };
        let free = 0b1_1111_1111 & !(mine[plate] | theirs[plate]);
        let home = Home {
            plate,
            mine: mine[plate],
            wins: if rules.early { wins(mine, plate) & free } else { 0 },
            idle: (idle != 0).then(|| idle.trailing_zeros() as u8),
            equivalences: std::array::from_fn(|i| std::array::from_fn(|j| equivalence(i, j))),
        };
        let mut rest = free;
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest &= rest - 1;
            let elsewhere = if home.wins & cell == 0 { effects.visible & !own } else { 0 };
            kept[16 * plate + cell.trailing_zeros() as usize] = elsewhere | home.new_twists(cell);
        }
    }
    for &bit in &BITS {
        let moves = &MOVES[usize::from(bit)];
        let mut twists = kept[usize::from(bit)];
        if twists == u8::MAX {
            out.extend_from_slice(moves);
            continue;
        }
        while twists != 0 {
            out.push(moves[twists.trailing_zeros() as usize]);
            twists &= twists - 1;
        }
    }
}

/// Returns the cells of a plate on which a stone completes five in a row.
fn wins(mine: [usize; 4], plate: usize) -> usize {
    let others = (0..4).filter(|&other| other != plate);
    let open = others.fold(u32::MAX, |open, other| open & COMPLETE[other][mine[other]]);
    if open == 0 {
        return 0;
    }
    let winning = |cell: &usize| COMPLETE[plate][mine[plate] | cell] & open != 0;
    (0..9).map(|i| 1 << i).filter(winning).sum()
}
