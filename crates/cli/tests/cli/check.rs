//! `tussle check` finds what is broken in a program, and nothing else.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::common::Folder;

/// Starters with something broken: what is replaced by what.
type Faults<'a> = &'a [(&'a str, &'a str)];

fn run(args: &[&str]) -> Output {
    let tussle = Path::new(env!("CARGO_BIN_EXE_tussle"));
    let binaries = tussle.parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new(tussle)
        .args(args)
        .env("PATH", format!("{}:{path}", binaries.display()))
        .output()
        .expect("the binary runs")
}

/// The points that are not ok, with their status; the exit code fits them.
fn problems(agent: &str, game: &str) -> BTreeMap<String, String> {
    let output = run(&["check", agent, "--game", game, "--json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    let report: Value =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}\n{told}"));
    assert_eq!(report["agent"], agent);
    let checks = report["checks"].as_array().expect("a list");
    let count = |status: &str| checks.iter().filter(|check| check["status"] == status).count();
    assert_eq!(report["passed"], count("ok"));
    assert_eq!(report["failed"], count("failed"));
    assert_eq!(report["warnings"], count("warning"));
    let code = i32::from(count("failed") > 0);
    assert_eq!(output.status.code(), Some(code), "{text}");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    checks
        .iter()
        .filter(|check| check["status"] == "failed" || check["status"] == "warning")
        .filter(|check| !is_about_this_machine(check))
        .inspect(|check| assert!(text(&check["detail"]).contains("to mend: "), "{check}"))
        .map(|check| (text(&check["name"]), text(&check["status"])))
        .collect()
}

/// Whether one of several answers was late, which a busy machine can bring about.
fn is_about_this_machine(check: &Value) -> bool {
    let name = check["name"].as_str().unwrap_or_default();
    check["status"] == "warning" && (name.starts_with("movetime") || name.starts_with("move_ms"))
}

/// The problems of a Python starter with these faults.
fn problems_of(protocol: &str, game: &str, faults: Faults<'_>) -> BTreeMap<String, String> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = Folder::new(&format!("check-{number}"));
    let file = folder.path("agent.py");
    let made = run(&[
        "new-agent",
        "--lang",
        "python",
        "--protocol",
        protocol,
        "--game",
        game,
        "--out",
        &file,
    ]);
    assert!(made.status.success());
    let mut source = std::fs::read_to_string(&file).expect("a file");
    for (from, to) in faults {
        assert!(source.contains(from), "{from}");
        source = source.replacen(from, to, 1);
    }
    std::fs::write(&file, source).expect("a file");
    problems(&format!("{protocol}:python3 {file}"), game)
}

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(name, status)| (name.to_owned(), status.to_owned())).collect()
}

#[test]
fn our_own_engines_and_starters_have_no_fault() {
    for agent in ["alphabeta", "mcts"] {
        let engine = format!("ugi:tussle ugi --game tictactoe --agent {agent}");
        assert_eq!(problems(&engine, "tictactoe"), map(&[]), "{agent}");
    }
    let go = "go:size=5,superko=positional,cap=off";
    assert_eq!(problems("gtp:tussle gtp --agent mcts:nodes=20", go), map(&[]));
    assert_eq!(problems("ugi:tussle ugi --game go --agent random", "backgammon"), map(&[]));
    for protocol in ["json", "ugi"] {
        assert_eq!(problems_of(protocol, "gobblet", &[]), map(&[]), "{protocol}");
    }
}

#[test]
fn gnu_go_has_no_fault() {
    if tussle_arena::find_program("gnugo").is_none() {
        eprintln!("skipped: GNU Go is not installed");
        return;
    }
    let go = "go:size=5,superko=positional,cap=off";
    let gnugo = "gtp:gnugo --mode gtp --chinese-rules --positional-superko --level 1";
    assert_eq!(problems(gnugo, go), map(&[]));
}

#[test]
fn a_slow_and_talkative_engine_that_answers_queries_wrongly_is_found_out() {
    let faults: Faults<'_> = &[
        ("    return chance.choice", "    time.sleep(0.1); print('hmm')\n    return chance.choice"),
        ("state[\"player\"] == 0", "state[\"player\"] != 0"),
    ];
    let expected = [
        ("movetime 50", "failed"),
        ("p1time and p2time", "failed"),
        ("queries", "failed"),
        ("nothing else on standard output", "warning"),
    ];
    assert_eq!(problems_of("ugi", "tictactoe", faults), map(&expected));
}

#[test]
fn an_engine_that_cannot_be_stopped_is_found_out() {
    let faults: Faults<'_> = &[
        ("                kept = move\n", "                time.sleep(4)\n"),
        (
            "        elif command == \"quit\":\n            break\n",
            "        elif command:\n            1 / 0\n",
        ),
        ("    main()\n", "    main()\n    time.sleep(5)\n"),
        ("        elif command == \"query\":", "        elif command == \"ask\":"),
    ];
    let expected = [
        ("isready while searching, stop", "failed"),
        ("unknown command", "failed"),
        // It dies of a command it does not know, so of these, too.
        ("queries", "warning"),
        ("quit", "warning"),
        ("end of input", "failed"),
        ("quit while searching", "warning"),
    ];
    assert_eq!(problems_of("ugi", "tictactoe", faults), map(&expected));
}

#[test]
fn an_engine_that_leaves_processes_behind_is_found_out() {
    let start = "    chance = random.Random(1)\n";
    let orphan = format!("{start}    subprocess.Popen(['sleep', '60'], start_new_session=True)\n");
    let expected =
        [("quit", "warning"), ("end of input", "warning"), ("quit while searching", "warning")];
    assert_eq!(problems_of("ugi", "tictactoe", &[(start, &orphan)]), map(&expected));
}

#[test]
fn an_engine_that_does_not_follow_the_game_is_found_out() {
    let faults: Faults<'_> = &[("state = rules.apply(state, move)", "pass")];
    let found = problems_of("ugi", "connect4:width=3,height=3,connect=3", faults);
    assert!(found.contains_key("queries"), "{found:?}");
    // It always thinks of the start, where every column is open.
    let found = problems_of("ugi", "tictactoe", faults);
    assert!(found.contains_key("moves in random positions"), "{found:?}");
    assert!(!found.contains_key("first move"), "{found:?}");
}

#[test]
fn json_agents_that_break_the_protocol_are_found_out() {
    let reply = "print(json.dumps({\"id\": request[\"id\"], \"move\": move}), flush=True)";
    let with = |faults: Faults<'_>| problems_of("json", "gobblet", faults);
    let all = |reply_of: &str| with(&[(reply, reply_of)]);

    let wrong = all("print(json.dumps({\"id\": 1, \"move\": move}), flush=True)");
    assert_eq!(wrong, map(&[("id sent back", "failed")]));
    let none = all("print(json.dumps({\"move\": move}), flush=True)");
    assert_eq!(none, map(&[("id sent back", "warning")]));
    let text = all("print(move, flush=True)");
    assert_eq!(text, map(&[("first move", "failed")]));
    let illegal = all("print(json.dumps({\"id\": request[\"id\"], \"move\": \"a9\"}), flush=True)");
    assert_eq!(illegal, map(&[("first move", "failed")]));

    let strict = with(&[(
        "    return chance.choice",
        "    assert len(request) == 11 and request['seed'] < 2**53\n    return chance.choice",
    )]);
    assert_eq!(strict, map(&[("unknown fields", "failed"), ("large numbers", "failed")]));
    let slow =
        with(&[("    return chance.choice", "    time.sleep(0.1)\n    return chance.choice")]);
    // On a busy machine a bank may be too small for it, too.
    let failed: Vec<_> = slow.iter().filter(|(_, status)| *status == "failed").collect();
    assert!(matches!(failed[..], [(name, _)] if name == "move_ms 50"), "{slow:?}");
    let stays = with(&[("    main()\n", "    main()\n    time.sleep(5)\n")]);
    assert_eq!(stays, map(&[("end of input", "failed")]));
}

/// Passes everything on to our engine, but for one fault.
const PROXY: &str = include_str!("gtp_proxy.py");

#[test]
fn go_engines_that_break_the_protocol_are_found_out() {
    let folder = Folder::new("check-gtp");
    let file = folder.path("proxy.py");
    std::fs::write(&file, PROXY).expect("a file");
    let go = "go:size=5,superko=positional,cap=off";
    let with = |fault: &str| problems(&format!("gtp:python3 {file} {fault}"), go);
    assert_eq!(with("none"), map(&[]));
    assert_eq!(with("ids"), map(&[("ids sent back", "failed")]));
    let lenient = [("syntax error", "failed"), ("illegal move refused", "failed")];
    assert_eq!(with("lenient"), map(&lenient));
    assert_eq!(with("short"), map(&[("list_commands", "failed")]));
    assert_eq!(with("score"), map(&[("final_score", "warning")]));
    assert_eq!(with("undo"), map(&[("undo", "failed")]));
    assert_eq!(with("chatter"), map(&[("nothing else on standard output", "warning")]));
    assert_eq!(with("stays"), map(&[("quit", "failed")]));
    let moves = with("moves");
    assert_eq!(moves.get("first move").map(String::as_str), Some("failed"), "{moves:?}");
    assert_eq!(moves.get("undo"), None);
}

#[test]
fn what_cannot_be_tested_is_said_at_once() {
    for (args, why) in [
        (["mcts", "--game", "go"], "is no program"),
        (["gtp:true", "--game", "gobblet"], "GTP is for go"),
        (["ugi:true", "--game", "chess"], "unknown game"),
        (["ugi:'", "--game", "go"], "a quote is not closed"),
    ] {
        let output = run(&[&["check"], &args[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(why), "{told}");
    }
    assert_eq!(problems("ugi:/no/such/engine", "go"), map(&[("starts", "failed")]));
    assert_eq!(problems("json:cat", "go"), map(&[("first move", "failed")]));
    let output = run(&["check", "ugi:false", "--game", "go"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("FAILED   handshake\n           sent      ugi\n"), "{said}");
    assert!(said.ends_with("\n1 ok, 1 failed, 0 warnings\n"), "{said}");
}
