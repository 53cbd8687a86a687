//! Limits, stop reasons, and reports of an interrupted depth.

use std::time::{Duration, Instant};

use tussle_core::{Bound, Game, Limits, Report, StopFlag, StopReason};
use tussle_search::{
    Agent, AlphaBeta, AlphaBetaOptions, Deepening, Expectimax, ExpectimaxOptions, Maxn,
    MaxnOptions, Minimax, MinimaxOptions, Query,
};

use crate::graph::{Graph, Judge};
use crate::naive::Naive;

fn deepening() -> Deepening {
    Deepening { iterative: Some(true), ..Deepening::default() }
}

fn minimax(deepening: Deepening) -> Minimax<Graph> {
    Minimax::new(MinimaxOptions { deepening, dedupe: true, ..Default::default() }, Judge::NEW)
}

fn alphabeta(deepening: Deepening) -> AlphaBeta<Graph> {
    AlphaBeta::new(AlphaBetaOptions { deepening, ..Default::default() }, Judge::NEW)
}

/// Returns every classical search.
fn agents(deepening: Deepening) -> [(&'static str, Box<dyn Agent<Graph>>); 4] {
    let expectimax = ExpectimaxOptions {
        deepening,
        opponent: Some(tussle_search::OpponentModel::Best),
        ..Default::default()
    };
    let maxn = MaxnOptions { deepening, ..Default::default() };
    [
        ("minimax", Box::new(minimax(deepening))),
        ("alphabeta", Box::new(alphabeta(deepening))),
        ("expectimax", Box::new(Expectimax::new(expectimax, Judge::NEW))),
        ("maxn", Box::new(Maxn::new(maxn, Judge::NEW))),
    ]
}

/// Returns a game that no classical search proves early.
fn long_game(seed: u64) -> Graph {
    Graph { full_length: true, plies: 12, ..Graph::new(seed) }
}

#[test]
fn a_report_is_sent_after_every_depth() {
    let game = long_game(1);
    for (name, mut agent) in agents(deepening()) {
        let mut reports = Vec::new();
        let mut live = |report: &Report<u16>| reports.push(report.clone());
        let limits = Limits::depth(4);
        let query = Query::new(&limits).on_progress(&mut live);
        let report = agent.run(&game, &game.start(), query).expect("a report");
        assert_eq!(report.stopped, StopReason::Depth, "{name}");
        let depths: Vec<u32> = reports.iter().map(|report| report.stats.depth).collect();
        assert_eq!(depths, [1, 2, 3, 4], "{name}");
        assert_eq!(reports.last(), Some(&report), "{name}");
        let nodes: Vec<u64> = reports.iter().map(|report| report.stats.nodes).collect();
        assert!(nodes.is_sorted() && nodes[0] < nodes[3], "{name}: {nodes:?}");
    }
}

#[test]
fn a_depth_limit_alone_means_one_iteration() {
    let game = long_game(2);
    for (name, mut agent) in agents(Deepening::default()) {
        let mut reports = 0;
        let mut live = |_: &Report<u16>| reports += 1;
        let limits = Limits::depth(3);
        let query = Query::new(&limits).on_progress(&mut live);
        agent.run(&game, &game.start(), query).expect("a report");
        assert_eq!(reports, 1, "{name}");
        // Limits of time or nodes turn iterative deepening on.
        for limits in [limits.clone().or_nodes(1 << 40), limits.or_time(Duration::from_mins(9))] {
            let mut reports = 0;
            let mut live = |_: &Report<u16>| reports += 1;
            let query = Query::new(&limits).on_progress(&mut live);
            let report = agent.run(&game, &game.start(), query).expect("a report");
            assert_eq!((reports, report.stopped), (3, StopReason::Depth), "{name}");
        }
    }
    let off = Deepening { iterative: Some(false), ..Deepening::default() };
    for (name, mut agent) in agents(off) {
        let limits = Limits::depth(3).or_nodes(1 << 40);
        let mut reports = 0;
        let mut live = |_: &Report<u16>| reports += 1;
        let query = Query::new(&limits).on_progress(&mut live);
        agent.run(&game, &game.start(), query).expect("a report");
        assert_eq!(reports, 1, "{name}");
    }
}

#[test]
fn depth_zero_counts_as_one() {
    let game = long_game(3);
    for (name, mut agent) in agents(Deepening::default()) {
        let report = agent.search(&game, &game.start(), &Limits::depth(0)).expect("a report");
        assert_eq!(report.stats.depth, 1, "{name}");
        assert!((5..9).contains(&report.stats.nodes), "{name}: {:?}", report.stats);
    }
}

/// For every node limit, values are those of the last complete depth, or of the finished moves of the next.
#[test]
fn an_interrupted_depth_leaves_comparable_values() {
    for seed in 0..6 {
        let game = long_game(seed);
        let naive = Naive::new(&game);
        for partial in [true, false] {
            let mut depths = Vec::new();
            for nodes in (1..40).chain((40..3000).step_by(149)) {
                let what = format!("seed {seed}, {nodes} nodes, partial {partial}");
                let deepening = Deepening { partial, ..Deepening::default() };
                let limits = Limits::nodes(nodes);
                let report = minimax(deepening).search(&game, &game.start(), &limits).unwrap();
                assert_eq!(report.stopped, StopReason::Nodes, "{what}");
                assert!(report.stats.nodes <= nodes, "{what}: {}", report.stats.nodes);
                let depth = report.stats.depth;
                depths.push(depth);
                let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
                assert!(visits <= report.stats.nodes, "{what}");
                let known: Vec<_> = report.lines.iter().filter(|line| line.searched).collect();
                let all_known = known.len() == report.lines.len();
                // Moves that were not reached come last, without a value.
                assert!(report.lines[known.len()..].iter().all(|line| !line.searched), "{what}");
                for line in &report.lines[known.len()..] {
                    assert_eq!((line.bound, line.value.number()), (Bound::Lower, -1.0), "{what}");
                    assert!(line.known_value().is_none() && line.pv[0] == line.mv, "{what}");
                }
                let (completed, _) = naive.root_values(depth.max(1));
                let best = completed.iter().map(|&(_, score)| score).fold(f64::MIN, f64::max);
                let is_of = |depth: u32| {
                    known.iter().all(|line| {
                        let child = game.after(&game.start(), line.mv);
                        let score = naive.score(&child, depth - 1, 1);
                        score == crate::naive::score_of(line.value, false)
                    })
                };
                if depth == 0 {
                    assert!(is_of(1), "{what}");
                } else if all_known && is_of(depth) {
                    naive.assert_value(report.lines[0].value, best, &what);
                } else {
                    // Then the former best move is among them.
                    assert!(partial && is_of(depth + 1), "{what}: {known:?}");
                    let is_best = |mv| completed.iter().any(|&(m, score)| m == mv && score == best);
                    assert!(known.iter().any(|line| is_best(line.mv)), "{what}: {known:?}");
                }
            }
            assert!(depths.is_sorted() && depths[depths.len() - 1] > 3, "{depths:?}");
        }
    }
}

/// The proof of a move is kept if the next depth does not reach the move.
#[test]
fn an_interrupted_depth_keeps_proofs() {
    let mut kept = 0;
    for seed in 0..30 {
        let game = Graph { plies: 9, branching: 3, ..Graph::new(seed) };
        for nodes in (20..400).step_by(23) {
            let limits = Limits::nodes(nodes);
            let mut agent = minimax(Deepening::default());
            let report = agent.search(&game, &game.start(), &limits).expect("a report");
            if report.stats.depth == 0 || report.stopped != StopReason::Nodes {
                continue;
            }
            let depth = Limits::depth(report.stats.depth);
            let whole = minimax(deepening()).search(&game, &game.start(), &depth).unwrap();
            let is_partial = report.lines.iter().any(|line| !line.searched);
            for line in &report.lines {
                let before = whole.lines.iter().find(|before| before.mv == line.mv).unwrap();
                if before.outcome().is_some() {
                    assert!(line.searched, "seed {seed}, {nodes} nodes: {line:?} {before:?}");
                    assert!(line.outcome().is_some(), "seed {seed}, {nodes} nodes: {line:?}");
                    kept += u32::from(is_partial);
                }
            }
        }
    }
    assert!(kept > 10, "{kept}");
}

/// Moves that the interrupted depth did not reach keep the visits and the principal variation of the last depth.
#[test]
fn moves_without_a_value_keep_visits_and_variation_of_the_last_depth() {
    let mut kept = 0;
    for seed in 0..6 {
        let game = long_game(seed);
        for nodes in (100..1000).step_by(31) {
            let limits = Limits::nodes(nodes);
            let mut agent = minimax(Deepening::default());
            let report = agent.search(&game, &game.start(), &limits).expect("a report");
            let depth = Limits::depth(report.stats.depth);
            let whole = minimax(deepening()).search(&game, &game.start(), &depth).unwrap();
            for line in report.lines.iter().filter(|line| !line.searched) {
                let before = whole.lines.iter().find(|before| before.mv == line.mv).unwrap();
                assert!(before.visits > 0 && before.pv.len() > 1, "seed {seed}: {before:?}");
                assert_eq!((line.visits, &line.pv), (before.visits, &before.pv), "seed {seed}");
                kept += 1;
            }
        }
    }
    assert!(kept > 10, "{kept}");
}

/// If fewer moves are finished than lines are requested, the report has the values of the last depth.
#[test]
fn an_interrupted_depth_counts_only_with_all_requested_lines() {
    let game = long_game(4);
    for nodes in 100..400 {
        let limits = Limits::nodes(nodes);
        let query = Query::new(&limits).lines(4);
        let report = minimax(Deepening::default()).run(&game, &game.start(), query).unwrap();
        assert!(report.lines.iter().all(|line| line.searched), "{nodes}: {report:?}");
    }
}

#[test]
fn interrupted_depths_of_alphabeta_keep_the_best_move_or_a_better_one() {
    for seed in 0..6 {
        let game = long_game(seed);
        let naive = Naive::new(&game);
        for nodes in (10..4000).step_by(97) {
            let limits = Limits::nodes(nodes);
            let mut agent = alphabeta(Deepening::default());
            let report = agent.search(&game, &game.start(), &limits).expect("a report");
            let what = format!("seed {seed}, {nodes} nodes");
            assert!(report.stats.nodes <= nodes, "{what}");
            let line = &report.lines[0];
            let depth = report.stats.depth;
            if !line.searched || depth == 0 {
                continue;
            }
            let child = game.after(&game.start(), line.mv);
            let score = |depth: u32| naive.score(&child, depth - 1, 1);
            let told = crate::naive::score_of(line.value, false);
            assert!(told == score(depth) || told == score(depth + 1), "{what}: {line:?}");
        }
    }
}

#[test]
fn proven_roots_end_the_search() {
    for seed in 0..30 {
        let game = Graph::new(seed);
        for (name, mut agent) in agents(deepening()) {
            let report = agent.search(&game, &game.start(), &Limits::none()).expect("a report");
            assert_eq!(report.stopped, StopReason::Proven, "{name}, {seed}");
            assert!(report.stats.depth <= game.plies, "{name}, {seed}");
            assert!(report.outcome().is_some(), "{name}, {seed}");
            let naive = Naive::new(&game);
            let (values, _) = naive.root_values(game.plies);
            let best = values.iter().map(|&(_, score)| score).fold(f64::MIN, f64::max);
            let score = crate::naive::score_of(report.lines[0].value, false);
            assert_eq!(score > 1.0, best > 1.0, "{name}, {seed}");
            assert_eq!(score < -1.0, best < -1.0, "{name}, {seed}");
        }
    }
}

/// A win at depth 3 needs no deeper search.
#[test]
fn a_win_within_the_depth_ends_deepening_early() {
    let mut early = 0;
    for seed in 0..60 {
        let game = Graph { plies: 7, ..Graph::new(seed) };
        for (name, agent) in &mut agents(deepening())[..2] {
            let report = agent.search(&game, &game.start(), &Limits::none()).expect("a report");
            let line = &report.lines[0];
            assert_eq!(line.bound, Bound::Exact, "{name}, {seed}");
            let best = Naive::new(&game).root_values(game.plies).0;
            let best = best.iter().map(|&(_, score)| score).fold(f64::MIN, f64::max);
            if best > 1.0 {
                let plies = line.distance().expect("a distance");
                assert_eq!(f64::from(plies), crate::naive::WIN - best, "{name}, {seed}");
                assert!(report.stats.depth >= plies);
                early += u32::from(report.stats.depth < game.plies);
            }
        }
    }
    assert!(early > 10, "{early}");
}

#[test]
fn a_single_move_is_not_searched_for_long_under_a_clock() {
    let game = Graph { branching: 1, full_length: true, plies: 30, ..Graph::new(5) };
    for limits in [Limits::time(Duration::from_mins(9)), Limits::nodes(1 << 30)] {
        for (name, mut agent) in agents(Deepening::default()) {
            let report = agent.search(&game, &game.start(), &limits).expect("a report");
            assert_eq!((report.stopped, report.stats.depth), (StopReason::Finished, 1), "{name}");
            assert!(!report.lines[0].searched, "{name}");
            // A query for several lines or a depth is searched in full.
            let query = Query::new(&limits).lines(2);
            let report = agent.run(&game, &game.start(), query).expect("a report");
            assert_eq!(report.stopped, StopReason::Proven, "{name}");
            let deep = limits.clone().or_depth(9);
            let report = agent.search(&game, &game.start(), &deep).expect("a report");
            assert_eq!((report.stopped, report.stats.depth), (StopReason::Depth, 9), "{name}");
            assert!(report.lines[0].searched, "{name}");
        }
    }
}

#[test]
fn without_a_depth_limit_the_search_stops_at_its_maximum_depth() {
    // The longest game has more plies than the maximum depth.
    let game = Graph { branching: 1, full_length: true, plies: 2100, ..Graph::new(5) };
    let on_stack = || {
        let mut agent = minimax(Deepening::default());
        let report = agent.search(&game, &game.start(), &Limits::none()).expect("a report");
        assert_eq!((report.stopped, report.stats.nodes), (StopReason::Finished, 2049));
        let mut agent = alphabeta(Deepening::default());
        let report = agent.search(&game, &game.start(), &Limits::none()).expect("a report");
        assert_eq!((report.stopped, report.stats.nodes), (StopReason::Finished, 2049));
        assert_eq!(report.lines[0].pv.len(), 2048);
        assert_eq!(report.stats.depth, 2048);
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 28);
        thread.spawn_scoped(scope, on_stack).expect("a thread").join().expect("no panic");
    });
}

#[test]
fn time_flags_and_contracts_stop_a_search() {
    let game = Graph { plies: 60, width: 1 << 40, ..long_game(6) };
    for (name, mut agent) in agents(Deepening::default()) {
        let limits = Limits::time(Duration::from_millis(50));
        let began = Instant::now();
        let report = agent.search(&game, &game.start(), &limits).expect("a report");
        assert_eq!(report.stopped, StopReason::Time, "{name}");
        assert!(began.elapsed() < Duration::from_secs(2), "{name}");
        assert!(report.elapsed <= began.elapsed() && report.stats.nodes > 1, "{name}");

        let flag = StopFlag::default();
        flag.stop();
        let limits = Limits::none().or_stop(&flag);
        let report = agent.search(&game, &game.start(), &limits).expect("a report");
        assert_eq!(report.stopped, StopReason::StopFlag, "{name}");

        // The time ran out before the search started.
        let past = Instant::now().checked_sub(Duration::from_secs(5));
        let limits = Limits { started: past, ..Limits::time(Duration::from_secs(1)) };
        let report = agent.search(&game, &game.start(), &limits).expect("a report");
        assert_eq!((report.stopped, report.stats.depth), (StopReason::Time, 0), "{name}");
    }
    // The next depth may not start if it must have 10^9 times the duration of the last one.
    let contract = Deepening { contract: Some(1e9), ..Deepening::default() };
    let limits = Limits::time(Duration::from_mins(1));
    let began = Instant::now();
    let report = minimax(contract).search(&game, &game.start(), &limits).expect("a report");
    assert_eq!(report.stopped, StopReason::Time);
    assert!(report.stats.depth >= 1 && began.elapsed() < Duration::from_secs(20));
    assert!(report.lines.iter().all(|line| line.searched));
}

/// If a depth ends exactly at the node limit, no further depth is started.
#[test]
fn a_depth_that_ends_at_the_node_limit_ends_the_search() {
    let game = long_game(7);
    let nodes: u64 = (1..=3).map(|depth| Naive::new(&game).root_values(depth).1.nodes).sum();
    let report = minimax(deepening()).search(&game, &game.start(), &Limits::nodes(nodes)).unwrap();
    assert_eq!((report.stopped, report.stats.depth), (StopReason::Nodes, 3));
    assert_eq!(report.stats.nodes, nodes);
}
