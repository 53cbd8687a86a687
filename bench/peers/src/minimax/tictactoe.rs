//! Tic-tac-toe for the crate `minimax`: nine bits a player, lines looked up in a table.

use minimax::{Evaluation, Evaluator, Game, Winner};

#[derive(Clone, Copy, Default)]
pub struct Board {
    mover: u16,
    rival: u16,
}

const FULL: u16 = 0x1ff;
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// For every set of cells whether it holds a line.
static HOLDS_LINE: [bool; 512] = {
    let mut table = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            table[set] |= set as u16 & LINES[i] == LINES[i];
            i += 1;
        }
        set += 1;
    }
    table
};

pub struct TicTacToe;

impl Game for TicTacToe {
    type S = Board;
    type M = u16;

    #[inline]
    fn generate_moves(board: &Board, moves: &mut Vec<u16>) -> Option<Winner> {
        let winner = Self::get_winner(board);
        if winner.is_none() {
            let mut free = FULL & !(board.mover | board.rival);
            while free != 0 {
                moves.push(free & free.wrapping_neg());
                free &= free - 1;
            }
        }
        winner
    }

    #[inline]
    fn apply(board: &mut Board, cell: u16) -> Option<Board> {
        Some(Board { mover: board.rival, rival: board.mover | cell })
    }

    #[inline]
    fn get_winner(board: &Board) -> Option<Winner> {
        if HOLDS_LINE[usize::from(board.rival & FULL)] {
            Some(Winner::PlayerJustMoved)
        } else {
            (board.mover | board.rival == FULL).then_some(Winner::Draw)
        }
    }
}

/// Nothing is evaluated: the search goes to the end.
pub struct Nothing;

impl Evaluator for Nothing {
    type G = TicTacToe;

    fn evaluate(&self, _: &Board) -> Evaluation {
        0
    }
}
