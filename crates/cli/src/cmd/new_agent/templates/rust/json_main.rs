//! An agent for @GAME@.
//!
//! The arena writes one request per line to standard input and reads one reply per line from standard
//! output, both JSON. Print everything else with `eprintln!`. The end of the input is the end of the
//! match.

mod json;

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use json::{Json, quoted};

/// Returns the move to play. WRITE YOUR SEARCH HERE; the template plays a random legal move.
///
/// - `game`: the game, "@GAME@"
/// - `position`: the position in one line (`tussle show GAME --position TEXT` draws it)
/// - `history`: the moves that led to it
/// - `moves`: the legal moves; return one of them
/// - `player`: your player number, from 0; `players` is the number of players
/// - `seed`: a seed for random choices, different in each game
/// - `clock`: milliseconds, `move_ms` for this move; also `left_ms` and `increment_ms` if there is a
///   base time for the whole game
///
/// Return before `deadline`.
fn choose(request: &Json, _deadline: Instant) -> String {
    let moves = request.get("moves").list();
    let seed = request.get("seed").number().unwrap_or(0);
    let number = random(seed, request.get("history").list().len() as u64);
    let chosen = moves.get((number % moves.len().max(1) as u64) as usize);
    chosen.map_or("", Json::text).to_owned()
}

/// Returns the `n`th pseudorandom number of this seed.
fn random(seed: u64, n: u64) -> u64 {
    let mut x = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn main() -> io::Result<()> {
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let received = Instant::now();
        let Some(request) = Json::parse(&line) else { continue };
        if request.get("op").text() != "move" {
            continue; // an unknown request
        }
        // Keep a safety margin for the transfer of the reply.
        let time = request.get("clock").get("move_ms").number().unwrap_or(1000);
        let deadline = received + Duration::from_millis(time) * 9 / 10;
        let id = request.get("id").number().unwrap_or(0);
        let mv = choose(&request, deadline);
        writeln!(output, "{{\"id\":{id},\"move\":{}}}", quoted(&mv))?;
        output.flush()?;
    }
    Ok(())
}
