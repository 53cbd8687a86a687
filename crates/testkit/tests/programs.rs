//! Tests with misbehaving programs: they get the right verdict in time, leave no process running
//! and do not increase the arena's memory. Tests run with a namespace, where that is allowed, and
//! without one.

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
/// Time per move in these tests.
const MOVE: Duration = Duration::from_millis(300);
/// Maximum delay of a verdict after the deadline.
const MAX_VERDICT_DELAY: Duration = Duration::from_millis(100);

const GUARDS: [&[&str]; 2] = [&["guard"], &["guard", "--plain"]];
const PROTOCOLS: [&str; 3] = ["ugi", "gtp", "json"];

/// Program and the game it plays, with a mark in the environment of all its processes.
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

    /// Requests a move. Returns the answer and its delay after the deadline.
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

    /// Requests a move, which must be legal and in time, and plays it.
    fn good_move(&mut self) {
        let (answer, _) = self.choose();
        let mv = answer.expect("an answer").mv.expect("a move");
        self.position.play(&mv).expect("a legal move");
    }

    /// Plays until the program fails, and returns the fault that a referee would report, with the
    /// delay.
    fn fault(&mut self) -> (Fault, Duration) {
        self.begin().expect("a program");
        loop {
            let (answer, over) = self.choose();
            match answer {
                Ok(answer) => {
                    let mv = answer.mv.expect("a move");
                    self.position.play(&mv).expect("a legal move");
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

    /// Ends the program and checks that no process is left running.
    fn end(self) {
        let mark = self.mark.clone();
        drop(self.seat);
        let left = marked(&mark);
        assert!(left.is_empty(), "left running: {left:?}");
    }
}

/// Returns the processes with this mark in their environment or command line.
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

/// Waits until no process has this mark. Returns false after 5 seconds.
fn wait_until_gone(mark: &str) -> bool {
    let until = Instant::now() + Duration::from_secs(5);
    while Instant::now() < until {
        if marked(mark).is_empty() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Checks that with every guard and protocol the program gets the verdict within
/// [`MAX_VERDICT_DELAY`], and that no process of it is left. The machine can be busy, so only a
/// delay in three tries is a failure.
fn check_verdict(habit: &str, expected: Verdict, what: &str) {
    for guarded in GUARDS {
        for protocol in PROTOCOLS {
            let mut late = Duration::MAX;
            for _ in 0..3 {
                let mut table = Table::new(guarded, protocol, &format!("{habit} 2"));
                let (fault, over) = table.fault();
                assert_eq!(fault.verdict, expected, "{guarded:?} {protocol} {habit}: {fault:?}");
                assert!(fault.what.contains(what), "{guarded:?} {protocol} {habit}: {fault:?}");
                table.end();
                late = late.min(over);
                if late <= MAX_VERDICT_DELAY {
                    break;
                }
            }
            assert!(late <= MAX_VERDICT_DELAY, "{guarded:?} {protocol} {habit}: {late:?} late");
        }
    }
}

#[test]
fn a_silent_program_gets_the_verdict_hang() {
    check_verdict("hang", Verdict::Hang, "did not answer in time");
}

#[test]
fn endless_output_is_a_hang_or_a_protocol_error() {
    for guarded in GUARDS {
        for protocol in ["ugi", "gtp"] {
            let mut table = Table::new(guarded, protocol, "chatter 2");
            let (fault, over) = table.fault();
            assert_eq!(fault.verdict, Verdict::Hang, "{fault:?}");
            assert!(over < MAX_VERDICT_DELAY * 3, "{over:?}");
            table.end();
        }
    }
    let mut table = Table::new(GUARDS[0], "json", "chatter 2");
    let (fault, _) = table.fault();
    assert_eq!(fault.verdict, Verdict::Protocol, "{fault:?}");
    assert!(fault.evidence[0].contains("info string thinking"), "{fault:?}");
    table.end();
}

/// Returns the maximum memory that this process has used, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[test]
fn a_flood_of_output_is_a_protocol_error_and_does_not_use_memory() {
    let before = peak();
    check_verdict("flood", Verdict::Protocol, "a line longer than 64 KiB");
    for guarded in GUARDS {
        let mut table = Table::new(guarded, "ugi", "flood-lines 2");
        let (fault, over) = table.fault();
        assert_eq!(fault.verdict, Verdict::Protocol, "{fault:?}");
        assert!(fault.what.contains("more than 1 MiB in one move"), "{fault:?}");
        assert!(over < MAX_VERDICT_DELAY, "{over:?}");
        table.end();
    }
    let mut table = Table::new(GUARDS[0], "json", "errors:200000");
    table.begin().unwrap();
    let _ = table.choose();
    table.end();
    let grown = peak() - before;
    assert!(grown < 20_000_000, "the memory has grown by {grown} bytes");
}

#[test]
fn output_on_standard_error_is_allowed() {
    for protocol in PROTOCOLS {
        let mut table = Table::new(GUARDS[0], protocol, "errors:3000");
        table.begin().unwrap();
        (0..4).for_each(|_| table.good_move());
        table.end();
    }
}

#[test]
fn the_last_error_output_is_evidence() {
    for guarded in GUARDS {
        let mut table = Table::new(guarded, "json", "errors-then-exit 1");
        let (fault, _) = table.fault();
        assert_eq!(fault.what, "ended with exit code 4");
        assert_eq!(fault.evidence, ["I \\u{7}have had enough"]);
        table.end();
    }
}

#[test]
fn a_program_that_ends_gets_the_verdict_crash() {
    check_verdict("abort", Verdict::Crash, "was killed by signal 6 (SIGABRT)");
    check_verdict("exit", Verdict::Crash, "ended with exit code 3");
    check_verdict("close", Verdict::Crash, "closed its standard output");
}

#[test]
fn a_late_answer_is_not_used_for_the_next_move() {
    for protocol in PROTOCOLS {
        let mut table = Table::new(GUARDS[0], protocol, "late:400 1");
        table.begin().unwrap();
        table.good_move();
        let (answer, _) = table.choose();
        assert_eq!(answer.unwrap_err().verdict, Verdict::Time);
        assert!(table.seat.is_just_late(Duration::from_secs(2)));
        // A move is made for the program, and the game continues.
        let mv = table.position.moves().pop().unwrap();
        table.position.play(&mv).unwrap();
        // The next answer is late too, and this time the test does not wait for it.
        let (answer, _) = table.choose();
        assert_eq!(answer.unwrap_err().verdict, Verdict::Time);
        let first = table.position.moves()[0].clone();
        table.position.play(&first).unwrap();
        let (answer, _) = table.choose();
        assert_eq!(
            answer.unwrap_err().verdict,
            Verdict::Time,
            "must be late again, instead of using the old answer"
        );
        table.end();
    }
}

#[test]
fn illegal_moves_and_resignations_are_passed_on() {
    for protocol in PROTOCOLS {
        let mut table = Table::new(GUARDS[0], protocol, "illegal 1");
        table.begin().unwrap();
        table.good_move();
        let (answer, _) = table.choose();
        let mv = answer.unwrap().mv.unwrap();
        assert_eq!(mv.to_lowercase(), "nonsense");
        table.end();

        let mut table = Table::new(GUARDS[0], protocol, "resign 1");
        table.begin().unwrap();
        table.good_move();
        let (answer, _) = table.choose();
        assert_eq!(answer.unwrap().mv, None);
        table.end();
    }
}

#[test]
fn child_processes_end_with_the_program() {
    for habit in ["forks", "daemons"] {
        for guarded in GUARDS {
            for protocol in PROTOCOLS {
                let mut table = Table::new(guarded, protocol, habit);
                table.begin().unwrap();
                table.good_move();
                std::thread::sleep(Duration::from_millis(50));
                assert!(marked(&table.mark).len() > 3, "the children must be running");
                table.end();
            }
        }
    }
}

#[test]
fn too_many_processes_get_the_verdict_crash() {
    for guarded in GUARDS {
        let terms = Terms { memory: None, ..terms() };
        let mut table = Table::on("tictactoe", terms, guarded, "json", "many:700");
        table.begin().unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        let fault = loop {
            assert!(Instant::now() < until, "the processes were not noticed");
            match table.choose().0 {
                Err(fault) if fault.verdict != Verdict::Time => break fault,
                _ => {}
            }
        };
        assert_eq!(fault.what, "had more than 512 processes, or far too many threads", "{fault:?}");
        table.end();
    }
}

#[test]
fn memory_above_the_limit_gets_the_verdict_memory() {
    for guarded in GUARDS {
        let terms = Terms { clock: TimeControl::PerMove(Duration::from_secs(20)), ..terms() };
        let mut table = Table::on("tictactoe", terms, guarded, "ugi", "hog:1000 2");
        let (fault, _) = table.fault();
        assert_eq!(fault.verdict, Verdict::Memory, "{fault:?}");
        assert!(fault.what.contains("of 100.0 MB of memory"), "{fault:?}");
        table.end();
    }
}

#[test]
fn an_excess_is_found_after_the_deadline_too() {
    for guarded in GUARDS {
        for (habit, verdict, what) in [
            ("many:700", Verdict::Crash, "had more than 512 processes"),
            ("hog:1000", Verdict::Memory, "of 100.0 MB of memory"),
        ] {
            // So short that the guard has not checked the program before the deadline.
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
            table.end();
        }
    }
}

#[test]
fn memory_below_the_limit_is_allowed() {
    let mut table = Table::new(GUARDS[0], "ugi", "hog:50 2");
    let (fault, _) = table.fault();
    assert_eq!(fault.verdict, Verdict::Hang, "{fault:?}");
    table.end();
}

#[test]
fn a_program_that_ignores_quit_is_ended() {
    for guarded in GUARDS {
        for protocol in PROTOCOLS {
            let mut table = Table::new(guarded, protocol, "stay");
            table.begin().unwrap();
            table.good_move();
            table.end();
        }
    }
}

#[test]
fn a_program_that_kills_its_guards_is_ended() {
    // Without a namespace, a program that kills both guards at once cannot be ended.
    for (habit, guards) in [("kill-guard", &GUARDS[..]), ("kill-all-guards", &GUARDS[..1])] {
        for &guarded in guards {
            let mut table = Table::new(guarded, "json", habit);
            let (fault, _) = table.fault();
            assert!(matches!(fault.verdict, Verdict::Crash | Verdict::Hang), "{fault:?}");
            let mark = table.mark.clone();
            drop(table.seat);
            assert!(wait_until_gone(&mark), "{guarded:?} {habit}: {:?}", marked(&mark));
        }
    }
}

#[test]
fn garbage_is_not_an_answer() {
    for (protocol, verdict) in
        [("ugi", Verdict::Protocol), ("json", Verdict::Protocol), ("gtp", Verdict::Hang)]
    {
        let mut table = Table::new(GUARDS[0], protocol, "garbage 1");
        let (fault, _) = table.fault();
        assert_eq!(fault.verdict, verdict, "{fault:?}");
        table.end();
    }
}

#[test]
fn gnu_go_plays_a_whole_game_if_it_is_installed() {
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
        // GNU Go plays both sides, and every fifth move is made for it.
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
fn answers_without_a_request_are_ignored() {
    for protocol in PROTOCOLS {
        let mut table = Table::new(GUARDS[0], protocol, "premature");
        table.begin().unwrap();
        for _ in 0..4 {
            table.good_move();
            std::thread::sleep(Duration::from_millis(30));
        }
        table.end();
    }
}

#[test]
fn a_program_that_does_not_read_does_not_block_the_arena() {
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
        assert!(over < MAX_VERDICT_DELAY * 3, "{over:?}");
        assert!(!table.seat.is_just_late(Duration::from_millis(100)));
        table.end();
    }
}

#[test]
fn a_program_that_ended_is_restarted_for_the_next_game() {
    for protocol in PROTOCOLS {
        let mut table = Table::new(GUARDS[0], protocol, "exit 2");
        for _ in 0..2 {
            let (fault, _) = table.fault();
            assert_eq!(fault.what, "ended with exit code 3");
            assert_eq!(table.position.history().len(), 2);
        }
        table.end();
    }
}

#[test]
fn errors_of_programs_that_do_not_start_name_the_remedy() {
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
fn all_processes_end_with_one_of_their_guards() {
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
            assert!(
                wait_until_gone(&table.mark),
                "{guarded:?} {keeper}: {:?}",
                marked(&table.mark)
            );
            let fault = table.choose().0.unwrap_err();
            assert_eq!(fault.verdict, Verdict::Crash, "{fault:?}");
        }
    }
}

#[test]
fn all_processes_end_with_a_killed_arena() {
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
            assert!(marked(&mark).len() > 2, "the program must be running");
            arena.kill().unwrap(); // kill -9
            arena.wait().unwrap();
            assert!(wait_until_gone(&mark), "{protocol} {habit}: {:?}", marked(&mark));
        }
    }
}

#[test]
fn a_program_that_sleeps_past_its_deadline_is_withdrawn_on_a_busy_machine() {
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
    let read = store.for_each(|record| -> Result<(), StoreError> {
        games.push(record);
        Ok(())
    });
    read.unwrap();
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
fn evidence_is_the_error_output_since_the_request() {
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
