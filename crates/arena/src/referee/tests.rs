use std::collections::VecDeque;
use std::thread::sleep;

use super::*;

/// What a player does when it is asked.
#[derive(Clone)]
enum Act {
    Play(&'static str),
    /// Answers after the deadline, this much of it being the machine's fault.
    Late {
        by_ms: u64,
        withheld_ms: u64,
    },
    /// Answers late by this much, while the arena stands still for longer.
    Stalled {
        by_ms: u64,
    },
    /// Does not answer; the flag says whether it would have in the end.
    Silent(bool),
    Fail(Verdict),
    Resign,
}

/// Does what it was told to, then plays the first legal move.
struct Puppet {
    acts: VecDeque<Act>,
    late: bool,
    usage: Usage,
}

impl Seat for Puppet {
    fn begin(&mut self, _: &GameStart<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        let first = ask.position.moves().swap_remove(0);
        let answer = |mv: Option<String>| Ok(Answer { mv, ..Answer::default() });
        match self.acts.pop_front() {
            None => answer(Some(first)),
            Some(Act::Play(mv)) => answer(Some(mv.to_owned())),
            Some(Act::Late { by_ms, withheld_ms }) => {
                sleep(ask.deadline.saturating_duration_since(Instant::now()));
                sleep(Duration::from_millis(by_ms));
                let waited = Duration::from_millis(withheld_ms);
                let cpu = Duration::from_micros(1234);
                self.usage = Usage { cpu, waited, withheld: waited, ..Usage::default() };
                answer(Some(first))
            }
            Some(Act::Stalled { by_ms }) => {
                sleep(ask.deadline.saturating_duration_since(Instant::now()));
                sleep(Duration::from_millis(by_ms));
                self.usage = Usage { stalled: Duration::from_millis(900), ..Usage::default() };
                answer(Some(first))
            }
            Some(Act::Silent(late)) => {
                self.late = late;
                sleep(ask.deadline.saturating_duration_since(Instant::now()));
                Err(Fault::new(Verdict::Time, "no answer in time"))
            }
            Some(Act::Fail(verdict)) => Err(Fault::new(verdict, "broken")),
            Some(Act::Resign) => answer(None),
        }
    }

    fn is_just_late(&mut self, _: Duration) -> bool {
        self.late
    }

    fn usage(&self) -> Usage {
        self.usage
    }

    fn is_deterministic(&self) -> bool {
        true
    }
}

fn play_with(clock: &str, overrun: Overrun, acts: [&[Act]; 2]) -> Record {
    let game = tussle_catalog::game("tictactoe").expect("a game");
    let slot = Slot { id: 3, pair: 1, game: 0, seats: vec![1, 0] };
    let clock = clock.parse().expect("a clock");
    let margin = Duration::ZERO;
    let terms = Terms { clock, margin, overrun, ..Terms::default() };
    let opening = Opening { start: None, moves: vec!["c3".to_owned()] };
    let sitting =
        Sitting { game: game.as_ref(), slot: &slot, opening: &opening, terms: &terms, seed: 5 };
    let mut seats = acts.map(|acts| Puppet {
        acts: acts.iter().cloned().collect(),
        late: false,
        usage: Usage::default(),
    });
    let mut seats: Vec<&mut dyn Seat> =
        seats.iter_mut().map(|seat| seat as &mut dyn Seat).collect();
    play(&sitting, &mut seats).expect("a game").record
}

/// What becomes of a game in which the second player, who is to move after the opening, does this.
fn second_does(acts: &[Act]) -> Record {
    play_with("30ms", Overrun::Loss, [&[], acts])
}

#[test]
fn a_game_is_recorded_as_it_was_played() {
    let record = play_with("9s", Overrun::Loss, [&[Act::Play("b2")], &[Act::Play("a2")]]);
    // First: c3 (the opening), b2, then the first legal ones: a1 wins.
    assert_eq!(
        record.moves,
        ["c3", "a2", "b2", "a1", "b1", "c1", "c2", "a3", "b3"][..record.moves.len()]
    );
    assert_eq!((record.id, record.pair, record.seats.as_slice()), (3, 1, [1, 0].as_slice()));
    assert_eq!((record.opening, record.verdict, record.culprit), (1, Verdict::Normal, None));
    assert_eq!(record.notes.len(), record.moves.len());
    assert!(record.deterministic);
}

#[test]
fn whoever_is_late_has_lost() {
    let record = second_does(&[Act::Late { by_ms: 3, withheld_ms: 0 }]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Time, Some(1)));
    assert_eq!(record.utilities, [1.0, -1.0]);
    assert!(record.what.contains("after its time had run out"), "{}", record.what);
    assert!(!record.deterministic);
    assert!(record.late >= 33_000, "{} µs", record.late);
    let record = second_does(&[Act::Silent(true)]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Time, Some(1)));
}

#[test]
fn whoever_says_nothing_at_all_hangs() {
    let record = second_does(&[Act::Silent(false)]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Hang, Some(1)));
    assert_eq!(record.utilities, [1.0, -1.0]);
}

#[test]
fn late_answers_state_the_ply_and_the_times_to_check_them() {
    let record = second_does(&[Act::Late { by_ms: 3, withheld_ms: 2 }]);
    assert!(record.what.contains(" (ply 2: 30.0 ms granted, answer after "), "{}", record.what);
    // Only what was measured is stated, and a delay of the arena beside it.
    let record = second_does(&[Act::Stalled { by_ms: 3 }]);
    assert_eq!(record.verdict, Verdict::Host, "{}", record.what);
    let stalled = "waited for a processor 0 µs, the arena stood still for 900.0 ms)";
    assert!(record.what.ends_with(stalled), "{}", record.what);
    let record = second_does(&[Act::Late { by_ms: 3, withheld_ms: 2 }]);
    let processor = "; processor time received 1.2 ms, waited for a processor 2.0 ms)";
    assert!(record.what.ends_with(processor), "{}", record.what);
    let record = second_does(&[Act::Play("b2"), Act::Silent(false)]);
    assert!(record.what.contains(" (ply 4: 30.0 ms granted, no answer until "), "{}", record.what);
    assert!(record.late >= 30_000, "{} µs", record.late);
    let record = second_does(&[Act::Play("c3")]);
    assert_eq!((record.verdict, record.late), (Verdict::Illegal, 0));
}

#[test]
fn a_machine_that_withheld_the_time_is_at_fault() {
    let record = second_does(&[Act::Late { by_ms: 1, withheld_ms: 30_000 }]);
    assert_eq!(record.verdict, Verdict::Host, "{}", record.what);
    let record = second_does(&[Act::Late { by_ms: 20, withheld_ms: 5 }]);
    assert_eq!(record.verdict, Verdict::Time, "5 ms more would not have been enough");
}

#[test]
fn a_random_move_may_stand_in_for_one_that_came_late() {
    for act in [Act::Late { by_ms: 1, withheld_ms: 0 }, Act::Silent(false)] {
        let record = play_with("30ms", Overrun::RandomMove, [&[], &[act.clone(), act]]);
        assert_eq!((record.verdict, record.overruns), (Verdict::Normal, 2), "{}", record.what);
        let made = record.notes.iter().filter(|note| note.overrun).map(|note| note.seat);
        assert_eq!(made.collect::<Vec<_>>(), [Some(1); 2]);
        assert_eq!(record.late, 0, "the game went on");
    }
    let record = play_with("30ms+0s", Overrun::RandomMove, [&[], &[Act::Silent(false)]]);
    assert_eq!(record.verdict, Verdict::Time, "an empty bank stays empty");
    let record = play_with("30ms+9s", Overrun::RandomMove, [&[], &[Act::Silent(false)]]);
    assert_eq!(record.verdict, Verdict::Normal);
}

#[test]
fn an_illegal_move_loses_and_is_shown() {
    let record = second_does(&[Act::Play("c3")]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Illegal, Some(1)));
    assert!(record.what.contains("`c3`"), "{}", record.what);
    assert!(record.evidence[1].starts_with("8 legal moves: a1 "), "{:?}", record.evidence);
}

#[test]
fn faults_and_resignations_end_a_game() {
    for verdict in [Verdict::Crash, Verdict::Memory, Verdict::Protocol] {
        let record = second_does(&[Act::Fail(verdict)]);
        assert_eq!((record.verdict, record.culprit), (verdict, Some(1)));
    }
    let record = second_does(&[Act::Resign]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Normal, None));
    assert_eq!(
        (record.utilities.as_slice(), record.what.as_str()),
        ([1.0, -1.0].as_slice(), "second resigned")
    );
}
