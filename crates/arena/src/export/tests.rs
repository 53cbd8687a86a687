//! Tests of exports, with games of random moves.

use serde_json::Value;
use tussle_core::{Rng, Turn};
use tussle_engine::Verdict;

use super::*;
use crate::{Contestant, MoveNote};

/// Returns a store of random games.
fn store(game: &str, agents: &[&str], games: u64) -> Store {
    let agent = |name: &&str| Contestant::new(*name, "random");
    let rules = tussle_catalog::game(game).unwrap();
    let config = TournamentSpec::new(vec![game.to_owned()], agents.iter().map(agent).collect());
    let mut store = Store::in_memory(&config).unwrap();
    let mut rng = Rng::new(5);
    for id in 0..games {
        let (mut position, mut notes) = (rules.start(), Vec::new());
        loop {
            let mv = match position.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    notes.push(MoveNote::default());
                    position.roll(&mut rng).unwrap()
                }
                Turn::Player(seat) => {
                    notes.push(MoveNote { seat: Some(seat), used: 7, ..MoveNote::default() });
                    let moves = position.moves();
                    moves[rng.below(moves.len())].clone()
                }
            };
            position.play(&mv).unwrap();
        }
        let players = rules.players();
        let turn = (id % players as u64) as usize;
        store
            .offer(&[Record {
                id,
                pair: id / players as u64,
                game: rules.spec().to_owned(),
                seats: (0..players).map(|seat| (seat + players - turn) % players).collect(),
                moves: position.history().to_vec(),
                utilities: position.utilities().unwrap(),
                deterministic: true,
                notes,
                ..Record::default()
            }])
            .unwrap();
    }
    store
}

fn written(store: &Store, format: ExportFormat) -> Result<String, ExportError> {
    let mut out = Vec::new();
    write(store, format, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

/// Adds a game that White loses on time.
fn late(store: &mut Store) -> Record {
    let mut record = store.game(0).unwrap().unwrap();
    record.id = 100;
    record.moves.truncate(5);
    record.notes.truncate(5);
    record.verdict = Verdict::Time;
    record.culprit = Some(1);
    record.what = "answered \"late\", by 3 ms".to_owned();
    record.utilities = vec![1.0, -1.0];
    store.offer(std::slice::from_ref(&record)).unwrap();
    record
}

#[test]
fn a_line_of_json_holds_a_game() {
    let mut store = store("tictactoe", &["a", "b"], 4);
    late(&mut store);
    let text = written(&store, ExportFormat::JsonLines).unwrap();
    let games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 5);
    assert_eq!((&games[1]["first"], &games[1]["second"]), (&"b".into(), &"a".into()));
    assert_eq!((&games[4]["winner"], &games[4]["culprit"]), (&"a".into(), &"b".into()));
    let moves = games[0]["moves"].as_array().unwrap().len();
    assert_eq!(games[0]["timing"]["us"].as_array().unwrap().len(), moves);
}

#[test]
fn every_game_has_tags_and_numbered_moves() {
    let mut two = store("tictactoe", &["a", "b \"x\""], 1);
    let record = late(&mut two);
    let text = written(&two, ExportFormat::Pgn).unwrap();
    let m = &record.moves;
    let last = format!(
        "[Event \"a v b \\\"x\\\"\"]\n[Round \"1\"]\n[GameId \"100\"]\n[Game \"tictactoe\"]\n\
         [First \"a\"]\n[Second \"b \\\"x\\\"\"]\n[Result \"1-0\"]\n[Verdict \"time\"]\n\
         [Culprit \"b \\\"x\\\"\"]\n[Termination \"answered \\\"late\\\", by 3 ms\"]\n\
         [Opening \"0\"]\n[PlyCount \"5\"]\n\n1. {} {} 2. {} {} 3. {} 1-0\n\n",
        m[0], m[1], m[2], m[3], m[4]
    );
    assert!(text.ends_with(&last), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100));

    let many = store("keep-on-moving:file=../../examples/boards/triangle.txt", &["a", "b", "c"], 2);
    let text = written(&many, ExportFormat::Pgn).unwrap();
    assert!(text.contains("[Player3 \"c\"]"), "{text}");
    let dice = store("backgammon", &["a", "b"], 2);
    let text = written(&dice, ExportFormat::Pgn).unwrap();
    let moves = text.lines().filter(|line| !line.starts_with('['));
    assert!(moves.clone().count() > 10 && moves.clone().all(|line| line.len() <= MAX_LINE_CHARS));
}

/// Maximum length of a line of moves, in characters.
const MAX_LINE_CHARS: usize = 80;

#[test]
fn a_line_of_csv_holds_a_game_and_the_header_names_its_fields() {
    let mut two = store("tictactoe", &["a,1", "b"], 2);
    let record = late(&mut two);
    let text = written(&two, ExportFormat::Csv).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "id,pair,game,first,second,result,winner,verdict,culprit,what,start,opening,plies,\
         overruns,moves"
    );
    assert_eq!(
        lines[3],
        format!(
            "100,0,tictactoe,\"a,1\",b,1-0,\"a,1\",time,b,\"answered \"\"late\"\", by 3 ms\",,0,5,\
             0,{}",
            record.moves.join(" ")
        )
    );
    let many = store("keep-on-moving:file=../../examples/boards/triangle.txt", &["a", "b", "c"], 1);
    let text = written(&many, ExportFormat::Csv).unwrap();
    assert!(text.starts_with("id,pair,game,player-1,player-2,"), "{text}");
    let none = store("tictactoe", &["a", "b"], 0);
    assert_eq!(written(&none, ExportFormat::Csv).unwrap().lines().count(), 1);
}

#[test]
fn exported_go_games_are_read_back_the_same() {
    let mut two = store("go:size=5", &["a", "b"], 3);
    late(&mut two);
    let text = written(&two, ExportFormat::Sgf).unwrap();
    let games: Vec<&str> = text.split_inclusive(")\n").collect();
    assert_eq!(games.len(), 4);
    for (game, id) in games.iter().zip([0, 1, 2, 100]) {
        let read = tussle_catalog::sgf::read(game).unwrap();
        let record = two.game(id).unwrap().unwrap();
        assert_eq!((read.moves, read.spec), (record.moves, record.game));
    }
    assert!(games[1].contains("PB[b]PW[a]"), "{}", games[1]);
    assert!(games[3].contains("RE[B+Time]"), "{}", games[3]);

    let other = store("tictactoe", &["a", "b"], 1);
    let error = written(&other, ExportFormat::Sgf).unwrap_err().to_string();
    assert_eq!(error, "game 0: SGF: expected a game of go, found tictactoe");
}
