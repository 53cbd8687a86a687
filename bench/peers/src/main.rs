//! Other libraries' sides of `bench/run`, which lets them take turns with ours.
//!
//! `tussle-peers NAME` answers every line: `playouts GAME N` with the seconds of processor time
//! that N random games took, `search TASK N` with what N searches took and found, `mcts GAME N` with
//! what a Monte Carlo tree search of N simulations took and found, `solve MOVES N` with what it took to
//! solve a position N times, anything it does not have with `?` and why not.
//!
//! `tussle-peers minimax OPTIONS` takes part in matches.

mod board_game;
mod boards;
mod connect_four_solver;
mod found;
mod mcts;
mod minimax;

use std::io::{self, BufRead};

const USAGE: &str = "usage: tussle-peers board-game|connect-four-solver|mcts|minimax [OPTIONS]";

/// The answer to a line, or why there is none.
type Answer = Result<String, String>;
/// Answers a kind of work, the task, and how often or how much.
type Library = fn(&str, &str, u64) -> Answer;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    if let (Some(options), "minimax") = (arguments.next(), &*name) {
        return minimax::play(&options);
    }
    let (version, answer): (_, Library) = match &*name {
        // as Cargo.toml has them
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
            _ => Err(format!(
                "`{line}`: a line is `playouts GAME N`, `search TASK N`, `mcts GAME N` or `solve MOVES N`"
            )),
        };
        match answer {
            Ok(answer) => println!("{answer}"),
            Err(why) => println!("? {why}"),
        }
    }
    Ok(())
}
