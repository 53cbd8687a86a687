use std::time::Duration;

use super::{EngineAgent, serve};
use crate::serve::conversation::Conversation;

fn engine(game: &str, agent: &str) -> Conversation {
    let player = EngineAgent::new(tussle_catalog::game(game).unwrap(), agent, 1).unwrap();
    Conversation::with(|input, output| serve(player, Duration::from_millis(10), input, output))
}

/// Sends a line and returns the next line of the engine.
fn ask(engine: &mut Conversation, line: &str) -> String {
    engine.say(line);
    engine.hear()
}

fn best(engine: &mut Conversation, go: &str) -> String {
    engine.say(go);
    let lines = engine.hear_until("bestmove");
    lines.last().unwrap().strip_prefix("bestmove ").unwrap().to_owned()
}

#[test]
fn the_example_of_the_protocol_is_answered_line_by_line() {
    let mut engine = engine("tictactoe", "alphabeta");
    engine.say("ugi");
    let told = engine.hear_until("ugiok");
    assert!(told[0].starts_with("id name tussle ") && told[0].ends_with(" alphabeta"));
    assert_eq!(told[1], "id author the Tussle authors");
    assert_eq!(told[2], "option name game type string default tictactoe");
    assert_eq!(ask(&mut engine, "isready"), "readyok");
    engine.say("uginewgame\nposition startpos");
    assert_eq!(ask(&mut engine, "query p1turn"), "response true");
    engine.say("go depth 4");
    let told = engine.hear_until("bestmove");
    let (info, best) = (&told[told.len() - 2], told.last().unwrap());
    let words: Vec<&str> = info.split(' ').collect();
    assert_eq!(words[..3], ["info", "depth", "4"], "{info}");
    for key in ["nodes", "nps", "time", "score"] {
        assert!(words.contains(&key), "{info}");
    }
    let pv = words.iter().position(|&word| word == "pv").expect("a continuation");
    assert_eq!(format!("bestmove {}", words[pv + 1]), *best);
    engine.say("position startpos moves b2");
    assert_eq!(ask(&mut engine, "query p1turn"), "response false");
    assert_eq!(ask(&mut engine, "query p2turn"), "response true");
    assert_eq!(ask(&mut engine, "query result"), "response none");
    engine.say("quit");
    assert!(engine.close().is_empty());
}

#[test]
fn finished_games_have_a_result_and_no_best_move() {
    let mut engine = engine("tictactoe", "random");
    for (moves, result) in [
        ("a1 b1 a2 b2 a3", "p1win"),
        ("a1 b1 a2 b2 c3 b3", "p2win"),
        ("a1 b2 c3 a2 c2 c1 a3 b3 b1", "draw"),
    ] {
        engine.say(&format!("position startpos moves {moves}"));
        assert_eq!(ask(&mut engine, "query gameover"), "response true", "{moves}");
        assert_eq!(ask(&mut engine, "query result"), format!("response {result}"));
        assert_eq!(ask(&mut engine, "query p1turn"), "response false");
        let won = if result == "p2win" { "true" } else { "false" };
        assert_eq!(ask(&mut engine, "query p2win"), format!("response {won}"));
        assert_eq!(ask(&mut engine, "go movetime 10"), NO_PLAYER_LINE);
        assert_eq!(engine.hear(), "bestmove 0000");
    }
    assert!(ask(&mut engine, "query weather").starts_with("info string error unknown question"));
    assert_eq!(engine.hear(), "response unknown");
}

const NO_PLAYER_LINE: &str = "info string no player is to move: the game is over";

#[test]
fn go_at_a_chance_node_returns_no_move() {
    let mut engine = engine("backgammon", "random");
    engine.say("position startpos\ngo movetime 5");
    assert!(engine.hear().starts_with("info string chance is to move"));
    assert_eq!(engine.hear(), "bestmove 0000");
    assert_eq!(ask(&mut engine, "query p1turn"), "response false");
    assert_eq!(ask(&mut engine, "query gameover"), "response false");
}

#[test]
fn the_third_player_has_the_number_three() {
    let folder = std::env::temp_dir().join(format!("tussle-ugi-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let board = folder.join("three.txt");
    std::fs::write(&board, "1...2\n.....\n3....\n").unwrap();
    let mut engine = engine(&format!("keep-on-moving:file={}", board.display()), "maxn:depth=2");
    std::fs::remove_dir_all(&folder).unwrap();
    let first = best(&mut engine, "go p1time 1000 p2time 1000 p3time 1000");
    engine.say(&format!("position startpos moves {first}"));
    let second = best(&mut engine, "go p2time 1000");
    engine.say(&format!("position startpos moves {first} {second}"));
    assert_eq!(ask(&mut engine, "query p3turn"), "response true");
    assert_eq!(ask(&mut engine, "query p4turn"), "response false");
}

#[test]
fn a_position_with_spaces_is_read_and_an_invalid_one_changes_nothing() {
    let mut engine = engine("tictactoe", "alphabeta");
    engine.say("position fen xx./.o./... o moves c3");
    assert_eq!(ask(&mut engine, "d"), "info string 3  x x o");
    let shown = engine.hear_until("info string position");
    assert_eq!(shown.last().unwrap(), "info string position xxo/.o./... x");
    for wrong in [
        "position",
        "position startpos moves a1 a1",
        "position startpos a1",
        "position fen what",
        "position fen",
        "position startposmoves a1",
    ] {
        let answer = ask(&mut engine, wrong);
        assert!(answer.starts_with("info string error "), "{wrong}: {answer}");
    }
    engine.say("display");
    assert_eq!(&engine.hear_until("info string position"), &{
        let mut all = vec!["info string 3  x x o".to_owned()];
        all.extend(shown);
        all
    });
}

#[test]
fn is_ready_is_answered_while_a_search_runs_and_stop_ends_it() {
    let mut engine = engine("connect4", "mcts");
    engine.say("go infinite\nisready\nquery gameover");
    let told = engine.hear_until("response");
    assert!(told.contains(&"readyok".to_owned()));
    assert!(!told.iter().any(|line| line.starts_with("bestmove")));
    engine.say("stop");
    engine.hear_until("bestmove");
    // The search has ended.
    engine.say("stop");
    assert_eq!(ask(&mut engine, "isready"), "readyok");
}

#[test]
fn an_infinite_search_that_has_ended_waits_for_stop() {
    let mut engine = engine("tictactoe", "alphabeta");
    engine.say("position startpos moves a1 b1 a2 b2\ngo infinite");
    assert!(engine.hear().contains(" score win 1 pv "));
    assert!(engine.is_silent_for(Duration::from_millis(200)));
    assert_eq!(ask(&mut engine, "stop"), "bestmove a3");
}

#[test]
fn a_running_search_is_stopped_by_the_next_one_and_by_the_end_of_input() {
    let mut engine = engine("connect4", "mcts");
    engine.say("go infinite\nposition startpos moves 4\ngo infinite");
    engine.hear_until("bestmove");
    engine.say("setoption name seed value 3");
    engine.hear_until("bestmove");
    engine.say("go infinite");
    let rest = engine.close();
    assert!(rest.last().unwrap().starts_with("bestmove"), "{rest:?}");
}

#[test]
fn options_change_the_game_the_agent_and_the_seed() {
    let mut engine = engine("tictactoe", "random");
    engine.say("setoption name game value connect4:width=5\nsetoption name Agent value greedy");
    engine.say("ugi");
    let told = engine.hear_until("ugiok");
    assert!(told[0].ends_with(" greedy"));
    assert!(told[2].ends_with(" connect4:width=5"));
    engine.say("setoption name margin value 25\nsetoption name seed value 9\nugi");
    let told = engine.hear_until("ugiok");
    assert!(told[4].starts_with("option name seed type spin default 9 "), "{}", told[4]);
    assert!(told[5].starts_with("option name margin type spin default 25 "), "{}", told[5]);
    for wrong in [
        "setoption",
        "setoption name game value chess",
        "setoption name agent value human",
        "setoption name seed value -1",
        "setoption name seed",
        "setoption name hash value 5",
    ] {
        let answer = ask(&mut engine, wrong);
        assert!(answer.starts_with("info string error "), "{wrong}: {answer}");
    }
    engine.say("ugi");
    assert_eq!(engine.hear_until("ugiok"), told);
}

#[test]
fn the_seed_decides_the_moves_and_each_game_has_its_own() {
    let games = |seed: u64| {
        let mut engine = engine("go:size=9", "random");
        engine.say(&format!("setoption name seed value {seed}"));
        let mut games = Vec::new();
        for _ in 0..3 {
            engine.say("uginewgame\nposition startpos");
            let moves: Vec<String> = (0..4).map(|_| best(&mut engine, "go nodes 1")).collect();
            games.push(moves);
        }
        games
    };
    assert_eq!(games(4), games(4));
    assert_ne!(games(4), games(5));
    assert_ne!(games(4)[0], games(4)[1]);
    // A built-in agent with this seed plays the same move.
    let game = tussle_catalog::game("go:size=9").unwrap();
    let mut agent = game.agent("random", 4).unwrap();
    let limits = tussle_core::Limits::none();
    let first = agent.choose(game.start().as_ref(), &limits).unwrap();
    assert_eq!(first.best(), Some(&games(4)[0][0]));
}

#[test]
fn unknown_commands_are_ignored_with_a_message() {
    let mut engine = engine("tictactoe", "random");
    assert!(ask(&mut engine, "xyzzy\u{7} 1 2").starts_with("info string unknown command xyzzy "));
    engine.say("");
    assert_eq!(ask(&mut engine, "  isready  "), "readyok");
    engine.say("go quickly movetime soon");
    let told = engine.hear_until("bestmove");
    assert!(told[0].starts_with("info string error movetime: ") || told.len() > 3, "{told:?}");
    engine.say(&"x".repeat(super::MAX_LINE_BYTES as usize + 5));
    assert!(engine.hear().starts_with("info string error the line is longer"));
    assert_eq!(ask(&mut engine, "isready"), "readyok");
}
