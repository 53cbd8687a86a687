//! A tournament on several machines.

use crate::common::{Folder, json, stdout, tussle};

/// Returns the bytes of `results`, without the times.
fn results(store: &str) -> String {
    let text = stdout(&["results", store, "--json"], "");
    let (rest, _) = text.split_once(r#","timing":"#).expect("the times are at the end");
    rest.to_owned()
}

fn merge(args: &[&str]) -> (i32, String) {
    let output = tussle(&[&["results", "merge"], args].concat());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), text)
}

#[test]
fn parts_merged_equal_the_whole_byte_for_byte() {
    let commands: [&[&str]; 3] = [
        &["match", "connect4", "mcts:nodes=20", "greedy", "--games", "15", "--opening-plies", "4"],
        &["tournament", "gobblet", "greedy", "random", "mcts:nodes=20", "--rounds", "3"],
        &["tournament", "tictactoe", "greedy", "random", "minimax", "--format", "gauntlet"],
    ];
    for (number, command) in commands.into_iter().enumerate() {
        let folder = Folder::new(&format!("shards-{number}"));
        let run = |name: &str, more: &[&str]| {
            let path = folder.path(name);
            stdout(&[command, &["--seed", "3", "--store", &path], more].concat(), "");
            path
        };
        let whole = run("whole.db", &["--jobs", "2"]);
        for of in [2, 3] {
            let shards = (1..=of)
                .rev()
                .map(|k| run(&format!("{k}-of-{of}.db"), &["--shard", &format!("{k}/{of}")]));
            let parts: Vec<String> = shards.collect();
            let all = folder.path(&format!("all-{of}.db"));
            let mut args: Vec<&str> = parts.iter().map(String::as_str).collect();
            args.extend(["--into", &all]);
            assert_eq!(merge(&args), (0, String::new()));
            assert_eq!(results(&all), results(&whole), "{command:?} in {of} parts");
        }
    }
}

#[test]
fn a_missing_part_is_played_in_the_merged_store() {
    let folder = Folder::new("missing-part");
    let command = ["match", "tictactoe", "greedy", "random", "--games", "12", "--store"];
    let [one, all, whole] = ["one.db", "all.db", "whole.db"].map(|name| folder.path(name));
    stdout(&[&command[..], &[&one, "--shard", "1/2"]].concat(), "");
    let (code, text) = merge(&[&one, "--into", &all]);
    assert_eq!(code, 0);
    assert!(text.contains("6 of 12 games are missing"), "{text}");
    stdout(&[&command[..], &[&all]].concat(), "");
    stdout(&[&command[..], &[&whole]].concat(), "");
    assert_eq!(results(&all), results(&whole));
}

#[test]
fn stores_of_different_tournaments_are_not_merged() {
    let folder = Folder::new("unlike-parts");
    let play = |name: &str, more: &[&str]| {
        let path = folder.path(name);
        let command = ["match", "tictactoe", "random", "random", "--games", "4", "--store", &path];
        stdout(&[&command[..], more].concat(), "");
        path
    };
    let one = play("one.db", &["--shard", "1/2"]);
    let other = play("other.db", &["--shard", "2/2", "--seed", "9"]);
    let whole = play("whole.db", &[]);
    let into = folder.path("into.db");
    let (code, text) = merge(&[&one, &other, "--into", &into]);
    assert!(code == 2 && text.contains("seed: 1 in ") && text.contains("9 in "), "{text}");
    let (code, text) = merge(&[&one, &whole, "--into", &into]);
    assert!(code == 2 && text.contains("both have game 0"), "{text}");
    let (code, text) = merge(&[&one, &one, "--into", &into]);
    assert!(code == 2 && text.contains("both have game 0"), "{text}");
    let (code, text) = merge(&[&one, &folder.path("none.db"), "--into", &into]);
    assert!(code == 2 && text.contains("there is no store"), "{text}");
    let (code, text) = merge(&[&one, "--into", &one]);
    assert!(code != 0 && !text.is_empty(), "{text}");
    assert_eq!(json(&["results", &one, "--json"])["games"].as_array().map(Vec::len), Some(2));
    assert!(!folder.files().contains(&"into.db".to_owned()), "nothing is left behind");
}

#[test]
fn shards_are_refused_where_results_decide() {
    let refused: [(&[&str], &str); 5] = [
        (&["tournament", "gobblet", "greedy", "random", "--format", "swiss"], "pairs each round"),
        (
            &["tournament", "gobblet", "greedy", "random", "--format", "adaptive"],
            "pairs each round",
        ),
        (
            &["match", "gobblet", "greedy", "random", "--sprt", "elo0=0,elo1=9"],
            "uses all earlier results",
        ),
        (
            &["match", "gobblet", "greedy", "random", "--shard", "3/2"],
            "shard 3/2: expected a shard from 1/2 to 2/2",
        ),
        (&["match", "gobblet", "greedy", "random", "--shard", "half"], "K/N"),
    ];
    for (args, reason) in refused {
        let shard: &[&str] = if args.contains(&"--shard") { &[] } else { &["--shard", "1/2"] };
        let output = tussle(&[args, shard].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(reason), "{args:?}: {text}");
    }
}
