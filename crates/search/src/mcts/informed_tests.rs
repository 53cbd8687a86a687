//! Tests of first-play urgency, all moves as first, and priors by tactics, on a heap of counters.

use std::time::Duration;

use tussle_core::{Event, EventSink, Game, Limits, Outcome, StopReason, Tactics};

use super::amaf::Amaf;
use super::options::{MctsOptions, Priors, Rollout};
use super::policy::SelectionPolicy;
use super::tests::{Expert, Heap, Nim, small};
use super::tree::Block;
use super::{Mcts, TreeFilter, TreeNode};
use crate::{Agent, Query, UnsupportedOption};

impl Tactics for Nim {
    fn promise(&self, _: &Heap, mv: u8) -> u32 {
        20 * u32::from(mv)
    }
}

/// Returns options that use each kind of knowledge alone, and all of them together.
fn informed() -> [MctsOptions; 6] {
    let rave = MctsOptions { rave: Some(20), ..small() };
    let puct = MctsOptions { policy: SelectionPolicy::Puct, ..rave.clone() };
    [
        MctsOptions { fpu: Some(0.6), ..small() },
        MctsOptions { priors: Priors::Tactics, ..small() },
        MctsOptions { rollout: Rollout::Greedy, rave_bias: 0.1, ..rave.clone() },
        MctsOptions { expand_all: true, ..rave.clone() },
        MctsOptions { priors: Priors::Tactics, fpu: Some(0.4), ..rave },
        MctsOptions { priors: Priors::Tactics, fpu: Some(0.4), ..puct },
    ]
}

fn agent(options: MctsOptions) -> Mcts<Nim> {
    Mcts::new(options).with_promises().with_evaluator(Expert)
}

#[test]
fn knowledge_proves_only_true_outcomes() {
    let heaps = if cfg!(miri) { 3..5 } else { 1..13 };
    for (i, options) in informed().into_iter().enumerate() {
        for left in heaps.clone() {
            for threads in [1, 3] {
                let game = Nim(left);
                let options = MctsOptions { solver: true, threads, ..options.clone() };
                let mut agent = agent(options).with_table();
                let limits = Limits::nodes(1 << 20);
                let report = agent.search(&game, &game.start(), &limits).expect("a report");
                let expected = if left % 4 == 0 { Outcome::Loss } else { Outcome::Win };
                assert_eq!(
                    (report.stopped, report.outcome()),
                    (StopReason::Proven, Some(expected)),
                    "{i} {left} {threads}"
                );
            }
        }
    }
}

#[test]
fn every_simulation_is_counted_and_repeatable() {
    for (i, options) in informed().into_iter().enumerate() {
        let options = MctsOptions { keep_tree: true, ..options };
        let run = || {
            let (game, mut agent) = (Nim(30), agent(options.clone()));
            let limits = Limits::nodes(if cfg!(miri) { 40 } else { 3000 });
            let mut state = game.start();
            let mut trees = Vec::new();
            // The tree is reused for the third position.
            for _ in 0..3 {
                let report = agent.search(&game, &state, &limits).expect("a report");
                let tree = agent.tree(&TreeFilter::default()).expect("it keeps one");
                let below: u64 = tree.children.iter().map(|child| child.visits).sum();
                assert_eq!(tree.visits, below, "{i}");
                assert_eq!(report.lines.len(), 3, "{i}");
                game.play(&mut state, report.lines[0].mv);
                trees.push(tree);
            }
            trees
        };
        assert_eq!(run(), run(), "{i}");
    }
}

/// Checks that each selected move has the largest weight of those that were sent before it.
#[derive(Default)]
struct Weights {
    latest: Vec<(u8, f64)>,
    checked: u32,
}

impl EventSink<u8> for Weights {
    fn take(&mut self, event: Event<'_, u8>) {
        match event {
            Event::Weigh { mv, mean, bonus, .. } => self.latest.push((mv, mean + bonus)),
            Event::Select(mv) if !self.latest.is_empty() => {
                let most = self.latest.iter().map(|&(_, weight)| weight).fold(0.0, f64::max);
                let chosen = self.latest.iter().find(|(other, _)| *other == mv);
                assert!(
                    chosen
                        .is_some_and(|(_, weight)| (weight - most).abs() < 1e-6 || weight == &most)
                );
                self.checked += 1;
                self.latest.clear();
            }
            _ => {}
        }
    }
}

#[test]
fn observers_see_the_weights_that_selection_compares() {
    for options in informed() {
        let (game, mut weights) = (Nim(12), Weights::default());
        let limits = Limits::nodes(300);
        let query = Query { events: Some(&mut weights), ..Query::new(&limits) };
        agent(options).run(&game, &game.start(), query).expect("a report");
        assert!(weights.checked > 250, "{}", weights.checked);
    }
}

#[test]
fn a_low_urgency_leaves_children_unvisited() {
    // The first move tried takes all counters and wins.
    let game = Nim(3);
    let untried = |fpu| {
        let options = MctsOptions { fpu, c: 0.0, ..small() };
        let report = agent(options).search(&game, &game.start(), &Limits::nodes(300));
        let lines = report.expect("a report").lines;
        lines.iter().filter(|line| line.visits == 0).count()
    };
    assert_eq!((untried(None), untried(Some(2.0))), (0, 0));
    assert!(untried(Some(-1.0)) > 0);
}

#[test]
fn a_position_gets_its_children_at_the_given_visit() {
    for expand_visits in [2, 5] {
        let game = Nim(40);
        let query = Query { keep_tree: true, ..Query::new(&Limits::nodes(60)) };
        let mut agent = agent(MctsOptions { expand_visits, ..small() });
        agent.run(&game, &game.start(), query).expect("a report");
        let tree = agent.tree(&TreeFilter::default()).expect("it keeps one");
        let mut nodes = tree.children;
        let mut seen = [0; 2];
        while let Some(node) = nodes.pop() {
            let has_children = !node.children.is_empty();
            assert_eq!(has_children, node.visits >= expand_visits.into(), "{node:?}");
            seen[usize::from(has_children)] += 1;
            nodes.extend(node.children);
        }
        assert!(seen[0] > 3 && seen[1] > 3, "{seen:?}");
    }
}

#[test]
fn moves_are_tried_in_the_order_of_their_promises() {
    let game = Nim(40);
    let options = MctsOptions { priors: Priors::Tactics, seed: 3, ..small() };
    let query = Query { keep_tree: true, ..Query::new(&Limits::nodes(7)) };
    let mut agent = agent(options);
    agent.run(&game, &game.start(), query).expect("a report");
    let tree = agent.tree(&TreeFilter::default()).expect("it keeps one");
    // Below the root, where all moves are listed, the largest take is the first.
    let visited = |mv| {
        let tried = |child: &&TreeNode<u8>| child.children.iter().any(|below| below.mv == Some(mv));
        tree.children.iter().filter(tried).count()
    };
    assert_eq!(visited(3), 3, "{tree:?}");
    assert!(visited(2) < 3 && visited(1) == 0, "{tree:?}");
}

#[test]
fn tables_count_each_later_move_once_for_its_player() {
    let mut amaf: Amaf<u8> = Amaf::new(2, 2, 1 << 20);
    let (root, below) = (Block { first: 1 }, Block { first: 2 });
    // Player 0 makes move 7 into `below`; then follow 9 by player 1, and in the playout 7, 9, 7.
    let path = || [None, Some((0, 7)), Some((1, 9))].into_iter();
    for simulation in 0..3 {
        amaf.start();
        amaf.enter(root, simulation, 1);
        amaf.enter(below, simulation, 2);
        amaf.record.extend([(0, 7), (1, 9), (0, 7)]);
        amaf.back_up(path(), |player| [1.0, 0.25][player]);
    }
    amaf.start();
    amaf.enter(root, 3, 1);
    let table = amaf.reference();
    let numbers = |table, player, mv| {
        let statistic = amaf.statistic(table, player, mv);
        (statistic.simulations, statistic.mean())
    };
    assert_eq!(numbers(table, 0, 7), (3.0, 1.0));
    assert_eq!(numbers(table, 1, 9), (3.0, 0.25));
    assert_eq!(numbers(table, 1, 7).0, 0.0);
    assert_eq!(numbers(table, 0, 8).0, 0.0);
    // The position below has counted one simulation, too few to replace the table of the root.
    amaf.enter(below, 3, 2);
    assert_eq!((amaf.reference(), amaf.reference_at(2)), (table, table));
    amaf.back_up(path(), |_| 0.0);
    amaf.start();
    amaf.enter(root, 4, 1);
    amaf.enter(below, 4, 2);
    assert_ne!(amaf.reference(), table);
    let statistic = amaf.statistic(amaf.reference(), 0, 7);
    assert_eq!((statistic.simulations, statistic.mean()), (1.0, 1.0));
    assert!(amaf.bytes() > 0);
}

#[test]
fn bad_knowledge_is_rejected() {
    let game = Nim(5);
    let check = |options: MctsOptions| Mcts::<Nim>::new(options).check(&game);
    for options in [
        MctsOptions { fpu: Some(f64::NAN), ..small() },
        MctsOptions { rave: Some(0), ..small() },
        MctsOptions { rave_bias: -1.0, ..small() },
        MctsOptions { prior_weight: f64::INFINITY, ..small() },
        MctsOptions { expand_visits: 1, ..small() },
    ] {
        assert!(matches!(check(options), Err(UnsupportedOption::Number { .. })));
    }
    let options = MctsOptions { priors: Priors::Tactics, ..small() };
    assert_eq!(check(options.clone()), Err(UnsupportedOption::NoTactics));
    assert_eq!(agent(options).check(&game), Ok(()));
}

#[test]
fn a_clear_choice_saves_time_on_a_clock_with_a_bank() {
    // Taking three counters wins at once, so one move gets nearly all visits.
    let game = Nim(3);
    let soft = Duration::from_millis(600);
    let limits = Limits { soft: Some(soft), hard: Some(3 * soft), ..Limits::none() };
    for adaptive in [false, true] {
        let options = MctsOptions { adaptive, c: 0.1, ..small() };
        let report = agent(options).search(&game, &game.start(), &limits).expect("a report");
        let is_late = report.elapsed >= soft;
        // A machine that stalls may miss the moment.
        assert!(is_late || adaptive && report.stopped == StopReason::Finished, "{report:?}");
    }
}
