//! Cells that complete lines: wins, threats, and moves that lose at once.

use tussle_core::{EarliestEnds, Tactic, Tactics};

use super::{Connect4, MAX_CONNECT, State, directions};

/// Maximum number of empty cells with which a player is likely to have no line left. With more, looking
/// for one costs more than it saves.
const MAX_CELLS_OF_DEAD_LINES: u32 = 16;

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
    /// Not a loop over the directions, so that the shifts are constants.
    #[inline]
    fn sideways<const STEP: u32>(discs: u64) -> u64 {
        let pairs = discs & discs >> STEP;
        let after = pairs >> STEP & (discs >> (3 * STEP) | discs << STEP);
        let before = pairs << (2 * STEP) & (discs << (3 * STEP) | discs >> STEP);
        after | before
    }
    let upwards = discs << 1 & discs << 2 & discs << 3;
    upwards | sideways::<7>(discs) | sideways::<8>(discs) | sideways::<6>(discs)
}

impl Connect4 {
    /// Returns the cells that complete a line, for each of some sets of discs, as [`completions`] does.
    /// For two sets at once, the compiler uses vector instructions.
    #[inline]
    fn completing_cells<const N: usize>(&self, discs: [u64; N]) -> [u64; N] {
        if self.is_standard() {
            discs.map(completions_of_four)
        } else {
            discs.map(|discs| self.any_completing_cells(discs))
        }
    }

    /// Like [`completing_cells`](Self::completing_cells) for any size. Not inlined, so that the code
    /// for the standard size can be.
    #[inline(never)]
    fn any_completing_cells(&self, discs: u64) -> u64 {
        completions(discs, self.stride(), self.connect.into())
    }

    /// Replaces the legal moves `moves[from..]` by those that land on one of these cells.
    #[inline]
    fn keep_cells(&self, landings: u64, moves: &mut Vec<u8>, from: usize) {
        moves.truncate(from);
        self.push_columns(self.lowest_cells(landings), moves);
    }
}

impl Tactics for Connect4 {
    fn winning_moves(&self, state: &State, out: &mut Vec<u8>) {
        let occupied = state.occupied();
        let [cells] = self.completing_cells([state.discs[state.mover()]]);
        let wins = cells & self.landings(occupied);
        out.extend((0..self.width).filter(|&column| wins & self.column(column.into()) != 0));
    }

    #[inline]
    fn narrow(&self, state: &State, moves: &mut Vec<u8>, from: usize) -> Tactic {
        let occupied = state.occupied();
        let landings = self.landings(occupied);
        let (mine, theirs) = (state.discs[state.mover()], state.discs[1 - state.mover()]);
        let [wins, threats] = self.completing_cells([mine, theirs]);
        let wins = wins & landings;
        if wins != 0 {
            self.keep_cells(wins, moves, from);
            return Tactic::Win;
        }
        let threats = threats & self.cells & !occupied;
        // One threat can be blocked. A disc below a threat would let the opponent land on it.
        let forced = threats & landings;
        let blocks = if forced == 0 { landings } else { forced };
        let safe = blocks & !(threats >> 1);
        if safe == 0 || forced & forced.wrapping_sub(1) != 0 {
            return Tactic::Loss(2);
        }
        self.keep_cells(safe, moves, from);
        Tactic::Open
    }

    fn has_fast_narrow(&self) -> bool {
        true
    }

    /// A player needs an empty cell and a line without a disc of the opponent. After a safe move the
    /// opponent cannot win at once.
    #[inline]
    fn earliest_ends(&self, state: &State) -> EarliestEnds {
        let empty = self.cells & !state.occupied();
        let left = empty.count_ones();
        if left > MAX_CELLS_OF_DEAD_LINES {
            return EarliestEnds { win: Some(3), loss: Some(4) };
        }
        let end = |player: usize, plies| {
            let has_line = self.has_line(state.discs[player] | empty);
            (left >= plies && has_line).then_some(plies)
        };
        EarliestEnds { win: end(state.mover(), 3), loss: end(1 - state.mover(), 4) }
    }

    /// Cells where the disc lets its player win later, then the distance from the edge.
    #[inline]
    fn promise(&self, state: &State, column: u8) -> u32 {
        let occupied = state.occupied();
        let cell = self.landings(occupied) & self.column(column.into());
        let empty = self.cells & !(occupied | cell);
        let [cells] = self.completing_cells([state.discs[state.mover()] | cell]);
        16 * (cells & empty).count_ones() + u32::from(column.min(self.width - 1 - column))
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
