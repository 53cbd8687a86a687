//! Wrong usage: exit code 2 and one message that names the place and the fix.

use std::fs;

use crate::common::{tussle, tussle_with_input};

/// Checks that a request is refused with a message containing these parts.
fn refused(args: &[&str], parts: &[&str]) {
    let output = tussle(args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{args:?}: {stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{args:?}: no `{part}` in: {stderr}");
    }
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    refused(&["show", "goblet"], &["unknown game `goblet`", "did you mean `gobblet`?"]);
    refused(&["show", "chess"], &["unknown game `chess`", "valid games: tictactoe"]);
    refused(&["show", ""], &["has no name"]);
    refused(&["match", "gobblet", "gredy", "random"], &["did you mean `greedy`?"]);
    refused(&["play", "tictactoe", "--vs", "nobody"], &["unknown agent `nobody`", "random"]);
    refused(&["games", "conect4"], &["did you mean `connect4`?"]);
    refused(&["shwo", "gobblet"], &["shwo"]);
}

#[test]
fn wrong_keys_and_values_are_answered_with_the_right_ones() {
    refused(&["show", "connect4:widht=5"], &["unknown key `widht`", "did you mean `width`?"]);
    refused(&["show", "connect4:width=0"], &["width=0", "whole number from 1"]);
    refused(&["show", "connect4:width=-3"], &["width=-3"]);
    refused(&["show", "connect4:width=seven"], &["width=seven"]);
    refused(&["show", "connect4:width=99999999999999999999"], &["width="]);
    refused(&["show", "connect4:width=9,height=9"], &["connect4", "64"]);
    refused(&["show", "connect4:width=5,width=6"], &["`width` is given twice"]);
    refused(&["show", "connect4:5"], &["`5` is not of the form key=value"]);
    refused(&["show", "tictactoe:size=4"], &["unknown key `size`", "it takes no keys"]);
    refused(&["show", "keep-on-moving:board=5"], &["board=5", "0 to 4"]);
    refused(&["show", "keep-on-moving:board=1,file=x.txt"], &["file=x.txt"]);
    let agents = |spec| ["match", "gobblet", spec, "random"];
    refused(&agents("greedy:eval=area"), &["eval=area", "visible", "pairs", "outcome"]);
    refused(&agents("greedy:ties=middle"), &["ties=middle", "first", "last", "random"]);
    refused(&agents("human"), &["human", "tussle play"]);
    refused(&agents("expectimax:opponent=nowhere.txt"), &["best, uniform, course", "cannot open"]);
    refused(&agents("maxn:depth=-1"), &["depth=-1", "1 to 2048"]);
    let improved = ["match", "tictactoe", "greedy-improved", "random"];
    refused(&improved, &["greedy:eval=pairs", "open-lines"]);
}

#[test]
fn agents_for_other_games_say_which_ones_are_for_this_one() {
    let three = "keep-on-moving:file=examples/boards/triangle.txt";
    for agent in ["minimax", "alphabeta"] {
        let round = ["match", three, agent, "random", "random"];
        refused(&round, &[agent, "3 players", "use maxn or paranoid"]);
    }
    refused(&["match", "backgammon", "paranoid", "random"], &["chance", "use expectimax"]);
    let classes = ["match", "connect4", "expectimax:opponent=course", "random"];
    refused(&classes, &["opponent=course", "move classes"]);
    let range = ["match", "keep-on-moving", "expectimax:prune=star1", "random"];
    refused(&range, &["prune=star1", "territory"]);
}

#[test]
fn wrong_moves_say_which_one_and_why() {
    let show = |game, moves| ["show", game, "--moves", moves];
    refused(&show("tictactoe", "b2,b2"), &["move 2", "`b2`", "taken"]);
    refused(&show("tictactoe", "d4"), &["move 1", "`d4`", "a1 to c3"]);
    refused(&show("tictactoe", "a1,b1,a2,b2,a3,c3"), &["move 6", "over"]);
    refused(&show("connect4", "8"), &["move 1", "`8`"]);
    refused(&show("connect4", "4,4,4,4,4,4,4"), &["move 7", "full"]);
    refused(&show("gobblet", "B1@9"), &["`B1@9`"]);
    refused(&show("gobblet", "B1@4,S1@4"), &["move 2", "`S1@4`"]);
    refused(&show("keep-on-moving", "R"), &["move 1", "`R`"]);
    refused(&show("gobblet", "💥"), &["💥"]);
    refused(&show("backgammon", "77"), &["move 1", "`77`", "no die shows 7"]);
    refused(&show("backgammon", "11"), &["move 1", "opening roll is never a double"]);
    refused(&show("backgammon", "31,8/5"), &["move 2", "both dice must be played"]);
    for (script, why) in
        [("b2,b2", "move 2 of 2 is illegal"), ("b2", "the list ends after 1 move ")]
    {
        // An agent without a move loses the game; the match continues.
        let agent = format!("script:moves={script}");
        let output = tussle(&["match", "tictactoe", &agent, "random", "--games", "1", "--json"]);
        assert!(output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{output:?}");
        let played: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(played["verdicts"]["crash"], 1);
    }
}

#[test]
fn impossible_positions_are_refused() {
    fn show<'a>(game: &'a str, position: &'a str) -> [&'a str; 4] {
        ["show", game, "--position", position]
    }
    refused(&show("tictactoe", "xxx/ooo/... x"), &["three in a row"]);
    refused(&show("tictactoe", "garbage"), &["three rows of three"]);
    refused(&show("connect4", "......./......./......./..x..../......./....... o"), &["column 3"]);
    refused(&show("gobblet", "nonsense"), &["nonsense"]);
    refused(&show("keep-on-moving", "12"), &["12"]);
    let board = "/..##../....../....../......";
    let swapped = format!("..##../.2##1.{board} 1");
    refused(&show("keep-on-moving", &swapped), &["player"]);
    let far = format!("#.##../.1##2.{board} 2");
    refused(&show("keep-on-moving", &far), &["player 1"]);
    let walled = "######/#1##2#/######/######/######/###### 1";
    refused(&show("keep-on-moving", walled), &["player 1"]);
    let dice = "24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 first 73";
    refused(&show("backgammon", dice), &["`73`", "no die shows 7"]);
    refused(&show("tree:file=examples/trees/lecture-alphabeta.json", "Z"), &["Z"]);
}

/// Checks that a record is refused with a message containing these parts.
fn refused_record(text: &str, parts: &[&str]) {
    let path = std::env::temp_dir().join(format!("tussle-bad-{}.sgf", std::process::id()));
    fs::write(&path, text).unwrap();
    refused(&["show", "go", "--sgf", path.to_str().unwrap()], parts);
    fs::remove_file(&path).unwrap();
}

#[test]
fn malformed_files_are_refused_by_place() {
    let folder = std::env::temp_dir().join(format!("tussle-bad-files-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let with = |kind: &str, name: &str, text: &[u8], parts: &[&str]| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        refused(&["show", &format!("{kind}:file={}", path.display())], parts);
    };
    let board = |name: &str, text: &str, parts: &[&str]| {
        with("keep-on-moving", name, text.as_bytes(), parts);
    };
    board("empty.txt", "", &["keep-on-moving"]);
    board("ragged.txt", "1..\n..2.\n", &["line 2"]);
    board("letters.txt", "1..\n.x2\n", &["line 2"]);
    board("one.txt", "1..\n...\n", &["2"]);
    board("twice.txt", "1.1\n..2\n", &["line 1"]);
    board("gap.txt", "1..\n..3\n", &["2"]);
    board("wide.txt", &format!("1{}2\n", ".".repeat(80)), &["64"]);
    with("keep-on-moving", "bytes.txt", b"1.2\n\xff\xfe\n", &["not UTF-8", "line 2"]);
    let tree = |name: &str, text: &str, parts: &[&str]| with("tree", name, text.as_bytes(), parts);
    tree("garbage.json", "{", &["tree", "line 1"]);
    tree("cycle.json", r#"{"root":"A","nodes":{"A":{"max":["B"]},"B":{"min":["A"]}}}"#, &["A"]);
    tree("missing.json", r#"{"root":"A","nodes":{"A":{"max":["B","C"]},"B":1}}"#, &["C"]);
    tree(
        "odds.json",
        r#"{"root":"A","nodes":{"A":{"chance":[{"to":"B","p":0.5},{"to":"C","p":0.4}]},"B":1,"C":2}}"#,
        &["A", "0.9"],
    );
    tree("root.json", r#"{"root":"Q","nodes":{"A":1}}"#, &["Q"]);
    tree("deep.json", &"[".repeat(200_000), &["tree"]);
    fs::remove_dir_all(&folder).unwrap();

    refused_record("(;GM[1]SZ[5];B[cc];W[cc])", &["move 2", "C3"]);
    refused_record("(;GM[1]SZ[50];B[cc])", &["50x50", "19x19"]);
    refused_record("nonsense", &["SGF"]);
    refused_record("(;GM[2]SZ[8])", &["SGF"]);
    refused(&["show", "go", "--sgf", "/nowhere/x.sgf"], &["/nowhere/x.sgf"]);
    refused(&["show", "go:komi=0.3"], &["komi=0.3", "half"]);
    refused(&["show", "go:komi=much"], &["komi=much"]);
    refused(&["show", "backgammon", "--moves", "77"], &["`77`", "no die shows 7"]);
    refused(&["show", "tictactoe", "--write-sgf", "/tmp/x.sgf"], &["expected a game of go"]);

    refused(&["show", "tree"], &["file"]);
    refused(&["show", "tree:file=/nowhere/at/all.json"], &["cannot open the file"]);
    refused(&["show", "tree:file=/"], &["cannot read the file"]);
}

#[test]
fn wrong_usage_is_refused() {
    refused(&["perft", "gobblet", "-1"], &["-1"]);
    refused(&["perft", "gobblet", "100000"], &["100000"]);
    refused(&["match", "gobblet", "greedy"], &["2 players", "1 agent was named"]);
    refused(&["match", "gobblet", "random", "random", "--games", "0"], &["0"]);
    refused(&["match", "gobblet", "random", "random", "--clock", "soon"], &["soon", "2s"]);
    for clock in ["0s", "15s+", "30s/0s", "1s/2s/3s"] {
        let args = ["match", "gobblet", "random", "random", "--clock", clock];
        refused(&args, &[clock, "15s+1s (base time and increment)", "30s/2s"]);
    }
    refused(&["bench", "overrun", "--min", "5ms", "--max", "1ms"], &["--min is longer"]);
    refused(&["bench", "overrun", "--searches", "0"], &["0"]);
    refused(&["bench", "overrun", "backgammon"], &["alphabeta", "chance"]);
    for threads in ["0", "257", "1,,2", "two"] {
        refused(&["bench", "mcts", "tictactoe", "--threads", threads], &["--threads"]);
    }
    refused(&["bench", "mcts", "tictactoe", "--rounds", "0"], &["--rounds"]);
    refused(&["bench", "mcts", "tictactoe", "--simulations", "0"], &["--simulations"]);
    refused(&["bench", "arena", "backgammon"], &["without chance"]);
    refused(&["bench", "arena", "--plies", "0"], &["--plies"]);
    refused(&["bench", "mcts", "tictac"], &["did you mean `tictactoe`"]);
    refused(&["play", "gobblet", "--side", "third"], &["third", "first, second", "1 to 2"]);
    refused(&["show", "tictactoe", "--svg", "/nowhere/x.svg"], &["cannot write /nowhere/x.svg"]);
    refused(&["show", "tictactoe", "--png", "/tmp/x.png", "--scale", "1e9"], &["PNG"]);
    refused(&["show", "tictactoe", "--png", "/tmp/x.png", "--scale", "0"], &["PNG"]);
    refused(&["bench", "playouts", "connect4", "--time", "0s"], &["0s"]);
    refused(
        &["bench", "playouts", "--heavy", "backgammon", "--count", "1"],
        &["backgammon has no heavy playouts", "connect4, gobblet, go, pentago-twist, pentago"],
    );
    refused(&["completions", "perl"], &["perl"]);
    refused(&["play", "tictactoe", "--vs", "human:age=7"], &["unknown key `age`"]);
    let course = ["match", "tree:file=examples/trees/kplayer.json", "random", "random", "random"];
    refused(&[&course[..], &["--style", "course"]].concat(), &["two players"]);
}

#[test]
fn full_disks_and_endless_input_are_errors() {
    let full = tussle(&["show", "tictactoe", "--svg", "/dev/full"]);
    assert_eq!(full.status.code(), Some(1));
    let endless = "x".repeat(8 << 20) + "\na1\nquit\n";
    let played = tussle_with_input(&["play", "tictactoe"], &endless);
    assert!(played.status.success());
    assert!(played.stdout.len() < 10_000, "the line was echoed");
}

#[test]
fn a_tree_of_a_million_nodes_is_shown_and_counted() {
    let names: Vec<String> = (1..1_000_000).map(|i| format!("\"n{i}\"")).collect();
    let leaves: Vec<String> = names.iter().map(|name| format!(",{name}:1")).collect();
    let text = format!(
        "{{\"root\":\"A\",\"nodes\":{{\"A\":{{\"max\":[{}]}}{}}}}}",
        names.join(","),
        leaves.concat()
    );
    let path = std::env::temp_dir().join(format!("tussle-million-{}.json", std::process::id()));
    fs::write(&path, text).unwrap();
    let spec = format!("tree:file={}", path.display());
    let counted = tussle(&["perft", &spec, "1"]);
    let picture = path.with_extension("svg");
    let shown = tussle(&["show", &spec, "--svg", picture.to_str().unwrap(), "--json"]);
    let drawn = fs::metadata(&picture).unwrap().len();
    fs::remove_file(&picture).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(counted.status.success() && shown.status.success());
    assert!(String::from_utf8_lossy(&counted.stdout).contains("perft(1) = 999999"));
    assert!(drawn < 2_000_000, "the picture has {drawn} bytes");
}

#[test]
fn the_rules_service_survives_garbage() {
    let garbage = "\n{}\nnot json\n[1]\n{\"op\":\"fly\"}\n{\"op\":\"moves\"}\n\
                   {\"op\":\"apply\",\"state\":1}\n{\"op\":\"moves\",\"state\":77,\"id\":5}\n\
                   {\"op\":\"moves\",\"state\":-1}\n{\"op\":\"start\",\"postion\":\"x\",\"id\":6}\n\
                   {\"op\":\"start\"}\n";
    let long = format!("{}{}\n{{\"op\":\"start\"}}\n", garbage, "x".repeat(3 << 20));
    let output = tussle_with_input(&["rules", "tictactoe"], &long);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> =
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(output.status.success());
    assert_eq!(lines.len(), 12, "{stdout}");
    assert!(lines[..9].iter().all(|line| line["error"].is_string()), "{stdout}");
    assert_eq!((&lines[6]["id"], &lines[8]["id"]), (&5.into(), &6.into()));
    assert_eq!(lines[9]["state"], 1);
    assert!(lines[10]["error"].as_str().unwrap().contains("longer"));
    assert_eq!(lines[11]["state"], 2);
}

#[test]
fn power_rejects_differences_that_games_cannot_show() {
    refused(&["power"], &["--elo <E>", "--score <SHARE>"]);
    refused(&["power", "--elo", "20", "--score", "0.6"], &["cannot be used with"]);
    refused(&["power", "--elo", "0"], &["difference of 0 Elo; write another one"]);
    refused(&["power", "--elo", "nan"], &["NaN Elo; write one from 0.05 to 1900"]);
    refused(&["power", "--elo", "inf"], &["write one from 0.05 to 1900, either way"]);
    refused(&["power", "--elo", "1e-9"], &[" Elo; write one from 0.05"]);
    refused(&["power", "--elo", "many"], &["many"]);
    refused(&["power", "--score", "0.5"], &["the score is 0.5", "from 0.50007 to 0.99999"]);
    refused(&["power", "--score", "-1"], &["the score is -1"]);
    refused(&["power", "--score", "55"], &["the score is 55"]);
    refused(&["power", "--elo", "9", "--draws", "1"], &["the share of draws is 1"]);
    refused(&["power", "--score", "0.9", "--draws", "0.5"], &["write a share up to 0.2000"]);
    refused(&["power", "--elo", "9", "--alpha", "0"], &["alpha is 0; write"]);
    refused(&["power", "--elo", "9", "--power", "1"], &["the power is 1; write"]);
}
