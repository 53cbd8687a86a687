//! Tests of the random playout: published shares, and equal probability of all legal moves.

use std::collections::HashMap;

use tussle_core::random_playout;

use super::*;
use crate::fast_playouts::{Playout, assert_matches_default_playout, assert_same_distribution};

/// Plays random games and returns the shares of Black's wins, draws, ends by passes and ends by
/// repetition, and the mean number of plies.
fn shares<const N: usize>(options: &Options, games: u32) -> [f64; 5] {
    let rules = Go::<N>::new(options).unwrap();
    let (mut rng, mut scratch, start) = (Rng::new(11), Vec::new(), rules.start());
    let mut state = start.clone();
    let mut sums = [0.0; 5];
    for _ in 0..games {
        state.clone_from(&start);
        let plies = rules.playout(&mut state, &mut rng, &mut scratch);
        let utility = rules.utility(&state, 0);
        for (sum, value) in sums.iter_mut().zip([
            f64::from(u8::from(utility > 0.0)),
            f64::from(u8::from(utility == 0.0)),
            f64::from(u8::from(state.passes == 2)),
            f64::from(u8::from(state.repeated)),
            f64::from(plies),
        ]) {
            *sum += value;
        }
    }
    sums.map(|sum| sum / f64::from(games))
}

#[test]
fn random_games_on_five_by_five_have_the_published_shares() {
    let games = 300_000;
    // The published shares are rounded to 0.1 %; allow three standard errors on top.
    let near = |seen: f64, known: f64| {
        let error = (known * (1.0 - known) / f64::from(games)).sqrt();
        assert!((seen - known).abs() < 0.0005 + 3.0 * error, "{seen}, but {known} was published");
    };
    for (komi, first, draw) in [(0.5, 0.507, 0.004), (7.5, 0.261, 0.004)] {
        let options = Options { komi, ..Options::sized(5, 5) };
        let [black, draws, passes, repeated, plies] = shares::<1>(&options, games);
        near(black, first);
        near(draws, draw);
        assert_eq!(draws, repeated, "with half points every draw is a repetition");
        assert!((passes - 0.84).abs() < 0.008 && (repeated - 0.003).abs() < 0.001, "{passes}");
        assert!((plies - 35.36).abs() < 0.09, "{plies}");
    }
}

/// Counts the final boards of playouts from a position.
fn boards<const N: usize>(
    rules: &Go<N>,
    playout: Playout<Go<N>>,
    start: &State<N>,
    games: u32,
    seed: u64,
) -> HashMap<String, f64> {
    let (mut rng, mut scratch, mut counts) = (Rng::new(seed), Vec::new(), HashMap::new());
    for _ in 0..games {
        let mut state = start.clone();
        playout(rules, &mut state, &mut rng, &mut scratch);
        let end = (state.stones, state.mover, state.passes, state.repeated);
        *counts.entry(format!("{end:?}")).or_default() += 1.0;
    }
    counts
}

fn check_playouts<const N: usize>(options: &Options, position: &str, games: u32) {
    let rules = Go::<N>::new(options).unwrap();
    let start = if position.is_empty() { rules.start() } else { play(&rules, position, "") };
    assert_matches_default_playout(&rules, &start, games);
    let fast = boards(&rules, Go::playout, &start, games, 3);
    let plain = boards(&rules, random_playout, &start, games, 4);
    assert_same_distribution(&fast, &plain);
}

#[test]
fn playouts_choose_every_legal_move_equally_often() {
    for repetition in [Repetition::Draw, Repetition::Positional, Repetition::Off] {
        let sized = |width, height| Options { repetition, ..Options::sized(width, height) };
        check_playouts::<1>(&sized(2, 2), "", 40_000);
        check_playouts::<1>(&sized(3, 2), "", 40_000);
        check_playouts::<1>(&sized(5, 5), "", 15_000);
        // A position with a ko that must not be retaken.
        let ko = "...../...../.XO../X.XO./.XO.. O B2 0 5";
        check_playouts::<1>(&sized(5, 5), ko, 15_000);
        check_playouts::<2>(&sized(9, 9), "", 1_000);
        check_playouts::<4>(&sized(3, 3), "", 10_000);
        check_playouts::<8>(&sized(3, 3), "", 10_000);
    }
    let endless = Options { cap: None, ..Options::sized(3, 2) };
    check_playouts::<1>(&endless, "", 40_000);
    let past = "OO/.O X - 0 6 XA1,OB2,XB1,OA2,XA1,OB1";
    check_playouts::<1>(&Options { cap: None, ..Options::sized(2, 2) }, past, 20_000);
    let superko = Options { repetition: Repetition::Positional, ..Options::sized(2, 2) };
    check_playouts::<1>(&superko, past, 20_000);
}

#[test]
fn recorded_playouts_list_the_legal_moves_that_were_played() {
    for options in [Options::sized(5, 5), Options::sized(2, 2)] {
        let rules = Go::<1>::new(&options).expect("a board");
        for seed in 0..300 {
            let (mut end, mut record) = (rules.start(), Vec::new());
            let mut rng = Rng::new(seed);
            let plies = rules.recorded_playout(&mut end, &mut rng, &mut Vec::new(), &mut record);
            assert_eq!(plies as usize, record.len());
            let mut state = rules.start();
            for (player, mv) in record {
                assert_eq!(rules.turn(&state), Turn::Player(player));
                assert!(rules.legal_moves(&state).contains(&mv));
                rules.play(&mut state, mv);
            }
            assert_eq!(rules.turn(&state), Turn::Over);
            assert_eq!(rules.utility(&end, 0), rules.utility(&state, 0));
        }
    }
}
