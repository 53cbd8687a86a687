//! Experiments with small plans.

use serde_json::Value;
use tussle_catalog::AnyPosition;
use tussle_core::{StopFlag, Turn};

use super::depth::{CostByDepth, Counter};
use super::growing::{GrowingTree, TreeCost, TreeGame};
use super::jobs::Throughput;
use super::known::KnownValue;
use super::line::SameLine;
use super::sizes::Playouts;
use super::speedup::Speedup;
use super::time::DepthInTime;
use super::value::{Effort, Values};
use super::{ALL, EXPERIMENTS, Experiment, Plan, experiment};
use crate::measure::positions::positions;
use crate::{ExperimentContext, LabError, ProgressObserver};

/// Raises the flag after a number of measurements.
struct StopAfter(u32, StopFlag);

impl ProgressObserver for StopAfter {
    fn begin(&mut self, _: &str, _: u64) {}
    fn done(&mut self, _: u64, _: &str) {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            self.1.stop();
        }
    }
}

fn never() -> StopAfter {
    StopAfter(u32::MAX, StopFlag::default())
}

const LEAVES: Experiment = Experiment {
    name: "leaves",
    question: "?",
    game: "connect4",
    agents: &[
        ("minimax", "minimax"),
        ("alpha-beta", "alphabeta-textbook:order=none,tt=off,dedupe=off"),
    ],
    axes: ["depth", "leaves"],
    kind: &CostByDepth { counter: Counter::Leaves, groups: ALL },
    quick: Plan { points: &[1.0, 2.0, 3.0, 4.0], repeats: 3 },
    full: Plan { points: &[1.0], repeats: 1 },
};

/// Ends of the game and positions at the horizon.
fn leaves(position: &mut dyn AnyPosition, depth: u32) -> u64 {
    if depth == 0 || position.turn() == Turn::Over {
        return 1;
    }
    let mut count = 0;
    for mv in position.moves() {
        position.play(&mv).unwrap();
        count += leaves(position, depth - 1);
        position.undo();
    }
    count
}

#[test]
fn minimax_looks_at_every_leaf_and_alpha_beta_at_fewer() {
    let mut observer = never();
    let finding = LEAVES.run(&mut ExperimentContext::new(&mut observer)).unwrap();
    let game = tussle_catalog::game("connect4").unwrap();
    let mut naive = Vec::new();
    let mut all = positions(game.as_ref(), 3, 2..=6, 1).unwrap();
    for depth in 1..=4 {
        naive.extend(all.iter_mut().map(|position| leaves(position.as_mut(), depth)));
    }
    let counted = |name: &str| -> Vec<u64> {
        let rows = finding.table.rows.iter().filter(|row| row[1] == name);
        rows.map(|row| row[4].as_u64().unwrap()).collect()
    };
    assert_eq!(counted("minimax"), naive);
    let pruned = counted("alpha-beta");
    assert!(pruned.iter().zip(&naive).all(|(few, all)| few <= all));
    assert!(pruned[11] * 2 < naive[11]);
    assert!(
        finding.reading[0].starts_with("4 plies deep, leaves: minimax "),
        "{:?}",
        finding.reading
    );
}

#[test]
fn a_resumed_experiment_equals_one_that_was_not_stopped() {
    let mut observer = never();
    let whole = LEAVES.run(&mut ExperimentContext::new(&mut observer)).unwrap();
    let dir = std::env::temp_dir().join(format!("tussle-experiment-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let stop = StopFlag::default();
    let mut observer = StopAfter(7, stop.clone());
    let mut context = ExperimentContext::with_folder(&dir, &mut observer).unwrap();
    context.stop = stop;
    assert!(matches!(LEAVES.run(&mut context), Err(LabError::Stopped)));
    let mut observer = never();
    let again =
        LEAVES.run(&mut ExperimentContext::with_folder(&dir, &mut observer).unwrap()).unwrap();
    assert_eq!(again.json(), whole.json());
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn pruning_changes_no_value_at_any_depth() {
    let values = Experiment {
        agents: &[("a", "minimax:deepen=on"), ("b", "alphabeta-textbook:deepen=on")],
        kind: &Values { by: Effort::Depth, groups: ALL },
        quick: Plan { points: &[5.0], repeats: 1 },
        ..LEAVES
    };
    let mut observer = never();
    let table = values.run(&mut ExperimentContext::new(&mut observer)).unwrap().table;
    let said = |name: &str| -> Vec<(Value, Value)> {
        let rows = table.rows.iter().filter(|row| row[1] == name);
        rows.map(|row| (row[2].clone(), row[3].clone())).collect()
    };
    assert_eq!(said("a").len(), 5);
    assert_eq!(said("a"), said("b"));
}

#[test]
fn an_agent_agrees_with_itself() {
    let line = Experiment {
        game: "tictactoe",
        agents: &[("a", "alphabeta"), ("b", "alphabeta")],
        kind: &SameLine,
        quick: Plan { points: &[500.0], repeats: 9 },
        ..LEAVES
    };
    let mut observer = never();
    let finding = line.run(&mut ExperimentContext::new(&mut observer)).unwrap();
    assert_eq!(finding.table.rows.len(), 18);
    assert!(
        finding.reading[0].ends_with("b answers as a in 8 of them (100 %)."),
        "{:?}",
        finding.reading
    );
}

#[test]
fn a_known_value_needs_no_more_nodes_and_better_orders_need_fewer() {
    let known = Experiment {
        game: "tictactoe",
        agents: &[("a", "alphabeta:dedupe=off")],
        kind: &KnownValue,
        quick: Plan { points: &[2.0, 4.0], repeats: 5 },
        ..LEAVES
    };
    let mut observer = never();
    let table = known.run(&mut ExperimentContext::new(&mut observer)).unwrap().table;
    assert!(table.rows.len() >= 6 && table.rows.len().is_multiple_of(3), "{}", table.rows.len());
    for three in table.rows.chunks(3) {
        let full: Vec<u64> = three.iter().map(|row| row[4].as_u64().unwrap()).collect();
        assert!(full.is_sorted(), "{full:?}");
        assert!(three.iter().all(|row| row[3].as_u64() <= row[4].as_u64()));
    }
}

#[test]
fn more_threads_are_compared_with_one() {
    let speedup = Experiment {
        agents: &[("a", "alphabeta:depth=5")],
        kind: &Speedup,
        quick: Plan { points: &[1.0, 2.0], repeats: 2 },
        ..LEAVES
    };
    let mut observer = never();
    let finding = speedup.run(&mut ExperimentContext::new(&mut observer)).unwrap();
    assert_eq!(finding.table.rows.len(), 4);
    assert!(finding.reading[0].starts_with("With 2 threads"), "{:?}", finding.reading);
}

#[test]
fn minimax_enters_every_position_and_its_branching_factor_is_that_of_the_counts() {
    let nodes = Experiment {
        game: "connect4, tictactoe",
        kind: &CostByDepth { counter: Counter::Nodes, groups: ALL },
        ..LEAVES
    };
    let mut observer = never();
    let finding = nodes.run(&mut ExperimentContext::new(&mut observer)).unwrap();
    for spec in ["connect4", "tictactoe"] {
        let game = tussle_catalog::game(spec).unwrap();
        let mut all = positions(game.as_ref(), 3, 2..=6, 1).unwrap();
        let mut naive: Vec<u64> = Vec::new();
        for depth in 1..=4 {
            naive.extend(all.iter_mut().map(|p| (0..=depth).map(|d| p.perft(d)).sum::<u64>()));
        }
        let rows = finding.table.rows.iter().filter(|row| row[0] == spec && row[1] == "minimax");
        assert_eq!(rows.map(|row| row[7].as_u64().unwrap()).collect::<Vec<_>>(), naive, "{spec}");
        // From two plies to four, in the geometric mean over three positions.
        let product = |depth: usize| -> f64 {
            naive[3 * (depth - 1)..3 * depth].iter().map(|nodes| *nodes as f64).product()
        };
        let factor = (product(4) / product(2)).powf(1.0 / 6.0);
        let reading = finding.reading.join("\n");
        let said = format!("branching factors: minimax {factor:.2} (");
        assert!(reading.contains(&said), "{said}: {reading}");
        let least = format!("the root of minimax's, {:.2}.", factor.sqrt());
        assert!(reading.contains(&least), "{least}: {reading}");
    }
    assert_eq!(finding.figure.panels.len(), 2);
    assert!(finding.reading[2].starts_with("Tictactoe: 4 plies deep, nodes: minimax "));
}

const CONNECT4_TREE: &[TreeGame] =
    &[TreeGame { name: "four in a row", spec: "connect4", simulation_us: 1.0 }];

const GROWING: Experiment = Experiment {
    agents: &[("mcts", "mcts:reuse=on,memory=8MB")],
    kind: &GrowingTree { cost: TreeCost::Memory, games: CONNECT4_TREE },
    quick: Plan { points: &[1000.0, 4000.0, 16_000.0], repeats: 2 },
    ..LEAVES
};

#[test]
fn a_tree_grows_to_every_size_and_so_does_its_memory() {
    let mut observer = never();
    let finding = GROWING.run(&mut ExperimentContext::new(&mut observer)).unwrap();
    let column = |i: usize| -> Vec<u64> {
        finding.table.rows.iter().map(|row| row[i].as_u64().unwrap()).collect()
    };
    assert_eq!(column(1), [1000, 4000, 16_000, 1000, 4000, 16_000]);
    let bytes = column(4);
    assert!(bytes[..3].is_sorted() && bytes[2] > 32 * 16_000, "{bytes:?}");
    assert!(bytes[2] < 100 * 16_000, "{bytes:?}");
    assert!(finding.reading[0].starts_with("four in a row: "), "{:?}", finding.reading);
    assert!(finding.reading[0].contains(" bytes per simulation in a tree of 16,000 simulations"));
}

#[test]
fn the_speed_is_measured_at_every_size_of_the_same_tree() {
    let kind = &GrowingTree { cost: TreeCost::Speed, games: CONNECT4_TREE };
    let speed = Experiment { kind, ..GROWING };
    let dir = std::env::temp_dir().join(format!("tussle-growing-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let mut observer = never();
    let finding =
        speed.run(&mut ExperimentContext::with_folder(&dir, &mut observer).unwrap()).unwrap();
    assert!(finding.table.rows.iter().all(|row| row[3].as_f64().unwrap() > 0.0));
    assert!(finding.reading[0].contains(" of the speed."), "{:?}", finding.reading);
    // Both experiments share their measurements.
    let mut observer = never();
    let again =
        GROWING.run(&mut ExperimentContext::with_folder(&dir, &mut observer).unwrap()).unwrap();
    assert_eq!(again.table, finding.table);
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_tree_that_cannot_grow_to_a_size_is_an_error() {
    let small = Experiment { agents: &[("greedy", "greedy")], ..GROWING };
    let mut observer = never();
    let why = small.run(&mut ExperimentContext::new(&mut observer)).unwrap_err().to_string();
    assert!(why.contains("cannot grow to 1000 simulations"), "{why}");
}

#[test]
fn games_on_larger_boards_have_more_moves_and_take_longer() {
    let sizes = Experiment {
        game: "go",
        agents: &[("random", "random")],
        kind: &Playouts { size_param: "size" },
        quick: Plan { points: &[3.0, 9.0], repeats: 2 },
        ..LEAVES
    };
    let mut observer = never();
    let finding = sizes.run(&mut ExperimentContext::new(&mut observer)).unwrap();
    let numbers: Vec<Vec<f64>> = finding
        .table
        .rows
        .iter()
        .map(|row| row.iter().filter_map(Value::as_f64).collect())
        .collect();
    assert_eq!(numbers.len(), 4);
    let (small, large) = (&numbers[0], &numbers[2]);
    // Moves per game and seconds per game.
    assert!(large[3] / large[2] > 3.0 * small[3] / small[2], "{numbers:?}");
    assert!(large[4] / large[2] > small[4] / small[2], "{numbers:?}");
    assert!(finding.reading[3].contains("by the power of"), "{:?}", finding.reading);
}

#[test]
fn games_at_once_are_compared_with_one_at_a_time() {
    let jobs = Experiment {
        game: "tictactoe",
        agents: &[("random", "random"), ("greedy", "greedy")],
        kind: &Throughput { games: &[12, 4] },
        quick: Plan { points: &[1.0, 2.0], repeats: 2 },
        ..LEAVES
    };
    let mut observer = never();
    let finding = jobs.run(&mut ExperimentContext::new(&mut observer)).unwrap();
    assert_eq!(finding.table.rows.len(), 8);
    assert!(finding.table.rows.iter().all(|row| row[4].as_f64().unwrap() > 0.0));
    assert!(finding.reading[1].starts_with("With 2 jobs: random "), "{:?}", finding.reading);
    assert!(finding.reading[2].contains("12 and 4 games each"), "{:?}", finding.reading);
}

#[test]
fn every_time_gets_its_searches() {
    let timed = Experiment {
        agents: &[("a", "minimax")],
        kind: &DepthInTime(ALL),
        quick: Plan { points: &[0.001, 0.1], repeats: 2 },
        ..LEAVES
    };
    let mut observer = never();
    let mut context = ExperimentContext::new(&mut observer);
    // Every seed is as good as another.
    context.seed = u64::MAX;
    let table = timed.run(&mut context).unwrap().table;
    let depths: Vec<u64> = table.rows.iter().map(|row| row[4].as_u64().unwrap()).collect();
    assert_eq!(depths.len(), 4);
    assert!(depths[2..].iter().all(|depth| *depth >= 1));
}

#[test]
fn every_experiment_names_games_and_agents_that_exist_and_says_how_long_it_takes() {
    for experiment in EXPERIMENTS {
        for game in experiment.game.split(", ") {
            let game = tussle_catalog::game(game).unwrap();
            for (_, spec) in experiment.agents {
                let spec = spec.replace("{x}", "1");
                assert!(game.agent(&spec, 1).is_ok(), "{}: {spec}", experiment.name);
            }
        }
        let [quick, full] = [true, false].map(|quick| experiment.estimate(quick).as_millis());
        assert!(
            0 < quick && quick < 100_000 && quick <= full,
            "{}: {quick} {full}",
            experiment.name
        );
        assert_eq!(EXPERIMENTS.iter().filter(|other| other.name == experiment.name).count(), 1);
    }
}

#[test]
fn a_name_that_is_nearly_right_is_answered_with_the_right_one() {
    let why = experiment("leafs-vs-depth").unwrap_err().to_string();
    assert!(why.contains("did you mean `leaves-vs-depth`?"), "{why}");
    let why = experiment("zzz").unwrap_err().to_string();
    assert!(why.starts_with("there is no experiment `zzz`; there are depth-vs-time, "), "{why}");
    assert!(!why.contains("did you mean") && why.contains("known-value"), "{why}");
}
