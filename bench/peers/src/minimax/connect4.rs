//! Connect four for the crate `minimax`: the bitboards, the keys and the evaluation of ours, for
//! the usual size only.

use minimax::{Evaluation, Evaluator, Game, Winner};

/// Bits as in our `connect4::State`: columns of seven, the uppermost never set.
#[derive(Clone, Copy, Default)]
pub struct Board {
    mover: u64,
    all: u64,
    plies: u8,
}

const BOTTOM: u64 = 0x0000_0408_1020_4081;
const CELLS: u64 = BOTTOM * 0x3f;
const DIRECTIONS: [u32; 4] = [1, 7, 8, 6];

/// The cells that begin a run of four.
#[inline]
fn fours(set: u64, step: u32) -> u64 {
    let pairs = set & set >> step;
    pairs & pairs >> (2 * step)
}

pub struct Connect4;

impl Game for Connect4 {
    type S = Board;
    type M = u8;

    #[inline]
    fn generate_moves(board: &Board, moves: &mut Vec<u8>) -> Option<Winner> {
        let winner = Self::get_winner(board);
        if winner.is_none() {
            let landings = (board.all + BOTTOM) & CELLS;
            moves.extend((0..7u8).filter(|column| landings >> (7 * column) & 0x3f != 0));
        }
        winner
    }

    #[inline]
    fn apply(board: &mut Board, column: u8) -> Option<Board> {
        let cell = (board.all + BOTTOM) & 0x7f << (7 * column);
        let (mover, all) = (board.mover ^ board.all, board.all | cell);
        Some(Board { mover, all, plies: board.plies + 1 })
    }

    #[inline]
    fn get_winner(board: &Board) -> Option<Winner> {
        let rival = board.mover ^ board.all;
        if DIRECTIONS.into_iter().fold(0, |any, step| any | fours(rival, step)) != 0 {
            Some(Winner::PlayerJustMoved)
        } else {
            (board.plies == 42).then_some(Winner::Draw)
        }
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

/// As in our `core`.
#[inline]
const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Our evaluation `windows`.
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
        let rival = board.mover ^ board.all;
        windows(board.mover, rival) as Evaluation - windows(rival, board.mover) as Evaluation
    }
}
