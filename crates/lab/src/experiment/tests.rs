//! Tiny plans, and what must come out.

use serde_json::Value;
use tussle_catalog::AnyPosition;
use tussle_core::{StopFlag, Turn};

use super::{
    Against, EXPERIMENTS, Experiment, Group, Measure, Plan, Stat, experiment, positions::positions,
};
use crate::{Bench, LabError, Watch};

const ALL: &[Group] = &[Group { title: "", agents: usize::MAX }];

/// Raises the flag after so many measurements.
struct Until(u32, StopFlag);

impl Watch for Until {
    fn begin(&mut self, _: &str, _: u64) {}
    fn done(&mut self, _: u64, _: &str) {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            self.1.stop();
        }
    }
}

fn never() -> Until {
    Until(u32::MAX, StopFlag::default())
}

const LEAVES: Experiment = Experiment {
    name: "leaves",
    question: "?",
    game: "connect4",
    agents: &[("minimax", "minimax"), ("alpha-beta", "alphabeta:order=none,tt=off,dedupe=off")],
    axes: ["depth", "leaves"],
    measure: Measure::ToDepth(Stat::Leaves, ALL),
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
    let mut watch = never();
    let finding = LEAVES.run(&mut Bench::new(&mut watch)).unwrap();
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
fn who_goes_on_finds_the_same_as_who_never_stopped() {
    let mut watch = never();
    let whole = LEAVES.run(&mut Bench::new(&mut watch)).unwrap();
    let dir = std::env::temp_dir().join(format!("tussle-experiment-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let stop = StopFlag::default();
    let mut watch = Until(7, stop.clone());
    let mut bench = Bench::keeping(&dir, &mut watch).unwrap();
    bench.stop = stop;
    assert!(matches!(LEAVES.run(&mut bench), Err(LabError::Stopped)));
    let mut watch = never();
    let again = LEAVES.run(&mut Bench::keeping(&dir, &mut watch).unwrap()).unwrap();
    assert_eq!(again.json(), whole.json());
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn pruning_changes_no_value_at_any_depth() {
    let values = Experiment {
        agents: &[("a", "minimax:deepen=on"), ("b", "alphabeta:deepen=on")],
        measure: Measure::Value(Against::Depth, ALL),
        quick: Plan { points: &[5.0], repeats: 1 },
        ..LEAVES
    };
    let mut watch = never();
    let table = values.run(&mut Bench::new(&mut watch)).unwrap().table;
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
        measure: Measure::SameLine,
        quick: Plan { points: &[500.0], repeats: 9 },
        ..LEAVES
    };
    let mut watch = never();
    let finding = line.run(&mut Bench::new(&mut watch)).unwrap();
    assert_eq!(finding.table.rows.len(), 18);
    assert!(
        finding.reading[0].ends_with("b answers as a in 8 of them (100 %)."),
        "{:?}",
        finding.reading
    );
}

#[test]
fn who_knows_the_value_needs_no_more_nodes_and_better_orders_need_fewer() {
    let known = Experiment {
        game: "tictactoe",
        agents: &[("a", "alphabeta:dedupe=off")],
        measure: Measure::KnownValue,
        quick: Plan { points: &[2.0, 4.0], repeats: 5 },
        ..LEAVES
    };
    let mut watch = never();
    let table = known.run(&mut Bench::new(&mut watch)).unwrap().table;
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
        measure: Measure::Speedup,
        quick: Plan { points: &[1.0, 2.0], repeats: 2 },
        ..LEAVES
    };
    let mut watch = never();
    let finding = speedup.run(&mut Bench::new(&mut watch)).unwrap();
    assert_eq!(finding.table.rows.len(), 4);
    assert!(finding.reading[0].starts_with("With 2 threads"), "{:?}", finding.reading);
}

#[test]
fn every_time_gets_its_searches() {
    let timed = Experiment {
        agents: &[("a", "minimax")],
        measure: Measure::DepthInTime(ALL),
        quick: Plan { points: &[0.001, 0.1], repeats: 2 },
        ..LEAVES
    };
    let mut watch = never();
    let mut bench = Bench::new(&mut watch);
    // Every seed is as good as another.
    bench.seed = u64::MAX;
    let table = timed.run(&mut bench).unwrap().table;
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
