//! Claims about the agents of the standard games.

use std::collections::HashSet;
use std::time::Duration;

use tussle_catalog::{AGENTS, HUMAN, game, game_from_text};
use tussle_core::{Limits, StopFlag};

/// Returns the first moves that an agent chooses with twelve seeds.
fn choices(spec: &str, agent: &str) -> HashSet<String> {
    let game = game(spec).unwrap();
    let choose = |seed| {
        let mut agent = game.agent(agent, seed).unwrap();
        let report = agent.choose(game.start().as_ref(), &Limits::none()).unwrap();
        report.best().unwrap().clone()
    };
    (0..12).map(choose).collect()
}

#[test]
fn only_classical_searches_without_limits_run_to_a_proof() {
    let game = game("gobblet").unwrap();
    for endless in ["minimax", "minimax:deepen=on", "alphabeta", "alphabeta-textbook", "best"] {
        assert_eq!(game.runs_to_a_proof(endless), Ok(true), "{endless}");
    }
    for limited in
        ["minimax:depth=3", "minimax:nodes=9", "greedy", "greedy-improved", "best:depth=2"]
    {
        assert_eq!(game.runs_to_a_proof(limited), Ok(false), "{limited}");
    }
    assert!(game.runs_to_a_proof("minmax").is_err());
}

#[test]
fn only_mcts_without_limits_gets_the_default_time() {
    let game = game("go").unwrap();
    let time = Some(Duration::from_secs(2));
    let free = Limits::depth(3).or_memory(1).or_stop(&StopFlag::default());
    for spec in ["mcts", "mcts:c=2,solver=on", "mcts-textbook", "mcts-go", "mcts-pentago", "best"] {
        assert_eq!(game.default_time(spec, &free), Ok(time), "{spec}");
        assert_eq!(game.default_time(spec, &free.clone().or_nodes(9)), Ok(None), "{spec}");
        let timed = free.clone().or_time(Duration::MAX);
        assert_eq!(game.default_time(spec, &timed), Ok(None), "{spec}");
    }
    for spec in ["mcts:nodes=9", "best:nodes=9", "level-3", "alphabeta", "random", "minimax"] {
        assert_eq!(game.default_time(spec, &free), Ok(None), "{spec}");
    }
    assert!(game.default_time("mtcs", &free).is_err());
}

#[test]
fn a_game_may_give_an_agent_other_defaults() {
    assert!(choices("go", "greedy").len() > 3, "ties are broken at random in go");
    assert!(choices("go", "greedy:eval=area").len() > 3);
    assert_eq!(choices("go", "greedy:ties=last"), HashSet::from(["E5".to_owned()]));
    assert_eq!(choices("go:size=9", "greedy:ties=first"), HashSet::from(["A1".to_owned()]));
    assert_eq!(choices("gobblet", "greedy").len(), 1);
}

#[test]
fn ids_go_ignores_an_interrupted_depth() {
    let game = game("go").unwrap();
    let report = |agent: &str| {
        let mut agent = game.agent(agent, 1).unwrap();
        agent.choose(game.start().as_ref(), &Limits::nodes(5000)).unwrap()
    };
    let last = report("ids").stats.depth;
    let finished = report(&format!("alphabeta-textbook:deepen=on,depth={last}"));
    let (whole, partial) = (report("ids-go"), report("ids"));
    assert_eq!(whole.stats.depth, last);
    assert_eq!(whole.lines, finished.lines);
    assert_ne!(partial.lines, finished.lines, "the next depth was started");
}

#[test]
fn a_key_without_a_value_is_an_error() {
    let game = game("connect4").unwrap();
    for (spec, why) in [
        ("greedy:eval=", "greedy: eval=: expected a value; leave the key out for the default"),
        ("mcts:nodes=,c=1", "mcts: nodes=: expected a value"),
        ("alphabeta:book=", "alphabeta: book=: expected a value"),
    ] {
        let error = game.agent(spec, 1).err().expect("an error").to_string();
        assert!(error.starts_with(why), "{error}");
    }
    assert!(game.agent("script:moves=", 1).is_ok(), "a list may be empty");
}

#[test]
fn a_settled_agent_has_all_its_parameters() {
    let settled = |spec: &str, agent: &str| game(spec).unwrap().settled_agent(agent);
    let spec = settled("go", "lite-2020:radius=7").unwrap();
    let value = |key| spec.value(key);
    assert_eq!((spec.name.as_str(), value("radius")), ("alphabeta-textbook", Some("7")));
    assert_eq!((value("order"), value("quiesce")), (Some("root"), Some("off")));
    assert_eq!(value("window"), Some("full"));
    assert_eq!(value("depth"), None);
    assert_eq!(settled("go", "greedy").unwrap().value("ties"), Some("random"), "by the game");
    assert_eq!(settled("gobblet", "greedy").unwrap().value("ties"), Some("last"));
    assert!(settled("go", "gredy").is_err());
}

#[test]
fn every_agent_can_be_made_for_some_game() {
    let board = "1...2\n.....\n3....\n";
    let many = game_from_text("keep-on-moving", "file", board).unwrap();
    let games = [game("tictactoe").unwrap(), many];
    let names = AGENTS.iter().map(|info| info.name).filter(|&name| name != HUMAN.name);
    for name in names {
        assert!(games.iter().any(|game| game.agent(name, 1).is_ok()), "{name}");
    }
}
