//! `tussle analyse` as a user meets it.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use crate::common::{json, stdout, tussle};
use serde_json::{Value, json as value};

const LECTURE: &str = "tree:file=examples/trees/lecture-alphabeta.json";

fn minimax(game: &str, more: &[&str]) -> Value {
    json(&[&["analyse", game, "--agent", "minimax", "--json"], more].concat())
}

#[test]
fn the_lectures_tree_is_searched_as_on_the_blackboard() {
    let found = minimax(LECTURE, &[]);
    assert_eq!((&found["best"], &found["value"]), (&value!("B"), &value!(8.0)));
    assert_eq!(found["values"], value!([8.0, -8.0]));
    assert_eq!((&found["stats"]["nodes"], &found["stats"]["leaves"]), (&value!(15), &value!(8)));
    let order: Vec<&str> = "A B D H I E J K C F L M G N O".split(' ').collect();
    assert_eq!(found["visited"], value!(order));
    assert_eq!((&found["stopped"], &found["outcome"]), (&value!("proven"), &value!("win")));
    assert_eq!(found["lines"][1]["pv"], value!(["C", "F", "L"]));
}

#[test]
fn a_tree_speaks_for_max_also_where_min_is_to_move() {
    let found = minimax(LECTURE, &["--moves", "B"]);
    assert_eq!((&found["turn"], &found["best"]), (&value!("second"), &value!("D")));
    assert_eq!((&found["value"], &found["values"]), (&value!(8.0), &value!([8.0, -8.0])));
    assert_eq!(found["visited"][0], "B");
}

#[test]
fn other_games_speak_for_the_player_to_move() {
    let found = minimax("tictactoe", &["--position", "o.o/xx./..x o"]);
    assert_eq!((&found["turn"], &found["best"]), (&value!("second"), &value!("b3")));
    assert_eq!((&found["value"], &found["values"]), (&value!(1.0), &value!([-1.0, 1.0])));
    assert_eq!((&found["outcome"], &found["distance"]), (&value!("win"), &value!(1)));
    assert!(found.get("visited").is_none() && found.get("savings").is_none());
    // Of three players, one number is not enough.
    let three =
        json(&["analyse", "tree:file=examples/trees/kplayer.json", "--agent", "greedy", "--json"]);
    assert_eq!(three["values"], Value::Null);
}

#[test]
fn only_the_middle_holds_against_a_corner() {
    let found = minimax("tictactoe", &["--moves", "a1", "--lines", "all"]);
    let lines = found["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 8);
    assert_eq!((&lines[0]["move"], &lines[0]["outcome"]), (&value!("b2"), &value!("draw")));
    for line in &lines[1..] {
        assert_eq!((&line["value"], &line["outcome"]), (&value!(-1.0), &value!("loss")));
        assert_eq!((&line["distance"], &line["bound"]), (&value!(6), &value!("exact")));
        assert_eq!(line["pv"].as_array().unwrap().len(), 6);
    }
    let table = stdout(
        &["analyse", "tictactoe", "--moves", "a1", "--agent", "minimax", "--lines", "3"],
        "",
    );
    assert!(table.contains("second to move\n"), "{table}");
    assert!(table.contains("\n1  b2        0  draw "), "{table}");
    assert!(table.contains("\n3  c1       -1  loss in 6 ") && !table.contains("\n4 "), "{table}");
    assert!(table.contains("5 more moves; list all with --lines all"), "{table}");
    assert!(table.contains("\nstopped      proven: "), "{table}");
}

#[test]
fn limits_end_a_search_and_are_its_stop_reason() {
    let nodes = minimax("gobblet", &["--nodes", "5000"]);
    assert_eq!((&nodes["stopped"], &nodes["stats"]["nodes"]), (&value!("nodes"), &value!(5000)));
    assert_eq!((&nodes["deterministic"], &nodes["outcome"]), (&value!(true), &Value::Null));
    let depth = minimax("gobblet", &["--depth", "2", "--nodes", "1000000"]);
    assert_eq!((&depth["stopped"], &depth["stats"]["depth"]), (&value!("depth"), &value!(2)));
    let time = minimax("gobblet", &["--time", "30ms"]);
    assert_eq!((&time["stopped"], &time["deterministic"]), (&value!("time"), &value!(false)));
    // Stopped before anything was found out: a move, but no value.
    let nothing = minimax("gobblet", &["--nodes", "1"]);
    assert!(nothing["best"].is_string());
    assert_eq!((&nothing["value"], &nothing["values"]), (&Value::Null, &Value::Null));
    assert_eq!(nothing["lines"][0]["value"], Value::Null);
}

#[test]
fn each_depth_is_printed_while_the_search_runs() {
    let args = ["analyse", "tictactoe", "--agent", "minimax:deepen=on", "--depth", "4", "--json"];
    let output = tussle(&args);
    let told = String::from_utf8(output.stderr).unwrap();
    let mut lines = told.lines();
    let heading: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(heading, ["depth", "value", "nodes", "nodes/s", "time", "line"]);
    let depths: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(depths, ["1", "2", "3", "4"]);
    assert!(!told.contains('\u{1b}'), "colours on a pipe");
}

#[test]
fn the_same_seed_and_nodes_give_the_same_bytes() {
    let run = |agent: &str, seed: &str| {
        let args =
            ["analyse", "gobblet", "--agent", agent, "--nodes", "20000", "--seed", seed, "--json"];
        let text = stdout(&args, "");
        let (answer, timing) = text.split_once(",\"timing\":").unwrap();
        assert!(timing.starts_with("{\"elapsed_ms\":") && timing.contains("\"nodes_per_s\":"));
        answer.to_owned()
    };
    for agent in ["minimax:shuffle=on", "random"] {
        assert_eq!(run(agent, "3"), run(agent, "3"));
        assert_ne!(run(agent, "3"), run(agent, "4"));
    }
}

#[test]
fn a_finished_game_is_answered_at_once() {
    let over = minimax("tictactoe", &["--moves", "a1 b1 a2 b2 a3"]);
    assert_eq!((&over["turn"], &over["best"]), (&value!("over"), &Value::Null));
    assert_eq!((&over["value"], &over["values"]), (&value!(1.0), &value!([1.0, -1.0])));
    assert_eq!((&over["outcome"], &over["distance"]), (&value!("win"), &value!(0)));
    assert_eq!((&over["lines"], &over["stats"]["nodes"]), (&value!([]), &value!(0)));
    let lost = minimax("tictactoe", &["--moves", "a1 b1 a2 b2 c3 b3"]);
    assert_eq!((&lost["value"], &lost["outcome"]), (&value!(-1.0), &value!("loss")));
    let leaf = minimax(LECTURE, &["--position", "M"]);
    assert_eq!((&leaf["values"], &leaf["visited"]), (&value!([-2.0, 2.0]), &value!([])));
    let told =
        stdout(&["analyse", "tictactoe", "--moves", "a1 b1 a2 b2 a3", "--agent", "minimax"], "");
    assert!(told.ends_with("over: first wins [1.0, -1.0]\n"), "{told}");
}

#[test]
fn a_forced_move_is_found() {
    let forced = minimax("tictactoe", &["--position", "xox/oxo/ox. x"]);
    assert_eq!((&forced["best"], &forced["outcome"]), (&value!("c1"), &value!("win")));
}

#[test]
fn pictures_show_the_worth_of_moves() {
    let folder = std::env::temp_dir().join(format!("tussle-heat-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (svg, png) = (folder.join("x.svg"), folder.join("x.png"));
    let files = ["--svg", svg.to_str().unwrap(), "--png", png.to_str().unwrap()];
    minimax("tictactoe", &[&["--moves", "a1"], &files[..]].concat());
    let picture = fs::read_to_string(&svg).unwrap();
    let shown = |label: &str| picture.matches(&format!(">{label}</text>")).count();
    assert_eq!((shown("="), shown("L6")), (1, 7));
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    for (game, moves) in [
        ("connect4", "4"),
        ("gobblet", ""),
        ("go", "C3"),
        ("keep-on-moving", ""),
        ("keep-on-moving:file=examples/boards/triangle.txt", ""),
        ("pentago-twist", ""),
        ("pentago", ""),
        ("backgammon", "31"),
        (LECTURE, ""),
        ("tree:file=examples/trees/kplayer.json", ""),
    ] {
        let args = ["analyse", game, "--moves", moves, "--agent", "greedy", "--theme", "dark"];
        stdout(&[&args[..], &files[..]].concat(), "");
        let picture = fs::read_to_string(&svg).unwrap();
        assert!(picture.contains("fill-opacity"), "{game} shows no heat");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_heat_map_shows_win_rates_and_says_so() {
    let folder = std::env::temp_dir().join(format!("tussle-rates-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let svg = folder.join("x.svg");
    let svg = svg.to_str().unwrap();
    let picture = |game: &str, agent: &str, heat: &str| {
        let nodes = ["--nodes", "400", "--svg", svg];
        let args = ["analyse", game, "--agent", agent, "--heat", heat];
        stdout(&[&args[..], &nodes].concat(), "");
        fs::read_to_string(svg).unwrap()
    };
    let shares = |picture: &str| {
        let labels = picture.split("</text>").filter_map(|part| part.rsplit('>').next());
        let shares = labels.filter_map(|label| label.strip_suffix('%')?.parse::<f64>().ok());
        shares.collect::<Vec<_>>()
    };
    for game in ["go:size=5", "connect4", "gobblet", "pentago-twist"] {
        let rates = picture(game, "mcts", "winrate");
        assert!(rates.contains(">Win rate of each move, first to move"), "{game}: {rates}");
        assert!(shares(&rates).iter().sum::<f64>() > 105.0, "{game}: rates, not shares");
    }
    let visits = picture("connect4", "mcts", "visits");
    assert!(visits.contains(">Share of the simulations behind each"), "{visits}");
    assert!((95.0..=105.0).contains(&shares(&visits).iter().sum::<f64>()), "{visits}");
    let values = picture("connect4", "alphabeta", "winrate");
    assert!(values.contains(">Value of each move, first to move"), "{values}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_heat_map_that_cannot_be_drawn_is_refused() {
    let png = std::env::temp_dir().join(format!("tussle-no-heat-{}.png", std::process::id()));
    let png = png.to_str().unwrap();
    let random = ["tictactoe", "--agent", "random", "--heat", "winrate", "--png", png];
    refused(2, &random, &["--heat: random reports one move only"]);
    refused(2, &["tictactoe", "--heat", "winrate"], &["--svg FILE or --png FILE"]);
    let other = ["tictactoe", "--heat", "warm", "--png", png];
    refused(2, &other, &["winrate"]);
    assert!(!std::path::Path::new(png).exists());
}

/// Checks that a request fails with this code and a message containing these parts.
fn refused(code: i32, args: &[&str], parts: &[&str]) {
    let output = tussle(&[&["analyse"], args].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{args:?}: no `{part}` in: {stderr}");
    }
}

#[test]
fn wrong_questions_are_refused_with_the_reason() {
    refused(2, &["tictactoe", "--agent", "minmax"], &["did you mean `minimax`?"]);
    refused(2, &["tictactoe", "--agent", "minimax:depth=-1"], &["depth=-1"]);
    refused(2, &["tictactoe", "--agent", "minimax:eval=area"], &["eval=area", "open-lines"]);
    let three = "tree:file=examples/trees/kplayer.json";
    refused(2, &[three, "--agent", "minimax"], &["3 players", "maxn"]);
    refused(2, &["tictactoe", "--agent", "human"], &["tussle play"]);
    for lines in ["0", "+-1", "some", ""] {
        refused(2, &["tictactoe", "--agent", "minimax", "--lines", lines], &["lines", "all"]);
    }
    for limit in ["--nodes", "--depth"] {
        refused(2, &["tictactoe", "--agent", "minimax", limit, "0"], &[limit]);
    }
    refused(2, &["tictactoe", "--agent", "minimax", "--time", "2"], &["2s"]);
    refused(2, &["tictactoe", "--agent", "minimax", "--moves", "a1,a1"], &["move 2", "taken"]);
    refused(2, &["backgammon", "--agent", "greedy"], &["roll first: --moves 21"]);
    let rolled = ["backgammon", "--agent", "greedy", "--moves", "31,8/5+6/5"];
    refused(2, &rolled, &["roll first: --moves …,11"]);
    // Even a finished game wants to be asked properly.
    refused(2, &["tictactoe", "--moves", "a1 b1 a2 b2 a3", "--agent", "x"], &["unknown agent"]);
}

#[test]
fn a_file_that_cannot_be_written_does_not_cost_the_answer() {
    for (file, code) in [("/dev/full", 1), ("/nowhere/x.svg", 2)] {
        let args = ["analyse", "tictactoe", "--agent", "greedy", "--json", "--svg", file];
        let output = tussle(&args);
        assert_eq!(output.status.code(), Some(code));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(answer["best"].is_string());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(&format!("cannot write {file}")), "{told}");
    }
}

#[test]
fn ctrl_c_ends_the_search_and_not_the_answer() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tussle"))
        .args(["analyse", "gobblet", "--agent", "minimax", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut first = String::new();
    told.read_line(&mut first).unwrap();
    assert_eq!(first, "no limit given: searching until a result is proven; stop with Ctrl-C\n");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let mut answer = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    assert!(child.wait().unwrap().success());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((&answer["stopped"], &answer["deterministic"]), (&value!("asked"), &value!(false)));
    assert!(answer["best"].is_string());
}
