//! Badly behaved programs: the right verdict in time, nothing left running, our memory flat.
//! All of it with a namespace, where that is allowed, and without one.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tussle_arena::{
    Contestant, Event, Record, Store, StoreError, Summary, Tournament, TournamentSpec, run,
};
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{StopFlag, TimeControl, Turn};
use tussle_engine::{Answer, Ask, Fault, GameStart, Guard, Seat, Terms, Verdict, seat_for};

const MISBEHAVE: &str = env!("CARGO_BIN_EXE_misbehave");
/// The time for a move in these tests.
const MOVE: Duration = Duration::from_millis(300);
/// How much later than the deadline a verdict may come.
const SOON: Duration = Duration::from_millis(100);

const GUARDS: [&[&str]; 2] = [&["guard"], &["guard", "--plain"]];
const PROTOCOLS: [&str; 3] = ["ugi", "gtp", "json"];

/// A program and the game it plays, with a mark by which all its processes are known.
struct Table {
    mark: String,
    seat: Box<dyn Seat>,
    game: std::sync::Arc<dyn AnyGame>,
    terms: Terms,
    position: Box<dyn AnyPosition>,
}

fn new_mark() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("TUSSLE_TEST={}x{number}x", std::process::id())
}

fn terms() -> Terms {
    let (clock, memory) = (TimeControl::PerMove(MOVE), Some(100_000_000));
    Terms { clock, margin: Duration::ZERO, memory, ..Terms::default() }
}

fn guard(args: &[&str]) -> Guard {
    Guard::new(MISBEHAVE, args)
}

impl Table {
    fn new(guarded: &[&str], protocol: &str, habit: &str) -> Self {
        let game = if protocol == "gtp" { "go" } else { "tictactoe" };
        Self::on(game, terms(), guarded, protocol, habit)
    }

    fn on(game: &str, terms: Terms, guarded: &[&str], protocol: &str, habit: &str) -> Self {
        let mark = new_mark();
        let spec = format!("{protocol}:env {mark} {MISBEHAVE} {protocol} {habit}");
        let seat = seat_for(&spec, None, &guard(guarded), &terms).unwrap();
        let game = tussle_catalog::game(game).unwrap();
        let position = game.start();
        Self { mark, seat, game, terms, position }
    }

    fn begin(&mut self) -> Result<(), Fault> {
        self.position = self.game.start();
        self.seat.begin(&GameStart {
            game: self.game.as_ref(),
            start: self.game.start().as_ref(),
            is_usual: true,
            player: 0,
            id: 0,
            seed: 1,
            terms: &self.terms,
        })
    }

    /// Asks for a move, and says how long after the deadline the answer came.
    fn choose(&mut self) -> (Result<Answer, Fault>, Duration) {
        let clocks = [self.terms.clock.player_clock(); 2];
        let player = match self.position.turn() {
            Turn::Player(player) => player,
            _ => 0,
        };
        let began = Instant::now();
        let deadline = began + self.terms.clock.player_clock().allowed();
        let answer = self.seat.choose(&Ask {
            position: self.position.as_ref(),
            clocks: &clocks,
            player,
            began,
            deadline,
            terms: &self.terms,
            stop: None,
        });
        (answer, Instant::now().saturating_duration_since(deadline))
    }

    /// A legal answer in time, which is played.
    fn good_move(&mut self) {
        let (answer, _) = self.choose();
        let mv = answer.expect("an answer").mv.expect("a move");
        self.position.play(&mv).expect("a legal one");
    }

    /// Plays until the program fails, and judges as a referee does.
    fn fault(&mut self) -> (Fault, Duration) {
        self.begin().expect("a program");
        loop {
            let (answer, over) = self.choose();
            match answer {
                Ok(answer) => {
                    let mv = answer.mv.expect("a move");
                    self.position.play(&mv).expect("a legal one");
                }
                Err(mut fault) => {
                    let patience = Duration::from_millis(200);
                    if fault.verdict == Verdict::Time && !self.seat.is_just_late(patience) {
                        match self.seat.excess() {
                            Some(excess) => fault = excess,
                            None => fault.verdict = Verdict::Hang,
                        }
                    }
                    return (fault, over);
                }
            }
        }
    }

    /// Leaves the table: nothing may be left running.
    fn leave(self) {
        let mark = self.mark.clone();
        drop(self.seat);
        let left = marked(&mark);
        assert!(left.is_empty(), "left running: {left:?}");
    }
}

/// The processes with this mark in their environment or command line.
fn marked(mark: &str) -> Vec<String> {
    let read = |path: std::path::PathBuf| std::fs::read(path).unwrap_or_default();
    let has = |bytes: &[u8]| bytes.windows(mark.len()).any(|part| part == mark.as_bytes());
    let processes = std::fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let number = entry.file_name().to_str().is_some_and(|name| name.parse::<u32>().is_ok());
        number
            && (has(&read(entry.path().join("environ")))
                || has(&read(entry.path().join("cmdline"))))
    });
    let name = |entry: std::fs::DirEntry| {
        let line = String::from_utf8_lossy(&read(entry.path().join("cmdline"))).replace('\0', " ");
        format!("{} {line}", entry.file_name().display())
    };
    processes.map(name).collect()
}

/// Waits until no process has this mark.
fn gone(mark: &str) -> bool {
    let until = Instant::now() + Duration::from_secs(5);
    while Instant::now() < until {
        if marked(mark).is_empty() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// With both guards and both protocols the program is found guilty of the same, within a tenth of
/// a second, and nothing is left of it. The machine may be busy: only a delay that comes three
/// times counts.
fn verdict(habit: &str, expected: Verdict, what: &str) {
    for guarded in GUARDS {
        for protocol in PROTOCOLS {
            let mut late = Duration::MAX;
            for _ in 0..3 {
                let mut table = Table::new(guarded, protocol, &format!("{habit} 2"));
                let (fault, over) = table.fault();
                assert_eq!(fault.verdict, expected, "{guarded:?} {protocol} {habit}: {fault:?}");
                assert!(fault.what.contains(what), "{guarded:?} {protocol} {habit}: {fault:?}");
                table.leave();
                late = late.min(over);
                if late <= SOON {
                    break;
                }
            }
            assert!(late <= SOON, "{guarded:?} {protocol} {habit}: {late:?} late");
        }
    }
}

#[test]
fn a_silent_program_hangs() {
    verdict("hang", Verdict::Hang, "did not answer in time");
}

#[test]
fn a_program_that_talks_without_end_hangs_where_talking_is_allowed() {
    for guarded in GUARDS {
        for protocol in ["ugi", "gtp"] {
            let mut table = Table::new(guarded, protocol, "chatter 2");
            let (fault, over) = table.fault();
            assert_eq!(fault.verdict, Verdict::Hang, "{fault:?}");
            assert!(over < SOON * 3, "{over:?}");
            table.leave();
        }
    }
    let mut table = Table::new(GUARDS[0], "json", "chatter 2");
    let (fault, _) = table.fault();
    assert_eq!(fault.verdict, Verdict::Protocol, "{fault:?}");
    assert!(fault.evidence[0].contains("info string thinking"), "{fault:?}");
    table.leave();
}

/// The most memory this process ever had, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[test]
fn a_flood_is_cut_off_and_takes_none_of_our_memory() {
    let before = peak();
    verdict("flood", Verdict::Protocol, "a line longer than 64 KiB");
    for guarded in GUARDS {
        let mut table = Table::new(guarded, "ugi", "flood-lines 2");
        let (fault, over) = table.fault();
        assert_eq!(fault.verdict, Verdict::Protocol, "{fault:?}");
        assert!(fault.what.contains("more than 1 MiB in one move"), "{fault:?}");
        assert!(over < SOON, "{over:?}");
        table.leave();
    }
    let mut table = Table::new(GUARDS[0], "json", "errors:200000");
    table.begin().unwrap();
    let _ = table.choose();
    table.leave();
    let grown = peak() - before;
    assert!(grown < 20_000_000, "{grown} bytes more");
}

#[test]
fn complaints_on_standard_error_do_no_harm() {
    for protocol in PROTOCOLS {
        let mut table = Table::new(GUARDS[0], protocol, "errors:3000");
        table.begin().unwrap();
        (0..4).for_each(|_| table.good_move());
        table.leave();
    }
}

#[test]
fn the_last_words_of_a_program_are_kept() {
    for guarded in GUARDS {
        let mut table = Table::new(guarded, "json", "errors-then-exit 1");
        let (fault, _) = table.fault();
        assert_eq!(fault.what, "ended with exit code 4");
        assert_eq!(fault.evidence, ["I \\u{7}have had enough"]);
        table.leave();
    }
}

#[test]
fn a_program_that_ends_has_crashed() {
    verdict("abort", Verdict::Crash, "was killed by signal 6 (SIGABRT)");
    verdict("exit", Verdict::Crash, "ended with exit code 3");
    verdict("close", Verdict::Crash, "closed its standard output");
}

#[test]
fn a_late_answer_is_late_and_not_taken_for_the_next() {
    for protocol in PROTOCOLS {
        let mut table = Table::new(GUARDS[0], protocol, "late:400 1");
        table.begin().unwrap();
        table.good_move();
        let (answer, _) = table.choose();
        assert_eq!(answer.unwrap_err().verdict, Verdict::Time);
        assert!(table.seat.is_just_late(Duration::from_secs(2)));
        // A random move was made for it, and it goes on.
        let mv = table.position.moves().pop().unwrap();
        table.position.play(&mv).unwrap();
        // It is late again, and nobody waited for it this time: its next answer is not this one.
        let (answer, _) = table.choose();
        assert_eq!(answer.unwrap_err().verdict, Verdict::Time);
        let first = table.position.moves()[0].clone();
        table.position.play(&first).unwrap();
        let (answer, _) = table.choose();
        assert_eq!(answer.unwrap_err().verdict, Verdict::Time, "late as ever, not the old answer");
        table.leave();
    }
}

#[test]
fn an_answer_is_what_the_program_said_also_if_it_is_nonsense() {
    for protocol in PROTOCOLS {
        let mut table = Table::new(GUARDS[0], protocol, "illegal 1");
        table.begin().unwrap();
        table.good_move();
        let (answer, _) = table.choose();
        let mv = answer.unwrap().mv.unwrap();
        assert_eq!(mv.to_lowercase(), "nonsense");
        table.leave();

        let mut table = Table::new(GUARDS[0], protocol, "resign 1");
        table.begin().unwrap();
        table.good_move();
        let (answer, _) = table.choose();
        assert_eq!(answer.unwrap().mv, None);
        table.leave();
    }
}

#[test]
fn children_do_not_outlive_the_program() {
    for habit in ["forks", "daemons"] {
        for guarded in GUARDS {
            for protocol in PROTOCOLS {
                let mut table = Table::new(guarded, protocol, habit);
                table.begin().unwrap();
                table.good_move();
                std::thread::sleep(Duration::from_millis(50));
                assert!(marked(&table.mark).len() > 3, "the children run");
                table.leave();
            }
        }
    }
}

#[test]
fn too_many_processes_are_a_crash() {
    for guarded in GUARDS {
        let terms = Terms { memory: None, ..terms() };
        let mut table = Table::on("tictactoe", terms, guarded, "json", "many:700");
        table.begin().unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        let fault = loop {
            assert!(Instant::now() < until, "not noticed");
            match table.choose().0 {
                Err(fault) if fault.verdict != Verdict::Time => break fault,
                _ => {}
            }
        };
        assert_eq!(fault.what, "had more than 512 processes, or far too many threads", "{fault:?}");
        table.leave();
    }
}

#[test]
fn memory_beyond_the_limit_is_found() {
    for guarded in GUARDS {
        let terms = Terms { clock: TimeControl::PerMove(Duration::from_secs(20)), ..terms() };
        let mut table = Table::on("tictactoe", terms, guarded, "ugi", "hog:1000 2");
        let (fault, _) = table.fault();
        assert_eq!(fault.verdict, Verdict::Memory, "{fault:?}");
        assert!(fault.what.contains("of 100.0 MB of memory"), "{fault:?}");
        table.leave();
    }
}

#[test]
fn an_excess_is_named_after_the_deadline_too() {
    for guarded in GUARDS {
        for (habit, verdict, what) in [
            ("many:700", Verdict::Crash, "had more than 512 processes"),
            ("hog:1000", Verdict::Memory, "of 100.0 MB of memory"),
        ] {
            // So short that the guard cannot have looked before.
            let clock = TimeControl::PerMove(Duration::from_millis(1));
            let memory = (verdict == Verdict::Memory).then_some(100_000_000);
            let terms = Terms { clock, memory, ..terms() };
            let mut table = Table::on("tictactoe", terms, guarded, "json", habit);
            table.begin().unwrap();
            let fault = table.choose().0.unwrap_err();
            assert_eq!(fault.verdict, Verdict::Time, "{fault:?}");
            assert!(!table.seat.is_just_late(Duration::from_secs(20)), "{habit}");
            let excess = table.seat.excess().expect("an excess");
            assert_eq!(excess.verdict, verdict, "{excess:?}");
            assert!(excess.what.contains(what), "{excess:?}");
            table.leave();
        }
    }
}

#[test]
fn memory_within_the_limit_is_not() {
    let mut table = Table::new(GUARDS[0], "ugi", "hog:50 2");
    let (fault, _) = table.fault();
    assert_eq!(fault.verdict, Verdict::Hang, "{fault:?}");
    table.leave();
}

#[test]
fn a_program_that_does_not_want_to_go_goes() {
    for guarded in GUARDS {
        for protocol in PROTOCOLS {
            let mut table = Table::new(guarded, protocol, "stay");
            table.begin().unwrap();
            table.good_move();
            table.leave();
        }
    }
}

#[test]
fn a_program_that_kills_its_guards_does_not_survive_them() {
    // Without a namespace nothing helps against killing both at once.
    for (habit, guards) in [("parricide", &GUARDS[..]), ("massacre", &GUARDS[..1])] {
        for &guarded in guards {
            let mut table = Table::new(guarded, "json", habit);
            let (fault, _) = table.fault();
            assert!(matches!(fault.verdict, Verdict::Crash | Verdict::Hang), "{fault:?}");
            let mark = table.mark.clone();
            drop(table.seat);
            assert!(gone(&mark), "{guarded:?} {habit}: {:?}", marked(&mark));
        }
    }
}

#[test]
fn garbage_is_no_answer() {
    for (protocol, verdict) in
        [("ugi", Verdict::Protocol), ("json", Verdict::Protocol), ("gtp", Verdict::Hang)]
    {
        let mut table = Table::new(GUARDS[0], protocol, "garbage 1");
        let (fault, _) = table.fault();
        assert_eq!(fault.verdict, verdict, "{fault:?}");
        table.leave();
    }
}

#[test]
fn gnu_go_plays_a_whole_game_where_it_is_installed() {
    if tussle_engine::find_program("gnugo").is_none() {
        eprintln!("skipped: GNU Go is not installed");
        return;
    }
    let options = "--chinese-rules --positional-superko --never-resign";
    for size in [5, 9] {
        let terms = Terms { clock: TimeControl::PerMove(Duration::from_secs(10)), ..terms() };
        let game = format!("go:size={size},superko=positional,cap=off");
        let spec = format!("gtp:gnugo --mode gtp --level 1 {options}");
        let seat = seat_for(&spec, None, &guard(GUARDS[0]), &terms).unwrap();
        let game = tussle_catalog::game(&game).unwrap();
        let position = game.start();
        let mut table = Table { mark: new_mark(), seat, game, terms, position };
        table.begin().unwrap();
        // It plays both sides, and some moves are made for it.
        while table.position.turn() != Turn::Over && table.position.history().len() < 300 {
            if table.position.history().len() % 5 == 3 {
                let mv = table.position.moves().swap_remove(0);
                table.position.play(&mv).unwrap();
            } else {
                table.good_move();
            }
        }
        assert_eq!(table.position.turn(), Turn::Over);
    }
}

#[test]
fn an_answer_that_nobody_asked_for_is_dropped() {
    for protocol in PROTOCOLS {
        let mut table = Table::new(GUARDS[0], protocol, "premature");
        table.begin().unwrap();
        for _ in 0..4 {
            table.good_move();
            std::thread::sleep(Duration::from_millis(30));
        }
        table.leave();
    }
}

#[test]
fn a_program_that_does_not_read_blocks_nobody() {
    // The history of this game does not fit into a pipe.
    let game = "go:size=9,superko=off,cap=30000";
    for protocol in ["ugi", "json"] {
        let mut table = Table::on(game, terms(), GUARDS[0], protocol, "deaf");
        table.begin().unwrap();
        let _ = table.choose();
        let mut rng = tussle_core::Rng::new(1);
        while table.position.history().len() < 25_000 {
            let mut moves = table.position.moves();
            if moves.len() > 1 {
                moves.pop(); // two passes would end the game
            }
            table.position.play(&moves[rng.below(moves.len())]).unwrap();
        }
        let (answer, over) = table.choose();
        assert_eq!(answer.unwrap_err().verdict, Verdict::Time);
        assert!(over < SOON * 3, "{over:?}");
        assert!(!table.seat.is_just_late(Duration::from_millis(100)));
        table.leave();
    }
}

#[test]
fn a_program_is_started_again_for_the_next_game() {
    for protocol in PROTOCOLS {
        let mut table = Table::new(GUARDS[0], protocol, "exit 2");
        for _ in 0..2 {
            let (fault, _) = table.fault();
            assert_eq!(fault.what, "ended with exit code 3");
            assert_eq!(table.position.history().len(), 2);
        }
        table.leave();
    }
}

#[test]
fn a_program_that_cannot_be_started_is_named_with_the_remedy() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for guarded in GUARDS {
        for (command, what) in [
            ("./no_such_engine", "there is no such file"),
            ("no_such_engine", "no program of this name is installed"),
            (readme, "try chmod +x"),
        ] {
            let spec = format!("ugi:{command}");
            let terms = terms();
            let mut seat = seat_for(&spec, None, &guard(guarded), &terms).unwrap();
            let game = tussle_catalog::game("tictactoe").unwrap();
            let position = game.start();
            let start = GameStart {
                game: game.as_ref(),
                start: position.as_ref(),
                is_usual: true,
                player: 0,
                id: 0,
                seed: 1,
                terms: &terms,
            };
            let fault = seat.begin(&start).unwrap_err();
            assert_eq!(fault.verdict, Verdict::Crash);
            assert!(fault.what.contains(what), "{fault:?}");
        }
    }
}

#[test]
fn nothing_outlives_one_of_its_guards() {
    for guarded in GUARDS {
        for keeper in [false, true] {
            let mut table = Table::new(guarded, "json", "daemons");
            table.begin().unwrap();
            table.good_move();
            let guards = marked(&table.mark).into_iter().filter(|line| {
                line.contains(" --processes ") && line.contains("--keeper") == keeper
            });
            let numbers: Vec<i32> =
                guards.map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
            let [guard] = numbers[..] else { panic!("{:?}", marked(&table.mark)) };
            let guard = nix::unistd::Pid::from_raw(guard);
            nix::sys::signal::kill(guard, nix::sys::signal::Signal::SIGKILL).unwrap();
            assert!(gone(&table.mark), "{guarded:?} {keeper}: {:?}", marked(&table.mark));
            let fault = table.choose().0.unwrap_err();
            assert_eq!(fault.verdict, Verdict::Crash, "{fault:?}");
        }
    }
}

#[test]
fn nothing_outlives_an_arena_that_is_killed() {
    for habit in ["hang", "daemons", "stay"] {
        for protocol in ["ugi", "json"] {
            let mark = new_mark();
            let spec = format!("{protocol}:env {mark} {MISBEHAVE} {protocol} {habit}");
            let mut arena = Command::new(MISBEHAVE)
                .args(["arena", &spec])
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut ready = String::new();
            let out = arena.stdout.take().unwrap();
            std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut ready).unwrap();
            assert!(marked(&mark).len() > 2, "it runs");
            arena.kill().unwrap(); // kill -9
            arena.wait().unwrap();
            assert!(gone(&mark), "{protocol} {habit}: {:?}", marked(&mark));
        }
    }
}

#[test]
fn a_program_that_sleeps_past_its_clock_on_a_busy_machine_is_withdrawn() {
    let sleeper = Contestant::new("sleeper", format!("json:{MISBEHAVE} json late:800"));
    let agents = vec![sleeper, Contestant::new("random", "random")];
    let config = TournamentSpec::new(vec!["tictactoe".to_owned()], agents);
    let config = TournamentSpec { clock: "300ms".parse().unwrap(), rounds: 3, ..config };
    let tournament = Tournament::new(config, &tussle_catalog::Catalog::standard()).unwrap();
    let mut store = Store::in_memory(tournament.spec()).unwrap();
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let busy = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
    let mut hogs: Vec<_> = (0..=2 * processors).map(|_| busy()).collect();
    let mut withdrawn = Vec::new();
    let mut tell = |event: Event<'_>| {
        if let Event::Withdrawn(agent, _) = event {
            withdrawn.push(agent);
        }
    };
    let stop = StopFlag::default();
    let ran = run(&tournament, &mut store, &guard(GUARDS[0]), 1, &stop, &mut tell);
    for hog in &mut hogs {
        hog.kill().unwrap();
        hog.wait().unwrap();
    }
    ran.unwrap();
    assert_eq!(withdrawn, [0]);
    let mut games: Vec<Record> = Vec::new();
    let told = store.for_each(|record| -> Result<(), StoreError> {
        games.push(record);
        Ok(())
    });
    told.unwrap();
    assert_eq!(games.len(), 3);
    for game in games {
        assert!(matches!(game.verdict, Verdict::Time | Verdict::Hang), "{game:?}");
        assert!(game.what.contains("300.0 ms granted, "), "{}", game.what);
        assert!(game.late > 300_000, "{game:?}");
    }
    let summary = Summary::of(&store).unwrap();
    assert_eq!((summary.void, summary.withdrawn), (0, vec!["sleeper".to_owned()]));
    assert!(summary.timing.agents[0].max_ms.unwrap() > 300.0, "{:?}", summary.timing);
}

#[test]
fn evidence_is_what_a_program_wrote_since_the_request() {
    let fault = |script: &str| {
        let mut table = Table::new(GUARDS[0], "json", "hang");
        let spec = format!("json:sh -c '{script}'");
        table.seat = seat_for(&spec, None, &guard(GUARDS[0]), &table.terms).unwrap();
        table.fault().0
    };
    let noise = "for i in 1 2 3 4 5 6 7 8; do echo warning $i >&2; done";
    let silent = fault(&format!("{noise}; read line; sleep 100"));
    assert_eq!((silent.verdict, &silent.evidence[..]), (Verdict::Hang, &[][..]));
    let speaks = fault(&format!("{noise}; read line; echo thinking >&2; sleep 100"));
    assert_eq!(
        (speaks.verdict, &speaks.evidence[..]),
        (Verdict::Hang, &["thinking".to_owned()][..])
    );
    let dies = fault(&format!("{noise}; read line; echo trouble >&2; exit 3"));
    assert_eq!((dies.verdict, &dies.evidence[..]), (Verdict::Crash, &["trouble".to_owned()][..]));
    // Output before the first request explains a program that ends at the start.
    let broken = fault("echo no such module >&2; exit 1");
    assert_eq!(
        (broken.verdict, &broken.evidence[..]),
        (Verdict::Crash, &["no such module".to_owned()][..])
    );
}
