//! An agent for @GAME@.
//!
//! The arena writes one request a line to standard input and reads one reply a line from standard
//! output, both JSON. Write nothing else there: `eprintln!` is for yourself. The end of the input
//! is the end of the match.

mod json;

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use json::{Json, quoted};

/// The move to play. YOUR IDEA GOES HERE; what stands here is a random legal move.
///
/// - `game`: the game, "@GAME@"
/// - `position`: the position in one line (`tussle show GAME --position TEXT` draws it)
/// - `history`: the moves that led to it
/// - `moves`: the legal moves; answer one of them
/// - `player`: who you are, from 0; `players` says how many there are
/// - `seed`: a number for whatever is random, another one in each game
/// - `clock`: milliseconds, `move_ms` for this move; `left_ms` and `increment_ms` too if there
///   is a bank for the whole game
///
/// Be done at `deadline`.
fn choose(request: &Json, _deadline: Instant) -> String {
    let moves = request.get("moves").list();
    let seed = request.get("seed").number().unwrap_or(0);
    let number = random(seed, request.get("history").list().len() as u64);
    let chosen = moves.get((number % moves.len().max(1) as u64) as usize);
    chosen.map_or("", Json::text).to_owned()
}

/// A number that looks random: the `n`th of this seed.
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
            continue; // nothing that we know
        }
        // Keep a little back: the answer has to get there, too.
        let time = request.get("clock").get("move_ms").number().unwrap_or(1000);
        let deadline = received + Duration::from_millis(time) * 9 / 10;
        let id = request.get("id").number().unwrap_or(0);
        let mv = choose(&request, deadline);
        writeln!(output, "{{\"id\":{id},\"move\":{}}}", quoted(&mv))?;
        output.flush()?;
    }
    Ok(())
}
