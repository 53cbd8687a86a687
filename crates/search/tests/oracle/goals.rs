//! Alpha-beta with a goal: the answers are true, and without limits there is one.

use tussle_core::{Bound, Game, Limits};
use tussle_search::{
    Agent, AlphaBetaOptions, Deepening, Goal, MoveOrder, Paranoid, Query, WindowMode,
};

use crate::alphabeta::new;
use crate::graph::{Graph, Judge};
use crate::naive::{Naive, WIN};

/// Returns the true utility of a game for the root player.
fn utility(game: &Graph) -> f64 {
    let values = Naive::new(game).root_values(99).0.into_iter().map(|(_, value)| value);
    let best = values.fold(f64::NEG_INFINITY, f64::max);
    if !game.points && best.abs() > WIN / 2.0 { best.signum() } else { best }
}

fn goals(truth: f64) -> impl Iterator<Item = Goal> {
    let near = [truth.next_down(), truth, truth.next_up(), -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5];
    near.into_iter().flat_map(|utility| [Goal::AtLeast(utility), Goal::MoreThan(utility)])
}

fn is_reached(goal: Goal, truth: f64) -> bool {
    match goal {
        Goal::AtLeast(utility) => truth >= utility,
        Goal::MoreThan(utility) => truth > utility,
    }
}

fn options() -> impl Iterator<Item = AlphaBetaOptions> {
    let deepening = Deepening { iterative: Some(true), ..Deepening::default() };
    let usual = AlphaBetaOptions::default();
    [
        usual.clone(),
        AlphaBetaOptions { deepening, draw: -9999.0, ..usual.clone() },
        AlphaBetaOptions { order: MoveOrder::AsListed, ..usual.clone() },
        AlphaBetaOptions { window: Some(WindowMode::Mtd), threads: 2, ..usual.clone() },
        AlphaBetaOptions { reductions: true, deepening, threads: 3, ..usual },
    ]
    .into_iter()
}

#[test]
fn a_search_to_the_end_answers_every_goal() {
    for seed in 0..60 {
        let game = Graph { points: seed % 3 == 1, ..Graph::new(seed) };
        let truth = utility(&game);
        for options in options() {
            let mut agent = new(options.clone(), seed % 2 == 0, Judge::NEW);
            for goal in goals(truth) {
                let limits = Limits::none();
                let query = Query::new(&limits).goal(goal);
                let report = agent.run(&game, &game.start(), query).expect("a report");
                let what = format!("seed {seed}, {goal:?} of {truth}, {options:?}: {report:?}");
                assert_eq!(Goal::answer(&report), Some(is_reached(goal, truth)), "{what}");
            }
        }
    }
}

#[test]
fn a_limited_search_answers_only_what_it_has_proven() {
    let (mut answers, mut open) = (0, 0);
    for seed in 0..60 {
        let game = Graph { points: seed % 3 == 1, ..Graph::new(seed) };
        let truth = utility(&game);
        for options in options() {
            let mut agent = new(options, seed % 2 == 0, Judge::NEW);
            for goal in goals(truth) {
                for limits in [Limits::depth(2), Limits::depth(4), Limits::nodes(40)] {
                    let query = Query::new(&limits).goal(goal);
                    let report = agent.run(&game, &game.start(), query).expect("a report");
                    let what = format!("seed {seed}, {goal:?} of {truth}, {limits:?}: {report:?}");
                    match Goal::answer(&report) {
                        Some(answer) => assert_eq!(answer, is_reached(goal, truth), "{what}"),
                        None => open += 1,
                    }
                    answers += u32::from(Goal::answer(&report).is_some());
                    // The value is a bound of the value at this depth.
                    assert!(report.lines[0].bound != Bound::Exact, "{what}");
                }
            }
        }
    }
    assert!(answers > 1000 && open > 1000, "{answers} {open}");
}

#[test]
fn a_forced_move_gets_an_answer_in_a_limited_time_too() {
    for seed in 0..40 {
        let game = Graph { branching: 1, full_length: true, ..Graph::new(seed) };
        let truth = utility(&game);
        let limits = Limits::nodes(1000);
        let query = Query::new(&limits).goal(Goal::NOT_LOSS);
        let options = AlphaBetaOptions::default();
        let report = new(options, true, Judge::NEW).run(&game, &game.start(), query).unwrap();
        assert_eq!(Goal::answer(&report), Some(truth >= 0.0), "seed {seed}: {report:?}");
    }
}

#[test]
fn paranoid_answers_goals_in_utilities_of_the_original_game() {
    for seed in 0..30 {
        let game = Graph { points: seed % 2 == 0, ..Graph::new(seed) };
        let truth = utility(&game);
        for goal in [Goal::WIN, Goal::NOT_LOSS] {
            let mut agent = Paranoid::new(AlphaBetaOptions::default(), Judge::NEW).with_table();
            let limits = Limits::none();
            let query = Query::new(&limits).goal(goal);
            let report = agent.run(&game, &game.start(), query).expect("a report");
            assert_eq!(
                Goal::answer(&report),
                Some(is_reached(goal, truth)),
                "seed {seed}, {goal:?}"
            );
        }
    }
}
