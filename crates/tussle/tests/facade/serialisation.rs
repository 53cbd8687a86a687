//! Limits, reports, clocks and options keep their values as JSON.

use std::fmt::Debug;
use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};
use tussle::games::{Connect4, connect4};
use tussle::search::{
    Agent, AlphaBeta, AlphaBetaOptions, ExpectimaxOptions, GreedyOptions, MaxnOptions, Mcts,
    MctsOptions, MinimaxOptions, OpponentModel, SelectionPolicy, WindowMode,
};
use tussle::{Game, Limits, Report, StopFlag};

fn round_trip<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("JSON");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn stays<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    assert_eq!(&round_trip(value), value);
}

#[test]
fn options_stay_equal_and_missing_fields_have_their_defaults() {
    stays(&MctsOptions { policy: SelectionPolicy::Epsilon(0.1), threads: 3, ..Default::default() });
    stays(&AlphaBetaOptions { window: Some(WindowMode::Aspiration), ..Default::default() });
    let opponent = Some(OpponentModel::Weighted(vec![1.0, 2.5]));
    stays(&ExpectimaxOptions { opponent, ..Default::default() });
    stays(&GreedyOptions::default());
    stays(&MaxnOptions::default());
    stays(&MinimaxOptions { draw: -1.0, ..Default::default() });
    let options: MctsOptions = serde_json::from_str(r#"{"policy": "puct"}"#).expect("options");
    assert_eq!(options, MctsOptions { policy: SelectionPolicy::Puct, ..Default::default() });
}

#[test]
fn limits_keep_their_numbers_and_lose_their_flag() {
    let limits = Limits::time(Duration::from_millis(1500)).or_nodes(7).or_depth(3).or_memory(9);
    let read = round_trip(&limits.or_stop(&StopFlag::default()));
    assert_eq!((read.nodes, read.depth, read.memory), (Some(7), Some(3), Some(9)));
    assert_eq!(read.hard, Some(Duration::from_millis(1500)));
    assert!(read.stop.is_none() && read.started.is_none());
    let empty: Limits = serde_json::from_str("{}").expect("limits");
    assert_eq!(empty.nodes, None);
}

#[test]
fn reports_stay_equal() {
    let game = Connect4::default();
    // Fewer simulations than moves: some moves have an infinite bonus.
    let mut mcts = Mcts::new(MctsOptions::default());
    let report = mcts.search(&game, &game.start(), &Limits::nodes(3)).expect("a report");
    stays(&report);
    let mut alphabeta = AlphaBeta::new(AlphaBetaOptions::default(), connect4::Eval::Windows);
    let limits = Limits::depth(3);
    let report: Report<_> = alphabeta.search(&game, &game.start(), &limits).expect("a report");
    stays(&report);
    let stopped = serde_json::to_value(report.stopped).expect("JSON");
    assert_eq!(stopped, report.stopped.as_str());
}
