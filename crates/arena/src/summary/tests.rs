//! Claims about sums of games.

use super::*;
use crate::{Contestant, MoveNote};

pub(super) fn config(agents: usize) -> Config {
    let agent = |i: usize| Contestant::new(format!("a{i}"), "random");
    Config::new(vec!["tictactoe".to_owned()], (0..agents).map(agent).collect())
}

pub(super) fn game(id: u64, seats: &[usize], utilities: &[f64]) -> Record {
    Record {
        id,
        pair: id / seats.len() as u64,
        game: "tictactoe".to_owned(),
        seats: seats.to_vec(),
        moves: vec![id.to_string()],
        utilities: utilities.to_vec(),
        deterministic: true,
        notes: vec![MoveNote::default()],
        ..Record::default()
    }
}

pub(super) fn sum(agents: usize, games: &[Record]) -> Summary {
    let mut tally = Tally::new(&config(agents));
    for game in games {
        tally.add(game);
    }
    tally.finish(Vec::new())
}

pub(super) const WIN: [f64; 2] = [1.0, -1.0];
pub(super) const LOSS: [f64; 2] = [-1.0, 1.0];
pub(super) const DRAW: [f64; 2] = [0.0, 0.0];

#[test]
fn a_pair_counts_once_it_is_complete() {
    // a0 wins both; wins and draws; loses both; then half a pair, won.
    let games = [
        game(0, &[0, 1], &WIN),
        game(1, &[1, 0], &LOSS),
        game(2, &[0, 1], &DRAW),
        game(3, &[1, 0], &LOSS),
        game(4, &[0, 1], &LOSS),
        game(5, &[1, 0], &WIN),
        game(6, &[0, 1], &WIN),
    ];
    let summary = sum(2, &games);
    let duel = summary.duel().unwrap();
    assert_eq!(duel.score, Wdl { wins: 4, draws: 1, losses: 2 });
    assert_eq!(duel.pentanomial, Pentanomial([1, 0, 0, 1, 1]));
    assert_eq!(summary.table[0].agent, "a0");
    assert_eq!(summary.table[0].points, 4.5);
    assert_eq!(summary.table[1].pentanomial, Some(Pentanomial([1, 1, 0, 0, 1])));
    assert_eq!(summary.table[1].points, 2.5);
    // As first a0 won 2, drew 1 and lost 1.
    let first = &summary.table[0].seats[0];
    assert_eq!((first.seat.as_str(), first.score), ("first", Wdl { wins: 2, draws: 1, losses: 1 }));

    // A game that is missing in the middle breaks one pair only.
    let gap: Vec<Record> = games.iter().filter(|game| game.id != 1).cloned().collect();
    assert_eq!(sum(2, &gap).duel().unwrap().pentanomial, Pentanomial([1, 0, 0, 1, 0]));
    let gap: Vec<Record> =
        games.iter().filter(|game| ![1, 2].contains(&game.id)).cloned().collect();
    assert_eq!(sum(2, &gap).duel().unwrap().pentanomial, Pentanomial([1, 0, 0, 0, 0]));
}

#[test]
fn of_three_everybody_has_a_line_and_the_sums_agree() {
    let mut games = Vec::new();
    let mut id = 0;
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        // The one configured later wins as second and draws as first.
        games.push(game(id, &[a, b], &LOSS));
        games.push(game(id + 1, &[b, a], &DRAW));
        id += 2;
    }
    let summary = sum(3, &games);
    let table: Vec<_> =
        summary.table.iter().map(|row| (row.agent.as_str(), row.points, row.games)).collect();
    assert_eq!(table, [("a2", 3.0, 4), ("a1", 2.0, 4), ("a0", 1.0, 4)]);
    assert_eq!(summary.table[1].pentanomial, Some(Pentanomial([0, 1, 0, 1, 0])));
    assert_eq!(summary.table[1].elo, Some(0.0));
    assert_eq!(summary.meetings.len(), 3);
    assert!(summary.duel().is_none());
}

#[test]
fn of_more_players_the_worth_is_shared() {
    let games = [
        game(0, &[0, 1, 2], &[0.5, 0.5, 0.0]),
        game(1, &[2, 0, 1], &[1.0, 0.0, 0.0]),
        game(2, &[1, 2, 0], &[0.0, 1.0, 0.0]),
    ];
    let summary = sum(3, &games);
    let table: Vec<_> = summary.table.iter().map(|row| (row.agent.as_str(), row.points)).collect();
    assert_eq!(table, [("a2", 2.0), ("a0", 0.5), ("a1", 0.5)]);
    assert_eq!(summary.table[0].score, Wdl { wins: 2, draws: 0, losses: 1 });
    assert_eq!(summary.table[1].score, Wdl { wins: 0, draws: 1, losses: 2 });
    assert!(summary.table.iter().all(|row| row.elo.is_none() && row.pentanomial.is_none()));
    assert_eq!(summary.table[0].seats[1].seat, "player-2");
}

#[test]
fn faults_are_held_against_who_made_them() {
    let fault = |id, verdict, culprit| {
        let seats = if id % 2 == 0 { [0, 1] } else { [1, 0] };
        let utilities = if culprit == 0 { LOSS } else { WIN };
        Record { verdict, culprit: Some(culprit), ..game(id, &seats, &utilities) }
    };
    let games = [
        fault(0, Verdict::Time, 0),
        fault(1, Verdict::Hang, 0),
        fault(2, Verdict::Crash, 1),
        fault(3, Verdict::Protocol, 0),
        Record { overruns: 2, deterministic: false, ..game(4, &[0, 1], &DRAW) },
    ];
    let summary = sum(2, &games);
    assert_eq!(summary.time_losses, [1, 1]);
    assert_eq!(summary.verdict(Verdict::Normal), 1);
    assert_eq!(summary.overruns, 2);
    assert!(!summary.deterministic);
    // Three strikes: a hang, a crash, nonsense.
    assert_eq!(summary.withdrawn, ["a1"]);
    let a1 = summary.table.iter().find(|row| row.agent == "a1").unwrap();
    assert_eq!(a1.faults, BTreeMap::from([("crash", 1), ("hang", 1), ("protocol", 1)]));
}

#[test]
fn the_same_moves_are_the_same_game_if_they_begin_alike() {
    let same = |id| Record { moves: vec!["b2".to_owned()], ..game(id, &[0, 1], &WIN) };
    let elsewhere = Record { start: Some("x".to_owned()), ..same(2) };
    let summary = sum(2, &[same(0), same(1), elsewhere, game(3, &[0, 1], &WIN)]);
    assert_eq!((summary.distinct_games, summary.mean_length), (3, Some(1.0)));
}

#[test]
fn times_are_those_of_the_moves_an_agent_made() {
    let note = |seat, used| MoveNote { seat, used, ..MoveNote::default() };
    let mut first = game(0, &[1, 0], &WIN);
    first.notes = vec![note(None, 0), note(Some(0), 5), note(Some(1), 70), note(Some(0), 9)];
    let summary = sum(2, &[first]);
    let [a0, a1] = &summary.timing.agents[..] else { panic!("two agents") };
    assert_eq!((a0.moves, a0.p50_ms, a0.max_ms), (1, Some(0.07), Some(0.07)));
    assert_eq!((a1.moves, a1.p50_ms, a1.p99_ms), (2, Some(0.005), Some(0.009)));
}

#[test]
fn no_games_add_up_to_nothing() {
    let summary = sum(2, &[]);
    assert_eq!((summary.games, summary.mean_length), (0, None));
    assert!(summary.table.iter().all(|row| row.points == 0.0 && row.elo.is_none()));
    let text = serde_json::to_string(&summary).unwrap();
    assert!(text.contains(r#""verdicts":{"normal":0,"time":0,"#), "{text}");
}
