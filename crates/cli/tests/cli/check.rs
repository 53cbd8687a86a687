//! `tussle check` finds what is broken in a program, and nothing else.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::common::{Folder, UNWRAPPED};

/// Starters with something broken: what is replaced by what.
type Faults<'a> = &'a [(&'a str, &'a str)];

fn run(args: &[&str]) -> Output {
    let tussle = Path::new(env!("CARGO_BIN_EXE_tussle"));
    let binaries = tussle.parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new(tussle)
        .args(args)
        .env("PATH", format!("{}:{path}", binaries.display()))
        .env("COLUMNS", UNWRAPPED)
        .env_remove("PYTHONUNBUFFERED")
        .output()
        .expect("the binary runs")
}

/// The points that are not ok, with their status; the exit code fits them.
fn problems(agent: &str, game: &str) -> BTreeMap<String, String> {
    problems_with(agent, game, &[])
}

/// The points that are not ok with these options.
fn problems_with(agent: &str, game: &str, options: &[&str]) -> BTreeMap<String, String> {
    let output = run(&[&["check", agent, "--game", game, "--json"], options].concat());
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
        .inspect(|check| assert!(text(&check["detail"]).contains("to fix: "), "{check}"))
        .map(|check| (text(&check["name"]), text(&check["status"])))
        .collect()
}

/// Returns true for a warning about a late answer, which a busy machine can cause.
fn is_about_this_machine(check: &Value) -> bool {
    let name = check["name"].as_str().unwrap_or_default();
    let is_timed = |start: &&str| name.starts_with(*start);
    check["status"] == "warning" && ["clock", "movetime", "move_ms"].iter().any(is_timed)
}

/// The problems of a Python starter with these faults.
fn problems_of(protocol: &str, game: &str, faults: Faults<'_>) -> BTreeMap<String, String> {
    problems_of_with(protocol, game, faults, &[])
}

/// The problems of a Python starter with these faults and options.
fn problems_of_with(
    protocol: &str,
    game: &str,
    faults: Faults<'_>,
    options: &[&str],
) -> BTreeMap<String, String> {
    let folder = folder();
    let agent = starter(&folder, protocol, game, faults);
    problems_with(&agent, game, options)
}

fn folder() -> Folder {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    Folder::new(&format!("check-{}", NUMBER.fetch_add(1, Ordering::Relaxed)))
}

/// The spec of a Python starter with these faults.
fn starter(folder: &Folder, protocol: &str, game: &str, faults: Faults<'_>) -> String {
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
    format!("{protocol}:python3 {file}")
}

/// The printout about a JSON starter with these faults.
fn printed(faults: Faults<'_>, options: &[&str]) -> String {
    let folder = folder();
    let agent = starter(&folder, "json", "tictactoe", faults);
    let args = ["check", &agent, "--game", "tictactoe"];
    String::from_utf8_lossy(&run(&[&args[..], options].concat()).stdout).into_owned()
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
    if tussle_engine::find_program("gnugo").is_none() {
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
        ("    return chance.choice", "    time.sleep(0.16); tell('hmm')\n    return chance.choice"),
        ("state.player == 0", "state.player != 0"),
    ];
    let expected = [
        // Too late with a base time of 100 ms, even on a busy machine; also with 50 ms per move.
        ("p1time and p2time", "warning"),
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
    let orphan = format!(
        "{start}    import subprocess\n    subprocess.Popen(['sleep', '60'], start_new_session=True)\n"
    );
    let expected =
        [("quit", "warning"), ("end of input", "warning"), ("quit while searching", "warning")];
    assert_eq!(problems_of("ugi", "tictactoe", &[(start, &orphan)]), map(&expected));
}

#[test]
fn an_engine_that_does_not_follow_the_game_is_found_out() {
    let faults: Faults<'_> = &[("state = state.apply(move)", "pass")];
    let found = problems_of("ugi", "connect4:width=3,height=3,connect=3", faults);
    assert!(found.contains_key("queries"), "{found:?}");
    // It always thinks of the start, where every column is open.
    let found = problems_of("ugi", "tictactoe", faults);
    assert!(found.contains_key("moves in random positions"), "{found:?}");
    assert!(!found.contains_key("first move"), "{found:?}");
}

#[test]
fn json_agents_that_break_the_protocol_are_found_out() {
    let reply =
        "print(json.dumps({\"id\": request[\"id\"], \"move\": move}), file=REPLIES, flush=True)";
    let with = |faults: Faults<'_>| problems_of("json", "gobblet", faults);
    let all = |reply_of: &str| with(&[(reply, reply_of)]);

    let wrong = all("print(json.dumps({\"id\": 1, \"move\": move}), file=REPLIES, flush=True)");
    assert_eq!(wrong, map(&[("id sent back", "failed")]));
    let none = all("print(json.dumps({\"move\": move}), file=REPLIES, flush=True)");
    assert_eq!(none, map(&[("id sent back", "warning")]));
    let text = all("print(move, file=REPLIES, flush=True)");
    assert_eq!(text, map(&[("first move", "failed")]));
    let illegal =
        all("print(json.dumps({\"id\": request[\"id\"], \"move\": \"a9\"}), file=REPLIES, \
                       flush=True)");
    assert_eq!(illegal, map(&[("first move", "failed")]));

    let strict = with(&[(
        "    return chance.choice",
        "    assert len(request) == 11\n    assert request['seed'] < 2**53\n    return chance.choice",
    )]);
    assert_eq!(strict, map(&[("unknown fields", "failed"), ("large numbers", "failed")]));
    let sleepy: Faults<'_> =
        &[("    return chance.choice", "    time.sleep(0.1)\n    return chance.choice")];
    // No clock of 50 ms was named; on a busy machine a bank may be too small for it, too.
    let slow = with(sleepy);
    assert!(slow.values().all(|status| status == "warning"), "{slow:?}");
    let slow = problems_of_with("json", "tictactoe", sleepy, &["--clock", "50ms"]);
    assert_eq!(slow, map(&[("clock", "failed")]));
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
fn untestable_requests_are_errors_at_once() {
    for (args, why) in [
        (["mcts", "--game", "go"], "is not a program"),
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
    // The exit code is reported even if the program ends at once.
    for _ in 0..10 {
        let output = run(&["check", "ugi:false", "--game", "go"]);
        let said = String::from_utf8_lossy(&output.stdout);
        let end = "FAILED   starts\n           received  it ended with exit code 1\n";
        assert!(said.starts_with(end), "{said}");
        assert!(said.ends_with("\n0 ok, 1 failed, 0 warnings\n"), "{said}");
    }
    let output = run(&["check", "ugi:cat", "--game", "go", "--clock", "soon"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a clock is 2s"));
}

/// A program as students write it: it keeps a fixed reserve of seconds and has no move if less is
/// left.
const STUDENT: &str = include_str!("student.py");

/// The problems of a student's program with this reserve and manner.
fn student(reserve: &str, manner: &str, options: &[&str]) -> BTreeMap<String, String> {
    let folder = folder();
    let file = folder.path("student.py");
    std::fs::write(&file, STUDENT).expect("a file");
    let agent = format!("json:python3 {file} {reserve} {manner}");
    problems_with(&agent, "tictactoe", options)
}

#[test]
fn programs_with_a_fixed_reserve_pass_with_their_clock() {
    for (reserve, manner) in [
        ("0.2", "returns-nothing"),
        ("0.5", "raises"),
        ("1", "thread"),
        ("1.5", "raises"),
        ("2", "returns-nothing"),
    ] {
        assert_eq!(student(reserve, manner, &["--clock", "3s"]), map(&[]), "{reserve} {manner}");
    }
    // The time left for a whole game, as the Go course hands it over.
    assert_eq!(student("2", "thread", &["--clock", "15s+1s"]), map(&[]));
}

#[test]
fn without_a_clock_short_times_only_warn() {
    for manner in ["raises", "returns-nothing"] {
        let found = student("1", manner, &[]);
        assert!(found.values().all(|status| status == "warning"), "{manner}: {found:?}");
    }
    let found = student("5", "raises", &[]);
    assert_eq!(found, map(&[("first move", "failed")]));
}

#[test]
fn a_missing_move_is_reported_with_the_time_granted() {
    let text = printed(&[("    return chance.choice", "    return None and chance.choice")], &[]);
    assert!(text.contains("\"move\":null"), "{text}");
    assert!(text.contains("it had 1990 ms for this move"), "{text}");
    // The request is shown whole, with its clock.
    assert!(text.contains("\"clock\":{\"move_ms\":1990}"), "{text}");
    let text = printed(
        &[("    return chance.choice", "    return None and chance.choice")],
        &["--clock", "7s+1s"],
    );
    assert!(text.contains("\"left_ms\":6990"), "{text}");
}

#[test]
fn a_traceback_is_shown_whole_and_once() {
    let crash =
        "    moves = request['moves'][:1] if request['history'] else [0, 0]\n    moves[1]\n";
    let fault = format!("{crash}    return chance.choice");
    let text = printed(&[("    return chance.choice", &fault)], &[]);
    assert_eq!(text.matches("FAILED").count(), 1, "{text}");
    assert_eq!(text.matches("IndexError: list index out of range").count(), 1, "{text}");
    assert!(text.contains("stderr    Traceback (most recent call last):"), "{text}");
    let line = text.lines().find(|line| line.contains(", in choose")).expect("a place");
    assert!(line.contains("agent.py\", line "), "{text}");
    assert!(text.contains("the same fault as in `"), "{text}");

    let text = printed(&[("def main():", "def main()")], &[]);
    assert!(text.starts_with("FAILED   starts\n"), "{text}");
    assert!(text.contains("agent.py\", line ") && text.contains("SyntaxError"), "{text}");
}

/// A program that crashes at its fourth move, however much time it has.
#[test]
fn a_crash_is_not_blamed_on_the_time_and_shown_once() {
    let crash = "    choose.moves = getattr(choose, 'moves', 0) + 1\n    \
                 if choose.moves == 4:\n        raise ValueError('fourth')\n    \
                 return chance.choice";
    for options in [&[][..], &["--clock", "1s"]] {
        let text = printed(&[("    return chance.choice", crash)], options);
        assert_eq!(text.matches("ValueError: fourth").count(), 1, "{text}");
        assert_eq!(text.matches("FAILED").count(), 1, "{text}");
        assert!(!text.contains("with more time"), "{text}");
    }
}

#[test]
fn a_reply_that_is_not_json_is_met_with_fitting_advice() {
    let reply = "print(json.dumps({\"id\": request[\"id\"], \"move\": move})";
    let bare = printed(&[(reply, "print(move")], &[]);
    assert!(bare.contains("the id of the request: {\"id\":1,\"move\":\""), "{bare}");
    let value = "print(json.dumps({\"move\": move, \"value\": float('nan')})";
    let nan = printed(&[(reply, value)], &[]);
    assert!(nan.contains("NaN and Infinity are not JSON"), "{nan}");
    assert!(nan.contains("which is not a JSON object: "), "{nan}");
    for text in [bare, nan] {
        assert!(!text.contains("file=sys.stderr"), "{text}");
    }
}

#[test]
fn a_shortage_of_this_machine_is_not_a_fault_of_the_program() {
    let tussle = env!("CARGO_BIN_EXE_tussle");
    for files in [8, 9, 10] {
        let script = format!("ulimit -n {files}; exec {tussle} check json:cat --game tictactoe");
        let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!out.contains("FAILED   starts"), "{files}: {out}{err}");
        assert!(err.contains("this machine is short of descriptors"), "{files}: {out}{err}");
        assert_eq!(output.status.code(), Some(1), "{files}: {out}{err}");
    }
}

#[test]
fn check_tells_slowness_from_a_missing_flush() {
    let reply = "file=REPLIES, flush=True)";
    let choice = "    return chance.choice";
    let sleep = |seconds: &str| format!("    time.sleep({seconds})\n{choice}");
    let (slow, asleep) = (sleep("4.5"), sleep("60"));
    let cases: [(Faults<'_>, &[&str], &[&str]); 4] = [
        (&[(reply, "file=REPLIES)")], &["written but not flushed", "flush=True"], &["longer"]),
        (&[(choice, &slow)], &["its answer arrived after"], &["flush"]),
        (&[(choice, &asleep)], &["not flushed, or the program needs longer than"], &[]),
        (
            &[("def main():\n", "def main():\n    while True: pass\n")],
            &["note     starts: it is computing before the first request", "an endless loop"],
            &["ok       starts", "flush"],
        ),
    ];
    std::thread::scope(|scope| {
        for (faults, there, absent) in cases {
            scope.spawn(move || {
                let text = printed(faults, &[]);
                assert!(text.contains("FAILED   first move\n"), "{text}");
                assert!(there.iter().all(|words| text.contains(words)), "{text}");
                assert!(!absent.iter().any(|words| text.contains(words)), "{text}");
            });
        }
    });
}

#[test]
fn printing_to_standard_output_is_met_with_advice() {
    let print = "    print('thinking...', file=REPLIES)\n    return chance.choice";
    let text = printed(&[("    return chance.choice", print)], &[]);
    assert!(text.contains("`thinking...`"), "{text}");
    assert!(text.contains("print(…, file=sys.stderr)"), "{text}");
    let greeting = "def main():\n    print('hello', file=REPLIES, flush=True)\n";
    let text = printed(&[("def main():\n", greeting)], &[]);
    assert!(text.contains("`hello` before the first request"), "{text}");
    // The starter's own print is harmless.
    let own = "    print('thinking...')\n    return chance.choice";
    assert_eq!(problems_of("json", "tictactoe", &[("    return chance.choice", own)]), map(&[]));
}

#[test]
fn impossible_remarks_about_a_search_are_a_warning() {
    let with = |remark: &str| {
        let reply = format!("\"move\": move, {remark}}})");
        problems_of("json", "tictactoe", &[("\"move\": move})", &reply)])
    };
    for odd in ["\"nodes\": -1e30, \"depth\": -5", "\"depth\": 2.5", "\"value\": \"high\""] {
        assert_eq!(with(odd), map(&[("value, depth, nodes and moves", "warning")]), "{odd}");
    }
    assert_eq!(with("\"nodes\": 812, \"depth\": 5, \"value\": -0.5"), map(&[]));
}
