//! `results` and `replay` on stores of games played at random.

use std::path::{Path, PathBuf};

use tussle_arena::{Contestant, MoveNote, Record, Store, StoreError, TournamentSpec};
use tussle_core::{Rng, Turn};
use tussle_engine::Verdict;

use crate::common::{json, stdout, tussle};

/// A store in the folder for temporary files.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tussle-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn configuration(game: &str, agents: &[&str]) -> TournamentSpec {
    let agent = |name: &&str| Contestant::new(*name, "random");
    TournamentSpec {
        rounds: 4,
        ..TournamentSpec::new(vec![game.to_owned()], agents.iter().map(agent).collect())
    }
}

/// Game number `id` of the schedule, at random.
fn game(config: &TournamentSpec, id: u64) -> Record {
    let rules = tussle_catalog::game(&config.games[0]).unwrap();
    let schedule = tussle_arena::Schedule::new(config, rules.players());
    let tussle_arena::Next::Game(slot) = schedule.next(id) else { panic!("no game {id}") };
    let (mut position, mut notes) = (rules.start(), Vec::new());
    let mut rng = Rng::derive(9, &[id]);
    loop {
        let mv = match position.turn() {
            Turn::Over => break,
            Turn::Chance => {
                notes.push(MoveNote::default());
                position.roll(&mut rng).unwrap()
            }
            Turn::Player(seat) => {
                let (used, value) = (100 + 7 * id, Some(0.25));
                let nodes = 12;
                notes.push(MoveNote {
                    seat: Some(seat),
                    used,
                    value,
                    nodes,
                    ..MoveNote::default()
                });
                let moves = position.moves();
                moves[rng.below(moves.len())].clone()
            }
        };
        position.play(&mv).unwrap();
    }
    Record {
        id,
        pair: slot.pair,
        game: rules.spec().to_owned(),
        seats: slot.seats,
        opening: 1,
        moves: position.history().to_vec(),
        utilities: position.utilities().unwrap(),
        deterministic: true,
        notes,
        ..Record::default()
    }
}

/// Returns a record of a game that ended because the program of the second player crashed.
fn crashed(config: &TournamentSpec, id: u64) -> Record {
    let mut record = Record {
        verdict: Verdict::Crash,
        culprit: Some(1),
        utilities: vec![1.0, -1.0],
        what: "the program ended with exit code 3".to_owned(),
        evidence: vec!["Traceback".to_owned(), "\u{1b}[31mboom\u{7}".to_owned()],
        ..game(config, id)
    };
    record.moves.truncate(3);
    record.notes.truncate(3);
    record
}

fn fill(path: &Path, config: &TournamentSpec, records: impl IntoIterator<Item = Record>) {
    let mut store = Store::open_or_create(path, config).unwrap();
    for record in records {
        store.offer(&[record]).unwrap();
    }
}

fn error(args: &[&str]) -> (i32, String) {
    let output = tussle(args);
    assert!(output.stdout.is_empty(), "{args:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!message.contains("panicked"), "{message}");
    (output.status.code().unwrap(), message)
}

#[test]
fn two_agents_have_a_block_and_a_footer() {
    let store = Temporary::new("duel.db");
    let config = configuration("tictactoe", &["ann", "bob"]);
    fill(&store.0, &config, (0..7).map(|id| game(&config, id)).chain([crashed(&config, 7)]));
    let text = stdout(&["results", store.path()], "");
    for part in [
        "tictactoe: 8 games, clock 2s, seed 1\n",
        "\nResults of ann vs bob (2s):\nElo: ",
        "\nLikelihood of superiority: ",
        "\nGames: 8, Wins: ",
        "\nPairs with 0, 0.5, 1, 1.5, 2 points: [",
        "\ntime losses 0, overruns 0, crashes 1, illegal moves 0, other faults 0\n",
        "of 8 games are distinct, mean length ",
        "\ngame 7, crash: ann (second), the program ended with exit code 3\n  | Traceback\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.contains("  | \\u{1b}[31mboom\\u{7}\n"), "control characters are shown: {text}");
    let games = stdout(&["results", store.path(), "--games"], "");
    assert!(games.lines().nth(8).unwrap().contains("bob v ann"), "{games}");
}

#[test]
fn the_document_does_not_depend_on_the_order_of_the_games() {
    let config = configuration("gobblet", &["ann", "bob", "cy"]);
    let documents: Vec<serde_json::Value> = [[0, 1, 2, 3, 4, 5, 6], [6, 2, 0, 5, 1, 4, 3]]
        .into_iter()
        .enumerate()
        .map(|(n, order)| {
            let store = Temporary::new(&format!("order{n}.db"));
            // Times differ from run to run.
            let late = |mut record: Record| {
                for note in &mut record.notes {
                    note.used += n as u64;
                }
                record
            };
            fill(&store.0, &config, order.map(|id| late(game(&config, id))));
            let mut document = json(&["results", store.path(), "--json"]);
            let timing = document.as_object_mut().unwrap().remove("timing");
            assert!(timing.is_some_and(|timing| timing["agents"][0]["p50_ms"].is_number()));
            document
        })
        .collect();
    assert_eq!(documents[0].to_string(), documents[1].to_string());
    let document = &documents[0];
    let games = document["games"].as_array().unwrap();
    assert_eq!(games.len(), 7);
    for key in ["id", "pair", "first", "second", "result", "verdict", "moves", "winner"] {
        assert!(games[3].get(key).is_some(), "{key}");
    }
    let points: f64 =
        document["table"].as_array().unwrap().iter().map(|r| r["points"].as_f64().unwrap()).sum();
    assert_eq!(points, 7.0);
    for key in ["agent", "games", "wins", "draws", "losses", "elo", "error"] {
        assert!(document["table"][0].get(key).is_some(), "{key}");
    }
    assert_eq!(document["verdicts"]["normal"], 7);
    assert_eq!(document["scheduled"], 24);
    assert_eq!(document["config"]["clock"], "2s");
}

#[test]
fn a_pool_is_rated_and_may_have_anchors() {
    let store = Temporary::new("pool.db");
    let config = configuration("tictactoe", &["ann", "bob", "cy=2", "dan"]);
    // Dan has not played yet: the first pairs are ann's.
    fill(&store.0, &config, (0..4).map(|id| game(&config, id)));
    let text = stdout(&["results", store.path()], "");
    let head: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
    let columns = ["agent", "rating", "+/-", "points", "games", "wins", "draws", "losses", "score"];
    assert_eq!(head, columns, "{text}");
    assert!(text.contains("\nthe first seat is worth "), "{text}");
    let dan: Vec<&str> = text.lines().nth(5).unwrap().split_whitespace().collect();
    assert_eq!(dan, ["4", "dan", "-", "-", "0.0", "0", "0", "0", "0", "-"], "{text}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");

    let anchors = ["--anchor", "cy=2=1500", "--anchor", "ann=1400"];
    let document = json(&[&["results", store.path(), "--json"], &anchors[..]].concat());
    let rating = |name: &str| {
        let table = document["table"].as_array().unwrap();
        table.iter().find(|row| row["agent"] == name).unwrap()["rating"].clone()
    };
    assert_eq!(rating("cy=2"), serde_json::json!({"value": 1500.0, "error": 0.0}));
    assert_eq!(rating("dan"), serde_json::json!({"value": null, "error": null}));
    assert!(rating("bob")["error"].as_f64().unwrap() > 10.0);
    assert_eq!(document["seat_advantage"][0]["seat"], "first");
    assert!(document["seat_advantage"][1]["value"].is_number());

    let (code, message) = error(&["results", store.path(), "--anchor", "eve=1"]);
    assert_eq!(code, 2);
    assert!(
        message.contains("anchor eve: no such agent; the agents are ann, bob, cy=2, dan"),
        "{message}"
    );
    let named = ["tournament", "tictactoe", "random", "greedy", "--anchor", "eve=1"];
    assert!(error(&named).1.contains("the agents are random, greedy"));
    assert_eq!(error(&["results", store.path(), "--anchor", "ann=strong"]).0, 2);
}

#[test]
fn three_players_share_the_points() {
    let store = Temporary::new("many.db");
    let triangle = "keep-on-moving:file=examples/boards/triangle.txt";
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let absolute = format!("keep-on-moving:file={here}examples/boards/triangle.txt");
    let config = configuration(&absolute, &["ann", "bob", "cy"]);
    let named = |record: Record| Record { game: triangle.to_owned(), ..record };
    fill(&store.0, &config, (0..6).map(|id| named(game(&config, id))));
    let document = json(&["results", store.path(), "--json"]);
    assert_eq!(document["games"][1]["seats"], serde_json::json!(["cy", "ann", "bob"]));
    let table = document["table"].as_array().unwrap();
    assert!(table.iter().all(|row| row["elo"].is_null()));
    let points: f64 = table.iter().map(|row| row["points"].as_f64().unwrap()).sum();
    assert!((points - 6.0).abs() < 1e-9, "{points}");
    assert!(table.iter().all(|row| row["mean_rank"]["value"].is_number()));
    assert!(table.iter().all(|row| row["rating"]["error"].is_number()));
    let text = stdout(&["results", store.path()], "");
    assert!(text.contains("mean rank") && text.contains("\nthe seats are worth, in Elo"), "{text}");
    let game = stdout(&["replay", store.path(), "0"], "");
    assert!(game.contains("player-1 (ann): ") || game.contains("player-2 (bob): "), "{game}");
}

#[test]
fn exports_can_be_written_to_files() {
    let store = Temporary::new("export.db");
    let config = configuration("go", &["ann", "bob"]);
    fill(&store.0, &config, (0..2).map(|id| game(&config, id)));
    for form in ["jsonl", "csv", "pgn", "sgf"] {
        let text = stdout(&["results", store.path(), "--export", form], "");
        let file = Temporary::new(&format!("games.{form}"));
        stdout(&["results", store.path(), "--export", form, "--out", file.path()], "");
        assert_eq!(std::fs::read_to_string(&file.0).unwrap(), text);
        assert!(text.contains("ann") && text.lines().count() >= 2, "{form}: {text}");
    }
    let nowhere = ["results", store.path(), "--export", "csv", "--out", "no/such/folder.csv"];
    assert_eq!(error(&nowhere).0, 2);
    // The store is never written over.
    let (bytes, path) = (std::fs::read(&store.0).unwrap(), store.path());
    assert_eq!(error(&["results", path, "--export", "csv", "--out", path]).0, 2);
    assert_eq!(error(&["replay", path, "0", "--ply", "1", "--svg", path]).0, 2);
    assert_eq!(std::fs::read(&store.0).unwrap(), bytes);
}

#[test]
fn a_game_is_shown_move_by_move() {
    let store = Temporary::new("replay.db");
    let config = configuration("tictactoe", &["ann", "bob"]);
    fill(&store.0, &config, [game(&config, 0), crashed(&config, 1)]);
    let text = stdout(&["replay", store.path(), "1"], "");
    assert!(text.starts_with("game 1 (pair 0) of tictactoe: bob v ann\n\n0/3  start\n"), "{text}");
    assert!(text.contains("\n1/3  opening: "), "{text}");
    assert!(text.contains("\n2/3  second (ann): "), "{text}");
    assert!(text.contains("  [0.107 ms, value 0.25, 12 nodes]\n"), "{text}");
    let end =
        "\nfirst wins (bob)\ngame 1, crash: ann (second), the program ended with exit code 3\n";
    assert!(text.contains(end), "{text}");
    let one = stdout(&["replay", store.path(), "1", "--ply", "2"], "");
    assert!(one.contains("2/3") && !one.contains("3/3"), "{one}");

    let document = json(&["replay", store.path(), "1", "--json"]);
    assert_eq!(document["positions"].as_array().unwrap().len(), 4);
    assert_eq!(document["positions"][2]["mover"], "second");
    assert_eq!(document["culprit"], "ann");

    for args in [vec!["7"], vec!["1", "--ply", "4"]] {
        let (code, message) = error(&[&["replay", store.path()], &args[..]].concat());
        assert_eq!(code, 2);
        let range = if args[0] == "7" { "its games are 0 to 1" } else { "has positions 0 to 3" };
        assert!(message.contains(range), "{message}");
    }
}

#[test]
fn a_game_becomes_pictures() {
    let store = Temporary::new("pictures.db");
    let config = configuration("connect4", &["ann", "bob"]);
    let record = game(&config, 0);
    fill(&store.0, &config, [record.clone()]);
    let (one, last) = (Temporary::new("one.svg"), Temporary::new("last.svg"));
    stdout(&["replay", store.path(), "0", "--ply", "1", "--svg", one.path()], "");
    stdout(&["replay", store.path(), "0", "--svg", last.path()], "");
    let moves = record.moves[..1].join(",");
    let shown = Temporary::new("shown.svg");
    stdout(&["show", "connect4", "--moves", &moves, "--svg", shown.path()], "");
    let read = |file: &Temporary| std::fs::read_to_string(&file.0).unwrap();
    assert_eq!(read(&one), read(&shown));
    assert_ne!(read(&one), read(&last));
    let folder = Temporary::new("frames");
    std::fs::create_dir_all(&folder.0).unwrap();
    stdout(&["replay", store.path(), "0", "--png", folder.path()], "");
    let frames = std::fs::read_dir(&folder.0).unwrap().count();
    assert_eq!(frames, record.moves.len() + 1);
    assert!(folder.0.join("0000.png").exists());
}

#[test]
fn files_that_are_not_stores_are_rejected_with_the_reason() {
    for command in [&["results"][..], &["replay"]] {
        let with = |store: &str| {
            let game: &[&str] = if command == ["replay"] { &["0"] } else { &[] };
            error(&[command, &[store], game].concat())
        };
        let (code, message) = with("no-such.db");
        assert_eq!((code, message.as_str()), (2, "error: there is no store no-such.db\n"));
        let (code, message) = with("Cargo.toml");
        assert_eq!((code, message.as_str()), (2, "error: Cargo.toml is not a tussle store\n"));
    }
    let store = Temporary::new("none.db");
    let config = configuration("tictactoe", &["ann", "bob"]);
    fill(&store.0, &config, []);
    let (code, message) = error(&["replay", store.path(), "0"]);
    assert_eq!(code, 2);
    assert!(message.ends_with("no game is finished yet\n"), "{message}");
    let text = stdout(&["results", store.path()], "");
    assert!(text.starts_with("tictactoe: 0 of 8 games"), "{text}");
    let document = json(&["results", store.path(), "--json"]);
    assert_eq!(document["games"], serde_json::json!([]));
}

/// Game number `id`, won by the first agent.
fn won(config: &TournamentSpec, id: u64) -> Record {
    let record = game(config, id);
    let utilities = record.seats.iter().map(|&agent| if agent == 0 { 1.0 } else { -1.0 }).collect();
    Record { utilities, ..record }
}

#[test]
fn a_match_with_a_test_reports_its_result_and_the_surplus_games() {
    let store = Temporary::new("sprt.db");
    let sprt = Some("elo0=0,elo1=200".parse().unwrap());
    let config = TournamentSpec { sprt, rounds: 20, ..configuration("gobblet", &["ann", "bob"]) };
    fill(&store.0, &config, (0..40).map(|id| won(&config, id)));
    let document = json(&["results", store.path(), "--json"]);
    assert_eq!(document["sprt"]["accepted"], "H1");
    assert_eq!(document["sprt"]["model"], "normalized");
    let counted = 2 * document["sprt"]["pairs"].as_u64().unwrap();
    assert!(counted < 40);
    assert_eq!(document["surplus"], 40 - counted);
    assert_eq!(document["verdicts"]["normal"], counted);
    let games = document["games"].as_array().unwrap();
    for game in games {
        let is_surplus = game["id"].as_u64().unwrap() >= counted;
        assert_eq!(game.get("surplus").is_some(), is_surplus, "{game}");
    }
    let lines = stdout(&["results", store.path(), "--export", "jsonl"], "");
    assert_eq!(lines.matches("\"surplus\":true").count() as u64, 40 - counted);
    let text = stdout(&["results", store.path()], "");
    for part in [
        &format!("gobblet: {counted} games of at most 40")[..],
        ", bounds (-2.94, 2.94), hypotheses [0.00, 200.00]\n",
        "\nann is stronger: the test accepts H1, rather 200 than 0 normalized Elo, after ",
        "\n(a sequential test tends to stop at an extreme score",
        &format!("{} games were finished after the test ended", 40 - counted),
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let list = stdout(&["results", store.path(), "--games"], "");
    assert_eq!(list.matches("does not count\n").count() as u64, 40 - counted, "{list}");
}

#[test]
fn a_run_without_a_game_that_counts_fails() {
    let [played, void] = ["played.db", "void.db"].map(Temporary::new);
    let command = |store: &Temporary| {
        let args = ["match", "tictactoe", "random", "greedy", "--games", "2", "--clock", "3s"];
        tussle(&[&args[..], &["--store", store.path()]].concat())
    };
    assert!(command(&played).status.success());
    let store = Store::read(&played.0).unwrap();
    let mut games: Vec<Record> = Vec::new();
    let read = store.for_each(|record| -> Result<(), StoreError> {
        let utilities = vec![0.0; 2];
        games.push(Record { verdict: Verdict::Host, culprit: Some(0), utilities, ..record });
        Ok(())
    });
    read.unwrap();
    fill(&void.0, store.spec(), games);
    let output = command(&void);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    let error = "error: no game counts: this machine is too busy for the clock 3s; ";
    assert!(told.contains(error), "{told}");
}

#[test]
fn an_undecided_test_is_reported_as_undecided() {
    let store = Temporary::new("undecided.db");
    let sprt = Some("elo0=0,elo1=5".parse().unwrap());
    let config = TournamentSpec { sprt, ..configuration("gobblet", &["ann", "bob"]) };
    fill(&store.0, &config, [game(&config, 0)]);
    let text = stdout(&["results", store.path()], "");
    assert!(
        text.contains("too few games, bounds (-2.94, 2.94), hypotheses [0.00, 5.00]\n"),
        "{text}"
    );
    assert!(text.contains("\n(the test is undecided after 0 pairs)\n"), "{text}");
    assert!(text.contains("too few games to tell who is stronger after 1 game"), "{text}");
    assert!(!text.to_lowercase().contains("nan"), "{text}");
}

#[test]
fn repeated_games_cause_a_warning() {
    let store = Temporary::new("again.db");
    let config = TournamentSpec { rounds: 10, ..configuration("gobblet", &["ann", "bob"]) };
    let again = |id: u64| {
        let moves = game(&config, id % 2).moves;
        Record { moves, ..won(&config, id) }
    };
    fill(&store.0, &config, (0..20).map(again));
    let text = stdout(&["results", store.path()], "");
    assert!(text.contains("\nwarning: only 2 of 20 games are distinct;"), "{text}");
    assert!(text.contains("--opening-plies 4\n"), "{text}");
    assert!(text.contains("too few games to tell who is stronger after 20 games, of which 2 are"));
    let document = json(&["results", store.path(), "--json"]);
    assert_eq!(document["distinct_pairs"], 1);
    assert_eq!(document["table"][0]["error"], serde_json::Value::Null);
    assert_eq!(document["warnings"].as_array().map(Vec::len), Some(1));
}
