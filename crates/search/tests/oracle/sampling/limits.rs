//! Limits, options out of range, and the order of moves.

use tussle_core::{Bound, Game, Limits, Report, StopFlag, StopReason};
use tussle_search::{
    Agent, Mcts, MctsOptions, Priors, Query, Rollout, SelectionPolicy, UnsupportedOption,
};

use super::listed;
use crate::graph::{Graph, Judge};

#[test]
fn numbers_out_of_range_are_errors() {
    let game = Graph::new(1);
    let ok = MctsOptions::default;
    for (options, option) in [
        (MctsOptions { c: -0.1, ..ok() }, "c"),
        (MctsOptions { c: f64::INFINITY, ..ok() }, "c"),
        (MctsOptions { lambda: -0.1, ..ok() }, "lambda"),
        (MctsOptions { lambda: 1.1, ..ok() }, "lambda"),
        (MctsOptions { draw: f64::NAN, ..ok() }, "draw"),
        (MctsOptions { policy: SelectionPolicy::Epsilon(-0.5), ..ok() }, "epsilon"),
        (MctsOptions { policy: SelectionPolicy::Epsilon(1.5), ..ok() }, "epsilon"),
    ] {
        let error = Mcts::<Graph>::new(options).check(&game).err();
        let is_this =
            matches!(error, Some(UnsupportedOption::Number { option: o, .. }) if o == option);
        assert!(is_this, "{option}: {error:?}");
    }
    for options in [
        MctsOptions { c: 0.0, ..ok() },
        MctsOptions { policy: SelectionPolicy::Epsilon(0.0), ..ok() },
        MctsOptions { policy: SelectionPolicy::Epsilon(1.0), ..ok() },
        MctsOptions { memory: 256_000, ..ok() },
        MctsOptions { priors: Priors::Evaluator, ..ok() },
        MctsOptions { policy: SelectionPolicy::Puct, ..ok() },
    ] {
        assert_eq!(Mcts::<Graph>::new(options).check(&game), Ok(()));
    }
    for options in [
        MctsOptions { lambda: 0.0, ..ok() },
        MctsOptions { rollout: Rollout::Evaluation, ..ok() },
        MctsOptions { rollout: Rollout::Greedy, ..ok() },
        MctsOptions { policy: SelectionPolicy::Puct, priors: Priors::Evaluator, ..ok() },
    ] {
        let error = Some(UnsupportedOption::NoEvaluator);
        assert_eq!(Mcts::<Graph>::new(options.clone()).check(&game).err(), error);
        assert!(Mcts::new(options).with_evaluator(Judge::NEW).check(&game).is_ok());
    }
    let memory = MctsOptions { memory: 255_999, ..ok() };
    let least = Some(UnsupportedOption::Memory { least: 256_000 });
    assert_eq!(Mcts::<Graph>::new(memory).check(&game).err(), least);
}

#[test]
fn equivalent_moves_are_tried_once_with_dedupe() {
    let game = Graph { twins: true, ..Graph::new(5) };
    for (dedupe, moves) in [(true, 4), (false, 8)] {
        let mut mcts = Mcts::new(MctsOptions { dedupe, ..listed() });
        let report = mcts.search(&game, &game.start(), &Limits::nodes(100)).expect("a report");
        assert_eq!(report.lines.len(), moves);
    }
}

#[test]
fn the_order_of_untried_moves_follows_from_the_seed() {
    let game = Graph { branching: 20, ..Graph::new(5) };
    let first = |options: MctsOptions| {
        let report = Mcts::new(options).search(&game, &game.start(), &Limits::nodes(1)).unwrap();
        report.lines[0].mv
    };
    let mut seen: Vec<u16> =
        (0..60).map(|seed| first(MctsOptions { seed, ..Default::default() })).collect();
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 12, "{seen:?}");
    assert_eq!(first(MctsOptions { seed: 8, ..listed() }), 0);
}

#[test]
fn limits_end_a_search_after_at_least_one_simulation() {
    let game = Graph { plies: 40, full_length: true, ..Graph::new(6) };
    let run = |limits: &Limits, options: MctsOptions| {
        Mcts::new(options).search(&game, &game.start(), limits).expect("a report")
    };
    let flag = StopFlag::default();
    flag.stop();
    let report = run(&Limits::none().or_stop(&flag), listed());
    assert_eq!(report.stopped, StopReason::StopFlag);
    // The clock is read after every few simulations.
    assert!((1..9).contains(&report.stats.nodes), "{:?}", report.stats);
    let millis = std::time::Duration::from_millis;
    for limits in [
        Limits { soft: Some(millis(20)), ..Limits::none() },
        Limits { hard: Some(millis(20)), ..Limits::none() },
        Limits { soft: Some(millis(20)), hard: Some(millis(600_000)), ..Limits::none() },
    ] {
        for threads in [1, 2] {
            let report = run(&limits, MctsOptions { threads, ..listed() });
            assert_eq!(report.stopped, StopReason::Time);
            assert!(
                report.stats.nodes > 1 && report.elapsed < millis(5000),
                "{:?}",
                report.elapsed
            );
        }
    }
    let report = run(&Limits::nodes(0), listed());
    assert_eq!((report.stopped, report.stats.nodes), (StopReason::Nodes, 0));
    assert_eq!(report.lines.len(), 4);
    assert!(report.lines.iter().all(|line| line.bound == Bound::Lower && line.visits == 0));
    // A single move under a time limit.
    let single = Graph { branching: 1, ..game.clone() };
    let limits = Limits::time(millis(600_000));
    let report = Mcts::new(listed()).search(&single, &single.start(), &limits).expect("a report");
    assert_eq!((report.stopped, report.stats.nodes), (StopReason::Finished, 1));
    let report =
        Mcts::new(listed()).search(&single, &single.start(), &Limits::nodes(50)).expect("a report");
    assert_eq!(report.stats.nodes, 50);
}

#[test]
fn progress_is_reported_during_a_search() {
    let game = Graph { plies: 40, full_length: true, ..Graph::new(6) };
    let mut reports = Vec::new();
    let mut live = |report: &Report<u16>| reports.push(report.clone());
    let limits = Limits::time(std::time::Duration::from_millis(600));
    let mut mcts = Mcts::new(MctsOptions { threads: 2, ..listed() });
    let query = Query::new(&limits).on_progress(&mut live);
    let report = mcts.run(&game, &game.start(), query).expect("a report");
    assert!((1..=2).contains(&reports.len()), "{}", reports.len());
    assert!(reports[0].elapsed.as_millis() >= 250, "{:?}", reports[0].elapsed);
    assert!(reports[0].stats.nodes < report.stats.nodes);
}
