use std::time::Duration;

use tussle_core::{Rng, TimeControl, Turn};

use super::{Settings, serve};
use crate::serve::conversation::Conversation;

const GAME: &str = "go:size=5,komi=0.5,superko=positional,cap=off";

fn engine(agent: &str) -> Conversation {
    engine_of(GAME, agent)
}

fn engine_of(game: &str, agent: &str) -> Conversation {
    let clock = TimeControl::PerMove(Duration::from_millis(100));
    let settings = Settings::new(
        &tussle_catalog::Catalog::standard(),
        game,
        agent,
        1,
        clock,
        Duration::from_millis(10),
    )
    .unwrap();
    Conversation::with(|input, output| serve(settings, input, output))
}

/// Sends a command and returns the whole response, with its lines joined by line breaks.
fn ask(engine: &mut Conversation, command: &str) -> String {
    engine.say(command);
    engine.hear_to_blank().join("\n")
}

#[test]
fn the_example_of_the_protocol_is_answered() {
    let mut engine = engine("mcts:nodes=100");
    assert_eq!(ask(&mut engine, "protocol_version"), "= 2");
    assert_eq!(ask(&mut engine, "name"), "= tussle mcts:nodes=100");
    assert_eq!(ask(&mut engine, "boardsize 7"), "=");
    assert_eq!(ask(&mut engine, "clear_board"), "=");
    assert_eq!(ask(&mut engine, "3 play black D5"), "=3");
    let mv = ask(&mut engine, "4 genmove white");
    assert!(mv.starts_with("=4 "), "{mv}");
    assert_eq!(
        ask(&mut engine, "5 play black D5"),
        "?5 illegal move: `D5`: there is a stone already"
    );
    assert_eq!(ask(&mut engine, "6 quit"), "=6");
    assert!(engine.close().is_empty());
}

#[test]
fn comments_are_skipped_and_invalid_commands_rejected() {
    let mut engine = engine("random");
    assert_eq!(ask(&mut engine, "\n# hello\n\n99 name"), "=99 tussle random");
    assert_eq!(ask(&mut engine, "5 frobnicate"), "?5 unknown command");
    assert_eq!(ask(&mut engine, "5"), "?5 unknown command");
    for wrong in ["play", "play b", "play red C3", "boardsize x", "komi x", "time_left b soon 0"] {
        assert_eq!(ask(&mut engine, wrong), "? syntax error", "{wrong}");
    }
}

#[test]
fn every_listed_command_is_known_and_no_other() {
    let mut engine = engine("random");
    let listed = ask(&mut engine, "list_commands");
    let listed: Vec<&str> = listed.strip_prefix("= ").unwrap().lines().collect();
    for needed in [
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
    ] {
        assert!(listed.contains(&needed), "{needed}");
    }
    for command in listed {
        assert_eq!(ask(&mut engine, &format!("known_command {command}")), "= true");
        // A listed command must be implemented: without arguments it may fail, but not as an unknown command.
        if !["quit", "analyze", "lz-analyze", "kata-analyze"].contains(&command) {
            assert_ne!(ask(&mut engine, command), "? unknown command", "{command}");
        }
    }
    assert_eq!(ask(&mut engine, "known_command fly"), "= false");
}

#[test]
fn size_and_komi_change_and_other_rules_stay() {
    let mut engine = engine("greedy");
    ask(&mut engine, "play b C3");
    // A single black stone owns the whole board.
    assert_eq!(ask(&mut engine, "final_score"), "= B+24.5");
    assert_eq!(ask(&mut engine, "komi 30"), "=");
    assert_eq!(ask(&mut engine, "final_score"), "= W+5");
    assert_eq!(ask(&mut engine, "komi 25"), "=");
    assert_eq!(ask(&mut engine, "final_score"), "= 0");
    assert!(ask(&mut engine, "komi 0.3").starts_with("? "));
    assert_eq!(ask(&mut engine, "final_score"), "= 0");
    assert_eq!(ask(&mut engine, "boardsize 9"), "=");
    assert_eq!(ask(&mut engine, "final_score"), "= W+25");
    assert!(ask(&mut engine, "boardsize 25").starts_with("? unacceptable size"));
    let record = ask(&mut engine, "printsgf");
    assert!(record.contains("SZ[9]KM[25]") && record.contains("superko=positional"), "{record}");
    assert!(record.contains("cap=off"), "{record}");
    assert_eq!(ask(&mut engine, "rectangular_boardsize 5 3"), "=");
    assert_eq!(ask(&mut engine, "play b E3"), "=");
    assert!(ask(&mut engine, "play w F1").starts_with("? illegal move"));
}

#[test]
fn undo_takes_back_one_move_of_the_controller() {
    let mut engine = engine("random");
    assert_eq!(ask(&mut engine, "undo"), "? cannot undo");
    ask(&mut engine, "play b c3");
    let one = ask(&mut engine, "showboard");
    ask(&mut engine, "genmove w");
    assert_eq!(ask(&mut engine, "undo"), "=");
    assert_eq!(ask(&mut engine, "showboard"), one);
    // Black plays twice: the inserted pass of White is taken back together with the move.
    ask(&mut engine, "play b D4");
    assert_eq!(ask(&mut engine, "undo"), "=");
    assert_eq!(ask(&mut engine, "showboard"), one);
    assert_eq!(ask(&mut engine, "play w D4"), "=");
}

#[test]
fn one_colour_may_play_twice_unless_the_pass_between_would_end_the_game() {
    let mut engine = engine("greedy");
    for vertex in ["B2", "D4", "B4"] {
        assert_eq!(ask(&mut engine, &format!("play b {vertex}")), "=");
    }
    assert_eq!(ask(&mut engine, "play w D2"), "=");
    let before = ask(&mut engine, "showboard");
    assert_eq!(ask(&mut engine, "play b pass"), "=");
    for refused in ["play b C3", "play b pass", "genmove b", "reg_genmove b", "lz-analyze b"] {
        let answer = ask(&mut engine, refused);
        assert!(answer.starts_with("? illegal move: it is the other colour's turn"), "{answer}");
    }
    ask(&mut engine, "undo");
    assert_eq!(ask(&mut engine, "showboard"), before);
    // An illegal second move leaves no pass behind.
    ask(&mut engine, "play b C3");
    let answer = ask(&mut engine, "play b pass");
    assert!(answer.starts_with("? illegal move: it is the other colour's turn"), "{answer}");
    assert!(ask(&mut engine, "play b C3").starts_with("? illegal move"));
    assert_eq!(ask(&mut engine, "play w C2"), "=");
}

#[test]
fn a_pass_is_not_inserted_as_the_last_move_of_the_game() {
    let mut engine = engine_of("go:size=5,cap=2", "random");
    assert_eq!(ask(&mut engine, "play b C3"), "=");
    assert!(ask(&mut engine, "play b D3").starts_with("? illegal move: it is the other"));
    assert_eq!(ask(&mut engine, "play w D3"), "=");
    assert_eq!(ask(&mut engine, "genmove b"), "= pass");
}

#[test]
fn two_passes_end_the_game_and_later_passes_are_accepted() {
    let mut engine = engine("mcts:nodes=50");
    for colour in ["b", "w"] {
        assert_eq!(ask(&mut engine, &format!("play {colour} pass")), "=");
    }
    assert_eq!(ask(&mut engine, "genmove b"), "= pass");
    assert_eq!(ask(&mut engine, "play w pass"), "=");
    assert_eq!(ask(&mut engine, "play b A1"), "? illegal move: the game is over");
    assert_eq!(ask(&mut engine, "lz-analyze 10"), "? the game is over");
    assert_eq!(ask(&mut engine, "final_score"), "= W+0.5");
    for _ in 0..4 {
        assert_eq!(ask(&mut engine, "undo"), "=");
    }
    assert_eq!(ask(&mut engine, "undo"), "? cannot undo");
    assert_eq!(ask(&mut engine, "play b A1"), "=");
}

#[test]
fn all_stones_are_alive_and_listed_by_strings() {
    let mut engine = engine("random");
    for (colour, vertex) in [("b", "A1"), ("w", "E5"), ("b", "B1"), ("w", "C3"), ("b", "B2")] {
        ask(&mut engine, &format!("play {colour} {vertex}"));
    }
    assert_eq!(ask(&mut engine, "final_status_list alive"), "= E5\nC3\nA1 B1 B2");
    assert_eq!(ask(&mut engine, "final_status_list dead"), "=");
    assert_eq!(ask(&mut engine, "final_status_list seki"), "=");
    assert_eq!(ask(&mut engine, "final_status_list happy"), "? syntax error");
}

#[test]
fn a_repetition_is_a_draw_where_the_rules_say_so() {
    let spec = "go:size=2,komi=0.5,cap=off";
    let game = tussle_catalog::game(spec).unwrap();
    let mut rng = Rng::new(1);
    let mut repeats = 0;
    for _ in 0..50 {
        let mut position = game.start();
        while position.turn() != Turn::Over {
            let moves = position.moves();
            position.play(&moves[rng.below(moves.len())]).unwrap();
        }
        let mut engine = engine_of(spec, "random");
        for (i, mv) in position.history().iter().enumerate() {
            assert_eq!(ask(&mut engine, &format!("play {} {mv}", ["b", "w"][i % 2])), "=");
        }
        let score = ask(&mut engine, "final_score");
        let by_passes = position.history().last().is_some_and(|mv| mv == "pass");
        assert_eq!(score != "= 0", by_passes, "{:?}: {score}", position.history());
        repeats += u32::from(!by_passes);
    }
    assert!(repeats > 5, "only {repeats} repetitions");
}

#[test]
fn handicap_stones_need_an_empty_board() {
    let mut engine = engine("random");
    assert!(ask(&mut engine, "fixed_handicap 2").starts_with("? invalid number of stones"));
    ask(&mut engine, "boardsize 9");
    assert_eq!(ask(&mut engine, "fixed_handicap 3"), "= C3 G7 C7");
    assert_eq!(ask(&mut engine, "fixed_handicap 2"), "? board not empty");
    assert!(ask(&mut engine, "genmove w").starts_with("= "));
    ask(&mut engine, "undo");
    assert_eq!(ask(&mut engine, "undo"), "? cannot undo");
    ask(&mut engine, "komi 0.5");
    assert_eq!(ask(&mut engine, "final_score"), "= B+80.5");
    ask(&mut engine, "clear_board");
    assert_eq!(ask(&mut engine, "set_free_handicap A1 J9 E5"), "=");
    assert_eq!(ask(&mut engine, "final_status_list alive"), "= J9\nE5\nA1");
    ask(&mut engine, "clear_board");
    let placed = ask(&mut engine, "place_free_handicap 12");
    assert_eq!(placed, "= C3 G7 C7 G3 C5 G5 E3 E7 E5");
    ask(&mut engine, "clear_board");
    for bad in ["A1", "A1 A1", "A1 I5", "A1 pass", "A1 A10"] {
        let command = format!("set_free_handicap {bad}");
        assert_eq!(ask(&mut engine, &command), "? bad vertex list", "{bad}");
    }
}

#[test]
fn a_record_is_loaded_up_to_a_move() {
    let folder = std::env::temp_dir().join(format!("tussle-gtp-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("game.sgf");
    std::fs::write(&file, "(;GM[1]SZ[9]KM[5.5];B[ee];W[gc];B[];W[cc])").unwrap();
    let load = format!("loadsgf {}", file.display());
    let mut engine = engine("random");
    assert_eq!(ask(&mut engine, &load), "=");
    assert_eq!(ask(&mut engine, "final_status_list alive"), "= C7\nG7\nE5");
    assert_eq!(ask(&mut engine, &format!("{load} 2")), "=");
    assert_eq!(ask(&mut engine, "final_status_list alive"), "= E5");
    assert_eq!(ask(&mut engine, "final_score"), "= B+75.5");
    assert!(ask(&mut engine, "printsgf").contains("superko=positional"));
    assert_eq!(ask(&mut engine, "undo"), "=");
    std::fs::write(&file, "(;GM[1]SZ[9];B[ee];W[ee])").unwrap();
    assert!(ask(&mut engine, &load).starts_with("? cannot load file: "));
    assert!(ask(&mut engine, "loadsgf /no/such.sgf").starts_with("? cannot load file: "));
    assert_eq!(ask(&mut engine, "final_status_list alive"), "=");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_analysis_runs_until_the_next_line() {
    let mut engine = engine("mcts");
    engine.say("8 lz-analyze b 5");
    assert_eq!(engine.hear(), "=8");
    let line = engine.hear();
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!((words[0], words[1], words[3], words[5]), ("info", "move", "visits", "winrate"));
    let winrate: u32 = words[6].parse().unwrap();
    assert!((1..10_000).contains(&winrate), "{line}");
    assert_eq!((words[7], words[9], words[11], words[13]), ("prior", "lcb", "order", "pv"));
    assert_eq!((words[12], words[14]), ("0", words[2]));
    assert!(line.contains(" info move ") && line.contains(" order 24 "), "{line}");
    engine.say("9 name");
    engine.hear_to_blank();
    assert_eq!(engine.hear_to_blank(), ["=9 tussle mcts"]);

    engine.say("kata-analyze interval 5 maxmoves 2");
    assert_eq!(engine.hear(), "=");
    let line = engine.hear();
    assert_eq!(line.matches("info move").count(), 2, "{line}");
    let winrate = line.split(' ').skip_while(|&word| word != "winrate").nth(1).unwrap();
    assert!((0.0..1.0).contains(&winrate.parse::<f64>().unwrap()), "{line}");
    engine.say("");
    engine.hear_to_blank();
    // The board is unchanged.
    assert_eq!(ask(&mut engine, "final_status_list alive"), "=");
    engine.say("analyze");
    assert!(engine.close().ends_with(&[String::new()]));
}

#[test]
fn genmove_analyze_prints_the_analysis_and_plays_its_first_move() {
    let mut engine = engine("alphabeta:depth=2");
    let answer = ask(&mut engine, "3 lz-genmove_analyze b 5");
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines[0], "=3");
    let mv = lines.last().unwrap().strip_prefix("play ").unwrap();
    assert!(lines[lines.len() - 2].starts_with(&format!("info move {mv} ")), "{answer}");
    assert!(ask(&mut engine, "final_status_list alive").contains(mv));
}

#[test]
fn a_proven_result_has_a_win_rate_of_zero_or_one() {
    let mut engine = engine_of("go:width=2,height=1,komi=0.5,cap=off", "alphabeta");
    engine.say("lz-analyze 1");
    assert_eq!(engine.hear(), "=");
    let line = engine.hear();
    assert!(line.contains("winrate 0 ") || line.contains("winrate 10000 "), "{line}");
}

#[test]
fn games_other_than_go_are_rejected() {
    let clock = TimeControl::PerMove(Duration::from_secs(1));
    let settings = Settings::new(
        &tussle_catalog::Catalog::standard(),
        "gobblet",
        "random",
        1,
        clock,
        Duration::ZERO,
    );
    assert!(settings.err().unwrap().to_string().contains("GTP is for go"));
}
