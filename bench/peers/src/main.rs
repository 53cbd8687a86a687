//! Random games of the crate `board-game` in small slices: answers every line `GAME N` with the
//! seconds of processor time that N of them took, or with `?` and why not. `bench/run` lets it
//! take turns with ours.

use std::hint::black_box;
use std::io::{self, BufRead};

use board_game::board::Board;
use board_game::games::connect4::Connect4;
use board_game::games::go::{GoBoard, Komi, Rules};
use board_game::games::max_length::MaxMovesBoard;
use board_game::games::ttt::TTTBoard;
use cpu_time::ProcessTime;
use rand::SeedableRng;
use rand::rngs::SmallRng;

fn main() -> io::Result<()> {
    println!("board-game 0.8.2"); // as Cargo.toml has it
    let mut rng = SmallRng::seed_from_u64(1);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (game, games) = line.rsplit_once(' ').unwrap_or_default();
        let games = games.parse().unwrap_or(0);
        let began = ProcessTime::now();
        match game {
            "tictactoe" => play(&TTTBoard::default(), games, &mut rng),
            "connect4" => play(&Connect4::default(), games, &mut rng),
            "go-5x5" => play(&go(5, 1), games, &mut rng),
            "go-9x9" => play(&go(9, 11), games, &mut rng),
            _ => {
                println!("? board-game does not have {game}");
                continue;
            }
        }
        println!("{}", began.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Go without suicide; a repeated board is illegal. Ended after as many moves as ours, or
/// some of the games would be far longer.
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
