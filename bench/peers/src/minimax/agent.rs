//! Iterative deepening search of the crate as an external program in matches of connect four.
//!
//! It speaks our JSON protocol: a request with the moves and the time, and a reply, one per line. The search and its
//! table are kept during a game.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use minimax::{Game, IterativeOptions, IterativeSearch, Strategy};
use serde_json::{Value, json};

use super::connect4::{Board, Connect4, Windows};

/// Time reserved for sending the reply, in addition to the safety margin of the arena.
const REPLY_TIME: Duration = Duration::from_millis(1);
const CELLS: u8 = 42;

/// Answers requests until the input ends.
pub fn play(options: IterativeOptions) -> io::Result<()> {
    let fresh = || IterativeSearch::new(Windows, options);
    // Allocating a large table takes long, so the one for the next game is allocated on the opponent's time.
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
        let time = Duration::from_millis(time).saturating_sub(REPLY_TIME + began.elapsed());
        // Beyond the last cell, deeper iterations would repeat the same search.
        search.set_depth_or_timeout(CELLS - board.plies, time.max(REPLY_TIME));
        let column = search.choose_move(&board).or_else(|| first(&board));
        let column = column.ok_or_else(|| wrong("history: the game is over"))?;
        let reply = json!({ "id": request["id"], "move": (column + 1).to_string() });
        writeln!(io::stdout(), "{reply}")?;
        spare.get_or_insert_with(fresh);
    }
    Ok(())
}

fn wrong(what: &str) -> io::Error {
    io::Error::other(format!("invalid request: {what}"))
}

fn board(history: &Value) -> Option<Board> {
    let mut board = Board::default();
    for column in history.as_array()? {
        let column: u8 = column.as_str()?.parse().ok().filter(|column| (1..=7).contains(column))?;
        board = Connect4::apply(&mut board, column - 1)?;
    }
    Some(board)
}

/// Returns the first legal move, for a search without time for the first iteration.
fn first(board: &Board) -> Option<u8> {
    let mut moves = Vec::new();
    Connect4::generate_moves(board, &mut moves);
    moves.first().copied()
}
