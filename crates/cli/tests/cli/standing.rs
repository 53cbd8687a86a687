//! The standing where agents were withdrawn, games are missing, or all were won.

use serde_json::{Value, json as value};

use crate::common::{Folder, json, stdout, tussle};

/// An agent whose first move does not exist: it crashes in every game.
const BROKEN: &str = "script:moves=nowhere";

/// Random first, so that it meets the broken ones before they are withdrawn.
const CLASS: [&str; 10] = [
    "tournament",
    "gobblet",
    "random",
    "greedy",
    BROKEN,
    BROKEN,
    BROKEN,
    "mcts-textbook:nodes=60",
    "--opening-plies",
    "2",
];

fn names(table: &Value) -> Vec<&str> {
    table.as_array().unwrap().iter().map(|row| row["agent"].as_str().unwrap()).collect()
}

#[test]
fn withdrawn_agents_come_last_and_their_games_apart() {
    let folder = Folder::new("withdrawn");
    let store = folder.path("s.db");
    let command = [&CLASS[..], &["--rounds", "3", "--store", &store]].concat();
    let text = stdout(&command, "");
    let document = json(&["results", &store, "--json"]);
    let table = &document["table"];
    let order = names(table);
    assert!(
        order[..2].contains(&"greedy") && order[..2].contains(&"mcts-textbook:nodes=60"),
        "{text}"
    );
    assert_eq!(order[2], "random", "{text}");
    assert_eq!(order[3..].iter().filter(|name| name.starts_with(BROKEN)).count(), 3, "{text}");
    for row in table.as_array().unwrap() {
        let is_broken = row["agent"].as_str().unwrap().starts_with(BROKEN);
        assert_eq!(row["withdrawn"], is_broken, "{row}");
        assert_eq!(row["games"], if is_broken { 0 } else { 12 }, "{row}");
        assert!(
            row["uncounted"]["games"].as_u64().unwrap() > 0
                || row["agent"] == "mcts-textbook:nodes=60"
        );
    }
    assert_eq!(document["meetings"].as_array().unwrap().len(), 3);
    assert_eq!((&document["remaining"], &document["sorted_by"]), (&0.into(), &"points".into()));
    let [games, cancelled] = [
        document["games"].as_array().unwrap().len() as u64,
        document["cancelled"].as_u64().unwrap(),
    ];
    assert_eq!(games + cancelled, document["scheduled"].as_u64().unwrap());
    let head = format!("gobblet: {games} games ({cancelled} cancelled by withdrawals), ");
    assert!(text.starts_with(&head), "{text}");
    assert!(text.contains("script:moves=nowhere (withdrawn)"), "{text}");
    let apart = text.split("not counted, because an agent was withdrawn:").nth(1).expect(&text);
    assert!(apart.contains("random"), "{text}");
    // Played again, nothing is left, and nothing is said of resuming.
    let again = tussle(&command);
    assert!(again.status.success());
    assert!(!String::from_utf8_lossy(&again.stderr).contains("to resume"), "{again:?}");
}

#[test]
fn a_swiss_tournament_with_a_withdrawn_agent_is_complete() {
    let folder = Folder::new("withdrawn-swiss");
    let store = folder.path("s.db");
    let command = ["tournament", "gobblet", "random", "greedy", BROKEN, "mcts-textbook:nodes=60"];
    let more = ["--format", "swiss", "--rounds", "6", "--store", &store];
    let text = stdout(&[&command[..], &more].concat(), "");
    let document = json(&["results", &store, "--json"]);
    assert_eq!((&document["scheduled"], &document["remaining"]), (&24.into(), &0.into()));
    let games = document["games"].as_array().unwrap().len();
    assert!(text.starts_with(&format!("gobblet: {games} games (")), "{text}");
    assert_eq!(document["sorted_by"], "rating");
    let order = names(&document["table"]);
    assert_eq!((order[0], order[3]), ("greedy", BROKEN));
    let conclusion = document["conclusion"].as_str().unwrap();
    assert!(conclusion.starts_with("greedy "), "{conclusion}");
}

#[test]
fn a_match_ended_by_a_withdrawal_is_reported() {
    let played = json(&["match", "gobblet", "random", BROKEN, "--games", "20", "--json"]);
    assert_eq!((&played["games"], &played["wins"]), (&3.into(), &3.into()));
    assert_eq!(played["withdrawn"], value!([BROKEN]));
    let conclusion = played["conclusion"].as_str().unwrap();
    assert!(conclusion.starts_with("withdrawn: script:moves=nowhere (3 faults)"), "{conclusion}");
    // Without strikes it plays all of them.
    let all = ["match", "gobblet", "random", BROKEN, "--games", "20", "--strikes", "0", "--json"];
    let all = json(&all);
    assert_eq!((&all["games"], &all["withdrawn"]), (&20.into(), &value!([])));
    assert!(all["conclusion"].as_str().unwrap().starts_with("random is stronger"), "{all}");
}

#[test]
fn an_agent_that_won_a_whole_gauntlet_is_first() {
    let gauntlet = ["tournament", "connect4", "alphabeta:depth=5", "random", "random", "random"];
    let more = ["random", "random", "--format", "gauntlet", "--opening-plies", "2"];
    let text = stdout(&[&gauntlet[..], &more].concat(), "");
    assert!(text.contains("alphabeta:depth=5 is first: won all 10 games"), "{text}");
    assert!(!text.contains("cannot be told apart"), "{text}");
}

#[test]
fn counts_of_one_use_the_singular() {
    let one = tussle(&["match", "tictactoe", "random", "random", "--games", "1"]);
    let [out, err] = [&one.stdout, &one.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(out.starts_with("tictactoe: 1 game, "), "{out}");
    assert!(out.contains("1 of 1 game is distinct"), "{out}");
    assert!(err.contains(", 1 game, ") && !format!("{out}{err}").contains("1 games"), "{err}");
    for command in ["match", "tournament"] {
        let few = tussle(&[command, "tictactoe", "random"]);
        let text = String::from_utf8_lossy(&few.stderr);
        assert!(text.contains("but 1 agent was named"), "{text}");
    }
    let three = tussle(&["match", "tictactoe", "random", "random", "random"]);
    assert!(String::from_utf8_lossy(&three.stderr).contains("but 3 agents were named"));
}
