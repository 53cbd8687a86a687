//! Crate `board-game`: random playouts, a solver of tic-tac-toe, and Monte Carlo tree search.

use std::hint::black_box;

use board_game::ai::mcts::mcts_build_tree;
use board_game::ai::solver::{SolverValue, solve_value};
use board_game::board::{AltBoard, Board};
use board_game::games::connect4::Connect4;
use board_game::games::go::{GoBoard, Komi, Rules};
use board_game::games::max_length::MaxMovesBoard;
use board_game::games::ttt::TTTBoard;
use cpu_time::ProcessTime;
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::Answer;
use crate::error::RequestError;
use crate::measurement::{Measurement, line, simulated, timed};

pub fn answer(kind: &str, task: &str, n: u64) -> Answer {
    match (kind, task) {
        ("playouts", game) => playouts(game, n),
        ("search", "tictactoe-solve") => {
            line(&(0..n).map(|_| solve_tictactoe()).collect::<Vec<_>>())
        }
        ("mcts", "connect4") => mcts(Connect4::default(), n, usize::from),
        ("mcts", "tictactoe") => mcts(TTTBoard::default(), n, |cell| cell.index().into()),
        _ => Err(RequestError::unsupported("board-game", kind, task)),
    }
}

/// Runs its alpha-beta search for the value only, which is its fastest mode.
fn solve_tictactoe() -> Measurement {
    let start = black_box(TTTBoard::default());
    let (value, cpu, wall) = timed(|| solve_value(&start, 9));
    let value = match value {
        SolverValue::WinIn(_) => 1.0,
        SolverValue::LossIn(_) => -1.0,
        SolverValue::Draw => 0.0,
        SolverValue::Unknown => f64::NAN,
    };
    Measurement { cpu, wall, nodes: None, value }
}

fn playouts(game: &str, games: u64) -> Answer {
    let mut rng = SmallRng::from_entropy();
    let began = ProcessTime::now();
    match game {
        "tictactoe" => play(&TTTBoard::default(), games, &mut rng),
        "connect4" => play(&Connect4::default(), games, &mut rng),
        "go-5x5" => play(&go(5, 1), games, &mut rng),
        "go-9x9" => play(&go(9, 11), games, &mut rng),
        _ => return Err(RequestError::unsupported("board-game", "playouts", game)),
    }
    Ok(began.elapsed().as_secs_f64().to_string())
}

/// Returns Go without suicide and with positional superko. Games end after as many moves as ours;
/// otherwise some would be far longer.
fn go(size: u8, twice_the_komi: i16) -> MaxMovesBoard<GoBoard> {
    let board = GoBoard::new(size, Komi::new(twice_the_komi), Rules::cgos());
    MaxMovesBoard::new(board, 2 * u64::from(size).pow(2))
}

fn play<B: Board>(start: &B, games: u64, rng: &mut SmallRng) {
    for _ in 0..games {
        let mut board = start.clone();
        while board.play_random_available_move(rng).is_ok() {}
        black_box(board.outcome());
    }
}

/// Runs its MCTS-Solver with our exploration constant.
///
/// A simulation selects a node with unvisited children and plays a random playout from one of them. The
/// first selection at a node creates all children and checks them for the end of the game. Proven nodes
/// need no further playouts, and the search ends when the root is proven. The visits of the root are the
/// actual number of simulations.
fn mcts<B: AltBoard>(start: B, n: u64, place: fn(B::Move) -> usize) -> Answer {
    let mut rng = SmallRng::from_entropy();
    let ((visits, best), cpu, wall) = timed(|| {
        let tree = mcts_build_tree(&start, n, std::f32::consts::SQRT_2, &mut rng);
        (tree[0].visits, tree.best_move())
    });
    simulated(visits as u64, cpu, wall, Some(place(best)))
}
