//! MCTS-Solver: proven outcomes are correct.

use tussle_core::{Bound, Game, Limits, Outcome, StopReason};
use tussle_search::{Agent, Mcts, MctsOptions, Query, TreeFilter, UnsupportedOption};

use super::listed;
use crate::graph::Graph;
use crate::naive::{Naive, WIN};

/// Returns the outcome under best play for the root player.
fn truth(game: &Graph, mv: Option<u16>) -> Outcome {
    let naive = Naive::new(game);
    let value = match mv {
        Some(mv) => naive.score(&game.after(&game.start(), mv), 99, 1),
        None => naive.score(&game.start(), 99, 0),
    };
    match value {
        x if x > WIN / 2.0 => Outcome::Win,
        x if x < -WIN / 2.0 => Outcome::Loss,
        _ => Outcome::Draw,
    }
}

#[test]
fn the_solver_proves_correct_outcomes() {
    for seed in 0..60 {
        let game = Graph { branching: 3 + seed % 4, ..Graph::new(seed) };
        for (expand_all, table) in [(false, false), (true, false), (false, true)] {
            let options = MctsOptions { solver: true, expand_all, seed, ..listed() };
            for nodes in [5, 30, 100, 1 << 17] {
                let what = format!("seed {seed}, {nodes} nodes, all {expand_all}, table {table}");
                let mcts = Mcts::new(options.clone());
                let mut mcts = if table { mcts.with_table() } else { mcts };
                let limits = Limits::nodes(nodes);
                let query = Query::new(&limits).keep_tree();
                let report = mcts.run(&game, &game.start(), query).expect("a report");
                let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
                for line in &report.lines {
                    if let Some(outcome) = line.outcome() {
                        assert_eq!(outcome, truth(&game, Some(line.mv)), "{what}: {line:?}");
                        let utility = match outcome {
                            Outcome::Win => 1.0,
                            Outcome::Draw => 0.0,
                            Outcome::Loss => -1.0,
                        };
                        assert_eq!((line.value.number(), line.bound), (utility, Bound::Exact));
                    }
                }
                if nodes > 1000 {
                    let outcome = truth(&game, None);
                    assert_eq!(report.stopped, StopReason::Proven, "{what}");
                    assert_eq!(report.outcome(), Some(outcome), "{what}");
                    assert_eq!(tree.outcome, Some(outcome), "{what}");
                    assert!(report.stats.nodes < 5000, "{what}: {}", report.stats.nodes);
                } else if report.stopped == StopReason::Proven {
                    assert!(report.stats.nodes <= nodes, "{what}");
                    assert_eq!(report.outcome(), Some(truth(&game, None)), "{what}");
                }
            }
        }
    }
}

#[test]
fn the_solver_rejects_games_with_points_chance_or_many_players() {
    let solver = MctsOptions { solver: true, ..Default::default() };
    for (game, error) in [
        (Graph::new(1), None),
        (Graph { chance: true, ..Graph::new(1) }, Some(UnsupportedOption::Solver)),
        (Graph { points: true, ..Graph::new(1) }, Some(UnsupportedOption::Solver)),
        (Graph { players: 3, ..Graph::new(1) }, Some(UnsupportedOption::Solver)),
    ] {
        let mcts: Mcts<Graph> = Mcts::new(solver.clone());
        assert_eq!(mcts.check(&game).err(), error);
        assert!(mcts.is_deterministic());
        let mcts: Mcts<Graph> = Mcts::new(MctsOptions { threads: 2, ..Default::default() });
        assert!(mcts.check(&game).is_ok() && !mcts.is_deterministic());
    }
}

/// After many simulations, the value of the best move is near the true one.
#[test]
fn many_simulations_find_the_best_move() {
    let mut found = 0;
    for seed in 0..20 {
        let game = Graph { plies: 4, ..Graph::new(seed) };
        for threads in [1, 3] {
            let options = MctsOptions { seed, threads, ..Default::default() };
            let mut mcts = Mcts::new(options);
            let report = mcts.search(&game, &game.start(), &Limits::nodes(20_000)).unwrap();
            let best = report.lines[0].mv;
            found += u32::from(truth(&game, Some(best)) == truth(&game, None));
        }
    }
    assert!(found >= 38, "{found} of 40");
}
