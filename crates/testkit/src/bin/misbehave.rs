//! External program for tests of the arena, which plays a few first legal moves and then
//! misbehaves. `misbehave guard …` is the supervisor of such programs, and `misbehave arena SPEC`
//! an arena that a test can kill.
//!
//! ```text
//! misbehave ugi|gtp|json HABIT[:NUMBER] [GOOD MOVES]
//! ```

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode, Stdio, abort};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getppid, setsid};
use tussle_core::{TimeControl, Turn};
use tussle_engine::{GameStart, Guard, Terms, seat_for};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    if args.first().is_some_and(|arg| arg == "guard") {
        return ExitCode::from(tussle_engine::guard(&args[1..]));
    }
    let words: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["sleep"] => sleep(SLEEP_TIME),
        ["vanish"] => {
            setsid().expect("a child process does not lead a process group");
            start("sleep");
        }
        ["arena", spec] => arena(spec),
        [protocol, habit] => Player::new(protocol, habit, "0").play(),
        [protocol, habit, after] => Player::new(protocol, habit, after).play(),
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}

const SLEEP_TIME: Duration = Duration::from_secs(1000);

/// Starts another process of this program, without standard input and output.
fn start(mode: &str) {
    let exe = std::env::current_exe().expect("the path of this program");
    let mut command = Command::new(exe);
    command.arg(mode).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[allow(clippy::zombie_processes)]
    // the test needs children without a parent that waits for them
    command.spawn().expect("another process");
}

/// Starts a game of an external program, prints `ready` and waits until it is killed.
fn arena(spec: &str) {
    let clock = TimeControl::PerMove(Duration::from_secs(1));
    let terms = Terms { clock, margin: Duration::ZERO, ..Terms::default() };
    let mut seat = seat_for(spec, None, &Guard::this(["guard"]), &terms).expect("a seat");
    let game = tussle_catalog::game("tictactoe").expect("a game");
    let start = game.start();
    let clocks = [terms.clock.player_clock(); 2];
    let began = Instant::now();
    seat.begin(&GameStart {
        game: game.as_ref(),
        start: start.as_ref(),
        is_usual: true,
        player: 0,
        id: 0,
        seed: 1,
        terms: &terms,
    })
    .expect("a program");
    let deadline = began + Duration::from_secs(1);
    let position = start.as_ref();
    let ask = tussle_engine::Ask {
        position,
        clocks: &clocks,
        player: 0,
        began,
        deadline,
        terms: &terms,
        stop: None,
    };
    let _ = seat.choose(&ask);
    println!("ready");
    sleep(SLEEP_TIME);
}

#[derive(Clone, Copy, PartialEq)]
enum Protocol {
    Ugi,
    Gtp,
    Json,
}

struct Player {
    protocol: Protocol,
    habit: String,
    number: u64,
    /// Number of legal moves before it misbehaves.
    good: u64,
    game: String,
    /// Moves that lead to the position, for UGI and GTP.
    moves: Vec<String>,
}

impl Player {
    fn new(protocol: &str, habit: &str, good: &str) -> Self {
        let (habit, number) = habit.split_once(':').unwrap_or((habit, "0"));
        Self {
            protocol: match protocol {
                "ugi" => Protocol::Ugi,
                "gtp" => Protocol::Gtp,
                _ => Protocol::Json,
            },
            habit: habit.to_owned(),
            number: number.parse().expect("a number"),
            good: good.parse().expect("a number of moves"),
            game: "tictactoe".to_owned(),
            moves: Vec::new(),
        }
    }

    fn play(mut self) {
        for line in io::stdin().lines() {
            let Ok(line) = line else { break };
            match self.protocol {
                Protocol::Ugi => self.handle_ugi(&line),
                Protocol::Gtp => self.handle_gtp(&line),
                Protocol::Json => {
                    let request: serde_json::Value = serde_json::from_str(&line).expect("JSON");
                    let mv = request["moves"][0].as_str().expect("a move").to_owned();
                    self.answer(&mv, request["id"].as_u64());
                }
            }
        }
        if self.habit == "stay" {
            sleep(SLEEP_TIME);
        }
    }

    fn handle_ugi(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["ugi"] if self.habit == "mute" => sleep(SLEEP_TIME),
            ["ugi"] => say("id name misbehave\noption name game type string\nugiok"),
            ["setoption", _, "game", _, game] => game.clone_into(&mut self.game),
            ["isready"] => say("readyok"),
            ["position", "startpos", ref rest @ ..] => {
                self.moves = rest.iter().skip(1).map(|&mv| mv.to_owned()).collect();
            }
            ["go", ..] => {
                let mv = self.first_move();
                self.answer(&mv, None);
            }
            ["quit"] if self.habit == "stay" => sleep(SLEEP_TIME),
            ["quit"] => std::process::exit(0),
            _ => {}
        }
    }

    fn handle_gtp(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let succeed = |text: &str| say(&format!("={} {text}\n", words[0]));
        match words[1..] {
            ["protocol_version"] => succeed("2"),
            ["list_commands"] => succeed("time_settings\ntime_left\ngenmove"),
            ["boardsize", size] => {
                self.game = format!("go:size={size}");
                succeed("");
            }
            ["clear_board"] => {
                self.moves.clear();
                succeed("");
            }
            ["play", colour, mv] => {
                assert_eq!(self.moves.len().is_multiple_of(2), colour == "black");
                self.moves.push(mv.to_owned());
                succeed("");
            }
            ["genmove", _] => {
                let mv = self.first_move();
                self.answer(&mv, words[0].parse().ok());
                self.moves.push(mv);
            }
            ["quit"] if self.habit == "stay" => sleep(SLEEP_TIME),
            ["quit"] => std::process::exit(0),
            _ => succeed(""),
        }
    }

    fn first_move(&self) -> String {
        let mut position = tussle_catalog::game(&self.game).expect("a game").start();
        self.moves.iter().for_each(|mv| position.play(mv).expect("a legal move"));
        match position.turn() {
            Turn::Over => "none".to_owned(),
            _ => position.moves().swap_remove(0),
        }
    }

    fn give(&self, mv: &str, id: Option<u64>) {
        match id {
            _ if self.protocol == Protocol::Ugi => {
                say(&format!("info depth 3 nodes 7\nbestmove {mv}"));
            }
            Some(id) if self.protocol == Protocol::Gtp => say(&format!("={id} {mv}\n")),
            Some(id) => say(&format!("{{\"move\":\"{mv}\",\"id\":{id},\"nodes\":7}}")),
            None => say(&format!("{{\"move\":\"{mv}\"}}")),
        }
    }

    fn answer(&mut self, mv: &str, id: Option<u64>) {
        if self.good > 0 {
            self.good -= 1;
            return self.give(mv, id);
        }
        let mut out = io::stdout().lock();
        match self.habit.as_str() {
            "hang" | "deaf" => sleep(SLEEP_TIME),
            "chatter" => loop {
                let _ = writeln!(out, "info string thinking").and_then(|()| out.flush());
                sleep(Duration::from_millis(1));
            },
            "flood" => loop {
                let _ = out.write_all(&[b'x'; 4096]);
            },
            "flood-lines" => loop {
                let _ = out.write_all("info string thinking\n".repeat(100).as_bytes());
            },
            "errors" => {
                for n in 0..self.number {
                    eprintln!("complaint \x1b[31m{n}");
                }
            }
            "errors-then-exit" => {
                eprintln!("I \x07have had enough");
                std::process::exit(4);
            }
            "abort" => abort(),
            "exit" => std::process::exit(3),
            "late" => sleep(Duration::from_millis(self.number)),
            "illegal" => return self.give("nonsense", id),
            "resign" if self.protocol == Protocol::Json => return say("{\"resign\":true}"),
            "resign" => return self.give("resign", id),
            "forks" => (0..3).for_each(|_| start("sleep")),
            "daemons" => (0..3).for_each(|_| start("vanish")),
            "many" => {
                (0..self.number).for_each(|_| start("sleep"));
                sleep(SLEEP_TIME);
            }
            "hog" => hog(self.number),
            "kill-guard" => {
                end(getppid());
                sleep(SLEEP_TIME);
            }
            "kill-all-guards" => {
                start("vanish");
                sleep(Duration::from_millis(100));
                let guards = [getppid(), parent_of(getppid())];
                guards.into_iter().filter(|pid| pid.as_raw() > 1).for_each(end);
                sleep(SLEEP_TIME);
            }
            "garbage" => {
                let _ = out.write_all(b"\xff\xfe\x00\x01\n").and_then(|()| out.flush());
                sleep(SLEEP_TIME);
            }
            "premature" => {
                drop(out);
                self.give(mv, id);
                return self.give("nonsense", id);
            }
            "close" => {
                let nothing = std::fs::File::open("/dev/null").expect("nothing");
                let _ = nix::unistd::dup2_stdout(&nothing);
                sleep(SLEEP_TIME);
            }
            _ => {}
        }
        drop(out);
        self.give(mv, id);
    }
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

/// Allocates this many megabytes and keeps them.
fn hog(megabytes: u64) {
    let mut all = Vec::new();
    for n in 0..megabytes {
        all.push(vec![n as u8 | 1; 1 << 20]);
    }
    sleep(SLEEP_TIME);
    drop(all);
}

fn end(pid: Pid) {
    let _ = kill(pid, Signal::SIGKILL);
}

fn parent_of(pid: Pid) -> Pid {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let parent = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)?.parse().ok());
    Pid::from_raw(parent.unwrap_or(0))
}
