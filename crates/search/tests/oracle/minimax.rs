//! Minimax against a naive search: values, proofs, principal variations and counts.

use tussle_core::{Bound, Game, Limits, Outcome, StopReason, Turn};
use tussle_search::{Agent, Minimax, MinimaxOptions, Query, TerminalValue};

use crate::graph::{Graph, Judge, TWIN, all_lines};
use crate::listener::{Listener, number};
use crate::naive::Naive;

#[test]
fn values_and_counts_are_those_of_the_naive_search() {
    for seed in 0..40 {
        let game = Graph { points: seed % 4 == 3, twins: seed % 5 == 0, ..Graph::new(seed) };
        let draw = if seed % 7 == 0 { 3.5 } else { 0.0 };
        let finished =
            if seed % 6 == 1 { TerminalValue::Evaluation } else { TerminalValue::Result };
        let dedupe = seed % 2 == 0;
        let naive = Naive {
            draw: if game.points { 0.0 } else { draw },
            eval_ends: finished == TerminalValue::Evaluation,
            dedupe,
            ..Naive::new(&game)
        };
        for depth in 1..=game.plies {
            let what = &format!("seed {seed}, depth {depth}");
            let options = MinimaxOptions { draw, finished, dedupe, ..Default::default() };
            let mut listener = Listener::default();
            let mut minimax = Minimax::new(options, Judge::NEW);
            let limits = Limits::depth(depth);
            let query = Query::new(&limits).on_event(&mut listener);
            let report = minimax.run(&game, &game.start(), query).expect("a report");
            let (values, counts) = naive.root_values(depth);
            assert_eq!(report.lines.len(), values.len(), "{what}");
            for line in &report.lines {
                assert_eq!((line.bound, line.searched), (Bound::Exact, true), "{what}");
                naive.assert_line(line, depth, what);
            }
            let found = &report.stats;
            assert_eq!(found.nodes, counts.nodes, "{what}");
            assert_eq!(found.leaves, counts.leaves, "{what}");
            assert_eq!(found.evaluations, counts.evaluations, "{what}");
            assert_eq!(found.depth, depth, "{what}");
            let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
            assert_eq!(visits + 1, counts.nodes, "{what}");
            listener.assert_counts(found, what);
            assert_eq!(listener.iterations, [depth], "{what}");
            let best = number(report.lines[0].value);
            let sign = if game.first == 0 { 1.0 } else { -1.0 };
            if report.lines[0].outcome().is_none() {
                assert_eq!(listener.root, Some(sign * best), "{what}");
            }
        }
    }
}

#[test]
fn the_best_line_comes_first_and_equals_keep_their_order() {
    for seed in 0..40 {
        let game = Graph::new(seed);
        let mut minimax = Minimax::new(MinimaxOptions::default(), Judge::NEW);
        let report = minimax.search(&game, &game.start(), &Limits::depth(3)).expect("a report");
        for pair in report.lines.windows(2) {
            let [a, b] = [&pair[0], &pair[1]];
            let is_in_order = a.value > b.value || a.value >= b.value && a.mv < b.mv;
            assert!(is_in_order, "{seed}: {pair:?}");
        }
    }
}

/// The last position of every principal variation has the value of its line.
#[test]
fn principal_variations_lead_to_their_value() {
    for seed in 0..40 {
        let game = Graph { twins: true, ..Graph::new(seed) };
        let options = MinimaxOptions { dedupe: true, ..Default::default() };
        let mut minimax = Minimax::new(options, Judge::NEW);
        let naive = Naive::new(&game);
        for depth in 1..=game.plies {
            let report = minimax.search(&game, &game.start(), &Limits::depth(depth)).unwrap();
            for line in &report.lines {
                assert_eq!(line.pv.first(), Some(&line.mv), "{seed}");
                let mut at = game.start();
                for &mv in &line.pv {
                    assert!(mv < TWIN && game.legal_moves(&at).contains(&mv), "{seed} {line:?}");
                    at = game.after(&at, mv);
                }
                let plies = line.pv.len() as u32;
                assert!(plies == depth || game.turn(&at) == Turn::Over, "{seed} {line:?}");
                let score = naive.score(&at, depth - plies, plies);
                naive.assert_value(line.value, score, &format!("seed {seed}: {line:?}"));
            }
        }
    }
}

#[test]
fn a_value_without_an_evaluation_is_proven() {
    for seed in 0..40 {
        let game = Graph { points: seed % 3 == 0, ..Graph::new(seed) };
        let naive = Naive { draw: 2.0, ..Naive::new(&game) };
        let options = MinimaxOptions { draw: 2.0, ..Default::default() };
        let mut minimax = Minimax::new(options, Judge::NEW);
        let report = minimax.search(&game, &game.start(), &Limits::none()).expect("a report");
        assert_eq!(report.stopped, StopReason::Proven, "{seed}");
        // Without a limit, the depth is that of the longest line.
        let longest = report.lines.iter().map(|line| line.pv.len()).max();
        assert_eq!(Some(report.stats.depth as usize), longest, "{seed}");
        let start = game.start();
        for line in &report.lines {
            let score = {
                let naive = Naive { draw: if game.points { 0.0 } else { 2.0 }, ..naive };
                naive.score(&game.after(&start, line.mv), 99, 1)
            };
            let draw = if game.points { 0.0 } else { 2.0 };
            let expected = match score {
                x if x == draw => Outcome::Draw,
                x if x > 0.0 => Outcome::Win,
                _ => Outcome::Loss,
            };
            assert_eq!(line.outcome(), Some(expected), "{seed} {line:?}");
            assert!(line.value.is_finite());
            if game.points {
                assert_eq!(line.value.number(), score, "{seed}");
            }
        }
        assert_eq!(report.outcome(), report.lines[0].outcome(), "{seed}");
    }
}

#[test]
fn a_random_order_changes_no_value() {
    let mut first_moves = Vec::new();
    for seed in 0..20 {
        let game = Graph::new(3);
        let options = MinimaxOptions { shuffle: true, seed, ..Default::default() };
        let mut listener = Listener::default();
        let limits = Limits::depth(3);
        let query = Query::new(&limits).on_event(&mut listener);
        let shuffled = Minimax::new(options, Judge::NEW).run(&game, &game.start(), query).unwrap();
        let plain =
            all_lines(&mut Minimax::new(MinimaxOptions::default(), Judge::NEW), &game, &limits);
        let sorted = |report: &tussle_core::Report<u16>| {
            let mut values: Vec<_> =
                report.lines.iter().map(|line| (line.mv, line.value.number())).collect();
            values.sort_by_key(|&(mv, _)| mv);
            values
        };
        assert_eq!(sorted(&shuffled), sorted(&plain));
        first_moves.push(listener.entered[0]);
    }
    first_moves.sort_unstable();
    first_moves.dedup();
    assert!(first_moves.len() > 2, "{first_moves:?}");
}
