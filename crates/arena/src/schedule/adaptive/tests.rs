//! Tests of the pairings of an adaptive tournament.

use std::collections::HashSet;

use tussle_core::Rng;
use tussle_stats::GameResult;

use super::super::result_pairing::Pair;
use super::*;

fn history(agents: usize) -> History {
    History::new(agents)
}

/// Plays a round between agents of these strengths.
fn play(history: &mut History, pairs: &[[usize; 2]], strengths: &[f64], rng: &mut Rng) {
    for &agents in pairs {
        let [a, b] = agents;
        let chance = 1.0 / (1.0 + (strengths[b] - strengths[a]).exp());
        let mut game = || if rng.unit() < chance { GameResult::Win } else { GameResult::Loss };
        let results = [Some(game()), Some(game())];
        history.pairs.push(Pair { round: history.rounds, agents, met_before: 0, results });
    }
    history.rounds += 1;
    history.close_round();
}

#[test]
fn the_first_round_connects_all_agents() {
    for agents in 2..=30 {
        for limit in [1, 40, 100, 300, 1000, u64::MAX] {
            let drawn = Adaptive { agents, limit }.next_round(&history(agents));
            assert!(drawn.iter().all(|&[a, b]| a < b && b < agents), "{drawn:?}");
            let distinct: HashSet<_> = drawn.iter().collect();
            assert_eq!(distinct.len(), drawn.len(), "no pair is repeated: {drawn:?}");
            let mut reached = vec![0];
            while let Some(next) = (0..agents).find(|next| {
                let mets = |a: &usize| drawn.contains(&[*a.min(next), *a.max(next)]);
                !reached.contains(next) && reached.iter().any(mets)
            }) {
                reached.push(next);
            }
            assert_eq!(reached.len(), agents, "{drawn:?}");
            let round_robin = agents * (agents - 1) / 2;
            if limit >= 6 * round_robin as u64 {
                assert_eq!(drawn.len(), round_robin);
            } else if limit >= 6 * agents as u64 {
                assert!(6 * drawn.len() as u64 <= limit, "a third: {agents}, {limit}");
            }
        }
    }
}

#[test]
fn agents_of_similar_strength_play_most_games() {
    // The first two agents are close; the last two are far below and far apart.
    let strengths = [3.0, 2.9, 0.0, -3.0];
    let adaptive = Adaptive { agents: 4, limit: 400 };
    let mut history = history(4);
    let mut rng = Rng::new(2);
    while history.pairs.len() < 200 {
        let drawn = adaptive.next_round(&history);
        play(&mut history, &drawn, &strengths, &mut rng);
    }
    let times = |of: [usize; 2]| history.pairs.iter().filter(|pair| pair.agents == of).count();
    assert!(times([0, 1]) > 120, "{}", times([0, 1]));
    assert!(times([0, 3]) < 10, "{}", times([0, 3]));
}

#[test]
fn pairings_depend_on_results_and_not_on_their_order() {
    let strengths: Vec<f64> = (0..9).map(|i| f64::from(i) * 0.3).collect();
    let adaptive = Adaptive { agents: 9, limit: 300 };
    let mut history = history(9);
    let mut rng = Rng::new(4);
    for _ in 0..8 {
        let drawn = adaptive.next_round(&history);
        play(&mut history, &drawn, &strengths, &mut rng);
        let mut shuffled = history.clone();
        rng.shuffle(&mut shuffled.pairs);
        assert_eq!(adaptive.next_round(&history), adaptive.next_round(&shuffled));
    }
}

#[test]
fn a_withdrawn_agent_is_not_paired() {
    let adaptive = Adaptive { agents: 5, limit: 300 };
    let mut history = history(5);
    let drawn = adaptive.next_round(&history);
    play(&mut history, &drawn, &[0.0; 5], &mut Rng::new(1));
    history.active[2] = false;
    let drawn = adaptive.next_round(&history);
    assert_eq!(drawn.len(), 4);
    assert!(drawn.iter().all(|pair| !pair.contains(&2)), "{drawn:?}");
    history.active = vec![false, false, false, true, false];
    assert!(adaptive.next_round(&history).is_empty(), "a single agent has no opponent");
}
