//! Tests of the referee: each of its rules has a test that fails without the rule.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::sleep;

use tussle_core::SearchStats;

use super::*;
use crate::openings::OpeningError;

/// Action of a scripted player that is asked for a move.
#[derive(Clone)]
enum Act {
    Play(&'static str),
    /// Plays the first legal move and reports a search that ended for this reason.
    Search(StopReason),
    /// Plays the first legal move after this many milliseconds.
    Think(u64),
    /// Answers `by_ms` after the deadline, after the machine withheld `withheld_ms`.
    Late {
        by_ms: u64,
        withheld_ms: u64,
    },
    /// Answers `by_ms` after the deadline, while the arena stalls for longer.
    Stalled {
        by_ms: u64,
        withheld_ms: u64,
    },
    /// Does not answer by the deadline. True if it answers during the grace period.
    Silent(bool),
    /// Like `Silent`, but the machine withheld CPU time.
    SilentWithheld(bool),
    /// Does not answer, because it exceeded its memory limit.
    SilentExcess,
    Fail(Verdict),
    FailSaying(String),
    Resign,
    /// Fails to begin the game.
    NotBegin,
}

/// Announcement of a game to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Announcement {
    player: usize,
    id: u64,
    seed: u64,
    is_usual: bool,
    start: String,
    moves_before: usize,
}

/// Player that performs a list of actions, then plays the first legal move.
struct ScriptedPlayer {
    acts: VecDeque<Act>,
    late: bool,
    has_excess: bool,
    usage: Usage,
    is_deterministic: bool,
    told: Vec<Announcement>,
    /// Times left on all clocks and time until the deadline, for each request.
    asked: Vec<(Vec<Duration>, Duration)>,
    waited_for: usize,
    ended: usize,
}

impl ScriptedPlayer {
    fn new(acts: &[Act]) -> Self {
        Self {
            acts: acts.iter().cloned().collect(),
            late: false,
            has_excess: false,
            usage: Usage::default(),
            is_deterministic: true,
            told: Vec::new(),
            asked: Vec::new(),
            waited_for: 0,
            ended: 0,
        }
    }
}

impl Seat for ScriptedPlayer {
    fn begin(&mut self, start: &GameStart<'_>) -> Result<(), Fault> {
        let GameStart { is_usual, player, id, seed, start, .. } = *start;
        let moves_before = start.history().len();
        self.told.push(Announcement {
            player,
            id,
            seed,
            is_usual,
            start: start.text(),
            moves_before,
        });
        if matches!(self.acts.front(), Some(Act::NotBegin)) {
            return Err(Fault::new(Verdict::Protocol, "does not begin"));
        }
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        let clocks = ask.clocks.iter().map(PlayerClock::allowed).collect();
        self.asked.push((clocks, ask.deadline - ask.began));
        let first = ask.position.moves().swap_remove(0);
        let answer = |mv: Option<String>| Ok(Answer { mv, ..Answer::default() });
        let no_answer = || {
            sleep(ask.deadline.saturating_duration_since(Instant::now()));
            Err(Fault::new(Verdict::Time, "no answer in time"))
        };
        let withheld = |ms: u64| {
            let (waited, cpu) = (Duration::from_millis(ms), Duration::from_micros(1234));
            Usage { cpu, waited, withheld: waited, ..Usage::default() }
        };
        let late = |by_ms: u64| {
            sleep(ask.deadline.saturating_duration_since(Instant::now()));
            sleep(Duration::from_millis(by_ms));
        };
        match self.acts.pop_front() {
            None => answer(Some(first)),
            Some(Act::Play(mv)) => answer(Some(mv.to_owned())),
            Some(Act::Search(stopped)) => {
                let stats = SearchStats { nodes: 17, ..SearchStats::default() };
                let report = Report::new(Vec::new(), stats, stopped, Duration::ZERO);
                Ok(Answer { mv: Some(first), report: Some(report), ..Answer::default() })
            }
            Some(Act::Think(ms)) => {
                sleep(Duration::from_millis(ms));
                answer(Some(first))
            }
            Some(Act::Late { by_ms, withheld_ms }) => {
                late(by_ms);
                self.usage = withheld(withheld_ms);
                answer(Some(first))
            }
            Some(Act::Stalled { by_ms, withheld_ms }) => {
                late(by_ms);
                self.usage = Usage { stalled: Duration::from_millis(900), ..withheld(withheld_ms) };
                answer(Some(first))
            }
            Some(Act::Silent(late)) => {
                self.late = late;
                no_answer()
            }
            Some(Act::SilentWithheld(late)) => {
                self.late = late;
                self.usage = withheld(30_000);
                no_answer()
            }
            Some(Act::SilentExcess) => {
                self.has_excess = true;
                no_answer()
            }
            Some(Act::Fail(verdict)) => Err(Fault::new(verdict, "broken")),
            Some(Act::FailSaying(what)) => Err(Fault::new(Verdict::Crash, what)),
            Some(Act::Resign) => answer(None),
            Some(Act::NotBegin) => unreachable!("the game did not begin"),
        }
    }

    fn is_just_late(&mut self, _: Duration) -> bool {
        self.waited_for += 1;
        self.late
    }

    fn excess(&mut self) -> Option<Fault> {
        self.has_excess.then(|| Fault::new(Verdict::Memory, "too much"))
    }

    fn end(&mut self) {
        self.ended += 1;
    }

    fn usage(&self) -> Usage {
        self.usage
    }

    fn is_deterministic(&self) -> bool {
        self.is_deterministic
    }
}

/// Game, slot, opening and limits of a test.
struct Table {
    game: Arc<dyn AnyGame>,
    slot: Slot,
    opening: Opening,
    terms: Terms,
    seed: u64,
}

impl Table {
    fn new(clock: &str, overrun: Overrun) -> Self {
        let clock = clock.parse().expect("a clock");
        Self {
            game: tussle_catalog::game("tictactoe").expect("a game"),
            slot: Slot { id: 3, pair: 1, game: 0, seats: vec![1, 0] },
            opening: Opening { start: None, moves: vec!["c3".to_owned()] },
            terms: Terms { clock, margin: Duration::ZERO, overrun, ..Terms::default() },
            seed: 5,
        }
    }

    fn of(spec: &str) -> Self {
        let game = tussle_catalog::game(spec).expect("a game");
        Self { game, opening: Opening::default(), ..Self::new("9s", Overrun::Loss) }
    }

    fn play(&self, actors: &mut [ScriptedPlayer]) -> RefereedGame {
        let Self { game, slot, opening, terms, seed } = self;
        let setup = GameSetup { game: game.as_ref(), slot, opening, terms, seed: *seed };
        let mut seats: Vec<&mut dyn Seat> =
            actors.iter_mut().map(|actor| actor as &mut dyn Seat).collect();
        play(&setup, &mut seats).expect("a game")
    }

    /// Plays a game between players with these actions.
    fn record(&self, acts: [&[Act]; 2]) -> Record {
        self.play(&mut acts.map(ScriptedPlayer::new)).record
    }
}

fn play_with(clock: &str, overrun: Overrun, acts: [&[Act]; 2]) -> Record {
    Table::new(clock, overrun).record(acts)
}

/// Returns the record of a game in which the second player, who is to move after the opening, performs these actions.
fn second_does(acts: &[Act]) -> Record {
    play_with("30ms", Overrun::Loss, [&[], acts])
}

#[test]
fn a_game_is_recorded_as_it_was_played() {
    let record = play_with("9s", Overrun::Loss, [&[Act::Play("b2")], &[Act::Play("a2")]]);
    // First: c3 (the opening), b2, then the first legal ones: a1 wins.
    assert_eq!(record.moves, ["c3", "a2", "b2", "a1", "b1", "c1", "c2", "a3"]);
    assert_eq!((record.id, record.pair, record.seats.as_slice()), (3, 1, [1, 0].as_slice()));
    assert_eq!((record.game.as_str(), record.start.as_deref()), ("tictactoe", None));
    assert_eq!((record.opening, record.verdict, record.culprit), (1, Verdict::Normal, None));
    assert_eq!((record.what.as_str(), record.evidence.len()), ("", 0));
    assert_eq!((record.overruns, record.late), (0, 0));
    assert!(record.deterministic);
    let seats: Vec<_> = record.notes.iter().map(|note| note.seat).collect();
    let (first, second) = (Some(0), Some(1));
    assert_eq!(seats, [None, second, first, second, first, second, first, second]);
}

#[test]
fn utilities_are_those_of_the_final_position() {
    let record = play_with("9s", Overrun::Loss, [&[Act::Play("b2")], &[Act::Play("a2")]]);
    assert_eq!(record.utilities, [-1.0, 1.0]);
    let record =
        play_with("9s", Overrun::Loss, [&[Act::Play("a1"), Act::Play("b2")], &[Act::Play("c1")]]);
    assert_eq!(record.utilities, [1.0, -1.0], "b2 completes a1 and c3");
}

#[test]
fn each_player_receives_its_seat_the_game_and_its_own_seed() {
    let told = |table: &Table| {
        let mut actors = [ScriptedPlayer::new(&[]), ScriptedPlayer::new(&[])];
        table.play(&mut actors);
        actors.map(|actor| {
            let [told] = &actor.told[..] else { panic!("told {} times", actor.told.len()) };
            told.clone()
        })
    };
    let table = Table::new("9s", Overrun::Loss);
    let [first, second] = told(&table);
    assert_eq!([first.player, second.player], [0, 1]);
    assert_eq!([first.id, second.id], [3, 3]);
    assert!(first.is_usual && second.is_usual);
    // The opening is part of the requests for moves.
    assert_eq!((first.start.as_str(), first.moves_before), (table.game.start().text().as_str(), 0));
    assert_ne!(first.seed, second.seed);
    assert_eq!(told(&table), [first.clone(), second.clone()], "the same game has the same seeds");
    let slot = Slot { id: 4, ..table.slot.clone() };
    let other_game = told(&Table { slot, ..Table::new("9s", Overrun::Loss) });
    let other_seed = told(&Table { seed: 6, ..Table::new("9s", Overrun::Loss) });
    for other in [&other_game, &other_seed].into_iter().flatten() {
        assert!(![first.seed, second.seed].contains(&other.seed));
    }
}

#[test]
fn a_game_may_begin_from_a_position() {
    let mut table = Table::new("9s", Overrun::Loss);
    let mut position = table.game.start();
    for mv in ["b2", "a1"] {
        position.play(mv).expect("a move");
    }
    let start = position.text();
    table.opening = Opening { start: Some(start.clone()), moves: vec!["c1".to_owned()] };
    let mut actors = [ScriptedPlayer::new(&[]), ScriptedPlayer::new(&[])];
    let record = table.play(&mut actors).record;
    assert_eq!((record.start, record.opening), (Some(start.clone()), 1));
    // Second is to move.
    assert_eq!(record.moves[..2], ["c1", "b1"]);
    assert_eq!(record.notes.len(), record.moves.len());
    let told = &actors[1].told[0];
    assert_eq!((told.is_usual, &told.start), (false, &start));
    table.opening.moves = vec!["b2".to_owned()];
    let setup = GameSetup {
        game: table.game.as_ref(),
        slot: &table.slot,
        opening: &table.opening,
        terms: &table.terms,
        seed: 5,
    };
    let played = play(&setup, &mut []);
    assert!(
        matches!(
            played,
            Err(RunError::Setup(SetupError::Opening(OpeningError::Move { number: 1, .. })))
        ),
        "{played:?}"
    );
}

#[test]
fn a_player_that_cannot_begin_loses_without_a_move() {
    let mut actors = [ScriptedPlayer::new(&[]), ScriptedPlayer::new(&[Act::NotBegin])];
    let record = Table::new("9s", Overrun::Loss).play(&mut actors).record;
    assert_eq!((record.verdict, record.culprit), (Verdict::Protocol, Some(1)));
    assert_eq!((record.utilities, record.moves), (vec![1.0, -1.0], vec!["c3".to_owned()]));
    let mut actors = [ScriptedPlayer::new(&[Act::NotBegin]), ScriptedPlayer::new(&[])];
    let record = Table::new("9s", Overrun::Loss).play(&mut actors).record;
    assert_eq!((record.culprit, record.utilities), (Some(0), vec![-1.0, 1.0]));
    assert!(actors[1].told.is_empty(), "the game is over");
}

#[test]
fn the_game_ends_for_all_players_once() {
    let acts: [&[Act]; 5] =
        [&[], &[Act::Resign], &[Act::Fail(Verdict::Crash)], &[Act::Play("c3")], &[Act::NotBegin]];
    for acts in acts {
        let mut actors = [ScriptedPlayer::new(&[]), ScriptedPlayer::new(acts)];
        Table::new("9s", Overrun::Loss).play(&mut actors);
        assert_eq!(actors.map(|actor| actor.ended), [1, 1]);
    }
}

#[test]
fn a_late_answer_loses() {
    let record = second_does(&[Act::Late { by_ms: 3, withheld_ms: 0 }]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Time, Some(1)));
    assert_eq!(record.utilities, [1.0, -1.0]);
    assert!(record.what.contains("after its time had run out"), "{}", record.what);
    assert!(!record.deterministic);
    assert!(record.late >= 33_000, "{} µs", record.late);
    assert_eq!(record.moves, ["c3"], "the late move does not count");
    let record = second_does(&[Act::Silent(true)]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Time, Some(1)));
}

#[test]
fn a_silent_player_hangs() {
    let record = second_does(&[Act::Silent(false)]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Hang, Some(1)));
    assert_eq!(record.utilities, [1.0, -1.0]);
    assert!(!record.deterministic);
}

#[test]
fn a_silent_player_that_exceeded_a_limit_loses_by_that() {
    let record = second_does(&[Act::SilentExcess]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Memory, Some(1)));
    assert_eq!((record.what.as_str(), record.late), ("too much", 0));
}

#[test]
fn late_answers_state_the_ply_and_the_times_to_check_them() {
    let record = second_does(&[Act::Late { by_ms: 3, withheld_ms: 2 }]);
    assert!(record.what.contains(" (ply 2: 30.0 ms granted, answer after "), "{}", record.what);
    // A stall of the arena is stated if it exceeds the withheld time.
    let record = second_does(&[Act::Stalled { by_ms: 3, withheld_ms: 0 }]);
    assert_eq!(record.verdict, Verdict::Host, "{}", record.what);
    let stalled = "waited for a processor 0 µs, the arena stalled for 900.0 ms)";
    assert!(record.what.ends_with(stalled), "{}", record.what);
    // Otherwise only the wait is stated.
    let record = second_does(&[Act::Stalled { by_ms: 3, withheld_ms: 900 }]);
    assert!(record.what.ends_with("waited for a processor 900.0 ms)"), "{}", record.what);
    let record = second_does(&[Act::Late { by_ms: 3, withheld_ms: 2 }]);
    let processor = "; CPU time received 1.2 ms, waited for a processor 2.0 ms)";
    assert!(record.what.ends_with(processor), "{}", record.what);
    let record = second_does(&[Act::Play("b2"), Act::Silent(false)]);
    assert!(record.what.contains(" (ply 4: 30.0 ms granted, no answer until "), "{}", record.what);
    assert!(record.late >= 30_000, "{} µs", record.late);
    let record = second_does(&[Act::Silent(true)]);
    assert!(record.what.contains(" granted, answer after "), "{}", record.what);
    let record = second_does(&[Act::Play("c3")]);
    assert_eq!((record.verdict, record.late), (Verdict::Illegal, 0));
}

/// Returns the lateness in milliseconds that a record states.
fn stated_lateness(record: &Record) -> f64 {
    let lateness = record.what.strip_prefix("answered ").and_then(|rest| rest.split_once(" ms"));
    lateness.expect("a number of milliseconds").0.parse().expect("a number")
}

#[test]
fn the_lateness_of_an_answer_is_the_time_used_beyond_the_time_granted() {
    let record = second_does(&[Act::Late { by_ms: 3, withheld_ms: 0 }]);
    let used = record.late as f64 / 1e3;
    assert!((stated_lateness(&record) - (used - 30.0)).abs() < 0.06, "{}", record.what);
}

#[test]
fn a_machine_that_withheld_the_time_is_at_fault() {
    let record = second_does(&[Act::Late { by_ms: 1, withheld_ms: 30_000 }]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Host, Some(1)), "{}", record.what);
    assert!(!record.deterministic && record.late >= 31_000);
    let record = second_does(&[Act::Late { by_ms: 20, withheld_ms: 5 }]);
    assert_eq!(record.verdict, Verdict::Time, "5 ms more would not have been enough");
    let record = second_does(&[Act::SilentWithheld(false)]);
    assert_eq!(record.verdict, Verdict::Host, "{}", record.what);
    // The wait must exceed the lateness, not the time used.
    let late = Act::Late { by_ms: 1, withheld_ms: 200 };
    let record = play_with("300ms", Overrun::Loss, [&[], &[late]]);
    assert_eq!(record.verdict, Verdict::Host, "{}", record.what);
}

#[test]
fn only_an_excused_late_answer_is_returned_for_comparison() {
    let excused = |act: Act| {
        let mut actors = [ScriptedPlayer::new(&[]), ScriptedPlayer::new(&[act])];
        Table::new("30ms", Overrun::Loss).play(&mut actors).excused
    };
    let late = excused(Act::Late { by_ms: 1, withheld_ms: 30_000 }).expect("it is excused");
    assert_eq!(late.granted, Duration::from_millis(30));
    assert_eq!(late.usage.withheld, Duration::from_secs(30));
    assert!(excused(Act::SilentWithheld(true)).is_some());
    assert_eq!(excused(Act::SilentWithheld(false)), None, "there is no answer");
    assert_eq!(excused(Act::Late { by_ms: 1, withheld_ms: 0 }), None);
    assert_eq!(excused(Act::Fail(Verdict::Crash)), None);
}

#[test]
fn a_random_move_can_replace_a_late_one() {
    for act in [Act::Late { by_ms: 1, withheld_ms: 0 }, Act::Silent(false)] {
        let record = play_with("30ms", Overrun::RandomMove, [&[], &[act.clone(), act]]);
        assert_eq!((record.verdict, record.overruns), (Verdict::Normal, 2), "{}", record.what);
        let made = record.notes.iter().filter(|note| note.overrun).map(|note| note.seat);
        assert_eq!(made.collect::<Vec<_>>(), [Some(1); 2]);
        assert!(record.notes.iter().filter(|note| note.overrun).all(|note| note.used >= 30_000));
        assert_eq!(record.late, 0, "the game continued");
        assert!(!record.deterministic);
    }
    let record = play_with("30ms+0s", Overrun::RandomMove, [&[], &[Act::Silent(false)]]);
    assert_eq!(record.verdict, Verdict::Time, "an empty bank stays empty");
    assert_eq!((record.overruns, record.late >= 30_000), (0, true));
    let record = play_with("30ms+9s", Overrun::RandomMove, [&[], &[Act::Silent(false)]]);
    assert_eq!(record.verdict, Verdict::Normal);
}

#[test]
fn random_replacement_moves_depend_on_the_seed_of_the_game() {
    let stand_ins = |seed: u64, id: u64| {
        let mut table = Table::new("1ms", Overrun::RandomMove);
        table.seed = seed;
        table.slot.id = id;
        let silent = vec![Act::Silent(false); 9];
        table.record([&silent, &silent]).moves
    };
    let games: Vec<_> = (0..6).map(|seed| stand_ins(seed, 3)).collect();
    assert_eq!(stand_ins(0, 3), games[0]);
    assert!((3..9).any(|id| stand_ins(0, id) != games[0]), "each game has its own");
    assert!(games.iter().any(|game| *game != games[0]), "each tournament has its own");
}

/// The derivation of seeds must not change between versions, or stored games could not be reproduced.
#[test]
fn each_player_chance_and_the_replacement_moves_have_their_own_seed() {
    for (seed, id) in [(0, 3), (5, 3), (5, 4), (6, 3)] {
        let of = |part: u64| Rng::derive(seed, &[id, part]);
        let mut table = Table::new("1ms", Overrun::RandomMove);
        table.seed = seed;
        table.slot.id = id;
        let mut actors = [ScriptedPlayer::new(&[]), ScriptedPlayer::new(&[Act::Silent(false)])];
        let record = table.play(&mut actors).record;
        for (player, actor) in (0..).zip(&actors) {
            assert_eq!(actor.told[0].seed, of(player).next_u64());
        }
        let mut position = table.game.start();
        position.play("c3").expect("a move");
        let moves = position.moves();
        assert_eq!(record.moves[1], moves[of(3).below(moves.len())]);
        let mut table = Table::of("backgammon");
        table.seed = seed;
        table.slot.id = id;
        let record = table.record([&[Act::Resign], &[Act::Resign]]);
        assert_eq!(record.moves[0], table.game.start().roll(&mut of(2)).expect("a roll"));
    }
}

#[test]
fn a_random_move_is_made_at_the_deadline_unless_the_machine_was_at_fault() {
    let mut actors = [ScriptedPlayer::new(&[]), ScriptedPlayer::new(&[Act::Silent(true)])];
    Table::new("30ms", Overrun::RandomMove).play(&mut actors);
    assert_eq!(actors[1].waited_for, 0, "the referee does not wait for the answer");
    let late = Act::Late { by_ms: 1, withheld_ms: 30_000 };
    let record = play_with("30ms", Overrun::RandomMove, [&[], &[late]]);
    assert_eq!((record.verdict, record.overruns), (Verdict::Host, 0));
}

#[test]
fn a_fault_after_a_random_move_is_not_recorded_as_late() {
    let late = Act::Late { by_ms: 1, withheld_ms: 0 };
    let acts = [late, Act::Fail(Verdict::Crash)];
    let record = play_with("30ms", Overrun::RandomMove, [&[], &acts]);
    assert_eq!((record.verdict, record.overruns, record.late), (Verdict::Crash, 1, 0));
    assert_eq!(record.what, "broken");
    // A hang that the seat reports without a deadline.
    let acts = [Act::Late { by_ms: 1, withheld_ms: 0 }, Act::Fail(Verdict::Hang)];
    let record = play_with("30ms", Overrun::RandomMove, [&[], &acts]);
    assert_eq!((record.verdict, record.overruns, record.late), (Verdict::Hang, 1, 0));
}

#[test]
fn an_illegal_move_loses_and_the_evidence_shows_it() {
    let record = second_does(&[Act::Play("c3")]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Illegal, Some(1)));
    assert_eq!(record.utilities, [1.0, -1.0]);
    assert!(record.what.contains("`c3`"), "{}", record.what);
    assert!(record.evidence[1].starts_with("8 legal moves: a1 "), "{:?}", record.evidence);
    assert_eq!((record.moves.len(), record.notes.len()), (1, 1));
    assert!(record.deterministic, "the clock did not decide it");
}

#[test]
fn faults_and_resignations_end_a_game() {
    for verdict in [Verdict::Crash, Verdict::Memory, Verdict::Protocol] {
        let record = second_does(&[Act::Fail(verdict)]);
        assert_eq!((record.verdict, record.culprit), (verdict, Some(1)));
        assert_eq!((record.utilities, record.what), (vec![1.0, -1.0], "broken".to_owned()));
    }
    let record = second_does(&[Act::Resign]);
    assert_eq!((record.verdict, record.culprit), (Verdict::Normal, None));
    assert_eq!(
        (record.utilities.as_slice(), record.what.as_str()),
        ([1.0, -1.0].as_slice(), "second resigned")
    );
}

#[test]
fn the_description_of_a_fault_is_short_and_printable() {
    let long = "a\u{1b}b".to_owned() + &"x".repeat(600);
    let record = second_does(&[Act::FailSaying(long)]);
    assert!(!record.what.contains('\u{1b}'), "{}", record.what);
    assert!(record.what.ends_with("x…") && record.what.chars().count() < 520, "{}", record.what);
}

#[test]
fn a_game_is_deterministic_if_no_clock_ended_a_search_and_all_players_are_deterministic() {
    use StopReason::{Depth, Finished, Memory, Nodes, Proven, StopFlag, Time};
    for (stopped, expected) in [
        (Finished, true),
        (Proven, true),
        (Nodes, true),
        (Depth, true),
        (Memory, true),
        (Time, false),
        (StopFlag, false),
    ] {
        let search = [Act::Search(stopped)];
        for acts in [[&search[..], &[]], [&[], &search[..]]] {
            assert_eq!(play_with("9s", Overrun::Loss, acts).deterministic, expected, "{stopped:?}");
        }
    }
    for seat in 0..2 {
        let mut actors = [ScriptedPlayer::new(&[]), ScriptedPlayer::new(&[])];
        actors[seat].is_deterministic = false;
        assert!(!Table::new("9s", Overrun::Loss).play(&mut actors).record.deterministic);
    }
}

#[test]
fn each_move_has_a_note_with_its_search_and_its_time() {
    let acts = [Act::Think(20), Act::Search(StopReason::Nodes)];
    let record = play_with("9s+1s", Overrun::Loss, [&[], &acts]);
    let [thought, searched] = [&record.notes[1], &record.notes[3]];
    assert!((20_000..2_000_000).contains(&thought.used), "{thought:?}");
    // Both numbers are rounded down to microseconds.
    assert!((0..=1).contains(&(10_000_000 - thought.used - thought.left)), "{thought:?}");
    assert_eq!((thought.seat, thought.nodes, thought.overrun), (Some(1), 0, false));
    assert_eq!((searched.seat, searched.nodes), (Some(1), 17));
    let left = 11_000_000 - thought.used - searched.used;
    assert!((0..=2).contains(&(left - searched.left)), "{searched:?}");
}

#[test]
fn each_player_has_its_own_clock_and_sees_all_clocks() {
    let mut actors = [ScriptedPlayer::new(&[]), ScriptedPlayer::new(&[Act::Think(50)])];
    let record = Table::new("9s+0s", Overrun::Loss).play(&mut actors).record;
    let bank = Duration::from_secs(9);
    let (clocks, until) = &actors[1].asked[0];
    assert_eq!((&clocks[..], *until), (&[bank, bank][..], bank));
    let left = Duration::from_micros(record.notes[1].left);
    let (clocks, until) = &actors[0].asked[0];
    assert_eq!((clocks[0], *until), (bank, bank));
    // Notes are in microseconds.
    assert_eq!(clocks[1].as_micros(), left.as_micros());
    assert!(left + Duration::from_millis(50) <= bank);
    let (clocks, until) = &actors[1].asked[1];
    assert_eq!((clocks[1].as_micros(), *until), (left.as_micros(), clocks[1]));
}

#[test]
fn rolls_depend_on_the_seed_of_the_game_and_no_player_is_asked_for_them() {
    let rolls = |seed: u64, id: u64| {
        let mut table = Table::of("backgammon");
        table.seed = seed;
        table.slot.id = id;
        let acts = vec![Act::Search(StopReason::Nodes), Act::Resign];
        let record = table.record([&acts, &acts]);
        let is_roll = |note: &&MoveNote| note.seat.is_none();
        assert!(record.notes.iter().filter(is_roll).count() >= 2, "{:?}", record.moves);
        assert!(record.notes.iter().filter(is_roll).all(|note| *note == MoveNote::default()));
        assert_eq!(record.notes.iter().filter(|note| note.nodes == 17).count(), 2);
        assert_eq!(record.verdict, Verdict::Normal);
        record.moves
    };
    let games: Vec<_> = (0..6).map(|seed| rolls(seed, 3)).collect();
    assert_eq!(rolls(0, 3), games[0]);
    assert!(games.iter().any(|game| *game != games[0]), "each tournament has its own");
    assert!((4..10).any(|id| rolls(0, id) != games[0]), "each game has its own");
}

#[test]
fn times_are_recorded_in_whole_microseconds() {
    assert_eq!(micros(Duration::from_nanos(1_999)), 1);
    assert_eq!(micros(Duration::MAX), u64::MAX);
}
