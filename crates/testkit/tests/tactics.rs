//! Tests of tactics: games against trying every reply, and searches that use them against minimax.

use tussle_catalog::{AnyGame, AnyPosition, game};
use tussle_conformance::check_tactics;
use tussle_core::{Limits, Outcome, Rng, Turn};
use tussle_games::go::Options;
use tussle_games::{Connect4, Go, Gobblet, Pentago, PentagoTwist, TicTacToe};
use tussle_testkit::oracle::{Leaf, UNLIMITED_DEPTH, minimax};

const UNIT: Leaf = Leaf { eval: "", draw: 0.0, eval_ends: false, points: false };

#[test]
fn tactics_of_every_game_equal_trying_every_reply() {
    for seed in 0..40 {
        check_tactics(&TicTacToe, seed, 9);
        check_tactics(&Connect4::default(), seed, 9);
        check_tactics(&Connect4::new(9, 6, 5).unwrap(), seed, 9);
        check_tactics(&Gobblet::default(), seed, 54);
        check_tactics(&Gobblet { steps: 7 }, seed, 54);
        check_tactics(&Go::<1>::new(&Options::sized(3, 3)).unwrap(), seed, 10);
    }
    for seed in 0..6 {
        check_tactics(&PentagoTwist::default(), seed, 100);
        check_tactics(&Pentago::new(true), seed, 100);
        check_tactics(&Pentago::new(false), seed, 100);
    }
}

/// Returns a position after random moves in which the game is not over.
fn random_position(game: &dyn AnyGame, plies: usize, rng: &mut Rng) -> Box<dyn AnyPosition> {
    loop {
        let mut position = game.start();
        for _ in 0..plies {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play(&moves[rng.below(moves.len())]).unwrap();
        }
        if position.turn() != Turn::Over {
            return position;
        }
    }
}

/// Compares proven lines of an agent with plain minimax, in random positions; returns the number of
/// positions with a proven best move.
fn check_proofs(spec: &str, agent: &str, plies: usize, positions: u64, limits: &Limits) -> u64 {
    let game = game(spec).unwrap();
    let mut rng = Rng::new(plies as u64);
    let mut proven = 0;
    for _ in 0..positions {
        let mut position = random_position(game.as_ref(), plies, &mut rng);
        let Turn::Player(root) = position.turn() else { unreachable!("it is a player's turn") };
        let report = game.agent(agent, 1).unwrap().choose(position.as_ref(), limits).unwrap();
        proven += u64::from(report.lines[0].outcome().is_some());
        for line in &report.lines {
            let Some(outcome) = line.outcome() else { continue };
            position.play(&line.mv).unwrap();
            let truth = minimax(position.as_mut(), root, UNLIMITED_DEPTH, 1, &UNIT);
            position.undo();
            let expected = match truth {
                x if x > 0.0 => Outcome::Win,
                x if x < 0.0 => Outcome::Loss,
                _ => Outcome::Draw,
            };
            let here = format!("{spec} {agent}: {} at {}", line.mv, position.text());
            assert_eq!(outcome, expected, "{here}");
        }
    }
    proven
}

#[test]
fn proofs_with_tactics_equal_minimax() {
    let unlimited = Limits::none();
    for (spec, plies) in [
        ("tictactoe", 2),
        ("connect4:width=4,height=4,connect=3", 4),
        ("connect4:width=5,height=4", 11),
        ("pentago-twist", 33),
        ("pentago", 33),
        ("go:width=2,height=3,komi=0.5,superko=positional", 7),
    ] {
        for options in ["", ",window=mtd", ",etc=on", ",window=mtd,etc=on,deepen=on"] {
            let agent = format!("alphabeta-textbook:tactics=on{options}");
            assert_eq!(check_proofs(spec, &agent, plies, 12, &unlimited), 12, "{spec} {agent}");
        }
        let heavy = if spec == "tictactoe" { "" } else { ",rollout=heavy" };
        for options in ["", heavy, ",reuse=on", ",table=on"] {
            let agent = format!("mcts-textbook:tactics=on,solver=on{options}");
            let proven = check_proofs(spec, &agent, plies, 12, &Limits::nodes(3000));
            assert!(proven > 0, "{spec} {agent}");
        }
    }
}

#[test]
fn distances_with_tactics_equal_those_without() {
    let game = game("connect4:width=5,height=5").unwrap();
    let mut rng = Rng::new(3);
    for _ in 0..30 {
        let position = random_position(game.as_ref(), 12, &mut rng);
        let best = |agent: &str| {
            let report = game.agent(agent, 1).unwrap().choose(position.as_ref(), &Limits::none());
            let line = &report.unwrap().lines[0];
            (line.outcome(), line.distance())
        };
        let expected = best("alphabeta-textbook");
        for agent in
            ["alphabeta-textbook:tactics=on", "alphabeta-textbook:tactics=on,window=mtd,etc=on"]
        {
            assert_eq!(best(agent), expected, "{agent} at {}", position.text());
        }
    }
}
