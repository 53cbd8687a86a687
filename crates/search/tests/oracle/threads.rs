//! Alpha-beta with several threads.

use std::time::{Duration, Instant};

use tussle_core::{Game, Limits, StopFlag, StopReason};
use tussle_search::{Agent, AlphaBetaOptions, Deepening, MoveOrder, WindowMode};

use crate::alphabeta::{check, new};
use crate::graph::{Graph, Judge};
use crate::naive::Naive;

#[test]
fn threads_find_the_same_values() {
    for seed in 0..10 {
        let game = Graph { plies: 8, width: 40, ..Graph::new(seed) };
        let naive = Naive::new(&game);
        let (values, _) = naive.root_values(6);
        let best = values.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
        for order in [MoveOrder::AsListed, MoveOrder::Full] {
            for table in [false, true] {
                let options = AlphaBetaOptions { threads: 3, order, ..Default::default() };
                let mut agent = new(options, table, Judge::NEW);
                assert!(!Agent::<Graph>::is_deterministic(&agent));
                let report = agent.search(&game, &game.start(), &Limits::depth(6)).unwrap();
                naive.assert_value(report.lines[0].value, best, &format!("seed {seed}"));
                check(&naive, &report, 6, 1, &format!("seed {seed}"));
            }
        }
    }
}

/// The trees are so large that threads divide and interrupt nodes.
#[test]
fn threads_agree_with_one_thread_on_large_trees() {
    for seed in 0..12 {
        let game = Graph {
            plies: 11,
            width: 3000,
            branching: if seed < 8 { 9 } else { 20 },
            points: seed % 4 == 3,
            full_length: seed % 2 == 0,
            ..Graph::new(seed)
        };
        let limits = Limits::depth(if seed < 8 { 9 } else { 6 });
        for window in [None, Some(WindowMode::Full), Some(WindowMode::Mtd)] {
            for iterative in [false, true] {
                let search = |threads| {
                    let deepening =
                        Deepening { iterative: Some(iterative), ..Deepening::default() };
                    let table_bytes = 1 << 22;
                    let options = AlphaBetaOptions {
                        threads,
                        window,
                        deepening,
                        table_bytes,
                        ..Default::default()
                    };
                    new(options, true, Judge::NEW).search(&game, &game.start(), &limits).unwrap()
                };
                let one = search(1);
                for threads in [2, 3] {
                    let many = search(threads);
                    let (found, expected) = (&many.lines[0], &one.lines[0]);
                    let what = format!("seed {seed}, {window:?}, {threads} threads: {found:?}");
                    assert_eq!(found.bound, expected.bound, "{what}");
                    assert_eq!(found.value.number(), expected.value.number(), "{what}");
                    assert_eq!(found.outcome(), expected.outcome(), "{what}");
                    assert_eq!(found.distance(), expected.distance(), "{what}");
                }
            }
        }
    }
}

#[test]
fn threads_stop_soon_and_count_their_nodes() {
    let game =
        Graph { plies: 40, width: 1 << 40, branching: 8, full_length: true, ..Graph::new(1) };
    let options = AlphaBetaOptions { threads: 3, ..Default::default() };
    let mut agent = new(options, true, Judge::NEW);
    let limit = 2_000_000;
    let report = agent.search(&game, &game.start(), &Limits::nodes(limit)).unwrap();
    assert_eq!(report.stopped, StopReason::Nodes);
    assert!((limit..limit * 3 / 2).contains(&report.stats.nodes), "{}", report.stats.nodes);

    let flag = StopFlag::default();
    let stopped = std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let limits = Limits::none().or_stop(&flag);
            let report = agent.search(&game, &game.start(), &limits).unwrap();
            (report.stopped, Instant::now())
        });
        std::thread::sleep(Duration::from_millis(60));
        let asked = Instant::now();
        flag.stop();
        let (why, ended) = search.join().expect("a report");
        assert_eq!(why, StopReason::StopFlag);
        ended - asked
    });
    // Generous: other programs may use the processor.
    assert!(stopped < Duration::from_secs(2), "{stopped:?}");
}
