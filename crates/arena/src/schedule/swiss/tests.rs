//! Tests of the pairings of a Swiss tournament.

use std::collections::HashSet;

use proptest::prelude::*;
use tussle_core::Rng;
use tussle_stats::GameResult;

use super::super::result_pairing::Pair;
use super::*;

/// Tournament with random results, in which agents with a higher index are weaker.
struct SimulatedTournament {
    swiss: Swiss,
    history: History,
    rng: Rng,
}

impl SimulatedTournament {
    fn new(agents: usize, rounds: u64, seed: u64) -> Self {
        let history = History::new(agents);
        Self { swiss: Swiss { rounds }, history, rng: Rng::new(seed) }
    }

    fn draw(&self) -> Vec<[usize; 2]> {
        self.swiss.next_round(&self.history)
    }

    fn play(&mut self, drawn: &[[usize; 2]]) {
        let agents = self.history.active.len() as f64;
        for &[a, b] in drawn {
            let chance = 0.5 + 0.3 * (b as f64 - a as f64) / agents;
            let results = [0, 1].map(|_| match self.rng.unit() {
                x if x < 0.2 => Some(GameResult::Draw),
                x if x < 0.2 + 0.8 * chance => Some(GameResult::Win),
                _ => Some(GameResult::Loss),
            });
            self.history.pairs.push(Pair {
                round: self.history.rounds,
                agents: [a, b],
                met_before: 0,
                results,
            });
        }
        self.history.rounds += 1;
    }

    /// Returns the half points of an agent, counted from all pairs.
    fn points(&self, agent: usize) -> i64 {
        let mut points = 0;
        let mut rounds = HashSet::new();
        for pair in &self.history.pairs {
            let Some(side) = pair.agents.iter().position(|&a| a == agent) else { continue };
            rounds.insert(pair.round);
            for result in pair.results.iter().flatten() {
                points += match (result, side) {
                    (GameResult::Win, 0) | (GameResult::Loss, 1) => 2,
                    (GameResult::Draw, _) => 1,
                    _ => 0,
                };
            }
        }
        points + 4 * (self.history.rounds as i64 - rounds.len() as i64)
    }

    fn times(&self, a: usize, b: usize) -> u64 {
        self.history.pairs.iter().filter(|pair| pair.agents == [a.min(b), a.max(b)]).count() as u64
    }

    fn byes(&self, agent: usize) -> u64 {
        let played = self.history.pairs.iter().filter(|pair| pair.agents.contains(&agent)).count();
        self.history.rounds - played as u64
    }
}

/// Returns all possible rounds, including those with any bye.
fn all_rounds(agents: &[usize]) -> Vec<Vec<[usize; 2]>> {
    let Some((&first, rest)) = agents.split_first() else { return vec![Vec::new()] };
    let mut rounds = Vec::new();
    for &partner in rest {
        let others: Vec<usize> = rest.iter().copied().filter(|&a| a != partner).collect();
        for mut round in all_rounds(&others) {
            round.push([first, partner]);
            rounds.push(round);
        }
    }
    if agents.len() % 2 == 1 {
        rounds.extend(all_rounds(rest));
    }
    rounds
}

#[test]
fn the_first_round_pairs_the_upper_half_with_the_lower_half() {
    assert_eq!(SimulatedTournament::new(6, 1, 0).draw(), [[0, 3], [1, 4], [2, 5]]);
    assert_eq!(SimulatedTournament::new(7, 1, 0).draw(), [[0, 3], [1, 4], [2, 5]]);
    assert!(SimulatedTournament::new(1, 1, 0).draw().is_empty());
    assert!(SimulatedTournament::new(6, 0, 0).draw().is_empty());
}

#[test]
fn winners_meet_winners_and_a_bye_counts_as_a_win() {
    let mut played = SimulatedTournament::new(5, 3, 0);
    let both = |result| [Some(result); 2];
    played.history.pairs = vec![
        Pair { round: 0, agents: [0, 2], met_before: 0, results: both(GameResult::Win) },
        Pair { round: 0, agents: [1, 3], met_before: 0, results: both(GameResult::Draw) },
    ];
    played.history.rounds = 1;
    assert_eq!(Standings::after(&played.history).points, [4, 2, 0, 2, 4]);
    // Agent 2 has the bye. If 0 met 4, 1 and 3 would have a rematch.
    assert_eq!(played.draw(), [[0, 1], [3, 4]]);
    played.history.active[2] = false;
    played.history.pairs[1].results = both(GameResult::Win);
    // 0, 1 and 4 have two points each, and 3 must play one of them.
    assert_eq!(played.draw(), [[0, 1], [3, 4]]);
}

#[test]
fn a_withdrawn_agent_is_not_paired_and_has_no_bye() {
    let mut played = SimulatedTournament::new(6, 9, 3);
    let drawn = played.draw();
    played.play(&drawn);
    played.history.active[4] = false;
    for _ in 1..6 {
        let drawn = played.draw();
        assert_eq!(drawn.len(), 2, "five are left");
        assert!(drawn.iter().all(|pair| !pair.contains(&4)), "{drawn:?}");
        played.play(&drawn);
    }
    played.history.active = vec![false, true, false, false, false, false];
    assert!(played.draw().is_empty(), "a single agent has no opponent");
}

#[test]
fn two_hundred_agents_have_no_rematch_in_fifteen_rounds() {
    let mut played = SimulatedTournament::new(200, 15, 1);
    for _ in 0..15 {
        let drawn = played.draw();
        assert_eq!(drawn.len(), 100);
        assert!(drawn.iter().all(|&[a, b]| played.times(a, b) == 0));
        let apart = drawn.iter().map(|&[a, b]| (played.points(a) - played.points(b)).abs());
        assert!(apart.sum::<i64>() <= 50, "a quarter of a point each");
        played.play(&drawn);
    }
}

#[test]
fn rematches_and_byes_are_spread_evenly_over_many_rounds() {
    for agents in 2..=9 {
        let mut played = SimulatedTournament::new(agents, 40, agents as u64);
        for _ in 0..40 {
            let drawn = played.draw();
            played.play(&drawn);
            let all = || (0..agents).flat_map(|b| (0..b).map(move |a| (a, b)));
            let times: Vec<u64> = all().map(|(a, b)| played.times(a, b)).collect();
            let (least, most) = (times.iter().min(), times.iter().max());
            assert!(most.unwrap() - least.unwrap() <= 2, "{agents} agents: {times:?}");
            let byes: Vec<u64> = (0..agents).map(|a| played.byes(a)).collect();
            let (least, most) = (byes.iter().min(), byes.iter().max());
            assert!(most.unwrap() - least.unwrap() <= 2, "{agents} agents, byes {byes:?}");
        }
    }
}

#[test]
fn paired_agents_have_nearly_the_closest_possible_points() {
    let (mut drawn_apart, mut least_apart) = (0, 0);
    for seed in 0..200 {
        let mut played = SimulatedTournament::new(8, 5, seed);
        for _ in 0..5 {
            let drawn = played.draw();
            let apart = |round: &[[usize; 2]]| -> i64 {
                round.iter().map(|&[a, b]| (played.points(a) - played.points(b)).abs()).sum()
            };
            let repeats = |round: &[[usize; 2]]| round.iter().any(|&[a, b]| played.times(a, b) > 0);
            let rounds = all_rounds(&[0, 1, 2, 3, 4, 5, 6, 7]);
            let fresh = rounds.iter().filter(|round| !repeats(round));
            drawn_apart += apart(&drawn);
            least_apart += fresh.map(|round| apart(round)).min().unwrap_or(apart(&drawn));
            played.play(&drawn);
        }
    }
    assert!(drawn_apart < least_apart * 6 / 5, "{drawn_apart} {least_apart}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Compares each round with all possible rounds.
    #[test]
    fn a_round_keeps_the_rules_as_well_as_the_best_possible_round(
        agents in 2usize..=8,
        seed in any::<u64>(),
        withdrawn in prop::option::of((0usize..8, 0u64..5)),
    ) {
        let mut played = SimulatedTournament::new(agents, 9, seed);
        for round in 0..9 {
            if let Some((agent, when)) = withdrawn
                && agent < agents
                && when == round
            {
                played.history.active[agent] = false;
            }
            let active: Vec<usize> = (0..agents).filter(|&a| played.history.active[a]).collect();
            let drawn = played.draw();
            prop_assert_eq!(drawn.len(), active.len() / 2, "at most one agent has a bye");
            let playing: HashSet<usize> = drawn.iter().flatten().copied().collect();
            prop_assert_eq!(playing.len(), 2 * drawn.len(), "no agent plays twice");
            prop_assert!(drawn.iter().all(|&[a, b]| a < b));

            // Largest number of earlier meetings of a pair, and the number of pairs that have it.
            let rematches = |round: &[[usize; 2]]| {
                let times = || round.iter().map(|&[a, b]| played.times(a, b));
                let most = times().max().unwrap_or(0);
                (most, times().filter(|&n| n == most && n > 0).count())
            };
            let rounds = all_rounds(&active);
            let best = rounds.iter().map(|round| rematches(round).0).min().unwrap_or(0);
            prop_assert_eq!(rematches(&drawn).0, best, "round {}: {:?}", round, drawn);

            let bye_of = |round: &[[usize; 2]]| {
                active.iter().copied().find(|a| !round.iter().flatten().any(|b| a == b))
            };
            let allowed: Vec<_> = rounds.iter().filter(|round| rematches(round).0 == best).collect();
            if let Some(bye) = bye_of(&drawn) {
                let key = |a: usize| (played.byes(a), played.points(a), -(a as i64));
                let right = allowed.iter().filter_map(|round| bye_of(round)).min_by_key(|&a| key(a));
                prop_assert_eq!(Some(bye), right);
            }
            // With the same bye, at most one more of the most frequent rematches than necessary.
            let alike = || allowed.iter().filter(|round| bye_of(round) == bye_of(&drawn));
            let fewest = alike().map(|round| rematches(round).1).min().unwrap_or(0);
            prop_assert!(rematches(&drawn).1 <= fewest + 1, "round {}: {:?}", round, drawn);

            // The best agent meets the nearest possible opponent.
            let key = |a: &usize| (-played.points(*a), *a);
            if let Some(first) = playing.iter().copied().min_by_key(key)
                && best == 0
            {
                let apart = |round: &[[usize; 2]]| {
                    let own = round.iter().find(|pair| pair.contains(&first));
                    own.map(|&[a, b]| (played.points(a) - played.points(b)).abs())
                };
                prop_assert_eq!(apart(&drawn), alike().filter_map(|round| apart(round)).min());
            }
            played.play(&drawn);
        }
    }

    #[test]
    fn pairings_do_not_depend_on_the_order_of_results(
        agents in 2usize..=12,
        seed in any::<u64>(),
    ) {
        let mut played = SimulatedTournament::new(agents, 5, seed);
        for _ in 0..4 {
            let drawn = played.draw();
            played.play(&drawn);
            let mut shuffled = played.history.clone();
            played.rng.shuffle(&mut shuffled.pairs);
            prop_assert_eq!(played.draw(), played.swiss.next_round(&shuffled));
        }
    }
}
