//! Comparison of the GTP engine with GNU Go, where it is installed.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tussle_core::TimeControl;
use tussle_engine::gtp::{Settings, serve};

/// Engine at the other end of two pipes.
struct Engine {
    to: Box<dyn Write>,
    from: Box<dyn BufRead>,
}

impl Engine {
    /// Returns the response to a command, or its error.
    fn ask(&mut self, command: &str) -> Result<String, String> {
        self.to.write_all(format!("{command}\n").as_bytes()).expect("it reads");
        self.to.flush().expect("it reads");
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            let read = self.from.read_line(&mut line).expect("it answers");
            assert!(read > 0, "{command}: the engine has gone");
            if line == "\n" {
                break;
            }
            answer += &line;
        }
        let text = answer[1..].trim().to_owned();
        if answer.starts_with('=') { Ok(text) } else { Err(text) }
    }

    fn must(&mut self, command: &str) -> String {
        self.ask(command).unwrap_or_else(|why| panic!("{command}: {why}"))
    }
}

fn ours(agent: &str, seed: u64) -> (Engine, JoinHandle<io::Result<()>>) {
    let clock = TimeControl::PerMove(Duration::from_millis(50));
    let game = "go:superko=positional,cap=off";
    let settings = Settings::new(
        &tussle_catalog::Catalog::standard(),
        game,
        agent,
        seed,
        clock,
        Duration::ZERO,
    )
    .expect("an engine");
    let (input, to) = io::pipe().expect("a pipe");
    let (from, output) = io::pipe().expect("a pipe");
    let thread = thread::spawn(move || serve(settings, BufReader::new(input), output));
    (Engine { to: Box::new(to), from: Box::new(BufReader::new(from)) }, thread)
}

/// Starts GNU Go with the rules of Tussle. Returns `None` if it is not installed.
fn gnugo(seed: u64) -> Option<(Engine, Child)> {
    let Some(program) = tussle_engine::find_program("gnugo") else {
        eprintln!("skipped: GNU Go is not installed");
        return None;
    };
    let rules = ["--chinese-rules", "--positional-superko", "--capture-all-dead", "--level", "1"];
    let mut child = Command::new(program)
        .args(["--mode", "gtp", "--seed", &seed.to_string()])
        .args(rules)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let to = Box::new(child.stdin.take().expect("an input"));
    let from = Box::new(BufReader::new(child.stdout.take().expect("an output")));
    Some((Engine { to, from }, child))
}

#[test]
fn whole_games_agree_on_every_move_and_on_the_score() {
    let mut agreed = 0;
    for (number, (size, agent)) in
        [(5, "mcts:nodes=50"), (5, "greedy"), (7, "mcts:nodes=30"), (9, "random")]
            .into_iter()
            .enumerate()
    {
        let Some((mut other, mut child)) = gnugo(number as u64 + 1) else { return };
        let (mut our, thread) = ours(agent, number as u64);
        for setup in [format!("boardsize {size}"), "clear_board".into(), "komi 5.5".into()] {
            other.must(&setup);
            our.must(&setup);
        }
        let (mut passes, mut plies) = (0, 0);
        while passes < 2 && plies < 400 {
            let colour = ["b", "w"][plies % 2];
            let is_ours = plies % 2 == number % 2;
            let (mover, watcher) =
                if is_ours { (&mut our, &mut other) } else { (&mut other, &mut our) };
            let mv = mover.must(&format!("genmove {colour}"));
            if mv.eq_ignore_ascii_case("resign") {
                break;
            }
            watcher.must(&format!("play {colour} {mv}"));
            passes = if mv.eq_ignore_ascii_case("pass") { passes + 1 } else { 0 };
            plies += 1;
        }
        // Compare the stones of both boards.
        let stones = |engine: &mut Engine, colour: &str| {
            let mut stones: Vec<String> = engine
                .must(&format!("list_stones {colour}"))
                .split_whitespace()
                .map(str::to_owned)
                .collect();
            stones.sort();
            stones
        };
        let theirs = [stones(&mut other, "black"), stones(&mut other, "white")].concat();
        let mut alive: Vec<String> =
            our.must("final_status_list alive").split_whitespace().map(str::to_owned).collect();
        let mut theirs = theirs;
        theirs.sort();
        alive.sort();
        assert_eq!(alive, theirs, "after {plies} plies on {size}x{size}");
        // Tussle counts all stones as alive. Where GNU Go does so too, the scores must agree.
        let dead = other.must("final_status_list dead");
        if passes == 2 && dead.is_empty() {
            assert_eq!(our.must("final_score"), other.must("final_score"), "{size}x{size}");
            agreed += 1;
        }
        other.must("quit");
        our.must("quit");
        child.wait().expect("it ends");
        thread.join().expect("it ends").expect("and ends well");
    }
    assert!(agreed > 0, "no game ended without dead stones");
}

#[test]
fn fixed_handicaps_agree() {
    let Some((mut other, mut child)) = gnugo(1) else { return };
    let (mut our, thread) = ours("random", 1);
    for size in [5, 7, 8, 9, 11, 13, 14, 19] {
        for stones in 1..=10 {
            for engine in [&mut our, &mut other] {
                engine.must(&format!("boardsize {size}"));
                engine.must("clear_board");
            }
            let command = format!("fixed_handicap {stones}");
            let sorted = |answer: Result<String, String>| {
                let mut points: Vec<String> =
                    answer.ok()?.split_whitespace().map(str::to_owned).collect();
                points.sort();
                Some(points)
            };
            let (we, they) = (sorted(our.ask(&command)), sorted(other.ask(&command)));
            assert_eq!(we, they, "{stones} stones on {size}x{size}");
        }
    }
    other.must("quit");
    our.must("quit");
    child.wait().expect("it ends");
    thread.join().expect("it ends").expect("and ends well");
}
