//! Tests of schedules.

use std::collections::HashMap;

use super::*;
use crate::Contestant;

fn config(agents: usize, rounds: u64, format: Format) -> TournamentSpec {
    let contestant = |i: usize| Contestant::new(format!("a{i}"), "random");
    let agents = (0..agents).map(contestant).collect();
    TournamentSpec { format, rounds, ..TournamentSpec::new(vec!["x".into(), "y".into()], agents) }
}

fn slot(schedule: &Schedule, id: u64) -> Slot {
    match schedule.next(id) {
        Next::Game(slot) => slot,
        other => panic!("game {id}: {other:?}"),
    }
}

#[test]
fn a_round_robin_pairs_all_agents_equally_often_in_every_seat() {
    for players in 2..=3 {
        let schedule = Schedule::new(&config(4, 6, Format::RoundRobin), players);
        let mut sat = HashMap::new();
        for id in 0..schedule.len() {
            let slot = slot(&schedule, id);
            assert_eq!((slot.id, slot.pair), (id, id / players as u64));
            for (seat, agent) in slot.seats.into_iter().enumerate() {
                *sat.entry((seat, agent, slot.game)).or_insert(0) += 1;
            }
        }
        // Every agent in every seat of every game: 6 rounds over 2 games, 3 opponents each.
        assert_eq!(sat.len(), 4 * players * 2);
        assert!(sat.values().all(|&n| n == 9), "{sat:?}");
    }
}

#[test]
fn the_first_agent_plays_every_game_of_a_gauntlet() {
    let schedule = Schedule::new(&config(4, 2, Format::Gauntlet), 2);
    assert_eq!(schedule.len(), 2 * 3 * 2);
    assert!((0..schedule.len()).all(|id| slot(&schedule, id).seats.contains(&0)));
}

#[test]
fn the_limit_of_games_cuts_the_schedule() {
    let config = TournamentSpec { limit: Some(5), ..config(2, 3, Format::RoundRobin) };
    let schedule = Schedule::new(&config, 2);
    assert_eq!(schedule.len(), 5);
    let seats: Vec<_> = (0..5).map(|id| slot(&schedule, id).seats).collect();
    assert_eq!(seats, [[0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]);
}

#[test]
fn a_schedule_may_have_the_maximum_number_of_games() {
    let schedule = Schedule::new(&config(9, u64::MAX, Format::RoundRobin), 2);
    assert_eq!(schedule.len(), u64::MAX);
    assert_eq!(slot(&schedule, u64::MAX - 1).seats.len(), 2);
}

#[test]
fn every_game_is_in_exactly_one_shard() {
    for limit in [None, Some(1), Some(7), Some(36)] {
        let whole = TournamentSpec { limit, ..config(4, 3, Format::RoundRobin) };
        let len = Schedule::new(&whole, 2).len();
        for of in 1..=5 {
            let mut played = vec![0; len as usize];
            for part in 1..=of {
                let shard = format!("{part}/{of}").parse().ok();
                let schedule = Schedule::new(&TournamentSpec { shard, ..whole.clone() }, 2);
                let mut share = 0;
                for id in 0..len {
                    if let Next::Game(slot) = schedule.next(id) {
                        assert_eq!(Next::Game(slot), Schedule::new(&whole, 2).next(id));
                        played[id as usize] += 1;
                        share += 1;
                    }
                }
                assert_eq!(schedule.next(len), Next::Over);
                assert_eq!((schedule.share(), schedule.len()), (share, len), "{part}/{of}");
            }
            assert!(played.iter().all(|&times| times == 1), "{of} shards of {len}: {played:?}");
        }
    }
}

/// Plays a tournament with result-based pairing. The seed decides the order in which the games of a round end; their
/// results depend on the players.
fn play_rounds(config: &TournamentSpec, seed: u64) -> Vec<Slot> {
    let mut schedule = Schedule::new(config, 2);
    let mut rng = tussle_core::Rng::new(seed);
    let mut slots: Vec<Slot> = Vec::new();
    loop {
        let mut round = Vec::new();
        while let Next::Game(slot) = schedule.next(slots.len() as u64) {
            round.push(slot.clone());
            slots.push(slot);
        }
        if round.is_empty() {
            assert_eq!(schedule.next(slots.len() as u64), Next::Over);
            return slots;
        }
        rng.shuffle(&mut round);
        for Slot { id, pair, seats, .. } in round {
            let utility = f64::from((seats[0] * 5 + seats[1] * 3 + id as usize) as u8 % 3) - 1.0;
            let utilities = vec![utility, -utility];
            let record = Record { id, pair, seats, utilities, ..Record::default() };
            schedule.add(&record).expect("a scheduled game");
        }
    }
}

#[test]
fn pairings_do_not_depend_on_the_order_in_which_games_end() {
    let swiss = config(9, 6, Format::Swiss);
    let adaptive = TournamentSpec { limit: Some(101), ..config(7, 1, Format::Adaptive) };
    for (config, games) in [(swiss, 6 * 4 * 2), (adaptive, 101)] {
        let slots = play_rounds(&config, 0);
        assert_eq!(slots.len(), games);
        assert!((1..5).all(|seed| play_rounds(&config, seed) == slots), "{:?}", config.format);
    }
}
