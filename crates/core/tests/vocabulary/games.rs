//! Provided methods of the game traits: defaults, playouts, actions, reflections, texts.

use std::collections::HashSet;

use tussle_core::{Actions, Game, Hashed, Notation, Payoffs, Rng, Symmetric, Turn, random_playout};

use crate::toys::{Cells, CoinRow, MinimalGame};

#[test]
fn provided_methods_report_no_optional_capability() {
    let (game, mut scratch) = (MinimalGame, vec![7, 8]);
    assert_eq!((game.players(), game.payoffs()), (2, Payoffs::DUEL));
    assert_eq!((game.value_range(0), game.has_chance()), (None, false));
    assert!(game.move_classes().is_empty() && !game.has_noisy_moves() && !game.has_heavy_playout());
    assert_eq!((game.move_class(&0, 0), game.probability(&0, 0)), (0, 1.0));
    assert!(game.failure().is_none());
    game.noisy_moves(&0, &mut scratch);
    game.distinct_moves(&0, &mut scratch);
    assert_eq!(scratch, [7, 8]);
    // Rules that list no move for a player have failed: the playout ends.
    assert_eq!(random_playout(&game, &mut 0, &mut Rng::new(1), &mut scratch), 0);
    assert_eq!(Payoffs::of_players(1), Payoffs::DUEL);
    assert_eq!(Payoffs::of_players(2), Payoffs::DUEL);
    assert_eq!(Payoffs::of_players(3), Payoffs::SHARED);
    assert_eq!((Payoffs::SHARED.least, Payoffs::SHARED.most, Payoffs::SHARED.sum), (0.0, 1.0, 1.0));
    assert_eq!((Payoffs::DUEL.least, Payoffs::DUEL.most, Payoffs::DUEL.sum), (-1.0, 1.0, 0.0));

    let plain = CoinRow;
    assert_eq!((plain.chance_actions(), plain.symmetries()), (0, 1));
    assert_eq!((plain.table_key(&1, 5), plain.has_repetition_draws()), (41, false));
    assert_eq!((plain.repeated_after(&1), plain.canonical(&1)), (None, (41, 0)));
    assert_eq!((plain.reflect(&2, 0), plain.reflect_move(2, 0)), (2, 2));
}

#[test]
fn moves_are_listed_visited_and_played_out() {
    let game = Cells::default();
    let mut distinct = vec![9];
    game.distinct_moves(&vec![1], &mut distinct);
    assert_eq!(distinct, [9, 0, 2]);
    assert_eq!(game.legal_moves(&vec![0]), [1, 2]);
    let mut taken = vec![2];
    let seen = game.visit(&mut taken, 0, |child| child.clone());
    assert_eq!((taken, seen), (vec![2], vec![2, 0]));
    let mut orders = HashSet::new();
    for seed in 0..60 {
        for is_heavy in [false, true] {
            let (mut taken, mut scratch, mut rng) = (game.start(), vec![5, 6], Rng::new(seed));
            let plies = if is_heavy {
                game.heavy_playout(&mut taken, &mut rng, &mut scratch)
            } else {
                game.playout(&mut taken, &mut rng, &mut scratch)
            };
            assert_eq!((plies, game.turn(&taken)), (3, Turn::Over));
            assert_eq!(scratch, [5, 6]);
            let (mut end, mut record) = (game.start(), Vec::new());
            let mut rng = Rng::new(seed);
            if is_heavy {
                game.recorded_heavy_playout(&mut end, &mut rng, &mut scratch, &mut record);
            } else {
                game.recorded_playout(&mut end, &mut rng, &mut scratch, &mut record);
            }
            let (players, moves): (Vec<_>, Vec<_>) = record.into_iter().unzip();
            assert_eq!((players, moves), (vec![0, 1, 0], end));
            orders.insert(taken);
        }
    }
    assert_eq!(orders.len(), 6);
}

#[test]
fn outcomes_of_chance_are_drawn_by_their_probabilities() {
    let (mut rng, mut scratch) = (Rng::new(5), vec![77]);
    let ones = (0..10_000).filter(|_| CoinRow.sample(&0, &mut rng, &mut scratch) == 1).count();
    assert!((7800..8200).contains(&ones), "{ones}");
    assert_eq!(scratch, [77]);
    // A playout draws them too: after outcome 1 it takes at most two more plies.
    let plies: u32 = (0..1000).map(|_| CoinRow.playout(&mut 0, &mut rng, &mut scratch)).sum();
    assert!((2200..2800).contains(&plies), "{plies}");
}

#[test]
fn actions_number_the_legal_moves() {
    let game = Cells::default();
    let taken = vec![1];
    for (action, cell) in [(0, Some(2)), (1, None), (2, Some(0)), (3, None)] {
        assert_eq!(game.action_move(&taken, action), cell);
    }
    assert_eq!(game.action_move(&vec![0, 1, 2], 0), None);
    assert_eq!(CoinRow.action_move(&1, 1), Some(2));
}

#[test]
fn the_canonical_position_is_the_least_of_its_reflections() {
    let game = Cells::default();
    assert_eq!(game.canonical(&vec![0, 1]), (701, 0));
    assert_eq!(game.canonical(&vec![2, 1]), (701, 1));
    assert_eq!(game.canonical(&vec![1]), (71, 0));
}

#[test]
fn a_move_text_parses_to_the_same_move() {
    let game = Cells::default();
    let taken = vec![1];
    assert_eq!(game.parse_move(&taken, "right"), Ok(2));
    let error = game.parse_move(&taken, "middle").unwrap_err();
    assert_eq!(error.to_string(), "`middle`: is not a legal move here");
    assert_eq!(game.parse_position("x").unwrap_err().to_string(), "`x`: not needed here");
}
