//! Tuning: a result that survives `kill -9`, programs, and wrong usage.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::{Folder, json, start, stdout, tussle};

const SETTINGS: &str = "tune tictactoe mcts c=0.1..2 --games 100 --verify 60 --nodes 300 --seed 3";

/// Returns the arguments of the tuning in this folder.
fn command<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    SETTINGS.split(' ').chain(["--out", out]).chain(more.iter().copied()).collect()
}

/// Returns the number of stores in a folder.
fn stores(out: &str) -> usize {
    let files = fs::read_dir(Path::new(out).join("games")).map(Iterator::flatten);
    let is_store = |file: &fs::DirEntry| file.path().extension().is_some_and(|end| end == "db");
    files.map_or(0, |files| files.filter(is_store).count())
}

#[test]
fn a_killed_tuning_resumes_and_any_number_of_jobs_gives_the_same_bytes() {
    let folder = Folder::new("tune");
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    let expected = stdout(&command(&whole, &["--json"]), "");
    let mut child = start(&command(&killed, &["--jobs", "2"]));
    let began = Instant::now();
    while stores(&killed) < 3 && began.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let played = stores(&killed);
    assert!(played >= 3, "it played some rounds");
    assert!(!Path::new(&killed).join("tictactoe-mcts-c.json").exists(), "and did not finish");
    assert_eq!(stdout(&command(&killed, &["--jobs", "2", "--json"]), ""), expected);
    assert!(stores(&killed) > played);
    for end in ["svg", "png", "csv", "json", "md"] {
        let file = format!("tictactoe-mcts-c.{end}");
        let bytes = |out: &str| fs::read(Path::new(out).join(&file)).expect(&file);
        assert!(bytes(&whole) == bytes(&killed), "{file}");
        assert!(bytes(&whole).len() > 100, "{file}");
    }
    // A finished tuning plays nothing, and its stores are those of matches.
    let text = stdout(&command(&killed, &[]), "");
    assert!(text.contains("figure and numbers:"), "{text}");
    let games = fs::read_dir(Path::new(&killed).join("games")).unwrap().flatten();
    let store =
        games.map(|file| file.path()).find(|path| path.extension().is_some_and(|e| e == "db"));
    let results = json(&["results", store.unwrap().to_str().unwrap(), "--json"]);
    assert!(results["agents"].as_array().unwrap().iter().any(|name| name == "as given"));
}

#[test]
fn a_program_is_tuned_by_a_placeholder_in_its_command() {
    let folder = Folder::new("tune-program");
    let (program, out) = (folder.path("agent.py"), folder.path("out"));
    // It resigns at once, or plays the first move.
    let source = "import json, sys
for line in sys.stdin:
    request = json.loads(line)
    reply = {'resign': True} if sys.argv[1] == 'yes' else {'move': request['moves'][0]}
    print(json.dumps(reply), flush=True)
";
    fs::write(&program, source).expect("a file");
    let agent = format!("json:python3 {program} {{resign=yes}}");
    let tuned = json(&[
        "tune",
        "tictactoe",
        &agent,
        "resign=yes|no",
        "--games",
        "40",
        "--verify",
        "10",
        "--jobs",
        "2",
        "--out",
        &out,
        "--json",
    ]);
    assert_eq!(tuned["best"]["values"]["resign"], "no");
    assert_eq!(tuned["start"], format!("json:python3 {program} yes"));
    assert_eq!(tuned["best"]["spec"], format!("json:python3 {program} no"));
    assert_eq!((&tuned["gain"]["wins"], &tuned["gain"]["games"]), (&10.into(), &10.into()));
    assert_eq!(tuned["parameters"][0]["start"], "yes");
}

#[test]
fn wrong_usage_is_rejected_before_a_game() {
    let folder = Folder::new("tune-wrong");
    let out = folder.path("out");
    for (args, part) in [
        ("tictactoe mcts", "<KEY=VALUES>"),
        ("tictactoe mcts c", "expected key=low..high or key=a|b|c"),
        ("tictactoe mcts c=2..1", "expected the lower number first"),
        ("tictactoe mcts cc=0..1", "did you mean `c`?"),
        ("tictactoe mcts c=0..1 c=0..2", "two parameters have the key `c`"),
        ("tictactoe mtcs c=0..1", "did you mean `mcts`?"),
        ("keep-on-moving:board=0..4 mcts c=0..1", "expected one game, found 5"),
        ("tictactoe json:python3 depth=2..6", "expected the placeholder {depth}"),
        ("tictactoe mcts c=0..1 --games 1", "--games"),
        ("tictactoe mcts c=0..1 --opening-plies 300", "at most 200"),
    ] {
        let args: Vec<&str> =
            ["tune"].into_iter().chain(args.split(' ')).chain(["--out", &out]).collect();
        let output = tussle(&args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains(part), "{args:?}: {message}");
    }
    assert!(!Path::new(&out).exists());
}
