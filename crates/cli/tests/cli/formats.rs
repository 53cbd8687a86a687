//! Pairings, and the end of matches with a test.

use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use tussle_core::Rng;

use crate::common::{Folder, json, results, start, stdout, tussle};

const FIELD: [&str; 7] = [
    "tournament",
    "gobblet",
    "random",
    "greedy",
    "greedy-improved",
    "mcts:nodes=100",
    "mcts:nodes=400",
];

/// Returns the number of games by the names of the two agents.
fn meetings(played: &Value) -> BTreeMap<[String; 2], u64> {
    let mut met = BTreeMap::new();
    for game in played["games"].as_array().expect("games") {
        let mut two =
            ["first", "second"].map(|seat| game[seat].as_str().expect("a name").to_owned());
        two.sort();
        *met.entry(two).or_insert(0) += 1;
    }
    met
}

#[test]
fn a_swiss_tournament_of_five_meets_all_before_any_twice() {
    let played = json(&[&FIELD[..], &["--format", "swiss", "--rounds", "5", "--json"]].concat());
    // Two pairs per round; each agent has one bye and plays all others.
    assert_eq!(played["games"].as_array().map(Vec::len), Some(20));
    let met = meetings(&played);
    assert_eq!((met.len(), met.values().max()), (10, Some(&2)), "{met:?}");
    let seven = json(&[&FIELD[..], &["--format", "swiss", "--rounds", "7", "--json"]].concat());
    assert_eq!(seven["games"].as_array().map(Vec::len), Some(28));
    assert_eq!(meetings(&seven).values().max(), Some(&4), "no two agents were paired three times");
    assert_eq!(seven["table"].as_array().map(Vec::len), Some(5));
}

#[test]
fn an_adaptive_tournament_spends_all_its_games_and_rates() {
    let played =
        json(&[&FIELD[..], &["--format", "adaptive", "--games", "100", "--json"]].concat());
    assert_eq!(played["games"].as_array().map(Vec::len), Some(100));
    assert_eq!(meetings(&played).len(), 10, "all agents were paired with each other");
    for row in played["table"].as_array().expect("rows") {
        let [value, error] = ["value", "error"].map(|key| row["rating"][key].as_f64());
        assert!(value.is_some() && error.is_some_and(|error| error > 0.0), "{row}");
    }
}

#[test]
fn result_based_rounds_do_not_depend_on_interruptions() {
    for (format, length) in [("swiss", ["--rounds", "7"]), ("adaptive", ["--games", "120"])] {
        let folder = Folder::new(&format!("drawn-{format}"));
        let [whole, killed] = ["whole.db", "killed.db"].map(|name| folder.path(name));
        let args = |store: &'static str, jobs: &'static str| {
            let path = folder.path(store);
            let all: [&[&str]; 4] =
                [&FIELD, &["--format", format, "--store", &path], &length, &["--jobs", jobs]];
            all.concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let run = |args: Vec<String>| {
            stdout(&args.iter().map(String::as_str).collect::<Vec<_>>(), "");
        };
        run(args("whole.db", "1"));
        let mut rng = Rng::new(11);
        for _ in 0..8 {
            let args = args("killed.db", "2");
            let mut child = start(&args.iter().map(String::as_str).collect::<Vec<_>>());
            sleep(Duration::from_millis(rng.below(80) as u64));
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
        }
        run(args("killed.db", "2"));
        assert_eq!(results(&killed), results(&whole), "{format}");
    }
}

#[test]
fn a_match_stops_at_the_same_game_at_any_number_of_jobs() {
    let command = ["match", "connect4", "mcts:nodes=100", "mcts:nodes=10", "--opening-plies", "4"];
    let test = ["--sprt", "elo0=0,elo1=100", "--games", "1000", "--json", "--jobs"];
    let [one, three] = ["1", "3"].map(|jobs| json(&[&command[..], &test, &[jobs]].concat()));
    assert_eq!(one["sprt"]["accepted"], "H1", "{one}");
    let counted = one["games"].as_u64().expect("a number");
    assert!(counted < 200, "{counted} games");
    assert_eq!(one["sprt"]["pairs"].as_u64(), Some(counted / 2), "it ends with a pair");
    // Games that were running when the test ended are stored, but do not count.
    for key in ["wins", "draws", "losses", "games", "pentanomial", "sprt", "elo", "conclusion"] {
        assert_eq!(one[key], three[key], "{key}");
    }
    assert_eq!(one["surplus"], 0);
    // Their number depends on the scheduling of the workers; it is far below a thousand.
    assert!(three["surplus"].as_u64().is_some_and(|games| games < 200), "{three}");
    assert!(one["conclusion"].as_str().is_some_and(|text| text.contains("is stronger")), "{one}");

    let even = ["match", "tictactoe", "random", "random", "--opening-plies", "2"];
    let even = json(
        &[&even[..], &["--sprt", "elo0=0,elo1=60,model=logistic", "--json"], &["--games", "2000"]]
            .concat(),
    );
    assert_eq!(even["sprt"]["accepted"], "H0", "{even}");
    let few =
        json(&[&command[..], &["--sprt", "elo0=0,elo1=5", "--games", "6", "--json"]].concat());
    assert_eq!((&few["sprt"]["accepted"], &few["games"]), (&Value::Null, &6.into()), "{few}");
}

#[test]
fn a_stopped_match_stays_stopped() {
    let folder = Folder::new("stopped");
    let store = folder.path("s.db");
    let command = ["match", "connect4", "mcts:nodes=100", "random", "--opening-plies", "4"];
    let more = ["--sprt", "elo0=0,elo1=100", "--games", "500", "--store", &store, "--json"];
    let first = json(&[&command[..], &more].concat());
    let again = json(&[&command[..], &more].concat());
    assert_eq!((&first["games"], &first["sprt"]), (&again["games"], &again["sprt"]));
    let kept = results(&store);
    assert_eq!(kept["sprt"], first["sprt"]);
    let changed = tussle(&[&command[..], &more[..4], &["--store", &store]].concat());
    assert!(changed.status.success(), "the same command resumes");
    let other = ["--sprt", "elo0=0,elo1=90", "--games", "500", "--store", &store];
    let other = tussle(&[&command[..], &other].concat());
    let text = String::from_utf8_lossy(&other.stderr);
    assert!(other.status.code() == Some(2) && text.contains("sprt: "), "{text}");
}

#[test]
fn contradictory_options_are_rejected_with_the_reason() {
    let two = ["tournament", "gobblet", "greedy", "random"];
    let three = [
        "tournament",
        "keep-on-moving:file=examples/boards/triangle.txt",
        "random",
        "random",
        "random",
    ];
    let duel = ["match", "gobblet", "greedy", "random"];
    let cases: [(&[&str], &[&str], &str); 10] = [
        (&two, &["--format", "adaptive", "--rounds", "3"], "no rounds"),
        (&two, &["--format", "swiss", "--games", "30"], "is a number of rounds"),
        (&two, &["--games", "30"], "is a number of rounds"),
        (&three, &["--format", "swiss"], "two players"),
        (&three, &["--format", "adaptive"], "two players"),
        (&duel, &["--sprt", "elo0=5,elo1=5"], "elo1"),
        (&duel, &["--sprt", "elo0=0"], "elo1"),
        (&duel, &["--sprt", "elo0=0,elo1=5,gamma=1"], "gamma"),
        (&duel, &["--sprt", "elo0=0,elo1=5,alpha=2"], "alpha"),
        (&duel, &["--sprt", "elo0=0,elo1=nan"], "elo1"),
    ];
    for (command, more, reason) in cases {
        let output = tussle(&[command, more].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(2) && text.contains(reason),
            "{command:?} {more:?}: {text}"
        );
    }
}
