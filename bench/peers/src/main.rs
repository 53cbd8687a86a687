//! Sides of other Rust libraries for `bench/run`, which lets them take turns with ours.
//!
//! `tussle-peers NAME` answers requests, one per line, or prints `?` and the reason of an error:
//! - `playouts GAME N`: the CPU time of N random playouts, in seconds;
//! - `search TASK N`: the mean time and the result of N searches;
//! - `mcts GAME N`: the time and the result of a Monte Carlo tree search of N simulations;
//! - `solve MOVES N`: the mean time and the result of solving a position N times.
//!
//! `tussle-peers minimax OPTIONS` plays in matches.

mod board_game;
mod boards;
mod connect_four_solver;
mod error;
mod mcts;
mod measurement;
mod minimax;

use std::io::{self, BufRead};

use error::RequestError;

const USAGE: &str = "usage: tussle-peers board-game|connect-four-solver|mcts|minimax [OPTIONS]";

/// Answer to a request.
type Answer = Result<String, RequestError>;
/// Function of a library that answers a request, given its kind, its task and its number.
type Library = fn(&str, &str, u64) -> Answer;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    if let (Some(options), "minimax") = (arguments.next(), &*name) {
        return minimax::play(&options);
    }
    let (version, answer): (_, Library) = match &*name {
        // versions as in Cargo.toml
        "board-game" => ("0.8.2", board_game::answer),
        "connect-four-solver" => ("0.2.4", connect_four_solver::answer),
        "mcts" => ("0.3.0", mcts::answer),
        "minimax" => ("0.6.0", minimax::answer),
        _ => return Err(io::Error::other(USAGE)),
    };
    println!("{name} {version}");
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let answer = match words[..] {
            [kind, task, n] => answer(kind, task, n.parse().unwrap_or(0)),
            _ => Err(RequestError::Form(line.clone())),
        };
        match answer {
            Ok(answer) => println!("{answer}"),
            Err(error) => println!("? {error}"),
        }
    }
    Ok(())
}
