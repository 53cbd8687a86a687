//! Alpha-beta: options that only save work do not change values.

use std::collections::BTreeMap;

use tussle_core::{
    Bound, CutReason, EarliestEnds, Game, Limits, Outcome, StopReason, Tactics, Turn,
};
use tussle_search::{
    Agent, AlphaBeta, AlphaBetaOptions, Deepening, KeyFunctions, MoveOrder, Query, TerminalValue,
    WindowMode,
};

use crate::graph::{Graph, Judge, Place, all_lines};
use crate::listener::Listener;
use crate::naive::{Naive, WIN, score_of};

/// Returns all orders and windows, with a table and without.
fn variants() -> impl Iterator<Item = (AlphaBetaOptions, bool)> {
    let orders = [MoveOrder::AsListed, MoveOrder::Root, MoveOrder::Full];
    let windows =
        [None, Some(WindowMode::Full), Some(WindowMode::Aspiration), Some(WindowMode::Pvs)];
    orders.into_iter().flat_map(move |order| {
        windows.into_iter().flat_map(move |window| {
            [false, true].map(|table| {
                let options =
                    AlphaBetaOptions { order, window, table_bytes: 1 << 16, ..Default::default() };
                (options, table)
            })
        })
    })
}

pub(crate) fn new(options: AlphaBetaOptions, table: bool, judge: Judge) -> AlphaBeta<Graph> {
    let keys = table.then(KeyFunctions::of_game);
    AlphaBeta::new(options, judge).with_keys(keys)
}

/// Checks every line of a report against the naive search.
pub(crate) fn check(
    naive: &Naive<'_>,
    report: &tussle_core::Report<u16>,
    depth: u32,
    lines: usize,
    what: &str,
) {
    let mut values: Vec<f64> =
        naive.root_values(depth).0.into_iter().map(|(_, value)| value).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    assert_eq!(report.lines.len(), values.len(), "{what}");
    for (i, line) in report.lines.iter().enumerate() {
        naive.assert_line(line, depth, what);
        if i < lines {
            assert_eq!(line.bound, Bound::Exact, "{what}: {line:?}");
            naive.assert_value(line.value, values[i], what);
        } else if line.bound == Bound::Upper {
            let told = score_of(line.value, naive.game.points);
            let worst = score_of(report.lines[lines - 1].value, naive.game.points);
            assert!(told <= worst || told.abs() > WIN / 2.0, "{what}: {line:?}");
        }
    }
}

#[test]
fn no_order_window_or_table_changes_a_value() {
    for seed in 0..24 {
        let game = Graph { points: seed % 4 == 3, ..Graph::new(seed) };
        let naive = Naive::new(&game);
        for depth in [2, 4, 5] {
            for (options, table) in variants() {
                for lines in [1, 2] {
                    let what = &format!("seed {seed}, {options:?}, table {table}, {lines} lines");
                    let mut agent = new(options.clone(), table, Judge::NEW);
                    let limits = Limits::depth(depth);
                    let query = Query::new(&limits).lines(lines);
                    let report = agent.run(&game, &game.start(), query).expect("a report");
                    check(&naive, &report, depth, lines, what);
                    assert_eq!(report.stats.depth, depth, "{what}");
                }
            }
        }
    }
}

#[test]
fn deepening_by_more_than_one_ply_ends_with_the_values_of_the_last_depth() {
    for seed in 0..12 {
        let game = Graph { points: seed % 4 == 1, full_length: true, ..Graph::new(seed) };
        let naive = Naive::new(&game);
        for (step, depth, expected) in
            [(2, 5, vec![1, 3, 5]), (2, 4, vec![2, 4]), (3, 5, vec![2, 5]), (0, 2, vec![1, 2])]
        {
            let deepening = Deepening { iterative: Some(true), step, ..Deepening::default() };
            let options = AlphaBetaOptions { deepening, ..Default::default() };
            let limits = Limits::depth(depth);
            let mut listener = Listener::default();
            let query = Query::new(&limits).on_event(&mut listener);
            let report = new(options, true, Judge::NEW).run(&game, &game.start(), query).unwrap();
            check(&naive, &report, depth, 1, &format!("seed {seed}, step {step}"));
            assert_eq!(listener.iterations, expected, "step {step}");
        }
    }
}

/// A shallower search of late moves may miss something, but what it proves is true.
#[test]
fn reductions_never_prove_a_wrong_outcome() {
    let (mut proven, mut inexact) = (0, 0);
    for seed in 0..320 {
        let game = Graph { points: seed % 5 == 4, plies: 7, branching: 7, ..Graph::new(seed) };
        let naive = Naive::new(&game);
        let start = game.start();
        let truths: BTreeMap<u16, f64> = naive.root_values(99).0.into_iter().collect();
        for depth in [3, 4, 6, 99] {
            let best = naive.root_values(depth).0.into_iter().map(|(_, value)| value);
            let best = best.fold(f64::NEG_INFINITY, f64::max);
            for window in [WindowMode::Full, WindowMode::Pvs, WindowMode::Mtd] {
                let options = AlphaBetaOptions {
                    reductions: true,
                    window: Some(window),
                    ..Default::default()
                };
                let mut agent = new(options, seed % 2 == 0, Judge::NEW);
                let report = agent.search(&game, &start, &Limits::depth(depth)).unwrap();
                for line in &report.lines {
                    let truth = truths[&line.mv];
                    let what = format!("seed {seed}, depth {depth}, {window:?}: {line:?} {truth}");
                    let Some(outcome) = line.outcome() else { continue };
                    proven += 1;
                    let is_true = match outcome {
                        Outcome::Win => truth > 0.0,
                        Outcome::Loss => truth < 0.0,
                        Outcome::Draw => truth == 0.0,
                    };
                    assert!(is_true, "{what}");
                    if let Some(plies) = line.distance() {
                        assert_eq!(f64::from(plies), WIN - truth.abs(), "{what}");
                    }
                }
                inexact += u32::from(score_of(report.lines[0].value, game.points) != best);
            }
        }
    }
    assert!(proven > 1000 && inexact > 100, "{proven} {inexact}");
}

#[test]
fn deepening_ends_with_the_values_of_the_last_depth() {
    for seed in 0..24 {
        let game = Graph { points: seed % 4 == 1, ..Graph::new(seed) };
        let naive = Naive::new(&game);
        for (options, table) in variants() {
            let what = &format!("seed {seed}, {options:?}, table {table}");
            let deepening = Deepening { iterative: Some(true), ..Deepening::default() };
            let mut agent = new(AlphaBetaOptions { deepening, ..options }, table, Judge::NEW);
            let depth = 1 + (seed % 5) as u32;
            let limits = Limits::depth(depth);
            let mut listener = Listener::default();
            let query = Query::new(&limits).lines(2).on_event(&mut listener);
            let report = agent.run(&game, &game.start(), query).expect("a report");
            listener.assert_counts(&report.stats, what);
            let searched = report.stats.depth;
            assert!(searched == depth || report.stopped == StopReason::Proven, "{what}");
            check(&naive, &report, searched, 2, what);
            assert_eq!(listener.iterations.first(), Some(&1), "{what}");
            assert_eq!(listener.iterations.last(), Some(&searched), "{what}");
        }
    }
}

#[test]
fn draws_and_ends_can_have_another_value() {
    for seed in 0..24 {
        let game = Graph { twins: true, ..Graph::new(seed) };
        for (draw, eval_ends) in [(4.5, false), (-4.5, false), (0.0, true)] {
            let finished =
                if eval_ends { TerminalValue::Evaluation } else { TerminalValue::Result };
            let naive = Naive { draw, eval_ends, ..Naive::new(&game) };
            for table in [false, true] {
                let options = AlphaBetaOptions { draw, finished, ..Default::default() };
                let mut agent = new(options, table, Judge::NEW);
                for depth in [3, 4, 99] {
                    let report = agent.search(&game, &game.start(), &Limits::depth(depth)).unwrap();
                    check(&naive, &report, depth, 1, &format!("seed {seed}, draw {draw}"));
                }
            }
        }
    }
}

#[test]
fn quiescence_follows_the_noisy_moves() {
    let mut differs = 0;
    for seed in 0..24 {
        let game = Graph { plies: 7, ..Graph::new(seed) };
        let naive = Naive { quiescence: true, ..Naive::new(&game) };
        for (options, table) in variants() {
            let options = AlphaBetaOptions { quiescence: true, ..options };
            for depth in [1, 2, 3] {
                let what = &format!("seed {seed}, {options:?}, table {table}, depth {depth}");
                let mut agent = new(options.clone(), table, Judge::NEW);
                let mut listener = Listener::default();
                listener.stands_pat = true;
                let limits = Limits::depth(depth);
                let query = Query::new(&limits).on_event(&mut listener);
                let report = agent.run(&game, &game.start(), query).expect("a report");
                assert_eq!(listener.nodes, report.stats.nodes, "{what}");
                assert_eq!(
                    (listener.cuts, listener.pruned),
                    (report.stats.cutoffs, report.stats.pruned)
                );
                let (values, _) = naive.root_values(depth);
                let best = values.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
                let line = &report.lines[0];
                let told = score_of(line.value, false);
                // Wins below the horizon have no distance.
                let is_far = best.abs() > WIN / 2.0 && line.distance().is_none();
                assert!(
                    told == best || is_far && told.signum() == best.signum(),
                    "{what}: {line:?} {best}"
                );
                let plain = Naive::new(&game).root_values(depth).0;
                differs += u32::from(values != plain);
            }
        }
    }
    assert!(differs > 100);
}

/// Moves are searched in the same order and pruned at the same places as in the textbook algorithm.
#[test]
fn without_options_the_search_counts_the_same_nodes_as_the_textbook() {
    for seed in 0..60 {
        let game = Graph::new(seed);
        let naive = Naive::new(&game);
        for depth in 1..=game.plies {
            let options = AlphaBetaOptions {
                order: MoveOrder::AsListed,
                window: Some(WindowMode::Full),
                ..Default::default()
            };
            let mut listener = Listener::default();
            let limits = Limits::depth(depth);
            let query = Query::new(&limits).on_event(&mut listener);
            let report = new(options, false, Judge::NEW).run(&game, &game.start(), query).unwrap();
            let expected = naive.count_alphabeta(depth);
            let found = &report.stats;
            let what = format!("seed {seed}, depth {depth}");
            listener.assert_counts(found, &what);
            assert_eq!(found.nodes, expected.nodes, "{what}");
            assert_eq!(found.leaves, expected.leaves, "{what}");
            assert_eq!(found.evaluations, expected.evaluations, "{what}");
            assert_eq!(
                (found.cutoffs, found.pruned),
                (expected.cutoffs, expected.pruned),
                "{what}"
            );
            for reason in &listener.reasons {
                assert!([CutReason::Alpha, CutReason::Beta].contains(reason), "{what}");
            }
        }
    }
}

/// Principal variations are legal, reach the horizon (without a table), and lead to a leaf with their value.
#[test]
fn exact_principal_variations_lead_to_their_value() {
    for seed in 0..24 {
        let game = Graph { points: seed % 2 == 0, ..Graph::new(seed) };
        let naive = Naive::new(&game);
        for (options, table) in variants() {
            for depth in [1, 3, 5] {
                let what = &format!("seed {seed}, {options:?}, table {table}, depth {depth}");
                let mut agent = new(options.clone(), table, Judge::NEW);
                let report = all_lines(&mut agent, &game, &Limits::depth(depth));
                for line in &report.lines {
                    let mut at = game.start();
                    for &mv in &line.pv {
                        assert!(game.legal_moves(&at).contains(&mv), "{what}");
                        at = game.after(&at, mv);
                    }
                    let plies = line.pv.len() as u32;
                    assert!(plies <= depth, "{what}");
                    let score = naive.score(&at, depth - plies, plies);
                    naive.assert_value(line.value, score, what);
                    let is_whole = plies == depth || game.turn(&at) == tussle_core::Turn::Over;
                    assert!(is_whole || table, "{what}: {line:?}");
                }
            }
        }
    }
}

#[test]
fn a_table_kept_for_several_positions_changes_no_value() {
    for judge in [Judge::NEW, Judge { is_antisymmetric: false, ..Judge::NEW }] {
        for seed in 0..12 {
            let game = Graph { width: 8, full_length: true, plies: 8, ..Graph::new(seed) };
            let options = AlphaBetaOptions { table_bytes: 1 << 16, ..Default::default() };
            let mut agent = new(options, true, judge);
            let mut hits = 0;
            let mut at = game.start();
            // One agent plays for both players.
            while let tussle_core::Turn::Player(mover) = game.turn(&at) {
                // The later position is searched as the start of a game of its own.
                let report = agent.search(&game, &at, &Limits::depth(4)).expect("a report");
                let fresh = new(AlphaBetaOptions::default(), false, judge)
                    .search(&game, &at, &Limits::depth(4))
                    .expect("a report");
                let [a, b] = [&report, &fresh].map(|report| report.lines[0].value);
                assert_eq!((a.number(), a.outcome()), (b.number(), b.outcome()), "{seed} {mover}");
                hits += report.stats.table_hits;
                at = game.after(&at, report.lines[0].mv);
            }
            assert!(hits > 0, "{seed}");
        }
    }
}

#[test]
fn with_a_known_value_the_best_move_has_this_value() {
    let (mut nodes, mut all_nodes) = (0, 0);
    for seed in 0..40 {
        let game = Graph { points: seed % 2 == 0, ..Graph::new(seed) };
        let naive = Naive::new(&game);
        // Without points, only proven values can be given as known.
        for depth in if game.points { 4..6 } else { 99..100 } {
            let (values, _) = naive.root_values(depth);
            let best = values.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
            let known = match best {
                x if game.points => x,
                x if x > WIN / 2.0 => 1.0,
                x if x < -WIN / 2.0 => -1.0,
                x => x,
            };
            for table in [false, true] {
                let mut agent = new(AlphaBetaOptions::default(), table, Judge::NEW);
                let limits = Limits::depth(depth);
                let query = Query::new(&limits).known_value(known);
                let report = agent.run(&game, &game.start(), query).expect("a report");
                let chosen = report.lines[0].mv;
                let score = values.iter().find(|(mv, _)| *mv == chosen).expect("a move").1;
                let has_it = score == best || score.abs() > WIN / 2.0 && score * best > 0.0;
                assert!(has_it, "seed {seed}, depth {depth}: {score} of {best}");
                nodes += report.stats.nodes;
                let mut agent = new(AlphaBetaOptions::default(), table, Judge::NEW);
                all_nodes += agent.search(&game, &game.start(), &limits).unwrap().stats.nodes;
            }
        }
    }
    assert!(nodes < all_nodes * 9 / 10, "{nodes} of {all_nodes}");
}

#[test]
fn a_random_order_changes_no_value() {
    let mut nodes = Vec::new();
    for seed in 0..12 {
        let game = Graph { twins: true, ..Graph::new(4) };
        for order in [MoveOrder::AsListed, MoveOrder::Full] {
            let options = AlphaBetaOptions { shuffle: true, order, seed, ..Default::default() };
            let mut agent = new(options, seed % 2 == 0, Judge::NEW);
            let report = agent.search(&game, &game.start(), &Limits::depth(5)).unwrap();
            check(&Naive::new(&game), &report, 5, 1, &format!("seed {seed}"));
            nodes.push(report.stats.nodes);
        }
    }
    nodes.sort_unstable();
    nodes.dedup();
    assert!(nodes.len() > 4, "{nodes:?}");
}

#[test]
fn the_table_uses_at_most_the_memory_limit() {
    let game = Graph::new(1);
    let bytes = |options: AlphaBetaOptions, limits: &Limits| {
        let mut agent = new(options, true, Judge::NEW);
        agent.search(&game, &game.start(), limits).expect("a report").stats.bytes
    };
    let options = AlphaBetaOptions { table_bytes: 1 << 20, ..Default::default() };
    let full = bytes(options.clone(), &Limits::depth(3));
    assert!(((1 << 20) - 200..=1 << 20).contains(&full), "{full}");
    let limited = bytes(options.clone(), &Limits::depth(3).or_memory(1 << 16));
    assert!(((1 << 16) - 200..=1 << 16).contains(&limited), "{limited}");
    let mut agent = new(options, false, Judge::NEW);
    let report = agent.search(&game, &game.start(), &Limits::depth(3)).unwrap();
    assert_eq!(report.stats.bytes, 0);
}

/// Returns the earliest plies after which a line from `at` ends with a utility of this sign for `player`.
fn earliest(game: &Graph, at: &Place, player: usize, sign: f64) -> Option<u32> {
    if game.turn(at) == Turn::Over {
        return (game.utility(at, player) * sign > 0.0).then_some(0);
    }
    let moves = game.legal_moves(at).into_iter();
    moves.filter_map(|mv| earliest(game, &game.after(at, mv), player, sign)).min().map(|n| n + 1)
}

/// The tactics of the random game know the earliest win and loss of all lines.
impl Tactics for Graph {
    fn earliest_ends(&self, at: &Place) -> EarliestEnds {
        let Turn::Player(mover) = self.turn(at) else { unreachable!("it is a player's turn") };
        let [win, loss] = [1.0, -1.0].map(|sign| earliest(self, at, mover, sign));
        EarliestEnds { win, loss }
    }
}

#[test]
fn tactics_change_no_value_of_a_search_to_the_end() {
    let windows = [WindowMode::Full, WindowMode::Aspiration, WindowMode::Pvs, WindowMode::Mtd];
    for seed in 0..60 {
        let game = Graph { plies: 7, ..Graph::new(seed) };
        for draw in [0.0, 0.25, -9999.0] {
            let naive = Naive { draw, ..Naive::new(&game) };
            for (i, window) in windows.into_iter().enumerate() {
                let what = &format!("seed {seed}, draw {draw}, {window:?}");
                let child_probes = seed % 2 == 0;
                let options = AlphaBetaOptions {
                    draw,
                    window: Some(window),
                    child_probes,
                    ..Default::default()
                };
                let mut agent = new(options, i != seed as usize % 4, Judge::NEW).with_tactics();
                let report = agent.search(&game, &game.start(), &Limits::none()).unwrap();
                check(&naive, &report, 99, 1, what);
                assert!(report.lines[0].outcome().is_some(), "{what}");
            }
        }
    }
}
