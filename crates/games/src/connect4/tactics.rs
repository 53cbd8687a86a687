//! Cells that complete lines: wins, threats, and moves that lose at once.

use tussle_core::{Tactic, Tactics, retain_from};

use super::{Connect4, MAX_CONNECT, State, directions};

/// Returns the cells that complete a line of these discs. The set may contain occupied cells and
/// bits outside the board; callers intersect it with the cells on which a disc can land.
#[inline]
pub(super) fn completions(discs: u64, stride: u32, connect: usize) -> u64 {
    let [upwards, sideways @ ..] = directions(stride);
    // A vertical line can only be completed at its top: nothing lies above a landing cell.
    let mut cells = (1..connect).fold(u64::MAX, |below, _| (below & discs) << upwards);
    for step in sideways {
        // A cell completes a line if n discs follow it and `connect - 1 - n` discs precede it.
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

/// Like [`completions`] for lines of four on columns of six cells: a pair on one side of the cell,
/// and one more disc on the other side or beyond the pair.
#[inline]
pub(super) fn completions_of_four(discs: u64) -> u64 {
    let [_, sideways @ ..] = directions(7);
    sideways.into_iter().fold(discs << 1 & discs << 2 & discs << 3, |cells, step| {
        let pairs = discs & discs >> step;
        let after = pairs >> step & (discs >> (3 * step) | discs << step);
        let before = pairs << (2 * step) & (discs << (3 * step) | discs >> step);
        cells | after | before
    })
}

impl Connect4 {
    /// Returns the empty cells that complete a line of these discs.
    #[inline]
    fn completing_cells(&self, discs: u64, empty: u64) -> u64 {
        let cells = if self.is_standard() {
            completions_of_four(discs)
        } else {
            completions(discs, self.stride(), self.connect.into())
        };
        cells & empty
    }

    /// Removes the moves of `moves[from..]` that do not land on one of these cells.
    #[inline]
    fn keep_cells(&self, cells: u64, moves: &mut Vec<u8>, from: usize) {
        retain_from(moves, from, |column| cells & self.column(column.into()) != 0);
    }
}

impl Tactics for Connect4 {
    fn winning_moves(&self, state: &State, out: &mut Vec<u8>) {
        let occupied = state.occupied();
        let wins = self.completing_cells(state.discs[state.mover()], self.landings(occupied));
        out.extend((0..self.width).filter(|&column| wins & self.column(column.into()) != 0));
    }

    #[inline]
    fn narrow(&self, state: &State, moves: &mut Vec<u8>, from: usize) -> Tactic {
        let occupied = state.occupied();
        let landings = self.landings(occupied);
        let wins = self.completing_cells(state.discs[state.mover()], landings);
        if wins != 0 {
            self.keep_cells(wins, moves, from);
            return Tactic::Win;
        }
        let threats = self.completing_cells(state.discs[1 - state.mover()], self.cells & !occupied);
        // One threat can be blocked. A disc below a threat would let the opponent land on it.
        let forced = threats & landings;
        let blocks = if forced == 0 { landings } else { forced };
        let safe = blocks & !(threats >> 1);
        if safe == 0 || forced & forced.wrapping_sub(1) != 0 {
            return Tactic::Loss(2);
        }
        if safe != landings {
            self.keep_cells(safe, moves, from);
        }
        Tactic::Open
    }

    fn has_fast_narrow(&self) -> bool {
        true
    }

    /// Cells where the disc lets its player win later, then the distance from the edge.
    #[inline]
    fn promise(&self, state: &State, column: u8) -> u32 {
        let occupied = state.occupied();
        let cell = self.landings(occupied) & self.column(column.into());
        let empty = self.cells & !(occupied | cell);
        let threats = self.completing_cells(state.discs[state.mover()] | cell, empty).count_ones();
        16 * threats + u32::from(column.min(self.width - 1 - column))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::SIZES;
    use super::*;
    use crate::tactics_tests::assert_tactics_are_exact;

    #[test]
    fn tactics_equal_trying_every_reply_on_every_size() {
        for (w, h, k) in SIZES {
            assert_tactics_are_exact(&Connect4::new(w, h, k).unwrap(), 300);
        }
        let counts = assert_tactics_are_exact(&Connect4::default(), 5000);
        assert!(counts.wins > 500 && counts.losses > 20 && counts.narrowed > 500, "{counts:?}");
    }
}
