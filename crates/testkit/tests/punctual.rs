//! Tests that searches keep their time limit.

use std::time::{Duration, Instant};

use tussle_catalog::game;
use tussle_core::Limits;

/// Delay that is allowed because the machine can be busy.
const ALLOWED_DELAY: Duration = Duration::from_millis(200);

#[test]
fn searches_keep_their_time_limit() {
    for spec in ["go:size=19", "gobblet", "keep-on-moving:board=4", "connect4", "pentago-twist"] {
        let game = game(spec).unwrap();
        for agent in [
            "random",
            "greedy",
            "minimax",
            "alphabeta",
            "alphabeta:threads=2",
            "mcts",
            "mcts:threads=2,expand=all",
            "mcts-go",
            "mcts:rollout=greedy",
        ] {
            let mut searcher = game.agent(agent, 1).unwrap();
            for limit in [0, 1, 20].map(Duration::from_millis) {
                let began = Instant::now();
                let budget = Limits::time(limit);
                let report = searcher.choose(game.start().as_ref(), &budget).unwrap();
                let took = began.elapsed();
                assert!(took < limit + ALLOWED_DELAY, "{spec}, {agent}, {limit:?}: took {took:?}");
                let best = report.best().expect("a player is to move");
                assert!(game.start().moves().contains(best), "{spec}, {agent}, {limit:?}");
            }
        }
    }
}

#[test]
fn known_value_nodes_are_not_counted_under_a_time_limit() {
    let game = game("connect4:width=4,height=4").unwrap();
    let start = game.start();
    let count = |budget: &Limits| {
        let agent = "alphabeta:value=0,depth=8";
        tussle_explain::known_value_nodes(game.as_ref(), start.as_ref(), agent, budget).len()
    };
    assert_eq!(count(&Limits::none()), 3);
    assert_eq!(count(&Limits::time(Duration::from_secs(2))), 0);
}
