//! Steps that win or lose at once.

use tussle_core::{Tactic, Tactics, generic_narrow, generic_winning_moves, retain_from};

use super::{FULL, Gobblet, HAS_LINE, LINES, Layers, Move, State};

/// Cells that complete a line with each set of cells.
const COMPLETIONS: [u16; 512] = {
    let mut cells = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            let missing = LINES[i] & !(set as u64);
            if missing.is_power_of_two() {
                cells[set] |= missing as u16;
            }
            i += 1;
        }
        set += 1;
    }
    cells
};

fn completions(set: u64) -> u64 {
    COMPLETIONS[set as usize % 512].into()
}

fn has_line(set: u64) -> bool {
    HAS_LINE[set as usize % 512] != 0
}

/// Position from the perspective of the player to move.
#[derive(Clone, Copy)]
pub(super) struct Perspective {
    pub(super) own: u64,
    pub(super) opponent: u64,
    pub(super) layers: Layers,
}

impl Perspective {
    #[inline]
    pub(super) fn new(own: u64, opponent: u64) -> Self {
        Self { own, opponent, layers: Layers::new([own, opponent]) }
    }

    /// Returns a step that wins, if there is one.
    #[inline]
    pub(super) fn win(self) -> Option<Move> {
        let visible = self.layers.visible(self.own);
        // A necessary condition: some cell without a big piece completes a line of visible pieces.
        // Lifting a piece cannot help, because it does not add a cell to the visible ones.
        if completions(visible) & !self.layers.big == 0 { None } else { self.search(visible) }
    }

    #[inline(never)]
    fn search(self, visible: u64) -> Option<Move> {
        let Self { own, opponent, layers } = self;
        let stuck = own & layers.covered();
        for (piece, below) in [layers.big, layers.medium, layers.small]
            .into_iter()
            .enumerate()
            .flat_map(|(size, taken)| [(2 * size, taken), (2 * size + 1, taken)])
        {
            let mine = FULL << (9 * piece);
            if stuck & mine != 0 {
                continue;
            }
            let from = own >> (9 * piece) & FULL;
            let (mut mine_shown, mut theirs_shown) = (visible, 0);
            if from != 0 {
                let rest = Self::new(own & !mine, opponent);
                mine_shown = rest.layers.visible(rest.own);
                theirs_shown = rest.layers.visible(opponent);
            }
            let mut cells = completions(mine_shown) & !below & FULL;
            while cells != 0 {
                let cell = cells & cells.wrapping_neg();
                cells &= cells - 1;
                if !has_line(theirs_shown & !cell) {
                    return Some(Move::new(piece, cell.trailing_zeros() as usize));
                }
            }
        }
        None
    }

    /// Returns true if a step, given by piece and cell as `9 * piece + cell`, is legal.
    #[inline]
    pub(super) fn allows(self, bit: usize) -> bool {
        let stuck = self.own & self.layers.covered();
        (self.layers.taken() >> bit & 1) | (stuck >> (bit / 9 * 9) & FULL) == 0
    }

    /// Returns the position after a step, from the perspective of the opponent.
    #[inline]
    pub(super) fn after(self, bit: usize) -> Self {
        Self::new(self.opponent, self.own & !(FULL << (bit / 9 * 9)) | 1 << bit)
    }

    /// Returns the position of the player to move.
    #[inline]
    fn of(state: &State) -> Self {
        let mover = state.mover();
        Self::new(state.pieces[mover], state.pieces[1 - mover])
    }

    /// Returns true if only the player who made the last step has a line.
    #[inline]
    fn is_lost(self) -> bool {
        self.layers.has_line(self.opponent) & !self.layers.has_line(self.own) & 1 != 0
    }

    /// Returns true if the player to move has a line, uncovered by the last step, and the opponent
    /// has none.
    #[inline]
    pub(super) fn is_won(self) -> bool {
        self.layers.has_line(self.own) & !self.layers.has_line(self.opponent) != 0
    }
}

/// Returns a step as a bit of a player's pieces.
fn bit(mv: Move) -> usize {
    9 * mv.piece() + mv.cell()
}

impl Tactics for Gobblet {
    fn winning_moves(&self, state: &State, out: &mut Vec<Move>) {
        if Perspective::of(state).win().is_some() {
            generic_winning_moves(self, state, out);
        }
    }

    fn narrow(&self, state: &State, moves: &mut Vec<Move>, from: usize) -> Tactic {
        if state.steps + 2 >= self.steps {
            return generic_narrow(self, state, moves, from); // lines may come too late to win
        }
        let view = Perspective::of(state);
        if view.win().is_some() {
            retain_from(moves, from, |mv| view.after(bit(mv)).is_lost());
            return Tactic::Win;
        }
        // A move is a number below 64, so a set of moves is a word.
        let (mut safe, mut longest) = (0_u64, 1);
        for &mv in &moves[from..] {
            let next = view.after(bit(mv));
            // Without a win of the player who steps, a line of the opponent ends the game: it is
            // lost, or drawn if both have one.
            let ends = next.layers.has_line(next.own) != 0;
            let replied = !ends && next.win().is_some();
            longest = longest.max(1 + u32::from(replied));
            safe |= u64::from(!next.is_won() && !replied) << mv.0;
        }
        if safe == 0 {
            return Tactic::Loss(longest);
        }
        if safe.count_ones() as usize != moves.len() - from {
            retain_from(moves, from, |mv| safe >> mv.0 & 1 != 0);
        }
        Tactic::Open
    }

    fn has_fast_narrow(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tactics_tests::assert_tactics_are_exact;

    #[test]
    fn tactics_equal_trying_every_reply() {
        let counts = assert_tactics_are_exact(&Gobblet::default(), 5000);
        assert!(counts.wins > 500 && counts.narrowed > 500, "{counts:?}");
        assert_tactics_are_exact(&Gobblet { steps: 8 }, 1000);
    }
}
