//! Crate `connect-four-solver`: the exact score of a position of connect four.

use connect_four_solver::{Column, ConnectFour, Solver};

use crate::Answer;
use crate::error::RequestError;
use crate::measurement::{Measurement, line, timed};

/// Answers `solve MOVES N`, with the moves as digits of columns from 1. The value is the crate's score: 1 if the
/// player to move wins with its last disc, 2 with the one before, negative for losses, 0 for a draw.
pub fn answer(kind: &str, moves: &str, n: u64) -> Answer {
    if kind != "solve" {
        return Err(RequestError::unsupported("connect-four-solver", kind, moves));
    }
    let board = board(moves).ok_or_else(|| RequestError::Moves(moves.to_owned()))?;
    line(&(0..n).map(|_| solve(&board)).collect::<Vec<_>>())
}

fn board(moves: &str) -> Option<ConnectFour> {
    let mut board = ConnectFour::new();
    for digit in moves.chars() {
        let column = digit.to_string().parse::<Column>().ok()?;
        (!board.is_over() && board.play(column)).then_some(())?;
    }
    (!board.is_over()).then_some(board)
}

/// Solves a position with a new solver, because a used table would contain the answer. The time excludes
/// the creation of the solver.
fn solve(board: &ConnectFour) -> Measurement {
    let mut solver = Solver::new();
    let (score, cpu, wall) = timed(|| solver.score(board));
    Measurement { cpu, wall, nodes: None, value: score.into() }
}
