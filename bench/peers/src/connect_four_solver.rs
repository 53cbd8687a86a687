//! The crate `connect-four-solver`: the exact score of a position of connect four, and nothing else.

use connect_four_solver::{Column, ConnectFour, Solver};

use crate::Answer;
use crate::found::{Found, line, timed};

/// `solve MOVES N`, moves being columns from 1 without anything between them. The value is the crate's score: 1 if
/// the player to move wins with its last disc, 2 with the one before, negative for losses, 0 for a draw.
pub fn answer(kind: &str, moves: &str, n: u64) -> Answer {
    if kind != "solve" {
        return Err(format!("connect-four-solver does not have {kind}"));
    }
    let board = board(moves).ok_or_else(|| format!("these are no moves: {moves}"))?;
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

/// Made anew each time, or its table would know the answer. Making it is not timed.
fn solve(board: &ConnectFour) -> Found {
    let mut solver = Solver::new();
    let (score, cpu, wall) = timed(|| solver.score(board));
    Found { cpu, wall, nodes: None, value: score.into() }
}
