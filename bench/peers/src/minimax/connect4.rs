//! Connect four for the crate `minimax`, with our evaluation.

use minimax::{Evaluation, Evaluator, Game, Winner};

pub use crate::boards::connect4::Board;
use crate::boards::connect4::{BOTTOM, CELLS, DIRECTIONS, fours};

pub struct Connect4;

impl Game for Connect4 {
    type S = Board;
    type M = u8;

    #[inline]
    fn generate_moves(board: &Board, moves: &mut Vec<u8>) -> Option<Winner> {
        let winner = Self::get_winner(board);
        if winner.is_none() {
            board.columns(moves);
        }
        winner
    }

    #[inline]
    fn apply(board: &mut Board, column: u8) -> Option<Board> {
        Some(board.after((board.all + BOTTOM) & 0x7f << (7 * column)))
    }

    #[inline]
    fn get_winner(board: &Board) -> Option<Winner> {
        board.end().map(|end| if end == 0 { Winner::Draw } else { Winner::PlayerJustMoved })
    }

    #[inline]
    fn zobrist_hash(board: &Board) -> u64 {
        mix((board.all + BOTTOM) | board.mover)
    }

    fn table_index(column: u8) -> u16 {
        column.into()
    }

    fn max_table_index() -> u16 {
        6
    }
}

/// Mixes a key, as our `tussle_core::mix` does.
#[inline]
const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Our heuristic `windows`.
pub struct Windows;

#[inline]
fn windows(mine: u64, theirs: u64) -> u32 {
    let mut sum = 0;
    for step in DIRECTIONS {
        let open = fours(CELLS & !theirs, step);
        let (mut ones, mut twos) = (mine & open, 0);
        for i in 1..4 {
            let disc = mine >> (i * step) & open;
            let carry = ones & disc;
            ones ^= disc;
            twos ^= carry;
        }
        sum += ones.count_ones() + 4 * (twos.count_ones() + (ones & twos).count_ones());
    }
    sum
}

impl Evaluator for Windows {
    type G = Connect4;

    #[inline]
    fn evaluate(&self, board: &Board) -> Evaluation {
        let opponent = board.mover ^ board.all;
        windows(board.mover, opponent) as Evaluation - windows(opponent, board.mover) as Evaluation
    }
}
