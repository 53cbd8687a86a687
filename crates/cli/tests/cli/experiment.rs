//! Experiments: the list, a run, and wrong usage.

use std::path::PathBuf;

use crate::common::{Folder, json, stdout, tussle};

/// Plays the first move, and reports the depth that its time allows or the request limits, and the visits of all moves.
const PROGRAM: &str = r#"
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    moves = request["moves"]
    depth = request.get("depth") or int(request["clock"]["move_ms"] / 100) + 2
    reply = {"id": request["id"], "move": moves[0], "value": depth / 10, "depth": depth, "nodes": 3 ** depth}
    reply["moves"] = [{"move": move, "visits": 10 + i, "value": 0.5} for i, move in enumerate(moves)]
    if "silent" in sys.argv:
        reply = {"id": request["id"], "move": moves[0]}
    print(json.dumps(reply), flush=True)
"#;

fn temporary(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("tussle-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

#[test]
fn experiments_are_listed_with_their_questions_and_times() {
    let text = stdout(&["experiment"], "");
    let all = json(&["experiment", "--json"]);
    let all = all.as_array().expect("a list");
    for name in [
        "depth-vs-time",
        "leaves-vs-depth",
        "evaluations-vs-depth",
        "pruned-vs-depth",
        "value-vs-depth",
        "value-vs-time",
        "same-line",
        "known-value",
        "speedup",
        "speed-vs-tree",
        "memory-vs-nodes",
        "nodes-vs-depth",
        "playouts-vs-size",
        "games-vs-jobs",
    ] {
        assert!(text.contains(name), "{name}");
        let found = all.iter().find(|experiment| experiment["name"] == name).expect(name);
        assert!(text.contains(found["question"].as_str().unwrap()), "{name}");
        assert!(found["seconds"]["full"].as_u64() > found["seconds"]["quick"].as_u64(), "{name}");
    }
}

#[test]
fn an_experiment_leaves_a_figure_its_numbers_and_sentences_and_is_not_done_twice() {
    let dir = temporary("experiment");
    let out = dir.to_str().unwrap();
    let run = || stdout(&["experiment", "known-value", "--quick", "--out", out], "");
    let first = run();
    // From the empty board, tic-tac-toe is worth a draw: 231,147 nodes with the worst move first.
    assert!(first.contains("182 nodes instead of 1,890"), "{first}");
    let size = |end: &str| std::fs::metadata(dir.join(format!("known-value.{end}"))).unwrap().len();
    for end in ["svg", "png", "csv", "json", "md"] {
        assert!(size(end) > 100, "{end}");
    }
    let csv = std::fs::read_to_string(dir.join("known-value.csv")).unwrap();
    assert!(csv.contains("\r\n0.0,1,worst,7718,231147\r\n"), "{csv}");
    let measured = dir.join("measured.jsonl");
    let before = std::fs::read(&measured).unwrap();
    assert_eq!(run(), first);
    assert_eq!(std::fs::read(&measured).unwrap(), before);
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn impossible_requests_are_rejected_with_the_reason() {
    let file = temporary("experiment-file");
    std::fs::write(&file, "").unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["experiment", "--quick"], "name of an experiment, or `all`"),
        (&["experiment", "--out", "nowhere"], "name of an experiment, or `all`"),
        (&["experiment", "--seed", "3"], "<NAME>"),
        (&["experiment", "leafs-vs-depth"], "did you mean `leaves-vs-depth`?"),
        (&["experiment", "nothing"], "`nothing`; there are depth-vs-time, "),
        (
            &["experiment", "known-value", "--quick", "--out", file.to_str().unwrap()],
            "cannot write",
        ),
    ];
    for (args, why) in cases {
        let output = tussle(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(why), "{args:?}: {stderr}");
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_program_of_your_own_is_measured_in_one_command() {
    let folder = Folder::new("experiment-program");
    std::fs::write(folder.path("mine.py"), PROGRAM).unwrap();
    let spec = format!("json:python3 {}", folder.path("mine.py"));
    let agent = format!("mine={spec}");
    let rows = |args: &[&str]| {
        let found = json(&[&["experiment"], args, &["--agent", &agent, "--json"]].concat());
        assert!(found["reading"].to_string().contains(&format!("mine = {spec}")), "{found}");
        found["rows"].as_array().unwrap().clone()
    };
    let timed = rows(&[
        "depth-vs-time",
        "--game",
        "connect4",
        "--agent",
        "ids",
        "--range",
        "0.15,0.45",
        "--repeats",
        "1",
    ]);
    let mine: Vec<_> = timed.iter().filter(|row| row[1] == "mine").map(|row| &row[4]).collect();
    assert_eq!((timed.len(), mine), (4, vec![&3.into(), &6.into()]));
    let counted =
        rows(&["nodes-vs-depth", "--game", "tictactoe", "--range", "1..3", "--positions", "1"]);
    assert_eq!(counted.iter().map(|row| row[7].as_u64().unwrap()).collect::<Vec<_>>(), [3, 9, 27]);
    let values = rows(&["value-vs-depth", "--game", "connect4", "--range", "4", "--moves", "4,4"]);
    let values: Vec<_> = values.iter().map(|row| row[3].as_f64().unwrap()).collect();
    assert_eq!(values, [0.1, 0.2, 0.3, 0.4]);
    let visits = rows(&["visits-heatmap", "--game", "gobblet", "--range", "0.5"]);
    assert!(visits.len() > 2 && visits[0][3] == 10, "{visits:?}");
    let played =
        rows(&["strength-vs-time", "--game", "tictactoe", "--range", "50", "--repeats", "2"]);
    assert_eq!((&played[0][0], &played[0][6]), (&"mine".into(), &2.into()));
    // A report that lacks the number asked for is an error with the reason.
    let silent = format!("{spec} silent");
    for (args, why) in [
        (["depth-vs-time", "--game", "connect4", "--range", "0.1"], "reports no depth"),
        (["nodes-vs-depth", "--game", "connect4", "--range", "1"], "reports no nodes"),
        (["value-vs-depth", "--game", "connect4", "--range", "1"], "reports no value and depth"),
        (
            ["visits-heatmap", "--game", "connect4", "--range", "0.1"],
            "reports no visits of all moves",
        ),
    ] {
        let output = tussle(&[&["experiment"], &args[..], &["--agent", &silent]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(&format!("error: {}: {silent} {why}", args[0])), "{stderr}");
    }
}

#[test]
fn choices_without_a_meaning_are_rejected_with_the_reason() {
    let cases: [(&[&str], &str); 7] = [
        (&["--game", "connect4"], "<NAME>"),
        (&["--moves", "4"], "need the name of an experiment"),
        (&["all", "--game", "connect4"], "belong to one experiment; give its name"),
        (
            &["c-sweep", "--range", "1..x"],
            "expected numbers a,b,c or a range low..high, found `1..x`",
        ),
        (&["c-sweep", "--agent", "=mcts"], "expected an agent, SPEC or NAME=SPEC"),
        (&["leaves-vs-depth", "--positions", "2", "--moves", "4"], "leave one of them out"),
        (&["leaves-vs-depth", "--agent", "mcts"], "does not search by plies; use an agent"),
    ];
    for (args, why) in cases {
        let output = tussle(&[&["experiment"], args].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(why), "{args:?}: {stderr}");
    }
}
