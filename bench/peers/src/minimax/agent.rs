//! The crate's deepening search as a program that takes part in our matches of connect four.
//!
//! By our JSON protocol: a request a line with the moves so far and the time, a reply a line. The search and its
//! table live as long as a game.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use minimax::{Game, IterativeOptions, IterativeSearch, Strategy};
use serde_json::{Value, json};

use super::connect4::{Board, Connect4, Windows};

/// What is left of the move's time for the way back. (The arena's own margin comes on top.)
const SPARE: Duration = Duration::from_millis(1);
const CELLS: u8 = 42;

/// Answers requests until there are no more.
pub fn play(options: IterativeOptions) -> io::Result<()> {
    let fresh = || IterativeSearch::new(Windows, options);
    // A large table takes long to make: the next game's is made while the rival thinks.
    let (mut search, mut spare) = (fresh(), Some(fresh()));
    let mut game = Value::Null;
    for line in io::stdin().lock().lines() {
        let began = Instant::now();
        let request: Value = serde_json::from_str(&line?)?;
        if request["game_id"] != game {
            game = request["game_id"].clone();
            search = spare.take().unwrap_or_else(fresh);
        }
        let board = board(&request["history"]).ok_or_else(|| wrong("history"))?;
        let time = request["clock"]["move_ms"].as_u64().ok_or_else(|| wrong("clock"))?;
        let time = Duration::from_millis(time).saturating_sub(SPARE + began.elapsed());
        // Beyond the last cell it would search the same again.
        search.set_depth_or_timeout(CELLS - board.plies, time.max(SPARE));
        let column = search.choose_move(&board).or_else(|| first(&board));
        let column = column.ok_or_else(|| wrong("history: the game is over"))?;
        let reply = json!({ "id": request["id"], "move": (column + 1).to_string() });
        writeln!(io::stdout(), "{reply}")?;
        spare.get_or_insert_with(fresh);
    }
    Ok(())
}

fn wrong(what: &str) -> io::Error {
    io::Error::other(format!("a request cannot be read: {what}"))
}

fn board(history: &Value) -> Option<Board> {
    let mut board = Board::default();
    for column in history.as_array()? {
        let column: u8 = column.as_str()?.parse().ok().filter(|column| (1..=7).contains(column))?;
        board = Connect4::apply(&mut board, column - 1)?;
    }
    Some(board)
}

/// Some move, if there was no time even for the first depth.
fn first(board: &Board) -> Option<u8> {
    let mut moves = Vec::new();
    Connect4::generate_moves(board, &mut moves);
    moves.first().copied()
}
