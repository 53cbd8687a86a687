//! Tic-tac-toe for the crate `minimax`.

use minimax::{Evaluation, Evaluator, Game, Winner};

pub use crate::boards::tictactoe::Board;

pub struct TicTacToe;

impl Game for TicTacToe {
    type S = Board;
    type M = u16;

    #[inline]
    fn generate_moves(board: &Board, moves: &mut Vec<u16>) -> Option<Winner> {
        let winner = Self::get_winner(board);
        if winner.is_none() {
            let mut free = board.free();
            while free != 0 {
                moves.push(free & free.wrapping_neg());
                free &= free - 1;
            }
        }
        winner
    }

    #[inline]
    fn apply(board: &mut Board, cell: u16) -> Option<Board> {
        Some(board.after(cell))
    }

    #[inline]
    fn get_winner(board: &Board) -> Option<Winner> {
        board.end().map(|end| if end == 0 { Winner::Draw } else { Winner::PlayerJustMoved })
    }
}

/// Evaluator without information, for searches to the end of the game.
pub struct NoEvaluation;

impl Evaluator for NoEvaluation {
    type G = TicTacToe;

    fn evaluate(&self, _: &Board) -> Evaluation {
        0
    }
}
