//! Load test of a running server: many parallel games against an agent, each over its own WebSocket.
//!
//! ```text
//! tussle serve --port 8585 & cargo run -p tussle-web --example load -- 127.0.0.1:8585 $! 40
//! ```
//!
//! Half of the pages play connect4, the others 5x5 Go. The agent plays against random moves. Each round prints a line with
//! the numbers of games, moves and errors, the times from request to answer, and the memory of the server. The exit code is 1
//! if there were errors.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};
use tussle_core::Rng;

const PAGES: u64 = 50;
const AGENT: &str = "mcts-textbook:nodes=1000";

type BoxError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [address, pid, rounds] = args.as_slice() else {
        eprintln!("usage: load ADDRESS PID ROUNDS");
        return ExitCode::from(2);
    };
    let rounds = rounds.parse().unwrap_or(1);
    println!("{PAGES} parallel games against {AGENT}");
    println!("round  games  moves  errors  p50 ms  p99 ms  server MB");
    let mut errors = 0;
    for round in 0..rounds {
        let played: Vec<Result<Vec<Duration>, BoxError>> = std::thread::scope(|scope| {
            let games: Vec<_> = (0..PAGES)
                .map(|page| scope.spawn(move || game(address, round * PAGES + page)))
                .collect();
            games
                .into_iter()
                .map(|game| game.join().unwrap_or_else(|_| Err("panic".into())))
                .collect()
        });
        let mut times = Vec::new();
        let mut failed = 0;
        for game in played {
            match game {
                Ok(moves) => times.extend(moves),
                Err(why) => {
                    failed += 1;
                    eprintln!("{why}");
                }
            }
        }
        times.sort_unstable();
        let at = |share: f64| {
            let index = (times.len() as f64 * share) as usize;
            times.get(index).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
        };
        println!(
            "{:>5}  {:>5}  {:>5}  {failed:>6}  {:>6.1}  {:>6.1}  {:>9.1}",
            round + 1,
            PAGES - failed,
            times.len(),
            at(0.5),
            at(0.99),
            resident(pid)
        );
        errors += failed;
    }
    if errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Plays a game; returns the times of the agent's moves.
fn game(address: &str, seed: u64) -> Result<Vec<Duration>, BoxError> {
    let spec = ["connect4", "go:size=5"][(seed % 2) as usize];
    let mut rng = Rng::new(seed);
    let (mut socket, _) =
        tungstenite::client(format!("ws://{address}/live"), TcpStream::connect(address)?)
            .map_err(|e| e.to_string())?;
    let (mut moves, mut times): (Vec<Value>, Vec<Duration>) = (Vec::new(), Vec::new());
    loop {
        let place = json!({ "game": spec, "moves": moves });
        let seen = ask(address, "/api/position", &place)?;
        if !seen["result"].is_null() {
            socket.close(None)?;
            return Ok(times);
        }
        let legal = seen["legal"].as_array().ok_or("no legal moves")?;
        if moves.len().is_multiple_of(2) {
            let began = Instant::now();
            let best = search(&mut socket, &place, seed, moves.len())?;
            times.push(began.elapsed());
            if !legal.contains(&best) {
                return Err(format!("{best} is not legal").into());
            }
            moves.push(best);
        } else {
            moves.push(legal[rng.below(legal.len())].clone());
        }
    }
}

/// Searches a position; returns the best move.
fn search(
    socket: &mut WebSocket<TcpStream>,
    place: &Value,
    seed: u64,
    id: usize,
) -> Result<Value, BoxError> {
    let ask = json!({ "id": id, "op": "search", "place": place, "agent": AGENT, "seed": seed });
    socket.send(Message::text(ask.to_string()))?;
    loop {
        let Message::Text(text) = socket.read()? else { continue };
        let told: Value = serde_json::from_str(&text)?;
        match told["event"].as_str() {
            Some("done") => return Ok(told["report"]["best"].clone()),
            Some("error") => return Err(told["error"].to_string().into()),
            _ => {}
        }
    }
}

/// Sends a POST request; returns the answer.
fn ask(address: &str, path: &str, body: &Value) -> Result<Value, BoxError> {
    let body = body.to_string();
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, told) = answer.split_once("\r\n\r\n").ok_or("incomplete answer")?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(format!("{path}: {told}").into());
    }
    Ok(serde_json::from_str(told)?)
}

/// Returns the memory of a process in MB; NaN if the system does not report it.
fn resident(pid: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kb = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kb.map_or(f64::NAN, |kb| kb / 1024.0)
}
