//! Rewards of leaves: playouts, chance, evaluations, rewards of many players.

use std::collections::HashMap;

use tussle_core::{Evaluator, Game, Limits, Turn};
use tussle_search::{Agent, Mcts, MctsOptions, Query, Rollout, TreeFilter};

use super::listed;
use crate::graph::{Graph, Judge, MAX_EVALUATION, Place};

/// Returns the rewards of a finished game.
fn reward(game: &Graph, at: &Place, player: usize, draw: f64) -> f64 {
    match game.utility(at, player) {
        utility if game.points => utility,
        0.0 if game.players == 2 => draw,
        utility if game.players == 2 => f64::midpoint(utility, 1.0),
        utility => utility,
    }
}

/// Returns the mean reward of random play.
fn random_play(game: &Graph, at: &Place, player: usize, draw: f64) -> f64 {
    let turn = game.turn(at);
    if turn == Turn::Over {
        return reward(game, at, player, draw);
    }
    let moves = game.legal_moves(at);
    let of = |&mv: &u16| {
        let probability = match turn {
            Turn::Chance => game.probability(at, mv),
            _ => 1.0 / moves.len() as f64,
        };
        probability * random_play(game, &game.after(at, mv), player, draw)
    };
    moves.iter().map(of).sum()
}

/// With few simulations per move, nearly all plies are random moves.
#[test]
fn rollouts_are_random_games() {
    for seed in 0..8 {
        let game = Graph {
            chance: seed % 2 == 0,
            players: if seed % 4 == 3 { 3 } else { 2 },
            points: seed % 4 == 2,
            plies: 4,
            ..Graph::new(seed)
        };
        let start = game.start();
        let mut sums: HashMap<u16, (f64, f64)> = HashMap::new();
        for seed in 0..1500 {
            let options = MctsOptions { seed, draw: 0.7, memory: 300_000, ..Default::default() };
            let report = Mcts::new(options).search(&game, &start, &Limits::nodes(4)).unwrap();
            for line in &report.lines {
                assert_eq!(line.visits, 1);
                let sum = sums.entry(line.mv).or_default();
                sum.0 += line.sampled.and_then(|sampled| sampled.mean).expect("a mean");
                sum.1 += 1.0;
            }
        }
        for (mv, (sum, count)) in sums {
            let expected = random_play(&game, &game.after(&start, mv), game.first, 0.7);
            let scale = if game.points { 20.0 } else { 1.0 };
            let found = sum / count;
            assert!((found - expected).abs() < 0.05 * scale, "{seed} {mv}: {found} {expected}");
        }
    }
}

#[test]
fn chance_outcomes_are_drawn_by_their_probabilities() {
    for seed in 0..40 {
        let game = Graph { chance: true, plies: 5, ..Graph::new(seed) };
        let mut mcts = Mcts::new(MctsOptions { seed, ..Default::default() });
        let limits = Limits::nodes(4000);
        mcts.run(&game, &game.start(), Query::new(&limits).keep_tree()).expect("a report");
        let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
        for child in &tree.children {
            let at = game.after(&game.start(), child.mv.expect("a move"));
            if game.turn(&at) != Turn::Chance || child.visits < 1000 {
                continue;
            }
            let below: u64 = child.children.iter().map(|child| child.visits).sum();
            assert_eq!(below + 1, child.visits);
            for outcome in &child.children {
                let probability = game.probability(&at, outcome.mv.expect("a move"));
                let share = outcome.visits as f64 / below as f64;
                assert!((share - probability).abs() < 0.05, "{seed}: {share} {probability}");
            }
        }
    }
}

/// The reward of a leaf is its evaluation, or a mixture with the result of a playout.
#[test]
fn evaluations_are_scaled_to_rewards() {
    let game = Graph { full_length: true, ..Graph::new(4) };
    let start = game.start();
    for lambda in [0.0, 1.0] {
        let rollout = if lambda == 0.0 { Rollout::Random } else { Rollout::Evaluation };
        let options = MctsOptions { rollout, lambda, ..listed() };
        let mut mcts = Mcts::new(options).with_evaluator(Judge::NEW);
        let report = mcts.search(&game, &start, &Limits::nodes(4)).expect("a report");
        for line in &report.lines {
            let value = Judge::NEW.value(&game, &game.after(&start, line.mv), game.first);
            let share = (value + MAX_EVALUATION) / (2.0 * MAX_EVALUATION);
            let mean = line.sampled.and_then(|sampled| sampled.mean).expect("a mean");
            assert!((mean - share).abs() < 1e-12, "{lambda}: {mean} {share}");
        }
        assert_eq!((report.stats.playouts, report.stats.evaluations), (0, 4));
    }
    let options = MctsOptions { lambda: 0.5, ..listed() };
    let mut mcts = Mcts::new(options).with_evaluator(Judge::NEW);
    let report = mcts.search(&game, &start, &Limits::nodes(4)).expect("a report");
    assert_eq!((report.stats.playouts, report.stats.evaluations), (4, 4));
    for line in &report.lines {
        let value = Judge::NEW.value(&game, &game.after(&start, line.mv), game.first);
        let share = (value + MAX_EVALUATION) / (2.0 * MAX_EVALUATION);
        let mean = line.sampled.and_then(|sampled| sampled.mean).expect("a mean");
        // The rollout is a loss, a draw or a win.
        let rollout = (mean - 0.5 * share) / 0.5;
        assert!([0.0, 0.5, 1.0].iter().any(|x| (x - rollout).abs() < 1e-9), "{rollout}");
    }
}

/// In greedy playouts every player takes the move with its best evaluation.
#[test]
fn greedy_rollouts_follow_the_evaluation() {
    for seed in 0..30 {
        let game = Graph { plies: 6, width: 1 << 30, ..Graph::new(seed) };
        let start = game.start();
        let options = MctsOptions { rollout: Rollout::Greedy, ..listed() };
        let mut mcts = Mcts::new(options).with_evaluator(Judge::NEW);
        let report = mcts.search(&game, &start, &Limits::nodes(4)).expect("a report");
        for line in &report.lines {
            let mut at = game.after(&start, line.mv);
            let mut has_ties = false;
            while let Turn::Player(mover) = game.turn(&at) {
                let value = |mv: u16| game.evaluation(&game.after(&at, mv), mover);
                let moves = game.list(&at, true);
                let best = moves.iter().copied().max_by(|&a, &b| value(a).total_cmp(&value(b)));
                let best = best.expect("a move");
                has_ties |= moves.iter().filter(|&&mv| value(mv) == value(best)).count() > 1;
                at = game.after(&at, best);
            }
            let mean = line.sampled.and_then(|sampled| sampled.mean).expect("a mean");
            assert!(has_ties || mean == reward(&game, &at, game.first, 0.5), "{seed} {line:?}");
        }
    }
}

#[test]
fn every_player_gets_its_reward_and_paranoid_opponents_get_the_opposite() {
    for seed in 0..12 {
        let game = Graph { players: 3, takes_turns: true, ..Graph::new(seed) };
        for paranoid in [false, true] {
            let options = MctsOptions { paranoid, seed, ..Default::default() };
            let mut mcts = Mcts::new(options);
            let limits = Limits::nodes(3000);
            let query = Query::new(&limits).keep_tree();
            let report = mcts.run(&game, &game.start(), query).expect("a report");
            let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
            for line in report.lines.iter().filter(|line| line.visits > 0) {
                assert_eq!(line.values.len(), 3);
                assert!((line.values.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{line:?}");
                assert!((line.values[game.first] - line.value.number()).abs() < 1e-9, "{line:?}");
                let node = tree.children.iter().find(|child| child.mv == Some(line.mv)).unwrap();
                let below: f64 = node.children.iter().map(|child| child.total).sum();
                let visits: f64 = node.children.iter().map(|child| child.visits as f64).sum();
                let at = game.after(&game.start(), line.mv);
                if let Turn::Player(mover) = game.turn(&at)
                    && visits > 100.0
                {
                    let own =
                        if paranoid { 1.0 - line.values[game.first] } else { line.values[mover] };
                    assert!((below / visits - own).abs() < 0.05, "{seed} {paranoid}: {line:?}");
                }
            }
        }
    }
}
