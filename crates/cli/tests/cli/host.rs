//! Shortages of this machine and lost stores: an error of the host, never a fault of a program.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use super::common::{Folder, json};

const TUSSLE: &str = env!("CARGO_BIN_EXE_tussle");

/// Runs `tussle` in a shell that has set limits before.
fn limited(limits: &str, args: &[&str]) -> Output {
    let command = format!(r#"{limits}; exec "$0" "$@""#);
    Command::new("bash").args(["-c", &command, TUSSLE]).args(args).output().expect("bash starts")
}

/// A program that plays at random, told apart by its number.
fn program(number: u32) -> String {
    format!("ugi:env NUMBER={number} {TUSSLE} ugi --game tictactoe --agent random")
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The games of a store, and how many of them were decided by the rules.
fn games(store: &str) -> (usize, usize) {
    let results = json(&["results", store, "--json"]);
    let games = results["games"].as_array().expect("games").clone();
    (games.len(), games.iter().filter(|game| game["verdict"] == "normal").count())
}

#[test]
fn few_descriptors_are_not_a_fault_of_the_programs() {
    let folder = Folder::new("few-files");
    let store = folder.path("s.db");
    let [a, b] = [1, 2].map(program);
    let args = ["match", "tictactoe", &a, &b, "--games", "8", "--jobs", "8", "--store", &store];
    let output = limited("ulimit -n 40", &args);
    assert!(output.status.success(), "{}", error(&output));
    assert_eq!(games(&store), (8, 8));
}

#[test]
fn too_few_descriptors_for_one_game_stop_the_run() {
    let folder = Folder::new("no-files");
    let store = folder.path("s.db");
    let [a, b] = [1, 2].map(program);
    let args = ["match", "tictactoe", &a, &b, "--games", "2", "--store", &store];
    let output = limited("ulimit -n 16", &args);
    let said = error(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("Too many open files") && said.contains("to resume: "), "{said}");
    let output = limited("true", &args);
    assert!(output.status.success(), "{}", error(&output));
    assert_eq!(games(&store), (2, 2));
}

#[test]
fn programs_keep_the_soft_limit_of_open_files() {
    let folder = Folder::new("soft-limit");
    let told = folder.path("limit");
    let script = folder.path("agent.sh");
    let text = format!("ulimit -Sn > {told}; exec {TUSSLE} ugi --game tictactoe --agent random");
    fs::write(&script, text).unwrap();
    let agent = format!("ugi:bash {script}");
    let args = ["match", "tictactoe", &agent, "random", "--games", "2"];
    let output = limited("ulimit -Sn 123", &args);
    assert!(output.status.success(), "{}", error(&output));
    assert_eq!(fs::read_to_string(told).unwrap().trim(), "123");
}

#[test]
fn too_many_threads_are_fewer_threads() {
    let folder = Folder::new("few-threads");
    // Kilobytes of address space: room for some hundred threads.
    let limits = "ulimit -v 1200000";
    let args = ["match", "tictactoe", "random", "random", "--games", "3000", "--jobs", "3000"];
    let output = limited(limits, &args);
    assert!(output.status.success(), "{}", error(&output));
    assert!(error(&output).contains("games in parallel"), "{}", error(&output));

    let book = folder.path("a.book");
    let args = ["book", "build", "tictactoe", "--agent", "random", "--plies", "9", "--out", &book];
    let output = limited(limits, &[&args[..], &["--jobs", "1024"]].concat());
    assert!(output.status.success(), "{}", error(&output));
    // Threads that have nothing left to do make room for others, so there may be enough of them.
    assert!(fs::metadata(&book).is_ok_and(|file| file.len() > 0));

    for agent in ["mcts:threads=256", "alphabeta:threads=256"] {
        let args = ["analyse", "connect4", "--agent", agent, "--nodes", "2000", "--json"];
        let output = limited("ulimit -v 400000", &args);
        assert!(output.status.success(), "{agent}: {}", error(&output));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(!report["lines"].as_array().expect("lines").is_empty(), "{agent}");
    }
}

#[test]
fn a_store_that_a_program_deletes_is_saved_elsewhere() {
    let folder = Folder::new("deleted-store");
    let store = folder.path("s.db");
    let script = folder.path("agent.sh");
    let text = format!(
        "rm -f {store} {store}-wal {store}-shm; exec {TUSSLE} ugi --game tictactoe --agent random"
    );
    fs::write(&script, text).unwrap();
    let agent = format!("ugi:bash {script}");
    let args = ["match", "tictactoe", &agent, "random", "--games", "4", "--store", &store];
    let output = limited("true", &args);
    let said = error(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("was deleted or moved during the run"), "{said}");
    let saved = format!("{store}.rescued-1.db");
    assert!(said.contains(&format!("to resume, use --store {saved}")), "{said}");
    assert_eq!(games(&saved), (1, 1));
    let args = ["match", "tictactoe", &agent, "random", "--games", "4", "--store", &saved];
    let output = limited("true", &args);
    assert!(output.status.success(), "{}", error(&output));
    assert_eq!(games(&saved), (4, 4));
}
