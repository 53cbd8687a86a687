//! Against the truth, where it is known.

use std::collections::HashMap;

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Rng, Turn};

use super::*;

/// What positions are worth to whoever is to move, found without any search of ours.
#[derive(Default)]
struct Oracle(HashMap<u64, i8>);

impl Oracle {
    fn value(&mut self, position: &mut dyn AnyPosition) -> i8 {
        if let Some(utilities) = position.utilities() {
            // Whoever would be to move next: the one who did not make the latest move.
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

    /// What a move is worth to whoever makes it.
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
fn every_blunder_of_random_games_is_found_and_no_perfect_move_is_blamed() {
    for (spec, games, nodes) in [
        ("tictactoe", 12, 4000),
        ("connect4:width=4,height=4", 6, 10_000),
        ("connect4:width=5,height=4", 4, 20_000),
    ] {
        let game = tussle_catalog::game(spec).unwrap();
        let mut oracle = Oracle::default();
        let (mut blunders, mut others) = (0, 0);
        for seed in 0..games {
            let moves = random_game(game.as_ref(), seed);
            let reviewer = Reviewer { nodes: Some(nodes), ..Reviewer::default() };
            let review = reviewed(game.as_ref(), &moves, &reviewer);
            assert_eq!(review.moves.len(), moves.len());
            let mut position = game.start();
            for (judged, mv) in review.moves.iter().zip(&moves) {
                let could = oracle.value(position.as_mut());
                let did = oracle.after(position.as_mut(), mv);
                let case = format!("{spec} game {seed}: {}", judged.words);
                assert_eq!(judged.verdict == Verdict::Blunder, did < could, "{case}");
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
fn the_words_say_what_was_thrown_away_and_what_was_better() {
    let game = tussle_catalog::game("tictactoe").unwrap();
    // The corner is answered at the edge: the middle held the draw. Then the win is missed.
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
