use tussle_catalog::{Catalog, Entry};
use tussle_core::{Fallible, TryGame, Turn};
use tussle_engine::Verdict;

use super::*;
use crate::{Contestant, Format, MoveNote, Next, TournamentSpec};

fn config(agents: &[&str], rounds: u64) -> TournamentSpec {
    let contestant = |spec: &&str| Contestant::new(*spec, *spec);
    let agents = agents.iter().map(contestant).collect();
    let config = TournamentSpec::new(vec!["gobblet".to_owned()], agents);
    TournamentSpec { rounds, opening_plies: 2, ..config }
}

fn tournament(agents: &[&str], rounds: u64) -> Tournament {
    Tournament::new(config(agents, rounds), &Catalog::standard()).expect("a tournament")
}

/// Returns all games without their times.
fn games(store: &Store) -> Vec<Record> {
    let mut games = Vec::new();
    let told = store.for_each(|record| -> Result<(), StoreError> {
        games.push(Record { notes: vec![MoveNote::default(); record.notes.len()], ..record });
        Ok(())
    });
    told.expect("games");
    games
}

/// Plays until `most` events were reported, and returns the events after the start of the run.
fn play(tournament: &Tournament, store: &mut Store, jobs: usize, most: usize) -> Vec<String> {
    let (stop, mut left, mut told) = (StopFlag::default(), most, Vec::new());
    let guard = Guard::none();
    let mut tell = |event: Event<'_>| {
        if matches!(event, Event::Started(_)) {
            return;
        }
        told.push(format!("{event:?}"));
        left = left.saturating_sub(1);
        if left == 0 {
            stop.stop();
        }
    };
    run(tournament, store, &guard, jobs, &stop, &mut tell).expect("a run");
    told
}

#[test]
fn results_do_not_depend_on_jobs_and_interruptions() {
    let three = config(&["greedy", "random", "mcts:nodes=20"], 5);
    check_jobs_and_interruptions(three.clone(), 3 * 2 * 5);
    // In these formats every round waits for the previous one.
    let five = config(&["greedy", "random", "mcts:nodes=20", "greedy-improved", "mcts:nodes=9"], 4);
    check_jobs_and_interruptions(
        TournamentSpec { format: Format::Swiss, ..five.clone() },
        2 * 2 * 4,
    );
    check_jobs_and_interruptions(
        TournamentSpec { format: Format::Adaptive, limit: Some(41), ..five },
        41,
    );
}

fn check_jobs_and_interruptions(config: TournamentSpec, total_games: usize) {
    let tournament = Tournament::new(config, &Catalog::standard()).expect("a tournament");
    let new_store = || Store::in_memory(tournament.spec()).expect("a store");
    let mut whole = new_store();
    play(&tournament, &mut whole, 1, usize::MAX);
    let whole = games(&whole);
    assert_eq!(whole.len(), total_games);
    assert!(whole.iter().all(|game| game.verdict == Verdict::Normal && game.deterministic));

    let mut together = new_store();
    play(&tournament, &mut together, 3, usize::MAX);
    assert_eq!(games(&together), whole);

    let mut in_pieces = new_store();
    let mut pieces = 0;
    while in_pieces.len().expect("a number") < whole.len() as u64 {
        play(&tournament, &mut in_pieces, 1 + pieces % 3, 4);
        pieces += 1;
    }
    assert!(pieces >= 4, "{pieces}");
    assert_eq!(games(&in_pieces), whole);
}

#[test]
fn the_games_of_a_pair_have_one_opening_and_swapped_seats() {
    let tournament = tournament(&["greedy", "random", "greedy-improved"], 3);
    let mut store = Store::in_memory(tournament.spec()).expect("a store");
    play(&tournament, &mut store, 2, usize::MAX);
    for pair in games(&store).chunks(2) {
        let [one, two] = pair else { panic!("half a pair") };
        assert_eq!((one.pair, &one.moves[..2]), (two.pair, &two.moves[..2]));
        assert_eq!(one.seats, [two.seats[1], two.seats[0]]);
    }
}

#[test]
fn an_agent_with_three_faults_is_withdrawn_for_good() {
    // The script plays a move that does not exist.
    let tournament = tournament(&["greedy", "script:moves=nowhere", "random"], 4);
    let mut store = Store::in_memory(tournament.spec()).expect("a store");
    let told = play(&tournament, &mut store, 1, usize::MAX);
    assert_eq!(told.iter().filter(|event| event.starts_with("Withdrawn(1,")).count(), 1);
    let played = games(&store);
    let broken = played.iter().filter(|game| game.seats.contains(&1)).count();
    assert_eq!((broken, played.len()), (3, 3 + 2 * 4), "the other two play all their games");
    assert!(play(&tournament, &mut store, 1, usize::MAX).is_empty(), "nothing is left to play");
}

#[test]
fn a_swiss_tournament_does_not_pair_a_withdrawn_agent() {
    let agents = ["greedy", "script:moves=nowhere", "random", "greedy-improved"];
    let config = TournamentSpec { format: Format::Swiss, ..config(&agents, 4) };
    let tournament = Tournament::new(config, &Catalog::standard()).expect("a tournament");
    let mut store = Store::in_memory(tournament.spec()).expect("a store");
    play(&tournament, &mut store, 2, usize::MAX);
    let played = games(&store);
    let broken = played.iter().filter(|game| game.seats.contains(&1)).count();
    // Two strikes in the first round, the third in the second round, which is completed.
    assert_eq!(broken, 4);
    // Two pairs in two rounds, then one with a bye.
    assert_eq!(played.len(), 2 * 4 + 2 * 2);
}

#[test]
fn a_stored_game_that_is_not_in_the_schedule_is_an_error() {
    let config = TournamentSpec { format: Format::Swiss, ..config(&["greedy", "random"], 2) };
    let tournament = Tournament::new(config, &Catalog::standard()).expect("a tournament");
    let mut store = Store::in_memory(tournament.spec()).expect("a store");
    let game = Record { seats: vec![1, 1], utilities: vec![0.0; 2], ..Record::default() };
    store.offer(&[game]).expect("a game");
    let stop = StopFlag::default();
    let guard = Guard::none();
    let result = run(&tournament, &mut store, &guard, 1, &stop, &mut |_| {});
    let expected = UnscheduledGame { id: 0 };
    assert!(
        matches!(result, Err(RunError::Setup(SetupError::UnscheduledGame(e))) if e == expected)
    );
}

#[test]
fn a_void_game_is_not_rerun_and_later_rounds_are_paired_without_it() {
    let agents = ["greedy", "random", "greedy-improved", "mcts:nodes=9"];
    let config = TournamentSpec { format: Format::Swiss, ..config(&agents, 3) };
    let tournament = Tournament::new(config, &Catalog::standard()).expect("a tournament");
    let new_store = || Store::in_memory(tournament.spec()).expect("a store");
    let mut whole = new_store();
    play(&tournament, &mut whole, 1, usize::MAX);
    // The first round is played, and one of its games turns out to be void.
    let mut store = new_store();
    let mut first: Vec<Record> = games(&whole).drain(..4).collect();
    first[1] = Record {
        verdict: Verdict::Host,
        utilities: vec![0.0; 2],
        culprit: Some(0),
        ..first[1].clone()
    };
    store.offer(&first).expect("games");
    play(&tournament, &mut store, 2, usize::MAX);
    let played = games(&store);
    assert_eq!(played.len(), 4 * 3);
    assert_eq!(played.iter().filter(|game| game.is_void()).count(), 1);
    let summary = crate::Summary::of(&store).expect("a summary");
    assert_eq!((summary.games, summary.void), (11, 1));
    assert!(play(&tournament, &mut store, 1, usize::MAX).is_empty(), "nothing is left to play");
}

/// Earlier versions did not count illegal moves as strikes and kept pairing an agent that made them.
#[test]
fn a_swiss_store_that_was_paired_without_illegal_strikes_can_be_resumed() {
    let agents = ["greedy", "random", "mcts:nodes=9", "greedy-improved"];
    let config = TournamentSpec { format: Format::Swiss, ..config(&agents, 4) };
    let tournament = Tournament::new(config, &Catalog::standard()).expect("a tournament");
    let mut schedule = tournament.schedule().clone().without_illegal_strikes();
    let mut store = Store::in_memory(tournament.spec()).expect("a store");
    for id in 0..14 {
        let Next::Game(slot) = schedule.next(id) else { panic!("there is no game {id}") };
        let culprit = slot.seats.iter().position(|&agent| agent == 1);
        let record = Record {
            id,
            pair: slot.pair,
            game: "gobblet".to_owned(),
            seats: slot.seats,
            utilities: if culprit == Some(0) { vec![-1.0, 1.0] } else { vec![1.0, -1.0] },
            verdict: if culprit.is_some() { Verdict::Illegal } else { Verdict::Normal },
            culprit,
            ..Record::default()
        };
        schedule.add(&record).expect("a game of the schedule");
        store.offer(&[record]).expect("a game");
    }
    play(&tournament, &mut store, 1, usize::MAX);
    assert_eq!(games(&store).len(), 16);
}

/// Two players take one of ten counters in turn; the connection to the rules breaks after a number of answers.
struct Remote {
    answers: std::sync::atomic::AtomicU32,
}

impl Remote {
    fn answer<A>(&self, answer: A) -> std::io::Result<A> {
        use std::sync::atomic::Ordering::Relaxed;
        let left = self.answers.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        left.map(|_| answer).map_err(|_| std::io::ErrorKind::ConnectionReset.into())
    }
}

impl TryGame for Remote {
    type State = usize;
    type Move = u8;
    type Error = std::io::Error;

    fn start(&self) -> std::io::Result<usize> {
        self.answer(10)
    }

    fn turn(&self, &left: &usize) -> std::io::Result<Turn> {
        self.answer(if left == 0 { Turn::Over } else { Turn::Player(left % 2) })
    }

    fn moves(&self, _: &usize) -> std::io::Result<Vec<u8>> {
        self.answer(vec![1])
    }

    fn play(&self, left: &usize, _: &u8) -> std::io::Result<usize> {
        self.answer(left - 1)
    }

    fn utility(&self, _: &usize, player: usize) -> std::io::Result<f64> {
        self.answer(if player == 0 { 1.0 } else { -1.0 })
    }
}

/// After an error of the rules every position counts as finished. No such game may get into the store.
#[test]
fn rules_that_fail_end_the_run_and_store_no_game() {
    for answers in (0..60).step_by(7) {
        let rules = Fallible::new(Remote { answers: answers.into() });
        let catalog = Catalog::empty().with(Entry::new("remote", rules));
        let config = config(&["random", "mcts:nodes=3"], 20);
        let config =
            TournamentSpec { games: vec!["remote".to_owned()], opening_plies: 0, ..config };
        let tournament = Tournament::new(config, &catalog).expect("a tournament");
        let mut store = Store::in_memory(tournament.spec()).expect("a store");
        let stop = StopFlag::default();
        let result = run(&tournament, &mut store, &Guard::none(), 2, &stop, &mut |_| {});
        assert!(
            matches!(&result, Err(RunError::Rules { game, .. }) if game == "remote"),
            "{result:?}"
        );
        for record in games(&store) {
            assert_eq!(
                (record.verdict, &record.utilities[..]),
                (Verdict::Normal, &[1.0, -1.0][..])
            );
        }
    }
}
