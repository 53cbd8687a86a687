//! Other libraries' sides of `bench/run`, which lets them take turns with ours.
//!
//! `tussle-peers NAME` answers every line: `playouts GAME N` with the seconds of processor time
//! that N random games took, `search TASK N` with what N searches took and found, `mcts GAME N` with
//! what a Monte Carlo tree search of N simulations took and found, anything it does not have with
//! `?` and why not.

mod board_game;
mod boards;
mod found;
mod mcts;
mod minimax;

use std::io::{self, BufRead};

/// The answer to a line, or why there is none.
type Answer = Result<String, String>;
/// Answers a kind of work, the task, and how often or how much.
type Library = fn(&str, &str, u64) -> Answer;

fn main() -> io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let (version, answer): (_, Library) = match &*name {
        // as Cargo.toml has them
        "board-game" => ("0.8.2", board_game::answer),
        "mcts" => ("0.3.0", mcts::answer),
        "minimax" => ("0.6.0", minimax::answer),
        _ => return Err(io::Error::other("usage: tussle-peers board-game|mcts|minimax")),
    };
    println!("{name} {version}");
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let answer = match words[..] {
            [kind, task, n] => answer(kind, task, n.parse().unwrap_or(0)),
            _ => Err(format!(
                "`{line}`: a line is `playouts GAME N`, `search TASK N` or `mcts GAME N`"
            )),
        };
        match answer {
            Ok(answer) => println!("{answer}"),
            Err(why) => println!("? {why}"),
        }
    }
    Ok(())
}
