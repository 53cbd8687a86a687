//! Tests against games whose value under perfect play is published.

use std::collections::BTreeMap;

use tussle_catalog::{Query, game};
use tussle_core::{Limits, Outcome, Report, StopReason};

/// Searches the start of a game to a proof.
fn solve(spec: &str, agent: &str, lines: usize) -> Report<String> {
    let game = game(spec).unwrap();
    let mut agent = game.agent(agent, 1).unwrap();
    let query = Query { lines, ..Query::new(&Limits::none()) };
    let report = agent.analyse(game.start().as_ref(), query).unwrap();
    assert_eq!(report.stopped, StopReason::Proven, "{spec}");
    report
}

fn outcomes(report: &Report<String>) -> BTreeMap<&str, Option<Outcome>> {
    report.lines.iter().map(|line| (line.mv.as_str(), line.outcome())).collect()
}

use Outcome::{Draw, Loss};

#[test]
fn every_first_move_of_tic_tac_toe_is_a_draw() {
    for agent in ["minimax", "alphabeta", "alphabeta:order=none,tt=off"] {
        let report = solve("tictactoe", agent, usize::MAX);
        assert_eq!(report.lines.len(), 9, "{agent}");
        assert!(report.lines.iter().all(|line| line.outcome() == Some(Draw)), "{agent}");
    }
    // The published numbers of nodes of the game tree and of games.
    let report = solve("tictactoe", "minimax", 1);
    assert_eq!((report.stats.nodes, report.stats.leaves), (549_946, 255_168));
}

#[test]
fn boards_0_to_3_of_keep_on_moving_are_ties() {
    for (board, moves) in [
        (0, &[("D", Draw), ("L", Loss), ("U", Loss)][..]),
        (1, &[("L", Loss), ("U", Draw)][..]),
        (2, &[("R", Draw), ("U", Loss)][..]),
        (3, &[("U", Draw)][..]),
    ] {
        let spec = format!("keep-on-moving:board={board}");
        let report = solve(&spec, "alphabeta", usize::MAX);
        // On board 1, the mirror images of moves count as the same move.
        let proven = outcomes(&report);
        for &(mv, outcome) in moves {
            assert_eq!(proven[mv], Some(outcome), "{spec} {mv}");
        }
        assert_eq!(report.lines[0].outcome(), Some(Draw), "{spec}");
        assert_eq!(solve(&spec, "ids", 1).lines[0].outcome(), Some(Draw), "{spec}");
    }
}

#[test]
fn small_boards_of_connect_four_have_their_published_values() {
    for (width, height, outcome) in [(4, 4, Draw), (5, 5, Draw), (6, 4, Loss)] {
        let spec = format!("connect4:width={width},height={height}");
        let report = solve(&spec, "alphabeta", 1);
        assert_eq!(report.lines[0].outcome(), Some(outcome), "{spec}");
    }
}

/// Margins of Black with area scoring, simple ko, without suicide and cap; a repetition counts 0.
#[test]
fn small_boards_of_go_have_their_published_margins() {
    for (width, height, margin) in [(3, 1, 3.0), (4, 1, 4.0), (2, 2, 0.0), (3, 2, 0.0)] {
        let spec = format!("go:width={width},height={height},utility=margin,komi=0,cap=off");
        let report = solve(&spec, "alphabeta", 1);
        assert_eq!(report.lines[0].value.number(), margin, "{spec}");
    }
}

#[test]
fn with_superko_black_wins_go_on_two_by_two_by_one_point() {
    let spec = "go:size=2,utility=margin,komi=0,cap=off,superko=positional";
    assert_eq!(solve(spec, "alphabeta", 1).lines[0].value.number(), 1.0);
}
