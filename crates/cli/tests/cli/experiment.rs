//! Experiments: the list, a run, and wrong usage.

use std::path::PathBuf;

use crate::common::{json, stdout, tussle};

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
