//! Tests of reviews, partly against exact values of small games.

use std::collections::HashMap;

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Rng, Turn};

use super::verdict::THRESHOLDS;
use super::*;

/// Exact values of positions for the player to move, computed without the library's searches.
#[derive(Default)]
struct Oracle(HashMap<Option<u64>, i8>);

impl Oracle {
    fn value(&mut self, position: &mut dyn AnyPosition) -> i8 {
        if let Some(utilities) = position.utilities() {
            // The value belongs to the player who did not make the latest move.
            return utilities[position.history().len() % 2] as i8;
        }
        let key = position.board_key();
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let mut best = -1;
        for mv in position.moves() {
            best = best.max(self.after(position, &mv));
            if best == 1 {
                break;
            }
        }
        self.0.insert(key, best);
        best
    }

    /// Returns the value of a move to the player who makes it.
    fn after(&mut self, position: &mut dyn AnyPosition, mv: &str) -> i8 {
        position.play(mv).unwrap();
        let value = -self.value(position);
        position.undo();
        value
    }
}

fn random_game(game: &dyn AnyGame, seed: u64) -> Vec<String> {
    let mut rng = Rng::derive(seed, &[]);
    let mut position = game.start();
    while position.turn() != Turn::Over {
        let moves = position.moves();
        position.play(&moves[rng.below(moves.len())]).unwrap();
    }
    position.history().to_vec()
}

fn reviewed(game: &dyn AnyGame, moves: &[String], reviewer: &Reviewer) -> Review {
    review(game, game.start().as_ref(), (moves, 0), reviewer, &mut |_| {}).unwrap()
}

fn moves(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn a_review_finds_every_blunder_and_blames_no_perfect_move() {
    for (spec, games, opening) in [
        ("tictactoe", 12, 0),
        ("connect4:width=4,height=4", 6, 0),
        // Proofs of the first moves of this game take longer.
        ("connect4:width=5,height=4", 4, 5),
    ] {
        let game = tussle_catalog::game(spec).unwrap();
        let mut oracle = Oracle::default();
        let (mut blunders, mut others) = (0, 0);
        for seed in 0..games {
            let moves = random_game(game.as_ref(), seed);
            let reviewer = Reviewer::default();
            let start = game.start();
            let review =
                review(game.as_ref(), start.as_ref(), (&moves, opening), &reviewer, &mut |_| {});
            let review = review.unwrap();
            assert_eq!(review.moves.len(), moves.len() - opening);
            let mut position = game.start();
            moves[..opening].iter().for_each(|mv| position.play(mv).unwrap());
            for (judged, mv) in review.moves.iter().zip(&moves[opening..]) {
                assert_eq!((&judged.mv, judged.ply), (mv, position.history().len()));
                let could = oracle.value(position.as_mut());
                let did = oracle.after(position.as_mut(), mv);
                let case = format!("{spec} game {seed}: {}", judged.words);
                assert_eq!(judged.verdict == MoveVerdict::Blunder, did < could, "{case}");
                assert!(did < could || !judged.verdict.is_fault(), "{case}");
                if did < could {
                    blunders += 1;
                    let better = oracle.after(position.as_mut(), &judged.best.mv);
                    assert_eq!(better, could, "{case}");
                    assert_eq!(judged.loss, f64::from(could - did), "{case}");
                } else {
                    others += 1;
                }
                position.play(mv).unwrap();
            }
        }
        assert!(blunders > 3 && others > 10, "{spec}: {blunders} of {}", blunders + others);
    }
}

#[test]
fn sentences_name_the_loss_and_the_better_move() {
    let game = tussle_catalog::game("tictactoe").unwrap();
    // After the corner, only the middle draws, and the edge loses. Later the win is missed.
    let review = reviewed(game.as_ref(), &moves("a1 b1 a2 a3 b2 c2 c1"), &Reviewer::default());
    let words: Vec<&str> = review.moves.iter().map(|judged| judged.words.as_str()).collect();
    assert!(words[0].starts_with("move 1, first: a1 is the best, a draw"), "{words:?}");
    assert!(
        words[1].starts_with("move 2, second: b1 turns a draw into a loss; better b2, then"),
        "{words:?}"
    );
    assert!(words[5].contains("second: c2 is the best, but all lose in 2"), "{words:?}");
    assert_eq!(words[6], "move 7, first: c1 turns a win in 1 into a draw; better c3");
}

#[test]
fn the_same_seed_and_nodes_give_the_same_document() {
    let game = tussle_catalog::game("go:size=4").unwrap();
    let moves = random_game(game.as_ref(), 3);
    let reviewer = Reviewer { nodes: Some(100), ..Reviewer::default() };
    let bytes = |reviewer: &Reviewer| {
        serde_json::to_string(&reviewed(game.as_ref(), &moves, reviewer)).unwrap()
    };
    let first = bytes(&reviewer);
    assert_eq!(first, bytes(&reviewer));
    assert_ne!(first, bytes(&Reviewer { seed: 2, ..reviewer }));
}

#[test]
fn noise_is_not_called_a_mistake() {
    // All first moves of tic-tac-toe draw, but after few simulations their means differ.
    let game = tussle_catalog::game("tictactoe").unwrap();
    let mut faults = Vec::new();
    for mv in game.start().moves() {
        for seed in 0..8 {
            let agent = Some("mcts".to_owned());
            let reviewer = Reviewer { agent, nodes: Some(60), seed, ..Reviewer::default() };
            let review = reviewed(game.as_ref(), std::slice::from_ref(&mv), &reviewer);
            let judged = &review.moves[0];
            if judged.verdict.is_fault() {
                faults.push(format!("seed {seed}: {}", judged.words));
            }
        }
    }
    // At two standard errors, one or two of 72 reviews may be wrong.
    assert!(faults.len() <= 2, "{faults:?}");
}

#[test]
fn a_forced_move_is_never_a_mistake() {
    let game = tussle_catalog::game("tictactoe").unwrap();
    let review =
        reviewed(game.as_ref(), &moves("a1 b2 c3 b1 b3 a3 c1 c2 a2"), &Reviewer::default());
    let last = &review.moves[8];
    assert_eq!((last.verdict, last.loss), (MoveVerdict::Forced, 0.0));
    assert_eq!(last.words, "move 9, first: a2 is forced");
    assert_eq!(review.summary[0].choices, 4);
}

fn tree(text: &str) -> std::sync::Arc<dyn AnyGame> {
    tussle_catalog::game_from_text("tree", "file", text).unwrap()
}

#[test]
fn a_move_of_three_players_costs_its_own_player() {
    let game = tree(include_str!("../../../../examples/trees/kplayer.json"));
    let agent = Some("maxn".to_owned());
    let reviewer = Reviewer { agent, ..Reviewer::default() };
    let review = reviewed(game.as_ref(), &moves("L LR d"), &reviewer);
    // L gives the first player 1 instead of 2; LR gives the second 1 instead of 2; d the third 1 instead of 3.
    let told: Vec<(usize, f64)> =
        review.moves.iter().map(|one| (one.player, one.loss * review.unit)).collect();
    assert_eq!(told.len(), 3);
    for ((player, lost), expected) in told.into_iter().zip([(0, 1.0), (1, 1.0), (2, 2.0)]) {
        assert!(player == expected.0 && (lost - expected.1).abs() < 1e-12, "{player} {lost}");
    }
    assert_eq!(review.values[0], [2.0, 3.0, 5.0]);
    assert_eq!(review.values[3], [5.0, 4.0, 1.0]);
}

#[test]
fn the_value_before_a_coin_toss_is_the_mean_of_its_outcomes() {
    let game = tree(include_str!("../../../../examples/trees/coin.json"));
    let agent = Some("expectimax".to_owned());
    let reviewer = Reviewer { agent, ..Reviewer::default() };
    let review = reviewed(game.as_ref(), &moves("bet heads stop"), &reviewer);
    let firsts: Vec<f64> = review.values.iter().map(|values| values[0]).collect();
    for (value, expected) in firsts.iter().zip([2.2, 2.2, 5.0, 4.0]) {
        assert!((value - expected).abs() < 1e-12, "{firsts:?}");
    }
    let [bet, stop] = review.moves.as_slice() else { panic!("{:?}", review.moves) };
    assert_eq!((bet.ply, bet.verdict, bet.loss), (0, MoveVerdict::Best, 0.0));
    assert_eq!((stop.ply, stop.best.mv.as_str()), (2, "bet"));
    assert!((stop.loss * review.unit - 1.0).abs() < 1e-12, "{}", stop.words);
}

#[test]
fn games_with_chance_or_many_players_are_reviewed() {
    for (spec, plies) in [("backgammon", 5), ("keep-on-moving:board=1", 9)] {
        let game = tussle_catalog::game(spec).unwrap();
        let all = random_game(game.as_ref(), 5);
        let reviewer = Reviewer { nodes: Some(100), ..Reviewer::default() };
        let review = reviewed(game.as_ref(), &all[..plies], &reviewer);
        assert_eq!(review.values.len(), plies + 1, "{spec}");
        assert!(!review.moves.is_empty(), "{spec}");
        assert!(review.figure().svg(tussle_view::Theme::Light).contains("</svg>"));
    }
}

#[test]
fn an_agent_without_values_for_every_player_is_rejected() {
    let game = tree(include_str!("../../../../examples/trees/kplayer.json"));
    let reviewer = Reviewer { agent: Some("paranoid".to_owned()), ..Reviewer::default() };
    let moves = moves("L LR");
    let refused = review(game.as_ref(), game.start().as_ref(), (&moves, 0), &reviewer, &mut |_| {});
    let why = refused.unwrap_err().to_string();
    assert!(why.contains("paranoid gives a value to the player to move only"), "{why}");
}

#[test]
fn both_searches_share_the_time_of_a_position() {
    let game = tussle_catalog::game("tictactoe").unwrap();
    let time = Some(std::time::Duration::from_millis(20));
    let reviewer = Reviewer { nodes: None, time, ..Reviewer::default() };
    let review = reviewed(game.as_ref(), &moves("a1 b1"), &reviewer);
    assert_eq!((review.nodes, review.time_ms, review.values.len()), (None, Some(20), 3));
}

fn go(size: usize, line: &str, nodes: u64) -> Review {
    let game = tussle_catalog::game(&format!("go:size={size}")).unwrap();
    let reviewer = Reviewer { nodes: Some(nodes), ..Reviewer::default() };
    reviewed(game.as_ref(), &moves(line), &reviewer)
}

#[test]
fn all_moves_lose_only_where_that_is_proven() {
    // Passing loses to a pass. The other moves are not proven to lose.
    let review = go(9, "pass E5", 300);
    let pass = &review.moves[0];
    assert!(!pass.words.contains("all lose"), "{}", pass.words);
    assert!(pass.words.contains("pass loses in 2"), "{}", pass.words);
    assert_eq!(pass.played.outcome, Some("loss"));
    assert_ne!(pass.best.mv, "pass", "what is not proven lost is better");
}

#[test]
fn a_proven_loss_is_not_a_good_move_while_another_may_hold() {
    // With few simulations in a large game all values are noise, but the proven loss is not.
    for (size, nodes) in [(9, 300), (13, 400), (5, 300)] {
        let review = go(size, "pass pass", nodes);
        let pass = &review.moves[0];
        assert_eq!(pass.best.outcome, None, "{}", pass.words);
        assert!(pass.verdict.is_fault() && pass.judged && pass.loss >= 0.1, "{}", pass.words);
        assert!(pass.words.contains("pass loses in 2; better "), "{}", pass.words);
        assert!(review.summary[0].accuracy.unwrap() < 100.0);
    }
}

#[test]
fn the_sentence_and_the_loss_of_a_verdict_agree() {
    let mut faults = 0;
    for seed in 0..4 {
        let game = tussle_catalog::game("connect4").unwrap();
        let all = random_game(game.as_ref(), seed);
        let reviewer = Reviewer { nodes: Some(300), ..Reviewer::default() };
        let mut reviews = vec![reviewed(game.as_ref(), &all, &reviewer)];
        reviews.push(go(5, "C3 pass pass", 300));
        for judged in reviews.iter().flat_map(|review| &review.moves) {
            let by_loss = THRESHOLDS.iter().find(|step| judged.loss >= step.loss);
            assert_eq!(
                by_loss.map(|step| step.verdict),
                Some(judged.verdict).filter(|verdict| verdict.is_fault()),
                "{}",
                judged.words
            );
            faults += usize::from(judged.verdict.is_fault());
        }
    }
    assert!(faults > 8, "{faults}");
}

#[test]
fn players_without_judged_moves_have_no_accuracy() {
    let game = tussle_catalog::game("connect4").unwrap();
    let all = random_game(game.as_ref(), 1);
    let by = |agent: &str, nodes| {
        let agent = Some(agent.to_owned());
        let reviewer = Reviewer { agent, nodes: Some(nodes), ..Reviewer::default() };
        reviewed(game.as_ref(), &all[..8], &reviewer)
    };
    let few = by("mcts", 60);
    let choices: usize = few.summary.iter().map(|one| one.choices).sum();
    let judged: usize = few.summary.iter().map(|one| one.judged).sum();
    assert!(2 * judged < choices, "{judged} of {choices}");
    let caution = few.caution.unwrap();
    assert!(
        caution.starts_with("with this number of nodes most moves cannot be judged"),
        "{caution}"
    );
    assert!(few.summary.iter().any(|one| one.accuracy.is_none()));
    let many = by("mcts", 4000);
    assert_eq!(many.caution, None);
    assert!(many.summary.iter().all(|one| one.accuracy.is_some()));
    assert_eq!(by("alphabeta:eval=windows", 300).caution, None, "evaluations have no noise");
}

#[test]
fn an_unsuitable_agent_is_rejected_with_advice() {
    let game = tussle_catalog::game("connect4").unwrap();
    let refused = |agent: &str, moves: &[String]| {
        let reviewer = Reviewer { agent: Some(agent.to_owned()), ..Reviewer::default() };
        let start = game.start();
        let told = review(game.as_ref(), start.as_ref(), (moves, 0), &reviewer, &mut |_| {});
        told.unwrap_err().to_string()
    };
    for agent in ["random", "script:moves=4"] {
        let why = refused(agent, &moves("4 4"));
        assert!(why.contains("does not search") && why.contains("use mcts"), "{why}");
    }
    let why = refused("json:/bin/true", &moves("4 4"));
    assert!(why.contains("a review compares values of many positions on one scale"), "{why}");
    assert_eq!(refused("mcts", &[]), "the game has no moves to review");
}
