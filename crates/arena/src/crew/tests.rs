//! Tests of crews: the results of a tournament do not depend on the crew that plays it.

use std::thread;

use proptest::prelude::*;
use serde_json::Value;

use tussle_catalog::Catalog;
use tussle_core::StopFlag;
use tussle_engine::Guard;

use super::unreliable::{Unreliable, untimed};
use super::*;
use crate::dealer::{Deal, Dealer};
use crate::export::write_document;
use crate::run::run_with;
use crate::{
    Contestant, Event, Format, Record, Store, StoreError, Tally, Tournament, TournamentSpec,
};

/// A crew whose records contain no times, because these differ from run to run.
struct TimelessCrew<C>(C);

impl<C: Crew> Crew for TimelessCrew<C> {
    fn is_free(&self) -> bool {
        self.0.is_free()
    }

    fn play(&mut self, job: Job) {
        self.0.play(job);
    }

    fn reports(&mut self) -> Vec<Report> {
        let untimed = |report| match report {
            Report::Played(attempt, played) => Report::Played(attempt, Box::new(untimed(*played))),
            other => other,
        };
        self.0.reports().into_iter().map(untimed).collect()
    }

    fn release(&mut self) {
        self.0.release();
    }

    fn dismiss(&mut self) {
        self.0.dismiss();
    }
}

/// Events of a run, counted or listed by kind.
#[derive(Debug, Default, PartialEq, Eq)]
struct Events {
    finished: Vec<u64>,
    replayed: u64,
    conflicts: u64,
    withdrawn: Vec<usize>,
}

impl Events {
    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Finished(record, _) => self.finished.push(record.id),
            Event::Replayed(_) => self.replayed += 1,
            Event::Conflict(_) => self.conflicts += 1,
            Event::Withdrawn(agent, _) => self.withdrawn.push(*agent),
            Event::Started(_) | Event::Fewer { .. } => {}
        }
    }
}

/// Store and events of a tournament run.
struct Run {
    store: Store,
    events: Events,
}

impl Run {
    fn new(tournament: &Tournament) -> Self {
        let store = Store::in_memory(tournament.spec()).unwrap();
        Self { store, events: Events::default() }
    }

    /// Plays a tournament with threads.
    fn threads(tournament: &Tournament, jobs: usize) -> Self {
        let mut run = Self::new(tournament);
        run.resume(tournament, usize::MAX, |stop, run| {
            let guard = Guard::none();
            let machine = Machine::new(tournament, &guard, stop);
            thread::scope(|scope| run(&mut TimelessCrew(Threads::start(scope, &machine, jobs))));
        });
        run
    }

    /// Plays a tournament with a crew.
    fn with(tournament: &Tournament, crew: &mut dyn Crew) -> Self {
        let mut run = Self::new(tournament);
        run.resume(tournament, usize::MAX, |_, run| run(crew));
        run
    }

    /// Resumes the run until `most` games are finished in total. `start` makes a crew and passes it to its callback.
    fn resume(
        &mut self,
        tournament: &Tournament,
        most: usize,
        start: impl FnOnce(&StopFlag, &mut dyn FnMut(&mut dyn Crew)),
    ) {
        let Self { store, events } = self;
        let stop = StopFlag::default();
        start(&stop, &mut |crew| {
            let mut observe = |event: Event<'_>| {
                events.take(&event);
                if events.finished.len() >= most {
                    stop.stop();
                }
            };
            run_with(tournament, store, crew, &stop, &mut observe).unwrap();
        });
    }

    fn records(&self) -> Vec<Record> {
        let mut records = Vec::new();
        let read = self.store.for_each(|record| {
            records.push(record);
            Ok::<_, StoreError>(())
        });
        read.unwrap();
        records
    }

    /// Returns the document of `results --json`.
    fn document(&self) -> String {
        let mut out = Vec::new();
        write_document(&self.store, Tally::new(self.store.spec()), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Checks that each game of the store was counted once.
    fn assert_counted_once(&self) {
        let mut counted = self.events.finished.clone();
        counted.sort_unstable();
        let stored: Vec<u64> = self.records().iter().map(|record| record.id).collect();
        assert_eq!(counted, stored);
    }

    /// Checks that the games and their summary equal those of another run.
    fn assert_equals(&self, other: &Self) {
        self.assert_counted_once();
        assert_eq!(self.records(), other.records());
        assert_eq!(self.document(), other.document());
    }
}

fn tournament(
    agents: &[&str],
    change: impl FnOnce(TournamentSpec) -> TournamentSpec,
) -> Tournament {
    let agents = agents.iter().enumerate();
    let agents = agents.map(|(i, spec)| Contestant::new(format!("{i}-{spec}"), *spec)).collect();
    let config = TournamentSpec::new(vec!["tictactoe".to_owned()], agents);
    Tournament::new(change(config), &Catalog::standard()).unwrap()
}

/// Six fast agents of three strengths.
const AGENTS: [&str; 6] = ["random", "greedy", "random", "mcts:nodes=3", "random", "random"];

/// Minimum number of pairs in each tournament that is compared.
const PAIRS: usize = 1000;

/// Returns the number of rounds and the limit of games of a tournament with at least `pairs` pairs.
fn length(format: Format, agents: usize, pairs: usize) -> (u64, Option<u64>) {
    if format.is_endless() {
        return (1, Some(2 * pairs as u64));
    }
    (pairs.div_ceil(format.pairs_per_round(agents)) as u64, None)
}

/// Returns tournaments of at least [`PAIRS`] pairs each: every format, result-based formats also with a withdrawn agent, an
/// SPRT, a shard.
fn tournaments() -> Vec<Tournament> {
    let of = |format, agents: &[&str], pairs| {
        let (rounds, limit) = length(format, agents.len(), pairs);
        let opening_plies = 1;
        tournament(agents, |config| TournamentSpec {
            format,
            rounds,
            limit,
            opening_plies,
            ..config
        })
    };
    let test = tournament(&["random", "random"], |config| {
        // A test that accepts no hypothesis within these pairs.
        let sprt = Some("elo0=0,elo1=1".parse().unwrap());
        TournamentSpec { rounds: PAIRS as u64, sprt, ..config }
    });
    let shard = tournament(&AGENTS, |config| {
        let shard = Some("2/3".parse().unwrap());
        TournamentSpec { rounds: 3 * PAIRS as u64 / 15, shard, ..config }
    });
    let formats = Format::ALL.iter();
    let intact = formats.clone().map(|&format| of(format, &AGENTS, PAIRS));
    // In other formats, the cancelled games depend on the order in which games finish.
    let by_results = formats.filter(|format| format.is_paired_by_results());
    let withdrawing = by_results.map(|&format| {
        let agents = ["random", "greedy", "script:moves=nowhere", "random", "random"];
        // Half of the pairs of a round may be missing.
        of(format, &agents, if format.is_endless() { PAIRS } else { 2 * PAIRS })
    });
    intact.chain(withdrawing).chain([test, shard]).collect()
}

#[test]
fn an_unreliable_crew_gives_the_results_of_threads() {
    for tournament in tournaments() {
        let threads = Run::threads(&tournament, 3);
        threads.assert_counted_once();
        let games = threads.records().len() as u64;
        assert!(games >= 2 * PAIRS as u64, "{:?}: {games} games", tournament.spec().format);
        for seed in 0..3 {
            let mut crew = Unreliable::new(&tournament, seed);
            let run = Run::with(&tournament, &mut crew);
            let mishaps = &crew.mishaps;
            run.assert_equals(&threads);
            assert_eq!(run.events.withdrawn, threads.events.withdrawn);
            assert_eq!((run.events.replayed, run.events.conflicts), (0, 0));
            for often in [mishaps.lost, mishaps.doubled, mishaps.late, mishaps.reordered] {
                assert!(often > games / 20, "{mishaps:?}");
            }
        }
    }
}

/// Surplus games depend on the crew, because they are the games in progress when the test ends. So compare without them.
#[test]
fn an_unreliable_crew_gives_the_same_sprt_result_as_threads() {
    let tournament = tournament(&["random", "random"], |config| {
        let sprt = Some("elo0=0,elo1=6".parse().unwrap());
        TournamentSpec { rounds: 5000, sprt, opening_plies: 1, ..config }
    });
    let threads = Run::threads(&tournament, 3);
    let counted = counted(&threads.document());
    assert!(counted["sprt"]["accepted"].is_string(), "{}", counted["sprt"]);
    assert!(counted["sprt"]["pairs"].as_u64().unwrap() >= 1000, "{}", counted["sprt"]);
    for seed in 0..3 {
        let run = Run::with(&tournament, &mut Unreliable::new(&tournament, seed));
        run.assert_counted_once();
        assert_eq!(self::counted(&run.document()), counted);
    }
}

/// Parses a document of `results --json` and removes the games that do not count.
fn counted(document: &str) -> Value {
    let mut document: Value = serde_json::from_str(document).unwrap();
    let fields = document.as_object_mut().unwrap();
    let games = fields["games"].as_array_mut().unwrap();
    games.retain(|game| game.get("surplus").is_none());
    // These fields also count surplus games and their moves.
    for field in ["surplus", "remaining", "timing"] {
        fields.remove(field).unwrap();
    }
    document
}

#[test]
fn an_excuse_that_is_reported_twice_counts_once() {
    for tournament in [
        tournament(&AGENTS[..4], |config| TournamentSpec { rounds: 20, ..config }),
        tournament(&AGENTS, |config| TournamentSpec {
            format: Format::Swiss,
            rounds: 20,
            ..config
        }),
    ] {
        let threads = Run::threads(&tournament, 2);
        for seed in 0..5 {
            let mut crew = Unreliable::new(&tournament, seed);
            crew.excuses = 40;
            let run = Run::with(&tournament, &mut crew);
            run.assert_counted_once();
            assert_eq!(run.records(), threads.records());
            let replays = run.store.replays().unwrap();
            assert_eq!(run.events.replayed, replays.len() as u64);
            assert!(run.events.replayed > 20 && run.events.replayed <= crew.mishaps.excused);
            for record in run.records() {
                let excuses = replays.iter().filter(|replay| replay.id == record.id).count();
                assert!(excuses <= 3, "game {} was excused {excuses} times", record.id);
            }
        }
    }
}

#[test]
fn a_second_result_that_differs_is_a_conflict_and_the_first_one_stays() {
    let tournament = tournament(&AGENTS, |config| TournamentSpec {
        format: Format::Swiss,
        rounds: 30,
        ..config
    });
    let threads = Run::threads(&tournament, 2);
    for seed in 0..5 {
        let mut crew = Unreliable::new(&tournament, seed);
        crew.lies = 50;
        let run = Run::with(&tournament, &mut crew);
        run.assert_equals(&threads);
        assert_eq!(run.events.conflicts, crew.mishaps.falsified);
        assert!(crew.mishaps.falsified > 5, "{:?}", crew.mishaps);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A stopped run is resumed by a different crew.
    #[test]
    fn a_run_resumed_by_other_crews_gives_the_same_results(
        seed in any::<u64>(),
        format in proptest::sample::select(Format::ALL),
        games in 1..60_usize,
    ) {
        let (rounds, limit) = length(format, 5, 75);
        let tournament =
            tournament(&AGENTS[..5], |config| TournamentSpec { format, rounds, limit, ..config });
        let whole = Run::threads(&tournament, 1);
        let mut run = Run::new(&tournament);
        for turn in 0.. {
            let before = run.events.finished.len();
            if turn % 3 == 2 {
                run.resume(&tournament, before + games, |stop, run| {
                    let guard = Guard::none();
                    let machine = Machine::new(&tournament, &guard, stop);
                    thread::scope(|scope| run(&mut TimelessCrew(Threads::start(scope, &machine, 2))));
                });
            } else {
                let mut crew = Unreliable::new(&tournament, seed ^ turn);
                run.resume(&tournament, before + games, |_, run| run(&mut crew));
            }
            if run.events.finished.len() == before {
                break;
            }
        }
        run.assert_equals(&whole);
    }
}

/// Passes a crew of threads and the jobs of a tournament to a test.
fn with_threads(jobs: usize, test: impl FnOnce(&mut Threads<'_>, &mut dyn FnMut() -> Job)) {
    let tournament = tournament(&AGENTS, |config| config);
    let (guard, stop) = (Guard::none(), StopFlag::default());
    let machine = Machine::new(&tournament, &guard, &stop);
    let mut dealer = Dealer::new(&tournament).unwrap();
    thread::scope(|scope| {
        let mut deal = || match dealer.deal().unwrap() {
            Deal::Job(job) => job,
            other => panic!("{other:?}"),
        };
        test(&mut Threads::start(scope, &machine, jobs), &mut deal);
    });
}

#[test]
fn a_worker_is_free_again_when_its_result_is_released() {
    with_threads(2, |crew, deal| {
        let mut reported = 0;
        for _ in 0..3 {
            while crew.is_free() {
                crew.play(deal());
            }
            let mut reports = Vec::new();
            while reports.len() < 2 {
                reports.extend(crew.reports());
                assert!(!crew.is_free(), "the results are not durable yet");
            }
            assert!(crew.reports().is_empty(), "no job is in progress");
            crew.release();
            for report in reports {
                let Report::Played(0, played) = report else { panic!("the game is not played") };
                reported += played.record.id + 1;
            }
        }
        assert_eq!(reported, 21);
    });
}

#[test]
fn the_last_worker_is_not_dismissed() {
    with_threads(3, |crew, deal| {
        crew.play(deal());
        crew.dismiss();
        assert!(!crew.is_free(), "the worker that plays is enough");
        assert_eq!(crew.reports().len(), 1);
        crew.release();
        crew.dismiss();
        assert!(crew.is_free());
        crew.play(deal());
        assert!(matches!(&crew.reports()[..], [Report::Played(0, _)]));
        crew.release();
    });
}

#[test]
fn a_job_without_a_free_worker_is_returned() {
    with_threads(1, |crew, deal| {
        let (first, second) = (deal(), deal());
        crew.play(first);
        crew.play(second);
        let mut reports = Vec::new();
        while reports.len() < 2 {
            reports.extend(crew.reports());
        }
        let returned = |report: &Report| matches!(report, Report::Returned(1));
        let played = |report: &Report| matches!(report, Report::Played(0, _));
        assert!(reports.iter().any(returned) && reports.iter().any(played));
        crew.release();
    });
}
