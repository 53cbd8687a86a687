//! Programs in `play`, `analyse`, `book build`, and where they cannot be used.

use std::process::Output;

use serde_json::Value;

use crate::common::{Folder, json, tussle, tussle_with_input};

/// Answers the last legal move and lists all of them, the later the more visits.
const LISTS: &str = r#"
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    moves = request["moves"]
    listed = [{"move": m, "visits": 10 * (i + 1), "value": i / 10} for i, m in enumerate(moves)]
    reply = {"id": request["id"], "move": moves[-1], "value": 0.25, "depth": 3, "nodes": 60}
    print(json.dumps({**reply, "moves": listed, "pv": [moves[-1], moves[0], "nonsense"]}), flush=True)
"#;

/// Behaves badly in the way that its argument names.
const MISBEHAVES: &str = r#"
import json, sys, time
how = sys.argv[1]
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"], "move": request["moves"][0]}
    if how == "crash":
        raise RuntimeError("no idea")
    if how == "illegal":
        reply["move"] = "nonsense"
    if how == "resign":
        reply = {"resign": True}
    if how == "late":
        time.sleep(1.0)
    if how == "hang":
        time.sleep(60)
    if how == "lists":
        reply["moves"] = [{"move": "nonsense"}, {"move": request["moves"][1], "visits": 4}, 7]
    if how == "seed":
        reply["value"] = request["seed"]
        reply["depth"] = request["game_id"]
    print(json.dumps(reply), flush=True)
"#;

/// A folder with both programs.
struct Scripts(Folder);

impl Scripts {
    fn new(name: &str) -> Self {
        let folder = Folder::new(&format!("programs-{name}"));
        for (file, text) in [("lists.py", LISTS), ("misbehaves.py", MISBEHAVES)] {
            std::fs::write(folder.path(file), text).expect("a file can be written");
        }
        Self(folder)
    }

    fn lists(&self) -> String {
        format!("json:python3 {}", self.0.path("lists.py"))
    }

    fn misbehaves(&self, how: &str) -> String {
        format!("json:python3 {} {how}", self.0.path("misbehaves.py"))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Asserts the exit code and that standard error has these parts.
fn refused(code: i32, output: &Output, parts: &[&str]) {
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{told}");
    for part in parts {
        assert!(told.contains(part), "no {part:?} in {told}");
    }
}

/// Returns the processes whose command line contains a text.
fn processes(part: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.map(|line| text(&line).replace('\0', " ")).filter(|line| line.contains(part)).collect()
}

#[test]
fn analyse_shows_the_moves_that_a_program_lists() {
    let scripts = Scripts::new("analyse");
    let (agent, svg) = (scripts.lists(), scripts.0.path("heat.svg"));
    let args = ["analyse", "tictactoe", "--moves", "b2", "--agent", &agent, "--time", "9s"];
    let found = json(&[&args[..], &["--json", "--svg", &svg]].concat());
    assert_eq!((&found["agent"], &found["best"]), (&Value::from(agent.as_str()), &"c3".into()));
    assert_eq!((&found["value"], &found["values"][0]), (&0.25.into(), &Value::from(-0.25)));
    assert_eq!((&found["stats"]["depth"], &found["stats"]["nodes"]), (&3.into(), &60.into()));
    assert_eq!(found["deterministic"], false);
    let lines = found["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 8);
    let visits: Vec<_> = lines.iter().map(|line| line["visits"].as_u64().unwrap()).collect();
    assert_eq!(visits, [80, 70, 60, 50, 40, 30, 20, 10]);
    // The continuation ends where it cannot be played.
    assert_eq!(lines[0]["pv"], serde_json::json!(["c3", "a1"]));
    assert_eq!(lines[7]["value"], 0.0);
    let svg = std::fs::read_to_string(svg).expect("a picture");
    assert!(svg.contains(">22%<") && svg.contains(">3%<"), "shares of 360 visits");
    // The table has all of them, too, unless fewer are asked for.
    let table = text(&tussle(&args).stdout);
    assert_eq!(table.lines().filter(|line| line.contains("0.") && !line.contains('s')).count(), 7);
    let table = text(&tussle(&[&args[..], &["--lines", "1"]].concat()).stdout);
    assert!(table.contains("7 more moves; list all with --lines all"), "{table}");
}

#[test]
fn a_program_that_lists_nothing_has_one_line() {
    let scripts = Scripts::new("one-line");
    let args = ["analyse", "connect4", "--agent", &scripts.misbehaves("fine"), "--json"];
    let found = json(&args);
    assert_eq!(found["lines"].as_array().expect("lines").len(), 1);
    assert_eq!((&found["best"], &found["value"]), (&"1".into(), &Value::Null));
    let output = tussle(&args[..4]);
    assert!(text(&output.stderr).contains("no limit given: the program has 2s"), "{output:?}");
}

#[test]
fn wrong_entries_of_a_list_are_a_warning_in_analyse_and_a_failure_in_check() {
    let scripts = Scripts::new("list");
    let agent = scripts.misbehaves("lists");
    let output = tussle(&["analyse", "tictactoe", "--agent", &agent, "--time", "9s", "--json"]);
    refused(0, &output, &["warning: json:", "ignored `7` in `moves`, and 1 more"]);
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let moves: Vec<_> = found["lines"].as_array().unwrap().iter().map(|l| &l["move"]).collect();
    assert_eq!(moves, ["a1", "b1"]);
    let output = tussle(&["check", &agent, "--game", "tictactoe", "--clock", "9s"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("FAILED   value, depth, nodes and moves"), "{output:?}");
    let output = tussle(&["check", &scripts.lists(), "--game", "tictactoe", "--clock", "9s"]);
    assert!(text(&output.stdout).contains("ok       value, depth, nodes and moves"), "{output:?}");
}

#[test]
fn faults_of_a_program_end_an_analysis_with_the_verdict_of_a_match() {
    let scripts = Scripts::new("faults");
    for (how, parts) in [
        ("crash", &["crash: ended with exit code 1", "RuntimeError: no idea"][..]),
        ("illegal", &["illegal: wanted to play `nonsense`", "9 legal moves: a1"]),
        ("resign", &["resigned instead of a move"]),
    ] {
        let agent = scripts.misbehaves(how);
        let output = tussle(&["analyse", "tictactoe", "--agent", &agent, "--time", "9s"]);
        refused(1, &output, &[&[agent.as_str()][..], parts].concat());
    }
    let agent = scripts.misbehaves("late");
    let output = tussle(&["analyse", "tictactoe", "--agent", &agent, "--time", "300ms"]);
    refused(1, &output, &["did not answer in time"]);
}

#[test]
fn a_program_plays_at_the_terminal_and_its_faults_end_the_game() {
    let scripts = Scripts::new("play");
    let play = |agent: &str, options: &[&str], input: &str| {
        let args = [&["play", "tictactoe", "--vs", agent], options].concat();
        let output = tussle_with_input(&args, input);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let moves = "a1\nundo\nb2\nquit\n";
    let told = play(&scripts.lists(), &["--clock", "9s+1s"], moves);
    assert_eq!(told.matches("lists.py): c3").count(), 2, "{told}");
    for (how, parts) in [
        ("crash", &["lost by crash: ended with exit code 1", "RuntimeError: no idea"][..]),
        ("illegal", &["lost by illegal: wanted to play `nonsense`", "8 legal moves: b1"]),
    ] {
        let told = play(&scripts.misbehaves(how), &["--clock", "9s"], "a1\n");
        for part in [&["Game over: first wins."][..], parts].concat() {
            assert!(told.contains(part), "no {part:?} in {told}");
        }
    }
    let told = play(&scripts.misbehaves("resign"), &["--clock", "9s"], "a1\n");
    assert!(told.contains("second resigns: the game is lost."), "{told}");
    let agent = scripts.misbehaves("hang");
    let told = play(&agent, &["--clock", "300ms"], "a1\n");
    assert!(told.contains("lost by hang: did not answer in time"), "{told}");
    let left = processes(&scripts.0.path("misbehaves.py"));
    assert!(left.is_empty(), "still running: {left:?}");
}

#[test]
fn a_book_asks_a_program_about_each_position_as_a_new_game() {
    let scripts = Scripts::new("book");
    let (agent, out) = (scripts.misbehaves("seed"), scripts.0.path("mine.book"));
    let build = |agent: &str, jobs| {
        let start = ["book", "build", "tictactoe", "--plies", "3", "--time", "9s", "--jobs", jobs];
        tussle(&[&start[..], &["--agent", agent, "--out", &out]].concat())
    };
    refused(0, &build(&agent, "1"), &["asking json:python3"]);
    let first = std::fs::read_to_string(&out).expect("a book");
    assert_eq!(first.lines().filter(|line| line.contains("\"ply\":")).count(), 16);
    // Its values are the seeds, which differ from position to position.
    refused(0, &build(&agent, "2"), &[]);
    assert_eq!(std::fs::read_to_string(&out).expect("a book"), first);
    let values: std::collections::HashSet<&str> =
        first.lines().filter_map(|line| line.split("\"value\":").nth(1)).collect();
    assert_eq!(values.len(), 16);
    refused(1, &build(&scripts.misbehaves("crash"), "1"), &["crash: ended with exit code 1"]);
    let gtp = format!("gtp:python3 {}", scripts.0.path("lists.py"));
    let args = ["book", "build", "go:size=5", "--plies", "1", "--agent", &gtp, "--out", &out];
    refused(2, &tussle(&args), &["GTP cannot set up the positions of a book"]);
}

#[test]
fn commands_that_cannot_use_a_program_report_an_error() {
    let scripts = Scripts::new("refused");
    let agent = &scripts.lists();
    let output = tussle(&["explain", "tictactoe", "--agent", agent]);
    refused(
        2,
        &output,
        &["the search of a program cannot be explained", "`tussle analyse --agent 'json:"],
    );
    let review = ["review", "--game", "tictactoe", "--moves", "a1,b1", "--agent", agent];
    refused(2, &tussle(&review), &["a review compares values", "use mcts in any game"]);
    let output = tussle(&["ugi", "--game", "tictactoe", "--agent", agent]);
    refused(2, &output, &["is a program; expected an agent of `tussle agents`"]);
    let output = tussle(&["analyse", "tictactoe", "--agent", agent, "--tree", "t.json"]);
    refused(2, &output, &["does not keep its search tree; use --agent mcts"]);
    let gtp = format!("gtp:python3 {}", scripts.0.path("lists.py"));
    for command in [["analyse", "--agent"], ["play", "--vs"]] {
        let output = tussle(&[command[0], "tictactoe", command[1], &gtp]);
        refused(2, &output, &["GTP is for go, not for tictactoe"]);
        let position = ["--position", ".../.x./... b"];
        let output = tussle(&[command[0], "go:size=3", command[1], &gtp, position[0], position[1]]);
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_bare_command_gets_a_hint_at_json() {
    for args in [
        &["play", "tictactoe", "--vs", "python3 mine.py"][..],
        &["analyse", "tictactoe", "--agent", "mine.py"],
        &["match", "tictactoe", "random", "python3 mine.py"],
        &["explain", "tictactoe", "--agent", "python3 mine.py"],
        &["check", "python3 mine.py", "--game", "tictactoe"],
    ] {
        refused(2, &tussle(args), &["did you mean `json:python3 mine.py`?"]);
    }
    refused(2, &tussle(&["play", "tictactoe", "--vs", "./mine"]), &["did you mean `json:./mine`?"]);
    // A misspelt agent is still compared with the names of agents.
    refused(2, &tussle(&["play", "tictactoe", "--vs", "mtcs"]), &["did you mean `mcts`?"]);
}
