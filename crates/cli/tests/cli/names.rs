//! Names and texts that would forge output: refused where they enter, escaped where old stores and files
//! have them.

use std::fs;
use std::path::Path;

use tussle_arena::{Contestant, MoveNote, Record, Store, TournamentSpec};

use crate::common::{Folder, json, stdout, tussle, tussle_with_input};

/// Characters that a terminal obeys, hides or reorders.
const HOSTILE: [char; 16] = [
    '\n', '\r', '\t', '\0', '\u{1b}', '\u{7f}', '\u{85}', '\u{9b}', '\u{61c}', '\u{200b}',
    '\u{200f}', '\u{2028}', '\u{202e}', '\u{2067}', '\u{feff}', '\u{ad}',
];

#[test]
fn a_tournament_file_with_a_forged_name_is_refused() {
    let folder = Folder::new("names");
    let file = folder.path("n.toml");
    let refused = |agent: &str, part: &str| {
        let text = format!("game = \"tictactoe\"\nagents = [\"greedy\", {agent}]\n");
        fs::write(&file, text).expect("a file can be written");
        let output = tussle(&["tournament", &file]);
        let message = String::from_utf8(output.stderr).expect("it is UTF-8");
        assert_eq!(output.status.code(), Some(2), "{agent}: {message}");
        assert!(message.contains("agent 2: ") && message.contains(part), "{agent}: {message}");
        let message = message.strip_suffix('\n').expect("a line");
        assert!(!message.contains(HOSTILE), "{agent}: {message:?}");
        assert!(message.len() < 500, "{agent}: {} bytes", message.len());
    };
    for c in HOSTILE {
        let escaped = format!("\\u{:04X}", u32::from(c));
        let part = format!("U+{:04X}", u32::from(c));
        refused(&format!("{{ agent = \"random\", name = \"a{escaped}Games: 2\" }}"), &part);
        refused(&format!("\"json:true {escaped}\""), &part);
    }
    refused("{ agent = \"random\", name = \" \\u3000\" }", "the name is empty");
    let long = "x".repeat(100_000);
    refused(&format!("{{ agent = \"random\", name = \"{long}\" }}"), "write at most 100");
    for spec in ["random\u{202e}", "json:true \n", "random\u{200d}"] {
        let output = tussle(&["match", "tictactoe", "random", spec, "--games", "2"]);
        assert_eq!(output.status.code(), Some(2), "{spec:?}");
    }
}

#[test]
fn play_refuses_a_spec_that_would_forge_a_line() {
    for c in HOSTILE.into_iter().filter(|&c| c != '\0') {
        let output = tussle(&["play", "tictactoe", "--vs", &format!("json:x a{c}Games: 2")]);
        let message = String::from_utf8(output.stderr).expect("it is UTF-8");
        assert_eq!(output.status.code(), Some(2), "{c:?}: {message}");
        let message = message.strip_suffix('\n').expect("a line");
        assert!(!message.contains(HOSTILE), "{c:?}: {message:?}");
    }
}

#[test]
fn a_long_command_line_is_accepted_and_shown_shortened() {
    let folder = Folder::new("long-spec");
    let store = folder.path("s.db");
    let agent = folder.path("agent.py");
    let code = "import json, sys\nfor line in sys.stdin:\n    \
                print(json.dumps({'move': json.loads(line)['moves'][0]}), flush=True)\n";
    fs::write(&agent, code).expect("a file can be written");
    let spec = format!("json:python3 {agent} {}", "x".repeat(5000));
    let played =
        tussle(&["match", "tictactoe", "random", &spec, "--games", "2", "--store", &store]);
    let [out, err] = [played.stdout, played.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(played.status.success(), "{err}");
    for text in [out, err, stdout(&["results", &store, "--games"], "")] {
        assert!(text.contains("json:python3"), "{text}");
        assert!(!text.contains(&"x".repeat(100)), "{text}");
    }
    let document = json(&["results", &store, "--json"]);
    assert_eq!(document["agents"][1], spec.as_str());
    let again = tussle(&["match", "tictactoe", "random", &spec, "--games", "2", "--store", &store]);
    assert!(again.status.success(), "the same command continues its store");
}

/// A store as an older version wrote it: names were not checked.
fn old_store(path: &str, names: [&str; 2], shard: Option<&str>, id: u64) {
    let agents = names.map(|name| Contestant::new(name, "random"));
    let mut config = TournamentSpec::new(vec!["go:size=2".to_owned()], agents.to_vec());
    config.rounds = 2;
    config.shard = shard.map(|shard| shard.parse().expect("a shard"));
    let mut store = Store::open_or_create(Path::new(path), &config).expect("a store");
    let record = Record {
        id,
        pair: id / 2,
        game: "go:size=2".to_owned(),
        seats: vec![0, 1],
        moves: ["pass", "pass"].map(str::to_owned).to_vec(),
        utilities: vec![-1.0, 1.0],
        what: "it wrote \u{202e}x\u{1b}[2J".to_owned(),
        notes: vec![MoveNote::default(); 2],
        ..Record::default()
    };
    store.offer(&[record]).expect("it can be written");
}

#[test]
fn names_of_old_stores_are_shown_escaped() {
    let folder = Folder::new("old-names");
    let long = "z".repeat(100_000);
    let names = ["a\nForged: 2\u{1b}]0;t\u{7}\u{202e}", long.as_str()];
    let [one, two, all] = ["1.db", "2.db", "all.db"].map(|name| folder.path(name));
    old_store(&one, names, Some("1/2"), 0);
    old_store(&two, names, Some("2/2"), 2);
    stdout(&["results", "merge", &one, &two, "--into", &all], "");
    for store in [&one, &all] {
        let commands: [&[&str]; 9] = [
            &["results", store],
            &["results", store, "--games"],
            &["results", store, "--json"],
            &["results", store, "--export", "csv"],
            &["results", store, "--export", "pgn"],
            &["results", store, "--export", "sgf"],
            &["results", store, "--export", "jsonl"],
            &["replay", store, "0"],
            &["replay", store, "0", "--json"],
        ];
        for args in commands {
            let text = stdout(args, "");
            let lines = text.replace('\n', "");
            assert!(!lines.contains(HOSTILE), "{args:?}: {text:?}");
            assert!(text.contains("Forged: 2") && !text.contains("\nForged"), "{args:?}");
            assert!(!text.contains(&"z".repeat(101)), "{args:?}: the long name is cut");
        }
    }
}

#[test]
fn csv_cells_that_begin_a_formula_are_marked() {
    let folder = Folder::new("formulas");
    let (file, store) = (folder.path("n.toml"), folder.path("n.db"));
    let names = ["=cmd|' /C calc'!A0", "@SUM(1+1)", "+1+2", "-2+3"];
    let agents = names.map(|name| format!("{{ agent = \"random\", name = \"{name}\" }}"));
    fs::write(&file, format!("game = \"tictactoe\"\nagents = [{}]\n", agents.join(", "))).unwrap();
    stdout(&["tournament", &file, "--store", &store], "");
    let csv = stdout(&["results", &store, "--export", "csv"], "");
    assert_eq!(csv.lines().count(), 1 + 12, "{csv}");
    for name in names {
        assert!(csv.contains(&format!(",'{name},")), "{csv}");
    }
    let cells = csv.split([',', '\n']);
    assert!(cells.clone().all(|cell| !cell.starts_with(['=', '+', '-', '@'])), "{csv}");
    // Other forms have the names themselves.
    assert_eq!(json(&["results", &store, "--json"])["agents"][0], names[0]);
}

#[test]
fn node_names_cannot_reorder_a_line() {
    let folder = Folder::new("node-names");
    let file = folder.path("t.json");
    let tree = "{\"root\": \"a\", \"nodes\": {\"a\": {\"max\": [\"b\u{202e}c\", \"d\u{200f}\"]},
         \"b\u{202e}c\": {\"value\": 1}, \"d\u{200f}\": {\"value\": 2}}}";
    fs::write(&file, tree).expect("a file can be written");
    let game = format!("tree:file={file}");
    let commands: [&[&str]; 5] = [
        &["show", &game],
        &["show", &game, "--json"],
        &["analyse", &game, "--agent", "minimax"],
        &["analyse", &game, "--agent", "minimax", "--json"],
        &["explain", &game, "--agent", "minimax"],
    ];
    for args in commands {
        let output = tussle_with_input(args, "");
        assert!(output.status.success(), "{args:?}");
        for text in [output.stdout, output.stderr] {
            let text = String::from_utf8(text).expect("it is UTF-8");
            assert!(!text.contains(['\u{202e}', '\u{200f}']), "{args:?}: {text:?}");
        }
    }
}

#[test]
fn random_openings_have_a_limit() {
    let game = "go:size=19,cap=1000000";
    let args = ["match", game, "random", "random", "--games", "4", "--opening-plies", "1000000"];
    let output = tussle(&args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("opening-plies 1000000: use at most 200"), "{message}");
}
