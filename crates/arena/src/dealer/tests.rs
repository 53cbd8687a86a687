//! Tests of the dealer.

use std::time::Duration;

use proptest::prelude::*;

use tussle_catalog::Catalog;
use tussle_engine::{Usage, Verdict};

use super::*;
use crate::lateness::LateAnswer;
use crate::{Contestant, Format, MoveNote, TournamentSpec};

fn config(agents: usize, format: Format, rounds: u64) -> TournamentSpec {
    let agent = |i: usize| Contestant::new(format!("a{i}"), "random");
    let agents = (0..agents).map(agent).collect();
    TournamentSpec { format, rounds, ..TournamentSpec::new(vec!["gobblet".to_owned()], agents) }
}

fn tournament(config: TournamentSpec) -> Tournament {
    Tournament::new(config, &Catalog::standard()).unwrap()
}

fn job(dealer: &mut Dealer<'_>) -> Job {
    match dealer.deal().unwrap() {
        Deal::Job(job) => job,
        other => panic!("{other:?}"),
    }
}

/// Returns the record of a job's game that the player in seat `winner` wins by the rules.
fn won_by(winner: usize, job: &Job) -> Record {
    let mut utilities = vec![-1.0; job.slot.seats.len()];
    utilities[winner] = 1.0;
    Record {
        id: job.slot.id,
        pair: job.slot.pair,
        seats: job.slot.seats.clone(),
        utilities,
        // The sequential test counts equal games once.
        moves: vec![job.slot.id.to_string()],
        ..Record::default()
    }
}

fn played(record: Record) -> RefereedGame {
    RefereedGame { record, excused: None }
}

/// Returns the record of a game that this agent loses by a crash.
fn crashed(agent: usize, job: &Job) -> Record {
    let culprit = job.slot.seats.iter().position(|&other| other == agent).unwrap();
    Record { verdict: Verdict::Crash, culprit: Some(culprit), ..won_by(1 - culprit, job) }
}

/// Rules on a game and counts it.
fn finish(dealer: &mut Dealer<'_>, record: Record) -> Effect {
    match dealer.rule(0, played(record)).unwrap() {
        Ruling::Stands(record) => dealer.count(&record).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn games_are_dealt_in_the_order_of_the_schedule() {
    let tournament =
        tournament(TournamentSpec { opening_plies: 2, ..config(3, Format::RoundRobin, 2) });
    let mut dealer = Dealer::new(&tournament).unwrap();
    let jobs: Vec<Job> = (0..12).map(|_| job(&mut dealer)).collect();
    for (job, id) in jobs.iter().zip(0..) {
        let slot = tournament.schedule().next(id);
        assert_eq!(Next::Game(job.slot.clone()), slot);
        assert_eq!((job.attempt, job.opening.moves.len()), (0, 2));
    }
    assert!(jobs.chunks(2).all(|pair| pair[0].opening == pair[1].opening));
    assert_eq!(dealer.deal(), Ok(Deal::Over));
}

#[test]
fn a_returned_job_is_dealt_once_more_and_before_new_ones() {
    let tournament =
        tournament(TournamentSpec { opening_plies: 2, ..config(2, Format::RoundRobin, 3) });
    let mut dealer = Dealer::new(&tournament).unwrap();
    let (first, second) = (job(&mut dealer), job(&mut dealer));
    for _ in 0..3 {
        dealer.take_back(first.slot.id);
    }
    // Games that were never dealt.
    dealer.take_back(5);
    dealer.take_back(99);
    assert_eq!(job(&mut dealer), first);
    assert_eq!(job(&mut dealer).slot.id, 2);
    // A game that has a result.
    finish(&mut dealer, won_by(0, &second));
    dealer.take_back(second.slot.id);
    assert_eq!(job(&mut dealer).slot.id, 3);
}

#[test]
fn a_returned_job_whose_result_arrives_later_is_not_dealt_again() {
    let tournament = tournament(config(2, Format::RoundRobin, 3));
    let mut dealer = Dealer::new(&tournament).unwrap();
    let first = job(&mut dealer);
    dealer.take_back(first.slot.id);
    finish(&mut dealer, won_by(0, &first));
    assert_eq!(job(&mut dealer).slot.id, 1);
    // Result of a worker that was lost in an earlier run.
    let later = Job { slot: Slot { id: 2, pair: 1, ..first.slot.clone() }, ..first.clone() };
    assert_eq!(finish(&mut dealer, won_by(1, &later)), Effect { sprt: None, withdrawn: None });
    assert_eq!(job(&mut dealer).slot.id, 3);
}

#[test]
fn a_second_result_is_passed_on_to_the_store() {
    let tournament = tournament(config(2, Format::RoundRobin, 1));
    let mut dealer = Dealer::new(&tournament).unwrap();
    let first = job(&mut dealer);
    finish(&mut dealer, won_by(0, &first));
    let other = won_by(1, &first);
    assert_eq!(dealer.rule(0, played(other.clone())), Ok(Ruling::Stands(other)));
    let void = Record { verdict: Verdict::Host, culprit: Some(0), ..won_by(1, &first) };
    assert_eq!(dealer.rule(0, played(void)), Ok(Ruling::Stale));
    assert_eq!(job(&mut dealer).slot.id, 1);
    assert_eq!(dealer.deal(), Ok(Deal::Over));
}

#[test]
fn finished_games_of_a_store_are_not_dealt() {
    for format in [Format::RoundRobin, Format::Swiss] {
        let tournament = tournament(config(4, format, 3));
        let mut dealer = Dealer::new(&tournament).unwrap();
        let mut records = Vec::new();
        for _ in 0..5 {
            while let Deal::Job(job) = dealer.deal().unwrap() {
                let record = won_by(0, &job);
                finish(&mut dealer, record.clone());
                records.push(record);
            }
        }
        for stored in 0..=records.len() {
            let mut dealer = Dealer::new(&tournament).unwrap();
            for record in &records[..stored] {
                dealer.resume(record).unwrap();
            }
            assert_eq!(dealer.outlook().played, stored as u64);
            for record in &records[stored..] {
                let job = job(&mut dealer);
                assert_eq!(job.slot.id, record.id, "{format:?}");
                finish(&mut dealer, won_by(0, &job));
            }
            assert_eq!(dealer.deal(), Ok(Deal::Over));
        }
    }
}

#[test]
fn a_result_of_an_unscheduled_game_is_an_error() {
    let shard = Some("2/2".parse().unwrap());
    let swiss = tournament(config(4, Format::Swiss, 3));
    let sharded = tournament(TournamentSpec { shard, ..config(3, Format::RoundRobin, 3) });
    for (tournament, id) in [(&swiss, 0), (&sharded, 2)] {
        let mut dealer = Dealer::new(tournament).unwrap();
        let first = job(&mut dealer);
        assert_eq!(first.slot.id, id);
        let right = won_by(0, &first);
        let last = tournament.schedule().len();
        let wrong = [
            Record { seats: first.slot.seats.iter().rev().copied().collect(), ..right.clone() },
            Record { pair: right.pair + 1, ..right.clone() },
            Record { id: last, pair: last / 2, ..right.clone() },
            // A round that is not paired yet, or a game of another shard.
            Record { id: id + 2, pair: right.pair + 1, ..right.clone() },
        ];
        for record in wrong {
            let expected = UnscheduledGame { id: record.id };
            assert_eq!(dealer.rule(0, played(record)), Err(expected));
        }
        finish(&mut dealer, right);
    }
}

#[test]
fn a_round_is_dealt_after_all_results_of_the_previous_one() {
    let tournament = tournament(config(4, Format::Swiss, 2));
    let mut dealer = Dealer::new(&tournament).unwrap();
    let mut round: Vec<Job> = (0..4).map(|_| job(&mut dealer)).collect();
    while let Some(last) = round.pop() {
        assert_eq!(dealer.deal(), Ok(Deal::Later));
        finish(&mut dealer, won_by(last.slot.id as usize % 2, &last));
    }
    assert_eq!(job(&mut dealer).slot.id, 4);
}

#[test]
fn an_agent_with_too_many_faults_is_withdrawn_once() {
    let tournament = tournament(config(3, Format::RoundRobin, 4));
    let mut dealer = Dealer::new(&tournament).unwrap();
    let mut withdrawn = Vec::new();
    let mut faults = 0;
    // All games of the first two rounds are dealt before the first result.
    let mut jobs: Vec<Job> = (0..12).map(|_| job(&mut dealer)).collect();
    for job in jobs.drain(..) {
        let is_broken = job.slot.seats.contains(&1);
        let record = if is_broken { crashed(1, &job) } else { won_by(0, &job) };
        faults += u64::from(is_broken);
        let effect = finish(&mut dealer, record);
        assert_eq!(effect.withdrawn.is_some(), is_broken && faults == 3);
        withdrawn.extend(effect.withdrawn);
    }
    assert_eq!(withdrawn, [1]);
    while let Deal::Job(job) = dealer.deal().unwrap() {
        assert!(!job.slot.seats.contains(&1));
        finish(&mut dealer, won_by(0, &job));
    }
    let outlook = dealer.outlook();
    assert_eq!((outlook.played, outlook.remaining, outlook.cancelled), (16, 0, 8));
}

#[test]
fn nothing_is_dealt_after_the_sequential_test_accepts_a_hypothesis() {
    let sprt = Some("elo0=0,elo1=200".parse().unwrap());
    let tournament = tournament(TournamentSpec { sprt, ..config(2, Format::RoundRobin, 500) });
    let mut dealer = Dealer::new(&tournament).unwrap();
    let jobs: Vec<Job> = (0..200).map(|_| job(&mut dealer)).collect();
    // The first agent wins its games.
    let accepted = jobs.iter().find(|job| {
        let winner = job.slot.seats.iter().position(|&agent| agent == 0).unwrap();
        let effect = finish(&mut dealer, won_by(winner, job));
        effect.sprt.unwrap().accepted.is_some()
    });
    assert!(accepted.is_some());
    dealer.take_back(199);
    assert_eq!(dealer.deal(), Ok(Deal::Over));
}

/// Attempt at a game of one second per move in which agent 0 was late.
#[derive(Clone, Copy)]
struct LateAttempt {
    verdict: Verdict,
    /// Lateness in milliseconds.
    by: u64,
    /// Time spent waiting for a processor, in milliseconds.
    waited: u64,
    /// True if agent 0 answered an earlier move in time.
    was_in_time: bool,
}

fn late(verdict: Verdict, by: u64, waited: u64) -> LateAttempt {
    LateAttempt { verdict, by, waited, was_in_time: false }
}

impl LateAttempt {
    fn played(self, job: &Job) -> RefereedGame {
        let Self { verdict, by, waited, was_in_time } = self;
        let culprit = job.slot.seats.iter().position(|&agent| agent == 0);
        let in_time = MoveNote { seat: culprit, ..MoveNote::default() };
        let record = Record {
            verdict,
            culprit,
            what: "was late".to_owned(),
            notes: if was_in_time { vec![in_time] } else { Vec::new() },
            ..won_by(1 - culprit.unwrap(), job)
        };
        let granted = Duration::from_secs(1);
        let waited = Duration::from_millis(waited);
        let cpu = (granted + Duration::from_millis(by)).saturating_sub(waited);
        let usage = Usage {
            cpu,
            cpu_late: Some(Duration::from_millis(by / 2)),
            waited,
            withheld: waited,
            stalled: Duration::ZERO,
            busiest: [cpu, waited],
        };
        let excused = (verdict == Verdict::Host).then_some(LateAnswer { granted, usage });
        RefereedGame { record, excused }
    }
}

/// Deals one game until it is decided or `attempts` are used up. Returns the result, and for each attempt whether the
/// game was played alone.
fn decided(dealer: &mut Dealer<'_>, attempts: &[LateAttempt]) -> (Option<Record>, Vec<bool>) {
    let mut alone = Vec::new();
    for (attempt, number) in attempts.iter().zip(0..) {
        let job = job(dealer);
        assert_eq!(job.attempt, number);
        alone.push(job.is_alone());
        let played = attempt.played(&job);
        let ruling = dealer.rule(job.attempt, played.clone()).unwrap();
        // The same report arrives twice.
        if played.record.is_void() {
            assert_eq!(dealer.rule(job.attempt, played.clone()), Ok(Ruling::Stale));
        }
        match ruling {
            Ruling::Stands(record) => return (Some(record), alone),
            Ruling::Excused(record) => assert_eq!(record, played.record),
            Ruling::Stale => panic!("the first report is not stale"),
        }
    }
    (None, alone)
}

#[test]
fn a_game_that_is_excused_three_times_is_played_alone_and_that_verdict_stands() {
    let tournament = tournament(config(2, Format::RoundRobin, 3));
    let mut dealer = Dealer::new(&tournament).unwrap();
    let host = late(Verdict::Host, 10, 400);
    let time = late(Verdict::Time, 9, 1);
    let (record, alone) = decided(&mut dealer, &[host, host, time]);
    assert_eq!((record.unwrap().verdict, alone), (Verdict::Time, vec![false; 3]));

    let (record, alone) = decided(&mut dealer, &[host, host, host, time]);
    let record = record.unwrap();
    assert_eq!((record.verdict, &record.utilities[..]), (Verdict::Time, &[1.0, -1.0][..]));
    assert_eq!(alone, [false, false, false, true]);

    let (record, alone) = decided(&mut dealer, &[host; 4]);
    let record = record.unwrap();
    assert_eq!((record.verdict, &record.utilities[..]), (Verdict::Host, &[0.0, 0.0][..]));
    assert!(record.is_void() && record.struck().is_none());
    assert_eq!(alone, [false, false, false, true]);

    // Without the last attempt the game is not decided.
    assert_eq!(decided(&mut dealer, &[host; 3]).0, None);
    assert!(job(&mut dealer).is_alone());
}

#[test]
fn a_returned_job_keeps_its_number_of_attempts() {
    let tournament = tournament(config(2, Format::RoundRobin, 1));
    let mut dealer = Dealer::new(&tournament).unwrap();
    let host = late(Verdict::Host, 10, 400);
    let first = job(&mut dealer);
    // The worker is counted as lost but reports later.
    dealer.take_back(first.slot.id);
    let ruling = dealer.rule(0, host.played(&first)).unwrap();
    assert!(matches!(ruling, Ruling::Excused(_)));
    let second = job(&mut dealer);
    assert_eq!((second.slot.id, second.attempt), (0, 1));
    dealer.take_back(0);
    assert_eq!(job(&mut dealer), second);
    assert_eq!(job(&mut dealer).slot.id, 1);
}

#[test]
fn a_player_that_always_stops_too_late_loses_even_on_a_busy_machine() {
    let tournament = tournament(config(2, Format::RoundRobin, 5));
    let mut dealer = Dealer::new(&tournament).unwrap();
    let waits: Vec<u64> = (0..16).map(|i| 380 + (i * 61) % 151).collect();
    let mut play = |waits: &[u64]| {
        let attempts = waits.iter().map(|&wait| late(Verdict::Host, 10 + wait % 3, wait));
        decided(&mut dealer, &attempts.collect::<Vec<_>>()).0.unwrap()
    };
    for waits in waits[..12].chunks(4) {
        assert_eq!(play(waits).verdict, Verdict::Host, "too few answers to tell");
    }
    let last = play(&waits[12..]);
    assert_eq!((last.verdict, last.struck(), last.winner()), (Verdict::Time, Some(0), Some(1)));
    assert!(last.what.contains("its last 16 answers were late too"), "{}", last.what);
    // After one answer in time, the count starts again.
    let in_time = LateAttempt { was_in_time: true, ..late(Verdict::Host, 10, 400) };
    let again = late(Verdict::Host, 10, 430);
    let (record, _) = decided(&mut dealer, &[in_time, again, again, again]);
    assert_eq!(record.unwrap().verdict, Verdict::Host);
}

/// Plays a tournament in which jobs are returned, and results arrive twice or out of order. Returns the results by number.
fn results_in_disorder(tournament: &Tournament, choices: &[u8]) -> Vec<Record> {
    let mut dealer = Dealer::new(tournament).unwrap();
    let mut choices = choices.iter().copied().cycle();
    let (mut open_jobs, mut reported): (Vec<Job>, Vec<Job>) = (Vec::new(), Vec::new());
    let mut losses = 0;
    let mut results: BTreeMap<u64, Record> = BTreeMap::new();
    loop {
        while open_jobs.len() < 5 {
            let Deal::Job(job) = dealer.deal().unwrap() else { break };
            open_jobs.push(job);
        }
        if open_jobs.is_empty() {
            assert_eq!(dealer.deal(), Ok(Deal::Over));
            return results.into_values().collect();
        }
        let (choice, at) = (choices.next().unwrap(), choices.next().unwrap());
        let job = open_jobs.swap_remove(usize::from(at) % open_jobs.len());
        reported.push(job);
        if choice % 4 == 0 && losses < 50 {
            losses += 1;
            dealer.take_back(reported[reported.len() - 1].slot.id);
            continue;
        }
        // Jobs that were returned or have a result are reported too.
        let job = &reported[reported.len() - 1 - usize::from(choice) / 4 % reported.len()];
        let winner = (job.slot.id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63) as usize;
        let Ruling::Stands(record) = dealer.rule(0, played(won_by(winner, job))).unwrap() else {
            panic!("a game that is not void stands")
        };
        if let Some(known) = results.get(&record.id) {
            assert_eq!(known, &record);
        } else {
            dealer.count(&record).unwrap();
            results.insert(record.id, record);
        }
        // The worker whose report is still missing is lost.
        let missing = reported.last().unwrap().slot.id;
        dealer.take_back(missing);
    }
}

proptest! {
    #[test]
    fn order_and_repetition_of_results_make_no_difference(
        choices in prop::collection::vec(any::<u8>(), 2..40),
    ) {
        for &format in Format::ALL {
            let limit = format.is_endless().then_some(50);
            let tournament = tournament(TournamentSpec { limit, ..config(5, format, 4) });
            let in_order = results_in_disorder(&tournament, &[1, 0]);
            prop_assert_eq!(results_in_disorder(&tournament, &choices), in_order);
        }
    }
}
