//! An engine for @GAME@ that speaks UGI, the universal game interface.
//!
//! Another program writes commands to standard input, one per line, and reads replies from standard
//! output. Print everything else with `eprintln!`.
//!
//! UGI transfers moves, not rules. `Rules` asks the program `tussle rules` for them. An engine with its own
//! rules is faster: replace `Rules` by your own type.

mod json;

use std::io::{self, BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use json::{Json, quoted};

const GAME: &str = "@GAME@";

/// Rules of a game from `tussle rules`. A state has its text in `position`, the player to move in `player`
/// (from 0; null for chance or after the game), and in `result` null or the utilities of the finished
/// game.
struct Rules {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Rules {
    fn new(game: &str) -> io::Result<Self> {
        let mut command = Command::new("tussle");
        command.args(["rules", game]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| {
            io::Error::other(format!("cannot start `tussle rules`: {e}; is tussle on your PATH?"))
        })?;
        let (to, from) = child.stdin.take().zip(child.stdout.take()).expect("both are pipes");
        Ok(Self { to, from: BufReader::new(from) })
    }

    fn ask(&mut self, request: &str) -> io::Result<Json> {
        writeln!(self.to, "{request}")?;
        self.to.flush()?;
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        let answer = Json::parse(&line).unwrap_or(Json::Null);
        match answer.get("error").text() {
            "" => Ok(answer),
            error => Err(io::Error::other(error.to_owned())),
        }
    }

    /// Returns the start of the game, or the position of a text.
    fn start(&mut self, fen: &str) -> io::Result<Json> {
        let position = match fen {
            "" => String::new(),
            fen => format!(",\"position\":{}", quoted(fen)),
        };
        let state = self.ask(&format!("{{\"op\":\"start\"{position}}}"))?;
        // This engine refers to states by their texts.
        let handle = state.get("state").number().unwrap_or(0);
        self.ask(&format!("{{\"op\":\"release\",\"state\":{handle}}}"))?;
        Ok(state)
    }

    fn apply(&mut self, state: &Json, mv: &str) -> io::Result<Json> {
        let (state, mv) = (quoted(state.get("position").text()), quoted(mv));
        self.ask(&format!("{{\"op\":\"apply\",\"state\":{state},\"move\":{mv}}}"))
    }

    fn moves(&mut self, state: &Json) -> io::Result<Vec<String>> {
        let state = quoted(state.get("position").text());
        let answer = self.ask(&format!("{{\"op\":\"moves\",\"state\":{state}}}"))?;
        Ok(answer.get("moves").list().iter().map(|mv| mv.text().to_owned()).collect())
    }
}

/// Returns the move to play. WRITE YOUR SEARCH HERE; the template plays a random legal move.
///
/// Return before `deadline`. A long search should run on a thread, so that `isready` and `stop` are
/// answered while it runs.
fn choose(
    rules: &mut Rules,
    state: &Json,
    _deadline: Instant,
    random: &mut u64,
) -> io::Result<String> {
    let moves = rules.moves(state)?;
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    Ok(moves[(*random % moves.len() as u64) as usize].clone())
}

/// Returns the time for a move from the words after `go`.
fn time(words: &[&str], player: u64) -> Duration {
    let told = |key: &str| {
        let at = words.iter().position(|&word| word == key)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let left = told(&format!("p{}time", player + 1));
    let planned = left.map(|left| left / 20 + told(&format!("p{}inc", player + 1)).unwrap_or(0) / 2);
    Duration::from_millis(told("movetime").or(planned).unwrap_or(1000))
}

/// Returns the reply to a question about the game.
fn answer(state: &Json, question: &str) -> String {
    let values: Vec<f64> = state.get("result").list().iter().map(value).collect();
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    let winners: Vec<usize> = (0..values.len()).filter(|&i| values[i] == best).collect();
    match (question, winners.as_slice()) {
        ("gameover", winners) => (!winners.is_empty()).to_string(),
        ("p1turn", _) => (state.get("player").number() == Some(0)).to_string(),
        ("result", []) => "none".to_owned(),
        ("result", [winner]) => format!("p{}win", winner + 1),
        ("result", _) => "draw".to_owned(),
        _ => "unknown".to_owned(),
    }
}

fn value(number: &Json) -> f64 {
    if let Json::Number(text) = number { text.parse().unwrap_or(0.0) } else { 0.0 }
}

fn main() -> io::Result<()> {
    let mut rules = Rules::new(GAME)?;
    let mut state = rules.start("")?;
    let mut random = 1_u64;
    let mut kept = None; // a move that waits for `stop`
    for line in io::stdin().lock().lines() {
        let line = line?;
        let received = Instant::now();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ugi", ..] => println!(
                "id name my-agent\nid author me\n\
                 option name seed type spin default 1 min 0 max 18446744073709551615\nugiok"
            ),
            ["isready", ..] => println!("readyok"),
            ["setoption", "name", "seed", "value", seed] => {
                random = seed.parse::<u64>().unwrap_or(1).max(1);
            }
            ["uginewgame", ..] => state = rules.start("")?,
            ["position", from, rest @ ..] => {
                let cut = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
                let fen = if *from == "fen" { rest[..cut].join(" ") } else { String::new() };
                state = rules.start(&fen)?;
                for mv in rest.iter().skip(cut + 1) {
                    state = rules.apply(&state, mv)?;
                }
            }
            ["go", limits @ ..] => {
                let mut mv = "0000".to_owned(); // no player is to move
                if let Some(player) = state.get("player").number() {
                    // Keep a safety margin for the transfer of the reply.
                    let deadline = received + time(limits, player) * 9 / 10;
                    mv = choose(&mut rules, &state, deadline, &mut random)?;
                }
                if limits.contains(&"infinite") {
                    kept = Some(mv);
                } else {
                    println!("bestmove {mv}");
                }
            }
            ["stop", ..] => {
                if let Some(mv) = kept.take() {
                    println!("bestmove {mv}");
                }
            }
            ["query", question, ..] => println!("response {}", answer(&state, question)),
            ["quit", ..] => break,
            _ => {}
        }
        io::stdout().flush()?;
    }
    Ok(())
}
