//! Tests of the rule for late answers, on recorded numbers. Times are in milliseconds.

use super::*;
use crate::MoveNote;

fn ms(time: f64) -> Duration {
    Duration::from_secs_f64(time.max(0.0) / 1e3)
}

/// Returns a late answer of one thread that never sleeps: its CPU time, its wait for a processor, and the CPU time after
/// the deadline.
fn late(granted: f64, cpu: f64, waited: f64, cpu_late: f64) -> LateAnswer {
    let usage = Usage {
        cpu: ms(cpu),
        cpu_late: Some(ms(cpu_late)),
        waited: ms(waited),
        withheld: ms(waited),
        stalled: Duration::ZERO,
        busiest: [ms(cpu), ms(waited)],
    };
    LateAnswer { granted: ms(granted), usage }
}

const ANSWERS: usize = 20;

/// Returns the wait of a player in a move of one second, on a machine that gives it a little more than half a processor.
fn wait(i: usize) -> f64 {
    380.0 + ((i * 61) % 151) as f64
}

/// Returns a number between 0 and 1 that is independent of the wait.
fn chance(i: usize) -> f64 {
    ((i * i * 29 + i * 13) % 97) as f64 / 96.0
}

fn answers(of: impl Fn(usize) -> LateAnswer) -> Vec<LateAnswer> {
    (0..ANSWERS).map(of).collect()
}

#[test]
fn a_player_that_stops_ten_milliseconds_too_late_is_detected() {
    let spins = |i: usize| late(1000.0, 1010.0 + 6.0 * chance(i) - wait(i), wait(i), 5.0);
    let all = answers(spins);
    assert!(is_by_own_clock(&all));
    assert!(!is_by_own_clock(&all[..MIN_LATE_ANSWERS - 1]), "too few to tell");
    // A bank that shrinks from move to move does not hide it.
    let bank = |i: usize| {
        let granted = 1000.0 - 30.0 * i as f64;
        let waited = granted * wait(i) / 1000.0;
        late(granted, granted + 10.0 + 6.0 * chance(i) - waited, waited, 5.0)
    };
    assert!(is_by_own_clock(&answers(bank)));
    // Answers without a known CPU time at the deadline do not hide it either.
    let some = |i: usize| {
        let mut one = spins(i);
        one.usage.cpu_late = one.usage.cpu_late.filter(|_| !i.is_multiple_of(3));
        one
    };
    assert!(is_by_own_clock(&answers(some)));
}

/// A player stops 10 ms too late in moves of 100 ms, on a machine that gives it 4 ms in every 35 ms. Its last wait in
/// the run queue varies by chance, so the total wait does not show that it stops by its clock.
#[test]
fn a_late_player_is_detected_on_a_crowded_machine() {
    let before = |i: usize| 8.0 + ((i * 37) % 9) as f64;
    let spins = |i: usize| {
        let cpu_late = 2.6 + 1.4 * chance(i);
        let last_turn = 30.0 * chance(7 * i + 3);
        late(100.0, before(i) + cpu_late, 110.0 - before(i) + last_turn, cpu_late)
    };
    let all: Vec<LateAnswer> = (0..24).map(spins).collect();
    assert!(is_by_own_clock(&all));
    // Three times as much work as that: the player makes up for what it did not receive before the deadline.
    let works = |i: usize| {
        let cpu = 45.0 + chance(i);
        late(100.0, cpu, 250.0 + 30.0 * chance(7 * i + 3), cpu - before(i))
    };
    assert!(!is_by_own_clock(&(0..128).map(works).collect::<Vec<_>>()));
    // The amount of work varies from move to move.
    let varies = |i: usize| {
        let cpu = 20.0 + 30.0 * chance(i);
        late(100.0, cpu, cpu * 7.0, cpu - before(i))
    };
    assert!(!is_by_own_clock(&(0..128).map(varies).collect::<Vec<_>>()));
}

#[test]
fn a_player_that_is_always_late_is_detected_from_recorded_numbers() {
    // 300 ms per move beside so much other work that the player received a fifth of a processor.
    let recorded = [
        (59.6, 258.8),
        (57.9, 266.0),
        (56.2, 267.6),
        (58.9, 253.4),
        (60.2, 259.9),
        (65.9, 246.0),
        (60.2, 255.3),
        (63.6, 260.2),
        (61.7, 254.2),
        (57.4, 266.2),
        (53.2, 285.5),
        (61.5, 260.4),
        (64.4, 262.4),
        (62.9, 264.7),
        (63.4, 255.5),
        (63.2, 250.6),
        (62.4, 247.8),
        (53.9, 269.6),
        (62.6, 252.2),
        (61.9, 250.3),
        (52.5, 275.4),
        (64.1, 259.5),
        (56.1, 257.9),
        (56.8, 251.4),
        (57.7, 258.1),
        (56.6, 271.2),
        (60.0, 269.1),
        (56.2, 258.3),
        (53.7, 261.4),
        (53.0, 274.6),
        (56.0, 271.4),
        (55.7, 272.0),
        (55.7, 256.2),
        (48.8, 261.6),
        (54.5, 257.1),
        (61.1, 262.7),
    ];
    let all: Vec<LateAnswer> =
        recorded.iter().map(|&(cpu, wait)| late(300.0, cpu, wait, 3.0)).collect();
    assert!(is_by_own_clock(&all));
}

#[test]
fn a_player_with_a_fixed_amount_of_work_is_not_blamed() {
    // 0.9 s of work in a move of 1 s: alone it would always be in time.
    let before = |i: usize| 1000.0 - wait(i);
    let works = |i: usize| {
        let cpu = 900.0 + chance(i);
        late(1000.0, cpu, 1.3 * wait(i), cpu - before(i))
    };
    assert!(!is_by_own_clock(&answers(works)));
    // Its work varies from move to move.
    let varies = |i: usize| {
        let cpu = 800.0 + 150.0 * chance(i);
        late(1000.0, cpu, 1.3 * wait(i), cpu - before(i))
    };
    assert!(!is_by_own_clock(&answers(varies)));
    // More work means a longer wait.
    let share = |i: usize| {
        let cpu = 700.0 + 200.0 * chance(i);
        late(1000.0, cpu, cpu * 0.9, cpu - 1000.0 / 1.9)
    };
    assert!(!is_by_own_clock(&answers(share)));
    // The machine withholds the same share every time.
    let steady = |_| late(1000.0, 900.0, 900.0, 400.0);
    assert!(!is_by_own_clock(&answers(steady)));
}

#[test]
fn a_player_that_waits_while_its_deadline_passes_is_not_blamed() {
    // It wanted to answer after 0.95 s, did not get a processor then, and answered as soon as it had one.
    let waits = |i: usize| late(1000.0, 1000.0 + 20.0 * chance(i) - wait(i), wait(i), 0.4);
    assert!(!is_by_own_clock(&answers(waits)));
    // Its answer takes long, but not as long as it waited.
    let slow = |i: usize| late(1000.0, 1060.0 + 20.0 * chance(i) - wait(i), wait(i), 3.0);
    assert!(!is_by_own_clock(&answers(slow)));
}

#[test]
fn an_answer_that_the_arena_read_late_may_have_been_in_time() {
    let mut one = late(1000.0, 600.0, 390.0, 0.0);
    assert!(one.is_certain());
    one.usage.cpu_late = None;
    assert!(!one.is_certain());
    one.usage.busiest[1] = ms(410.0);
    assert!(one.is_certain());
}

/// Returns a game in which agent 7 was late in the last move, after the moves of `notes`.
fn played(answer: LateAnswer, notes: &[MoveNote]) -> RefereedGame {
    let record = Record {
        seats: vec![3, 7],
        culprit: Some(1),
        verdict: Verdict::Host,
        notes: notes.to_vec(),
        ..Record::default()
    };
    RefereedGame { record, excused: Some(answer) }
}

#[test]
fn late_answers_count_from_the_last_answer_in_time() {
    let mut answers = LateAnswers::default();
    let certain = late(1000.0, 600.0, 410.0, 5.0);
    let mut known = |answer: LateAnswer, notes: &[MoveNote]| {
        answers.add(&played(answer, notes));
        answers.0.get(&7).map_or(0, Vec::len)
    };
    assert_eq!((known(certain, &[]), known(certain, &[])), (1, 2));
    // One that may have been in time says nothing.
    let mut uncertain = late(1000.0, 600.0, 390.0, 0.0);
    uncertain.usage.cpu_late = None;
    assert_eq!(known(uncertain, &[]), 2);
    // Moves of the opponent, chance outcomes and moves made for the player do not count either.
    let note = |seat, overrun| MoveNote { seat, overrun, ..MoveNote::default() };
    let others = [note(Some(0), false), note(None, false), note(Some(1), true)];
    assert_eq!(known(certain, &others), 3);
    assert_eq!(known(certain, &[note(Some(1), false)]), 1, "the late answer came after it");
    for _ in 0..2 * MAX_LATE_ANSWERS {
        known(certain, &[]);
    }
    assert_eq!(known(certain, &[]), MAX_LATE_ANSWERS);
}
