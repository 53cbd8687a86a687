//! `tussle serve` as a user meets it. What the server does is tested in its own crate.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};

use serde_json::{Value, json};

use crate::common::{json as run, start, tussle};

/// A server that was told to take any port.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn new(args: &[&str]) -> Self {
        let mut child = start(&[&["serve", "--port", "0"], args].concat());
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://").expect("an address").to_owned();
        Self { child, address }
    }

    /// Sends a question, and does not wait for its answer.
    fn send(&self, way: &str, path: &str, body: &Value) -> TcpStream {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{way} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        stream
    }

    fn ask(&self, way: &str, path: &str, body: &Value) -> Value {
        let mut answer = String::new();
        self.send(way, path, body).read_to_string(&mut answer).unwrap();
        let (_, told) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(told).unwrap_or_else(|e| panic!("{path}: {e}: {answer}"))
    }

    /// Ctrl-C; the exit code.
    fn interrupt(&mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_prints_its_address_first_and_ends_with_ctrl_c_whatever_it_does() {
    let mut served = Served::new(&["--searches", "1"]);
    let games = served.ask("GET", "/api/games", &Value::Null);
    assert_eq!(games, run(&["games", "--json"]));
    let wish = json!({ "place": { "game": "go:size=9" }, "agent": "mcts", "time_ms": 600_000 });
    let _searching = served.send("POST", "/api/analyse", &wish);
    assert_eq!(served.interrupt(), Some(0));
}

#[test]
fn scripts_hear_what_analyse_prints() {
    let served = Served::new(&[]);
    let wish = json!({
        "place": { "game": "connect4", "moves": ["4", "4"] }, "agent": "mcts", "nodes": 300, "lines": 3,
    });
    let mut told = served.ask("POST", "/api/analyse", &wish);
    let mut printed = run(&[
        "analyse", "connect4", "--moves", "4,4", "--agent", "mcts", "--nodes", "300", "--lines",
        "3", "--json",
    ]);
    for document in [&mut told, &mut printed] {
        document.as_object_mut().unwrap().remove("timing").expect("it has times");
        document["stats"].as_object_mut().unwrap().remove("bytes").expect("it counts bytes");
    }
    assert_eq!(told, printed);
}

#[test]
fn a_program_plays_only_where_programs_are_allowed_and_is_gone_afterwards() {
    let command = format!(
        "{} ugi --game tictactoe --agent random --seed 80868086",
        env!("CARGO_BIN_EXE_tussle")
    );
    let place = json!({ "game": "tictactoe", "moves": ["a1", "b2"] });
    let wish = json!({ "place": place, "agent": format!("ugi:{command}"), "time_ms": 5000 });
    let careful = Served::new(&[]);
    let refused = careful.ask("POST", "/api/analyse", &wish);
    assert!(refused["error"].as_str().unwrap().contains("--allow-programs"), "{refused}");
    let mut served = Served::new(&["--allow-programs"]);
    let told = served.ask("POST", "/api/analyse", &wish);
    let seen = served.ask("POST", "/api/position", &place);
    assert!(seen["legal"].as_array().unwrap().contains(&told["best"]), "{told}");
    assert_eq!(served.interrupt(), Some(0));
    let left = Command::new("pgrep").args(["-f", "seed 80868086"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&left.stdout), "");
}

#[test]
fn a_port_that_is_taken_is_named_with_the_way_out() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = tussle(&["serve", "--port", &port]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains(&port) && message.contains("--port 0"), "{message}");
    for args in [["--searches", "0"], ["--sessions", "x"], ["--port", "99999"]] {
        assert_eq!(tussle(&["serve", args[0], args[1]]).status.code(), Some(2), "{args:?}");
    }
}
