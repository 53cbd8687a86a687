//! Opening books on the command line.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Folder, json, stdout, tussle};
use serde_json::json as value;
use tussle_catalog::book::Book;

/// The arguments that build a book.
fn build<'a>(spec: &'a str, agent: &'a str, plies: &'a str, out: &'a str) -> Vec<&'a str> {
    vec!["book", "build", spec, "--agent", agent, "--plies", plies, "--out", out]
}

#[test]
fn the_same_recipe_gives_the_same_bytes() {
    let folder = Folder::new("book-same");
    let mut texts = Vec::new();
    for (name, jobs) in [("a", "1"), ("b", "2"), ("c", "7")] {
        let out = folder.path(name);
        let mut args = build("connect4:width=4,height=4", "minimax:shuffle=on", "4", &out);
        args.extend(["--nodes", "300", "--seed", "9", "--jobs", jobs, "--json"]);
        let built = json(&args);
        assert_eq!(built["entries"], 37);
        assert_eq!(built["recipe"]["limits"]["nodes"], 300);
        texts.push(fs::read_to_string(&out).unwrap());
    }
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[0], texts[2]);
    let out = folder.path("d");
    let mut args = build("connect4:width=4,height=4", "minimax:shuffle=on", "4", &out);
    args.extend(["--nodes", "300", "--seed", "8"]);
    stdout(&args, "");
    let other = fs::read_to_string(&out).unwrap();
    assert_ne!(other.replace("\"seed\":8", "\"seed\":9"), texts[0], "the seed reaches the agent");
}

#[test]
fn a_book_is_shown_checked_and_played_from() {
    let folder = Folder::new("book-shown");
    let out = folder.path("t.book");
    let said = stdout(&build("tictactoe", "minimax:depth=9", "9", &out), "");
    assert!(said.contains("627 positions for the first 9 plies of tictactoe, 627 proven"));
    let shown = json(&["book", "show", &out, "--entries", "2", "--json"]);
    assert_eq!(shown["entries"], 627);
    assert_eq!(shown["complete"], true);
    assert_eq!(shown["recipe"]["agent"], "minimax:depth=9");
    assert_eq!(shown["first"].as_array().unwrap().len(), 2);
    assert_eq!(
        shown["first"][0],
        value!({ "ply": 0, "position": ".../.../... x", "move": "a1", "value": 0.0,
                 "bound": "exact", "outcome": "draw", "distance": null })
    );
    let text = stdout(&["book", "show", &out], "");
    assert!(text.contains("… and 622 more"), "{text}");
    assert_eq!(json(&["book", "check", &out, "--json"])["entries"], 627);
    let agent = format!("minimax:book={out}");
    let played = json(&["match", "tictactoe", &agent, "random", "--games", "50", "--json"]);
    assert_eq!(played["losses"], 0);
}

#[test]
fn a_wrong_book_is_refused_with_the_reason() {
    let folder = Folder::new("book-wrong");
    let good = folder.path("good.book");
    stdout(&build("connect4:width=5", "greedy", "2", &good), "");
    let text = fs::read_to_string(&good).unwrap();
    let bad = |name: &str, text: &str| {
        let path = folder.path(name);
        fs::write(&path, text).unwrap();
        path
    };
    let refused = |path: &str, parts: &[&str]| {
        let agent = format!("minimax:depth=1,book={path}");
        let output = tussle(&["match", "connect4", &agent, "random", "--games", "1"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{path}: {said}");
        for part in [&[path], parts].concat() {
            assert!(said.contains(part), "{path}: no `{part}` in: {said}");
        }
        output
    };
    refused(&good, &["made for connect4:width=5, not connect4"]);
    refused(&bad("text", "hello"), &["not an opening book", "tussle book build"]);
    refused(&bad("empty", ""), &["not an opening book"]);
    let newer = text.replacen("\"version\":1", "\"version\":7", 1);
    refused(&bad("newer", &newer), &["expected an opening book of version 1", "found version 7"]);
    refused(&bad("cut", &text[..text.len() / 2]), &["damaged", "before its checksum"]);
    let changed = text.replacen("\"ply\":1", "\"ply\":x", 1);
    refused(&bad("changed", &changed), &["damaged", "line 3, column"]);
    let moved = text.replacen("\"move\":\"", "\"move\":\"9", 1);
    refused(&bad("moved", &moved), &["damaged", "checksum is wrong"]);
    refused(&folder.path("none"), &["cannot open the file"]);
    for command in ["show", "check"] {
        let output = tussle(&["book", command, &bad("moved", &moved)]);
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_wrong_request_is_refused_before_anything_is_asked() {
    let folder = Folder::new("book-request");
    let (out, nowhere) = (folder.path("a.book"), folder.path("none/a.book"));
    let refused = |args: &[&str], part: &str| {
        let output = tussle(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(part), "{args:?}: no `{part}` in: {said}");
        assert!(!said.contains("asking"), "{said}");
    };
    refused(&build("tictactoe", "minimax", "2", &nowhere), "cannot write");
    refused(&build("tictactoe", "minimax", "2", &folder.path("")), "cannot write");
    refused(&build("tictactoe", "minmax", "2", &out), "did you mean `minimax`?");
    refused(&build("tictactoe", "human", "2", &out), "tussle play");
    refused(&build("backgammon", "minimax", "2", &out), "chance");
    refused(&build("tictactoe", "minimax", "0", &out), "0 is not in 1..=1000");
    assert_eq!(folder.files(), [""; 0]);
}

#[test]
fn without_a_limit_a_search_gets_one_second_and_a_note() {
    let folder = Folder::new("book-limit");
    let out = folder.path("a.book");
    for (agent, limit, said) in [
        ("minimax", None, true),
        ("minimax", Some(["--depth", "9"]), false),
        ("minimax:depth=9", None, false),
        ("minimax:nodes=100", None, false),
        ("greedy", None, false),
    ] {
        let mut args = build("tictactoe", agent, "1", &out);
        args.extend(limit.into_iter().flatten());
        let output = tussle(&args);
        assert!(output.status.success());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr.contains("no limit given: 1 s per position"), said, "{agent}");
        let shown = json(&["book", "show", &out, "--json"]);
        assert_eq!(shown["recipe"]["limits"]["time_ms"].is_null(), !said, "{agent}");
    }
}

#[test]
fn a_full_disk_leaves_no_half_file() {
    let folder = Folder::new("book-full");
    let out = folder.path("a.book");
    fs::write(&out, "what was there").unwrap();
    // A file may not grow beyond a kilobyte here, and the signal that says so is ignored.
    let command = r#"trap '' XFSZ; ulimit -f 1; exec "$0" "$@""#;
    let output = Command::new("bash")
        .args(["-c", command, env!("CARGO_BIN_EXE_tussle")])
        .args(build("tictactoe", "greedy", "9", &out))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write"), "{said}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "what was there");
    assert_eq!(folder.files(), ["a.book"]);

    let output = tussle(&build("tictactoe", "greedy", "2", "/dev/full"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_interrupted_run_resumes() {
    let folder = Folder::new("book-resumed");
    let (out, part) = (folder.path("a.book"), folder.path("a.book.part"));
    let args = build("tictactoe", "minimax:depth=2", "5", &out);
    stdout(&args, "");
    let whole = fs::read_to_string(&out).unwrap();
    fs::remove_file(&out).unwrap();

    // Half of it, with a value that no search gives, to see that it is taken over.
    let book = Book::parse(&whole).unwrap();
    let mut half = book.entries()[..book.entries().len() / 2].to_vec();
    half[3].line.value = 0.123.into();
    let left = half.len();
    let half = Book::new(book.recipe().clone(), half, false);
    fs::write(&part, half.text()).unwrap();
    let shown = json(&["book", "show", &part, "--json"]);
    assert_eq!(shown["complete"], false);

    let mut args = args;
    args.push("--json");
    assert_eq!(json(&args)["resumed"], left);
    let resumed = Book::parse(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(resumed.entries()[3].line.value.number(), 0.123);
    assert_eq!(resumed.entries().len(), book.entries().len());
    assert_eq!(resumed.entries()[4..], book.entries()[4..]);
    assert!(resumed.is_complete());
    assert_eq!(folder.files(), ["a.book"], "the part is not needed any more");

    // The part of another recipe is left alone.
    fs::write(&part, half.text()).unwrap();
    args.extend(["--seed", "2"]);
    assert_eq!(json(&args)["resumed"], 0);
    assert_eq!(fs::read_to_string(&part).unwrap(), half.text());
}

#[test]
fn ctrl_c_keeps_the_answers_so_far() {
    let folder = Folder::new("book-ctrl-c");
    let (out, part) = (folder.path("a.book"), folder.path("a.book.part"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tussle"))
        .args(build("connect4", "minimax", "7", &out))
        .args(["--nodes", "200000"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    while !said.contains("asking") {
        assert_ne!(stderr.read_line(&mut said).unwrap(), 0, "it ended: {said}");
    }
    // Long enough for some answers, not for all: they take minutes.
    std::thread::sleep(Duration::from_millis(1500));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{said}");
    assert!(said.contains("interrupted: ") && said.contains("to resume"), "{said}");
    let shown = json(&["book", "show", &part, "--json"]);
    assert_eq!(shown["complete"], false);
    assert!(shown["entries"].as_u64().unwrap() > 0);
    assert_eq!(folder.files(), ["a.book.part"]);
    stdout(&["book", "check", &part], "");
}
