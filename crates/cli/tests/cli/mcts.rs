//! Monte Carlo tree search as a user meets it.

use std::fs;

use crate::common::{as_recorded, json, tussle};
use serde_json::Value;

/// A file of our own for one test.
fn file(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"))
}

fn analyse(game: &str, agent: &str, more: &[&str]) -> Value {
    json(&[&["analyse", game, "--agent", agent, "--json"], more].concat())
}

#[test]
fn trees_are_as_recorded() {
    for (name, switches) in [
        ("ucb1", "policy=ucb1"),
        ("epsilon", "policy=epsilon,epsilon=0.2"),
        ("puct", "policy=puct,c=2"),
        ("puct-eval", "policy=puct,prior=eval,lambda=0.5"),
        ("expand-all", "expand=all"),
    ] {
        let agent = format!("mcts-textbook:seed=7,{switches}");
        let (path, again) = (file(&format!("{name}.json")), file(&format!("{name}-again.json")));
        for path in [&path, &again] {
            let more = ["--nodes", "400", "--tree", path, "--tree-visits", "3"];
            analyse("connect4", &agent, &more);
        }
        let tree = fs::read_to_string(&path).unwrap();
        assert_eq!(tree, fs::read_to_string(&again).unwrap(), "{agent}: twice the same");
        as_recorded(&format!("mcts-{name}.json"), &tree);
    }
}

fn children(node: &Value) -> &[Value] {
    node["children"].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn tree_depth_and_visits_limit_the_written_tree() {
    let path = file("threshold.json");
    let more = ["--nodes", "3000", "--tree", &path, "--tree-depth", "2", "--tree-visits", "40"];
    let found = analyse("go:size=5", "mcts-textbook:seed=5", &more);
    let tree: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((&tree["simulations"], &tree["root"]["visits"]), (&3000.into(), &3000.into()));
    let root = &tree["root"];
    assert_eq!(children(root).len() as u64 + root["hidden"].as_u64().unwrap(), 26);
    for child in children(root) {
        assert!(child["visits"].as_u64().unwrap() >= 40);
        assert!(children(child).iter().all(|node| children(node).is_empty()));
        let line = found["lines"].as_array().unwrap().iter();
        let line = line.clone().find(|line| line["move"] == child["move"]).unwrap();
        for key in ["visits", "mean", "bonus", "prior"] {
            assert_eq!(line[key], child[key], "{key}");
        }
    }
}

#[test]
fn only_agents_that_keep_a_tree_can_write_one() {
    let output = tussle(&["analyse", "tictactoe", "--tree", "never.json"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("alphabeta does not keep its search tree; use --agent mcts"),
        "{stderr}"
    );
    let output = tussle(&["analyse", "tictactoe", "--agent", "mcts", "--tree-depth", "2"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_centre_of_a_small_board_is_found_and_shown() {
    let path = file("visits.svg");
    let found =
        analyse("go:size=5", "mcts-textbook:seed=5", &["--nodes", "400000", "--svg", &path]);
    assert_eq!(found["best"], "C3");
    let lines = found["lines"].as_array().unwrap();
    let visits: u64 = lines.iter().map(|line| line["visits"].as_u64().unwrap()).sum();
    assert_eq!(visits, 400_000);
    let share = 100.0 * lines[0]["visits"].as_f64().unwrap() / visits as f64;
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.contains(&format!(">{share:.0}%<")), "{share}");
}

#[test]
fn memory_is_what_was_said() {
    let found = analyse("pentago-twist", "mcts-textbook:memory=5MB", &["--nodes", "300000"]);
    let bytes = found["stats"]["bytes"].as_u64().unwrap();
    assert!((4_000_000..=5_000_000).contains(&bytes), "{bytes}");
    let output = tussle(&["analyse", "go", "--agent", "mcts:memory=5", "--nodes", "1"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("500MB, 2GB or 64KB"), "{stderr}");
}

#[test]
fn missing_capabilities_of_a_game_are_reported() {
    for (game, agent, why) in [
        ("backgammon", "mcts:solver=on", "without chance"),
        ("go", "mcts:table=on", "draws by repetition"),
        ("tictactoe", "mcts:rollout=heavy", "no heavy playouts"),
    ] {
        let output = tussle(&["analyse", game, "--agent", agent, "--nodes", "10"]);
        assert_eq!(output.status.code(), Some(2), "{agent}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(why), "{stderr}");
    }
}

#[test]
fn several_threads_are_not_called_deterministic() {
    let found = analyse("connect4", "mcts:threads=2", &["--nodes", "1000"]);
    assert_eq!(found["deterministic"], false);
    assert_eq!(analyse("connect4", "mcts", &["--nodes", "1000"])["deterministic"], true);
}
