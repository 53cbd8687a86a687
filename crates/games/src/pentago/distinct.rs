//! Moves that give the same board, without making them.
//!
//! Two moves that put their stones on different plates never give the same board: the numbers
//! of stones on the plates differ. So let all stones of a comparison go to one plate, *home*.
//! - A twist elsewhere that changes its plate tells on itself. Its only equals are other twists
//!   of the same stone: that plate's other twist, if both have the same effect.
//! - Every other move changes home alone, in one of three *ways*: home stays as it is (an idle
//!   twist elsewhere, or none at all after an early win), or it makes one of its two twists. Two
//!   ways may bring different stones to the same place: way `i` after stone `c` gives what way
//!   `j` gives after stone `d` if motion `i` followed by the inverse of `j` leaves the rival's
//!   stones as they are and takes mine with `c` to mine with `d`.

use super::board::{BITS, COMPLETE, part};
use super::plate::{MOVED, STAY, compose, inverse};
use super::{MOVES, Move, Quadrants, State, Twists};

/// The plates that a player's stones make.
fn parts(stones: u64) -> [usize; 4] {
    std::array::from_fn(|plate| part(stones, plate))
}

fn after(motion: usize, set: usize) -> usize {
    MOVED[motion][set].into()
}

/// The twists of all plates, as bits.
struct Effects {
    /// Those that change their plate, and not as the plate's other twist before them does.
    showing: u8,
    /// Those that change nothing.
    idle: u8,
}

impl Effects {
    fn of<T: Twists>(mine: [usize; 4], theirs: [usize; 4]) -> Self {
        let mut effects = Self { showing: 0, idle: 0 };
        for plate in 0..4 {
            let now = (mine[plate], theirs[plate]);
            let [first, second] = T::MOTIONS.map(|m| (after(m, now.0), after(m, now.1)));
            effects.idle |= (u8::from(first == now) | u8::from(second == now) << 1) << (2 * plate);
            let new = u8::from(first != now) | u8::from(second != now && second != first) << 1;
            effects.showing |= new << (2 * plate);
        }
        effects
    }
}

/// The plate that the stones go to.
struct Home {
    plate: usize,
    mine: usize,
    /// The cells on which a stone wins at once.
    wins: usize,
    /// The first twist elsewhere that changes nothing, if there is one.
    idle: Option<u8>,
    /// For two ways, the motion by the one and back by the other, if the rival's stones do not
    /// tell it from no motion at all.
    detours: [[Option<usize>; 3]; 3],
}

impl Home {
    /// The first twist that takes this way after a stone on `cell`, if there is one.
    #[inline]
    fn twist(&self, way: usize, cell: usize) -> Option<u8> {
        match (way, self.wins & cell != 0) {
            (0, true) => Some(0),
            (0, false) => self.idle,
            (_, true) => None,
            (_, false) => Some((2 * self.plate + way - 1) as u8),
        }
    }

    /// Whether a move listed before this one changes home in the same way.
    #[inline]
    fn is_known(&self, way: usize, cell: usize, twist: u8) -> bool {
        (0..3).any(|other| {
            let Some(motion) = self.detours[way][other] else { return false };
            let set = after(motion, self.mine | cell);
            // As many stones as before and one: if mine are all there, one more is.
            let stone = set ^ self.mine;
            set & self.mine == self.mine
                && self.twist(other, stone).is_some_and(|t| (stone, t) < (cell, twist))
        })
    }

    /// The twists of a stone that bring a board not seen before, of those that change home
    /// alone.
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
    let ways = [STAY, T::MOTIONS[0], T::MOTIONS[1]];
    let mine = parts(state.stones[state.mover()]);
    let theirs = parts(state.stones[1 - state.mover()]);
    let effects = Effects::of::<T>(mine, theirs);
    // The twists to keep, for every free cell by its bit.
    let mut kept = [0u8; 64];
    for plate in 0..4 {
        let own = 0b11 << (2 * plate);
        let idle = effects.idle & !own;
        let detour = |i: usize, j: usize| {
            let motion = compose(inverse(ways[j]), ways[i]);
            (i != j && after(motion, theirs[plate]) == theirs[plate]).then_some(motion)
        };
        let free = 0b1_1111_1111 & !(mine[plate] | theirs[plate]);
        let home = Home {
            plate,
            mine: mine[plate],
            wins: if rules.early { wins(mine, plate) & free } else { 0 },
            idle: (idle != 0).then(|| idle.trailing_zeros() as u8),
            detours: std::array::from_fn(|i| std::array::from_fn(|j| detour(i, j))),
        };
        let mut rest = free;
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest &= rest - 1;
            let elsewhere = if home.wins & cell == 0 { effects.showing & !own } else { 0 };
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

/// The cells of a plate with which my stones have five in a row.
fn wins(mine: [usize; 4], plate: usize) -> usize {
    let others = (0..4).filter(|&other| other != plate);
    let open = others.fold(u32::MAX, |open, other| open & COMPLETE[other][mine[other]]);
    if open == 0 {
        return 0;
    }
    let winning = |cell: &usize| COMPLETE[plate][mine[plate] | cell] & open != 0;
    (0..9).map(|i| 1 << i).filter(winning).sum()
}
