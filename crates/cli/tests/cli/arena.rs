//! Matches and tournaments as a user meets them.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use tussle_core::Rng;

use crate::common::{Folder, json, results, start, stdout, tussle};

#[test]
fn a_match_document_has_all_results() {
    let played = json(&["match", "gobblet", "greedy", "random", "--games", "100", "--json"]);
    let count = |key: &str| played[key].as_u64().unwrap_or_else(|| panic!("{key}: {played}"));
    assert_eq!(count("games"), 100);
    assert_eq!(count("wins") + count("draws") + count("losses"), 100);
    assert!(count("distinct_games") > 90);
    assert_eq!(played["verdicts"]["normal"], 100);
    assert_eq!(played["time_losses"], serde_json::json!([0, 0]));
    assert!(played["elo"]["value"].as_f64().is_some_and(|elo| elo > 200.0), "{played}");
    assert!(played["elo"]["error"].as_f64().is_some_and(|error| error > 10.0), "{played}");
    let conclusion = played["conclusion"].as_str().expect("a sentence");
    assert!(conclusion.starts_with("greedy is stronger: "), "{conclusion}");
    assert_eq!((&played["sprt"], &played["surplus"]), (&Value::Null, &Value::from(0)));
    assert_eq!(played["warnings"], serde_json::json!([]));
    let pairs = played["pentanomial"].as_array().expect("a list");
    assert_eq!(pairs.iter().filter_map(Value::as_u64).sum::<u64>(), 50);
}

#[test]
fn a_killed_tournament_resumes_to_the_same_result() {
    let folder = Folder::new("killed");
    let stores = ["whole.db", "single.db", "killed.db"].map(|name| folder.path(name));
    let args = |store: usize, jobs: &'static str| {
        let fixed = ["tournament", "gobblet", "greedy", "random", "mcts:nodes=100"];
        let path = stores[store].clone();
        let mut args: Vec<String> = fixed.map(str::to_owned).to_vec();
        args.extend(["--rounds", "8", "--seed", "5", "--jobs", jobs, "--store"].map(str::to_owned));
        args.push(path);
        args
    };
    let run = |args: Vec<String>| stdout(&args.iter().map(String::as_str).collect::<Vec<_>>(), "");
    run(args(0, "2"));
    run(args(1, "1"));
    let mut rng = Rng::new(9);
    for _ in 0..12 {
        let args = args(2, "2");
        let mut child = start(&args.iter().map(String::as_str).collect::<Vec<_>>());
        sleep(Duration::from_millis(rng.below(120) as u64));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    run(args(2, "2"));
    let [whole, single, killed] = stores.each_ref().map(|store| results(store));
    assert_eq!(whole["games"].as_array().map(Vec::len), Some(48));
    assert_eq!(single, whole);
    assert_eq!(killed, whole);
}

#[test]
fn another_tournament_is_not_mixed_into_a_store() {
    let folder = Folder::new("arena-changed");
    let store = folder.path("s.db");
    let args = ["tournament", "tictactoe", "random", "greedy", "--store", &store, "--clock"];
    let with = |clock| [args.as_slice(), &[clock]].concat();
    stdout(&with("1s"), "");
    let output = tussle(&with("3s"));
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("clock: 1s in the store, 3s now"), "{message}");
    stdout(&with("1000ms"), ""); // the same time, written in another way
}

#[test]
fn a_class_meets() {
    let folder = Folder::new("class");
    let store = folder.path("class.db");
    let file = "examples/tournaments/class.toml";
    stdout(&["tournament", file, "--rounds", "1", "--clock", "5s", "--store", &store], "");
    let results = results(&store);
    assert_eq!(results["games"].as_array().map(Vec::len), Some(12), "{results}");
    assert_eq!(results["verdicts"]["normal"], 12, "{results}");
    let names: Vec<_> = results["table"].as_array().expect("a table").iter().collect();
    assert!(names.iter().any(|row| row["agent"] == "bo"), "{results}");
}

#[test]
fn boards_are_played_in_turn() {
    let folder = Folder::new("arena-boards");
    let store = folder.path("s.db");
    let args =
        ["match", "keep-on-moving:board=0..2", "simple", "random", "--games", "6", "--store"];
    stdout(&[args.as_slice(), &[&store]].concat(), "");
    let results = results(&store);
    let games = results["games"].as_array().expect("games").iter();
    let boards: Vec<&str> = games.filter_map(|game| game["game"].as_str()).collect();
    assert_eq!(boards, [0, 0, 1, 1, 2, 2].map(|n| format!("keep-on-moving:board={n}")));
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_games_and_prints_how_to_resume() {
    let folder = Folder::new("arena-interrupted");
    let store = folder.path("s.db");
    let args =
        ["match", "connect4", "mcts", "mcts", "--clock", "20ms", "--games", "500", "--store"];
    let args = [args.as_slice(), &[&store]].concat();
    let child = start(&args);
    sleep(Duration::from_millis(1500));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("to resume: ") && message.contains("--games 500 --store"),
        "{message}"
    );
    let games = results(&store)["games"].as_array().map_or(0, Vec::len);
    assert!((1..500).contains(&games), "{games}");
}

#[test]
fn errors_are_reported_before_the_first_game() {
    let folder = Folder::new("arena-wrong");
    let typo = folder.path("typo.toml");
    std::fs::write(&typo, "game = \"go\"\nagents = [\"random\", \"random\"]\nround = 3\n")
        .expect("a file");
    let no_folder = folder.path("nowhere/s.db");
    let not_a_store = folder.path("notes.txt");
    std::fs::write(&not_a_store, "this is no store at all").expect("a file");
    let positions = folder.path("positions.txt");
    std::fs::write(&positions, "...../...../..X../...../..... O - 0 1 XC3\n").expect("a file");
    let gnugo = "gtp:sh -c true"; // whatever it is, it is not started
    let cases: [(&[&str], &str); 10] = [
        (&["match", "go:width=5,height=6", "random", gnugo], "square boards only"),
        (&["match", "go", "random", gnugo, "--openings", &positions], "as moves"),
        (&["tournament", &typo], "line 3"),
        (&["tournament", "none.toml"], "none.toml"),
        (&["tournament", "gobblet", "random"], "2 players, but 1 agent was named"),
        (&["match", "gobblet", "ugi:./no-such-engine", "random"], "no-such-engine"),
        (&["match", "gobblet", "gtp:no-such-engine --mode gtp", "random"], "GTP is for go"),
        (&["match", "gobblet", "random", "random", "--store", &no_folder], "no folder"),
        (&["match", "gobblet", "random", "random", "--store", &not_a_store], "not a tussle store"),
        (&["match", "tictactoe", "random", "random", "--opening-plies", "9"], "fewer plies"),
    ];
    for (args, part) in cases {
        let output = tussle(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(part), "{args:?}: {message}");
    }
}

#[test]
fn the_go_course_prints_six_lines_for_each_agent() {
    let text =
        stdout(&["match", "go", "greedy", "random", "--games", "4", "--style", "course"], "");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 12, "{text}");
    assert!(lines[0].starts_with("Agent 1: greedy Score: "), "{text}");
    assert!(lines[3].starts_with("Agent 2: random Score with Black (first move): "), "{text}");
    assert!(lines[11].starts_with("Agent 2: random Min Time Remaining: "), "{text}");
    // Both lose with Black, and a loss counts -1.
    assert_eq!(lines[..2], ["Agent 1: greedy Score: 0.0", "Agent 2: random Score: 0.0"]);
    assert_eq!(lines[3], "Agent 2: random Score with Black (first move): -2.0");
    let args = ["match", "go", "mcts-go:nodes=100", "random", "--games", "4", "--style", "course"];
    let text = stdout(&args, "");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Agent 1: mcts-go:nodes=100 Score: 4.0");
    assert_eq!(lines[1], "Agent 2: random Score: -4.0");
    assert_eq!(lines[2], "Agent 1: mcts-go:nodes=100 Score with Black (first move): 2.0");
}

#[test]
fn power_prints_the_number_of_games() {
    let games = |args: &[&str]| json(&[&["power", "--json"], args].concat())["games"].clone();
    for (score, needed) in [("0.55", 617), ("0.58", 240), ("0.6", 153)] {
        assert_eq!(games(&["--score", score]), needed);
    }
    assert_eq!(games(&["--elo", "-20"]), games(&["--elo", "20"]));
    let text = stdout(&["power", "--elo", "20", "--sprt"], "");
    assert!(
        text.starts_with("To find a difference of +20 Elo (52.9 % of the points), play 1,8"),
        "{text}"
    );
    assert!(text.contains("--sprt elo0=0,elo1=20,alpha=0.05,beta=0.2,model=logistic"), "{text}");
    let told = json(&["power", "--elo", "20", "--sprt", "--json"]);
    assert!(told["sprt"]["games_if_h0"].as_f64().is_some_and(|n| n > 500.0 && n < 1800.0));
    assert_eq!(told["others"].as_array().map(Vec::len), Some(2));
    // With 60 % draws, half the difference is possible, twice the difference is not.
    let told = json(&["power", "--score", "0.7", "--draws", "0.6", "--json"]);
    assert_eq!(told["others"].as_array().map(Vec::len), Some(1));
}

#[test]
fn repeated_games_cause_a_warning_to_use_openings() {
    let args =
        ["match", "connect4", "minimax:depth=2", "minimax:depth=1", "--games", "20", "--json"];
    let played = json(&args);
    assert_eq!(played["distinct_games"], 2);
    assert_eq!(played["distinct_pairs"], 1);
    assert_eq!((&played["elo"]["error"], &played["los"]), (&Value::Null, &Value::Null));
    let warning = played["warnings"][0].as_str().expect("a warning");
    assert!(warning.contains("only 2 of 20 games are distinct"), "{warning}");
}
