//! The commands as a user meets them.

use std::process::{Command, Stdio};

use crate::common::{Folder, json, stdout, tussle, tussle_with_input};
use serde_json::{Value, json as value};

#[test]
fn perft_counts_are_the_published_ones() {
    for (game, depth, nodes) in [
        ("gobblet", 4, 5_269_536_u64),
        ("tictactoe", 9, 127_872),
        ("connect4", 5, 16_807),
        ("go", 3, 15_650),
        ("pentago-twist", 3, 21_934_080),
        ("backgammon", 1, 15),
        ("tree:file=examples/trees/lecture-alphabeta.json", 3, 8),
        ("gobblet", 0, 1),
    ] {
        let counted = json(&["perft", game, &depth.to_string(), "--json"]);
        assert_eq!(counted["game"], game);
        assert_eq!(counted["depth"], depth);
        assert_eq!(counted["nodes"], nodes, "{game}");
    }
    let divided = json(&["perft", "tictactoe", "2", "--divide", "--json"]);
    assert_eq!(divided["divide"]["b2"], 8);
}

#[test]
fn show_describes_a_position() {
    let shown = json(&["show", "tictactoe", "--moves", "b2,a1", "--json"]);
    assert_eq!(shown["game"], "tictactoe");
    assert_eq!(shown["position"], ".../.x./o.. x");
    assert_eq!(shown["turn"], "first");
    assert_eq!(shown["moves"], value!(["b1", "c1", "a2", "c2", "a3", "b3", "c3"]));
    assert_eq!(shown["result"], Value::Null);
    assert!(shown["drawing"].as_str().unwrap().contains("1  o . ."));

    let over = json(&["show", "tictactoe", "--moves", "a1 b1 a2 b2 a3", "--json"]);
    assert_eq!((&over["turn"], &over["result"]), (&value!("over"), &value!([1.0, -1.0])));

    let again = json(&["show", "tictactoe", "--position", ".../.x./o.. x", "--json"]);
    assert_eq!(again, shown);

    let coin = json(&["show", "tree:file=examples/trees/star1.json", "--json"]);
    assert_eq!(coin["turn"], "first");
}

#[test]
fn pictures_are_written() {
    let folder = std::env::temp_dir().join(format!("tussle-pictures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let games = json(&["games", "--json"]);
    let games: Vec<&str> =
        games.as_array().unwrap().iter().filter_map(|g| g["name"].as_str()).collect();
    assert_eq!(games.len(), 9);
    for game in games {
        let game = if game == "tree" { "tree:file=examples/trees/kplayer.json" } else { game };
        let (svg, png) = (folder.join("x.svg"), folder.join("x.png"));
        let files = [svg.to_str().unwrap(), png.to_str().unwrap()];
        stdout(&["show", game, "--svg", files[0], "--png", files[1], "--theme", "dark"], "");
        assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
        assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn random_games_have_the_known_shares() {
    let near = |measured: &Value, known: f64, by: f64| {
        let measured = measured.as_f64().unwrap();
        assert!((measured - known).abs() < by, "{measured} is not {known}");
    };
    for (game, length, first, draw, second) in [
        ("connect4", 21.3, 0.555, 0.003, 0.442),
        ("tictactoe", 7.63, 0.585, 0.127, 0.288),
        ("go", 35.35, 0.507, 0.004, 0.489),
        ("go:komi=7.5", 35.35, 0.261, 0.004, 0.735),
        ("pentago:early=off", 28.1, 0.504, 0.083, 0.412),
    ] {
        let bench = json(&["bench", "playouts", game, "--count", "400000", "--json"]);
        assert_eq!(bench["playouts"], 400_000);
        near(&bench["mean_length"], length, 0.1);
        near(&bench["outcomes"]["first"], first, 0.004);
        near(&bench["outcomes"]["draw"], draw, 0.002);
        near(&bench["outcomes"]["second"], second, 0.004);
        assert!(bench["playouts_per_s"].as_f64().unwrap() > 0.0);
        assert!(bench["moves_per_s"].as_f64().unwrap() > 0.0);
        assert_eq!(bench["rollout"], "random");
    }
}

#[test]
fn the_arena_measures_itself() {
    let bench = json(&["bench", "arena", "tictactoe", "--plies", "30", "--json"]);
    assert_eq!((&bench["game"], &bench["plies"]), (&value!("tictactoe"), &value!(30)));
    for (protocol, name) in bench["protocols"].as_array().unwrap().iter().zip(["ugi", "json"]) {
        assert_eq!(protocol["protocol"], name);
        let time = |key: &str| protocol[key].as_f64().unwrap();
        assert!(0.0 < time("p50_us") && time("p50_us") <= time("worst_us"));
    }
}

#[test]
fn heavy_playouts_differ_from_random_playouts() {
    for (game, length) in [("connect4", 25.6), ("gobblet", 6.2), ("go", 39.2), ("pentago", 21.6)] {
        let bench = json(&["bench", "playouts", game, "--heavy", "--count", "40000", "--json"]);
        assert_eq!(bench["rollout"], "heavy");
        assert_eq!(bench["playouts"], 40_000);
        let measured = bench["mean_length"].as_f64().unwrap();
        assert!((measured - length).abs() < 0.2, "{measured} plies of {game}, not {length}");
    }
    let all = tussle(&["bench", "playouts", "--heavy", "--count", "100", "--json"]);
    let text = String::from_utf8(all.stdout).unwrap();
    assert!(text.contains("pentago-twist") && !text.contains("backgammon"), "{text}");
}

#[test]
fn greedy_beats_random_as_published() {
    // Published: 92.6 % of 1000 games for greedy, 98.8 % for greedy-improved.
    for (agent, share) in [("greedy", 0.926_f64), ("greedy-improved", 0.988)] {
        let args =
            ["match", "gobblet", agent, "random", "--games", "2000", "--seed", "11", "--json"];
        let played = json(&args);
        let [games, wins, draws, losses] =
            ["games", "wins", "draws", "losses"].map(|key| played[key].as_u64().unwrap());
        assert_eq!((games, wins + draws + losses), (2000, 2000));
        // Three standard errors of the difference between 1000 and 2000 games.
        let error = 3.0 * (share * (1.0 - share) * (1.0 / 1000.0 + 1.0 / 2000.0)).sqrt();
        let won = wins as f64 / games as f64;
        assert!((won - share).abs() < error, "{agent} won {won}, published {share} ± {error}");
    }
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let play = |seed| {
        let args = ["match", "gobblet", "greedy", "random", "--games", "50", "--seed", seed];
        let mut played = json(&[&args[..], &["--json"]].concat());
        played.as_object_mut().unwrap().remove("timing");
        played
    };
    assert_eq!(play("3"), play("3"));
    assert_ne!(play("3"), play("4"));
}

#[test]
fn a_match_without_time_limits_is_deterministic() {
    let play = |agent: &str, clock: &str| {
        let args = ["match", "connect4", agent, "random", "--games", "2", "--json"];
        json(&[&args[..], &["--clock", clock, "--margin", "1ms"]].concat())
    };
    for clock in ["2s", "15s+1s", "30s/2s", "60s+0s"] {
        let played = play("minimax:depth=2", clock);
        assert_eq!(played["clock"], clock);
        assert_eq!(played["deterministic"], true, "{clock}");
        assert_eq!(played["time_losses"], value!([0, 0]), "{clock}");
    }
    for clock in ["10ms", "200ms+5ms", "30ms/10ms"] {
        let args = ["match", "connect4", "minimax", "random", "--games", "2", "--json"];
        // On a busy machine no game may count, which is a failure.
        let output = tussle(&[&args[..], &["--clock", clock, "--margin", "1ms"]].concat());
        let played: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(played["deterministic"], false, "{clock}");
    }
}

/// No agent moves within a hundred nanoseconds, so the first player loses.
const NO_TIME: &str = "0.0001ms";

#[test]
fn a_player_that_runs_out_of_time_loses() {
    let args = ["match", "tictactoe", "random", "greedy", "--games", "5", "--clock", NO_TIME];
    let played = json(&[&args[..], &["--json"]].concat());
    assert_eq!(played["time_losses"], value!([3, 2]));
    assert_eq!((&played["wins"], &played["losses"]), (&value!(2), &value!(3)));
    assert_eq!((&played["mean_length"], &played["deterministic"]), (&value!(0.0), &value!(false)));
    let table = stdout(&args, "");
    assert!(table.contains("\ntime losses of random: 3\ntime losses of greedy: 2\n"), "{table}");

    // Of three players the two others share the point.
    let triangle = "keep-on-moving:file=examples/boards/triangle.txt";
    let args = ["match", triangle, "random", "random", "random", "--games", "4"];
    let played = json(&[&args[..], &["--clock", NO_TIME, "--json"]].concat());
    assert_eq!(played["time_losses"], value!([2, 1, 1]));
    assert_eq!((&played["draws"], &played["losses"]), (&value!(2), &value!(2)));
    assert_eq!(played["score"], 0.25);

    let game = stdout(&["play", "tictactoe", "--vs", "random", "--clock", NO_TIME], "b2\n");
    assert!(game.ends_with("second ran out of time: the game is lost.\n"), "{game}");
}

#[test]
fn lateness_is_measured_idle_and_loaded() {
    let args = ["bench", "overrun", "gobblet", "connect4", "--searches", "12", "--max", "3ms"];
    let measured = json(&[&args[..], &["--agent", "minimax", "--json"]].concat());
    assert_eq!(measured["games"], value!(["gobblet", "connect4"]));
    let loads = measured["loads"].as_array().unwrap();
    assert_eq!(loads.iter().map(|l| &l["load"]).collect::<Vec<_>>(), ["idle", "loaded"]);
    for load in loads {
        assert_eq!(load["searches"], 12);
        assert!(load["timed"].as_u64().unwrap() > 0);
        let late = ["p50_ms", "p99_ms", "p999_ms", "worst_ms"].map(|k| load[k].as_f64().unwrap());
        assert!(late[0] >= 0.0 && late.is_sorted(), "{late:?}");
    }
    let table = stdout(&[&args[..], &["--load", "idle"]].concat(), "");
    assert!(table.starts_with("ms late") && table.lines().count() == 2, "{table}");
}

#[test]
fn simulations_are_measured_for_each_number_of_threads() {
    let args = ["bench", "mcts", "connect4", "backgammon", "--simulations", "300", "--rounds", "2"];
    let measured = json(&[&args[..], &["--threads", "1,3", "--json"]].concat());
    assert_eq!((&measured["simulations"], &measured["rounds"]), (&value!(300), &value!(2)));
    assert!(measured["timing"]["elapsed_ms"].as_f64().unwrap() > 0.0);
    let speeds = measured["speeds"].as_array().unwrap();
    let measured: Vec<_> =
        speeds.iter().map(|s| (s["game"].as_str(), s["threads"].as_u64())).collect();
    let games = [Some("connect4"), Some("backgammon")];
    assert_eq!(measured, games.map(|game| [(game, Some(1)), (game, Some(3))]).concat());
    for speed in speeds {
        assert_eq!(speed["simulations"], 300, "{speed}");
        assert!(speed["simulations_per_s"].as_f64().unwrap() > 0.0, "{speed}");
        assert!(speed["bytes"].as_u64().unwrap() > 0, "{speed}");
    }
    // By default: one thread, and as many threads as cores.
    let cores = std::thread::available_parallelism().unwrap().get();
    let table = stdout(&args, "");
    assert!(table.starts_with("game") && table.contains("simulations/s"), "{table}");
    assert_eq!(table.lines().count(), 1 + 2 * cores.min(2), "{table}");
}

#[test]
fn the_course_style_prints_what_the_courses_print() {
    let line = stdout(
        &["match", "gobblet", "greedy", "greedy-improved", "--games", "100", "--style", "course"],
        "",
    );
    // Greedy loses from either side, every time: both agents are deterministic.
    assert_eq!(
        line,
        "ties:  0.0 %  greedy player1 wins:  0.0 %  greedy-improved player2 wins:  100.0\n"
    );
    let game = stdout(
        &[
            "match",
            "keep-on-moving:board=3",
            "simple",
            "simple",
            "--games",
            "1",
            "--style",
            "course",
        ],
        "",
    );
    let lines: Vec<&str> = game.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "Starting Game",
            "simple VS simple",
            "Board 3",
            "Players (besides LivePlayer) have 2.0 seconds to make a move"
        ]
    );
    assert!(lines[4].chars().all(|c| c == '='));
    assert_eq!(lines[5..7], ["Agent: simple", "Move No: 1"]);
    assert!(game.contains("\nDepth reached : 1\nLeaves developed: 1, Heuristics used : 1, "));
    assert!(game.contains("\nMove chosen: (1, 0) Value = "));
    assert_eq!(lines.last(), Some(&"It's a Tie!"));
    assert_eq!(game.matches("Move No: ").count(), 10);
    // Each player counts its own moves.
    let last = lines.iter().rev().filter(|line| line.starts_with("Move No: "));
    assert_eq!(last.take(2).collect::<Vec<_>>(), [&"Move No: 5", &"Move No: 5"]);
}

#[test]
fn the_course_style_prints_proven_values_and_no_block_for_people() {
    let match_of = |board: &str, agent: &str| {
        let args = ["match", board, agent, agent, "--games", "1", "--clock", "1m"];
        stdout(&[&args[..], &["--style", "course"]].concat(), "")
    };
    // Board 3 is a tie under perfect play, which is worth -9999 to the course's agents.
    let tie = match_of("keep-on-moving:board=3", "alphabeta-2020");
    assert!(tie.contains("Value = -9999\n") && !tie.contains("Value = 99999\n"), "{tie}");
    assert!(tie.contains("have 60.0 seconds to make a move\n"), "{tie}");

    // The agent has two cells more than the person and sees it at once.
    let folder = Folder::new("course-play");
    let board = folder.path("board.txt");
    std::fs::write(&board, "..#...\n1.#2..\n").expect("a file");
    let spec = format!("keep-on-moving:file={board}");
    let args = ["play", &spec, "--vs", "minimax-2020", "--style", "course", "--clock", "1m"];
    let game = stdout(&args, "R\nU\nL\n");
    let blocks: Vec<&str> = game.lines().filter(|line| line.starts_with("Agent: ")).collect();
    assert!(blocks.iter().all(|line| *line == "Agent: minimax-2020"), "{game}");
    assert!(!game.contains("Agent: LivePlayer"), "{game}");
    assert!(game.contains("LivePlayer VS minimax-2020\n"), "{game}");
    let numbers: Vec<&str> = game.lines().filter(|line| line.starts_with("Move No: ")).collect();
    assert_eq!(numbers, ["Move No: 1", "Move No: 2", "Move No: 3"], "{game}");
    let last = game.lines().rev().find(|line| line.starts_with("Move chosen: "));
    assert_eq!(last, Some("Move chosen: (0, 1) Value = 99999"), "{game}");
    assert!(game.ends_with("Player 2 Won!\n"), "{game}");
}

/// Replaces the number at the end of every line about a step's time.
fn without_step_times(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("time for step was ") {
        Some(seconds) => {
            assert!(seconds.parse::<f64>().is_ok_and(|s| s >= 0.0), "{line}");
            "time for step was S".to_owned()
        }
        None => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_gobblet_course_prints_every_step() {
    let args = ["play", "gobblet", "--style", "course"];
    let game = without_step_times(&stdout(&args, "B1@0\nS1@8\nB2@1\nM1@7\nM1@2\n"));
    let step = |player: usize, pawn: &str, location: usize| {
        format!(
            "player {player}\ninsert action\ninsert pawn: {pawn}\ninsert location: {location}\n"
        )
    };
    assert!(game.contains(&step(0, "B1", 0)), "{game}");
    assert!(game.contains(&step(1, "S1", 8)), "{game}");
    assert!(game.ends_with("\ntime for step was S\nwinner is: 1"), "{game}");
    assert_eq!(game.matches("time for step was S").count(), 5);
    assert!(!game.contains("Agent:") && !game.contains("Starting Game"), "{game}");
    // The piece and its cell may be two answers, as in the course.
    let apart = stdout(&args, "B1\n0\nS1\n8\nB2\n1\nM1\n7\nM1\n2\n");
    assert_eq!(without_step_times(&apart), game);
    // Agents are not asked; the second player wins here.
    let agent = ["play", "gobblet", "--vs", "greedy-improved", "--style", "course"];
    let lost = without_step_times(&stdout(&agent, "resign\n"));
    assert!(lost.ends_with("winner is: 2"), "{lost}");
    let first = [&agent[..], &["--side", "second"]].concat();
    let first = without_step_times(&stdout(&first, "S1@0\nresign\n"));
    assert!(first.contains("\nplayer 0\n\n"), "{first}");
    assert_eq!(first.matches("insert pawn: ").count(), 1, "{first}");
    let tie = ["play", "gobblet:steps=1", "--style", "course"];
    let tie = without_step_times(&stdout(&tie, "B1@0\n"));
    assert!(tie.ends_with("time for step was S\ntie"), "{tie}");
}

#[test]
fn games_without_a_course_printout_are_printed_plainly() {
    for game in ["pentago-twist", "tictactoe"] {
        let args = ["match", game, "random", "random", "--games", "2"];
        let text = stdout(&[&args[..], &["--style", "course"]].concat(), "");
        let plain = stdout(&args, "");
        let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        assert_eq!(first(&text), first(&plain), "{text}");
        assert!(!text.contains("player1 wins"), "{text}");
    }
    let args = ["play", "tictactoe", "--style", "course"];
    let game = stdout(&args, "a1\nb1\na2\nb2\na3\n");
    assert!(game.ends_with("Game over: first wins.\n"), "{game}");
    assert!(!game.contains("Starting Game") && !game.contains("Agent:"), "{game}");
}

#[test]
fn a_person_plays_through_a_pipe_to_the_end() {
    let cells = "help\nmoves\nb2\nb2\nz9\nundo\nb2\na1\na2\na3\nb1\nb3\nc1\nc2\nc3\n";
    let game = stdout(&["play", "tictactoe", "--vs", "random", "--seed", "5"], cells);
    assert!(game.contains("Game over: "), "{game}");
    assert!(game.contains("`z9`: a move is a cell, a1 to c3. Type `moves`"), "{game}");
    assert!(!game.contains('\u{1b}'), "colours on a pipe");

    let two = stdout(&["play", "tictactoe"], "a1\nb1\na2\nundo\na2\nb2\na3\n");
    assert!(two.ends_with("Game over: first wins.\n"), "{two}");

    let resigned = stdout(&["play", "gobblet", "--vs", "greedy", "--side", "second"], "resign\n");
    assert!(resigned.contains("second resigns"), "{resigned}");

    let three = ["play", "keep-on-moving:file=examples/boards/triangle.txt", "--vs", "random"];
    assert!(stdout(&three, "quit\n").contains("left unfinished"));

    let unfinished = tussle_with_input(&["play", "tictactoe"], "a1\n");
    assert_eq!(unfinished.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&unfinished.stderr).contains("input ended after 1 move"));
}

#[test]
fn undo_against_an_agent_takes_its_answer_back_too() {
    let game = stdout(&["play", "tictactoe", "--vs", "random"], "b2\nundo\na1\nquit\n");
    let last = game.rsplit("first (human): ").next().unwrap();
    assert!(last.starts_with("a1"), "{game}");
    let board = last.split("second (random)").next().unwrap();
    assert!(board.contains("2  . . .") && board.contains("1  x . ."), "{board}");
}

#[test]
fn the_rules_service_plays_by_handle_and_by_text() {
    let session = [
        r#"{"op":"info","id":"a"}"#,
        r#"{"op":"start"}"#,
        r#"{"op":"apply","state":1,"move":"B1@4"}"#,
        r#"{"op":"moves","state":2}"#,
        r#"{"op":"eval","state":2,"eval":"visible","player":0}"#,
        r#"{"op":"result","state":2}"#,
        r#"{"op":"draw","state":2}"#,
        r#"{"op":"release","state":2}"#,
        r#"{"op":"moves","state":2}"#,
        r#"{"op":"playout","state":1,"seed":9}"#,
    ];
    let text = stdout(&["rules", "gobblet"], &session.join("\n"));
    let answers: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((&answers[0]["id"], &answers[0]["players"]), (&value!("a"), &value!(2)));
    assert_eq!((&answers[1]["state"], &answers[1]["turn"]), (&value!(1), &value!("first")));
    assert_eq!((&answers[2]["state"], &answers[2]["player"]), (&value!(2), &value!(1)));
    assert_eq!(answers[3]["moves"].as_array().unwrap().len(), 48); // every cell but the middle
    assert_eq!(answers[4]["value"], 1.0);
    assert_eq!(answers[5]["result"], Value::Null);
    assert!(answers[6]["drawing"].as_str().unwrap().contains("B1"));
    assert_eq!(answers[7]["released"], 2);
    assert!(answers[8]["error"].is_string());
    assert_eq!(answers[9]["result"].as_array().unwrap().len(), 2);

    let position = &answers[2]["position"];
    let request = value!({ "op": "apply", "state": position, "move": "B1@0" });
    let text = stdout(&["rules", "gobblet"], &request.to_string());
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["state"], answer["position"]);
}

#[test]
fn lists_name_every_game_and_agent() {
    let games = json(&["games", "--json"]);
    let names: Vec<&str> =
        games.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"gobblet") && names.contains(&"tree"), "{names:?}");
    let table = stdout(&["games"], "");
    assert!(names.iter().all(|name| table.contains(name)));
    let agents = stdout(&["agents"], "");
    for name in ["human", "random", "greedy", "greedy-improved", "simple", "script"] {
        assert!(agents.contains(name));
    }
    for name in ["expectimax", "maxn", "paranoid"] {
        assert!(agents.contains(name));
    }
}

#[test]
fn searches_for_many_players_and_for_dice_play() {
    let board = "keep-on-moving:file=examples/boards/triangle.txt";
    let round = ["match", board, "maxn:depth=4", "paranoid:depth=4", "random", "--games", "3"];
    let played = json(&[&round[..], &["--json"]].concat());
    assert_eq!((&played["games"], &played["deterministic"]), (&value!(3), &value!(true)));

    let dice = ["match", "backgammon", "expectimax:depth=2,eval=blots", "random", "--games", "4"];
    let played = json(&[&dice[..], &["--json"]].concat());
    assert!(played["wins"].as_u64() >= Some(3), "{played}");

    let model = "expectimax:opponent=course,eval=outcome,terminal=eval,depth=2,prune";
    let [none, star1] = ["none", "star1"].map(|prune| {
        let agent = format!("{model}={prune}");
        let game = ["match", "gobblet", &agent, "greedy-improved", "--games", "2", "--json"];
        let mut played = json(&game);
        // The conclusion names the agent.
        for key in ["timing", "agents", "conclusion"] {
            played[key].take();
        }
        played
    });
    assert_eq!(none, star1, "a cut changes no move");
}

#[test]
fn every_command_has_help_with_examples() {
    let top = stdout(&["--help"], "");
    for command in
        ["games", "agents", "show", "analyse", "perft", "play", "match", "rules", "bench", "doctor"]
    {
        assert!(top.contains(command));
        let help = stdout(&[command, "--help"], "");
        assert!(help.contains("Example") && help.contains("tussle "), "{command}: {help}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(stdout(&["completions", shell], "").contains("tussle"));
    }
}

#[test]
fn a_closed_output_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tussle"))
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(tussle(&["--version"]).status.success());
}
