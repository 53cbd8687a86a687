//! Messages of the compiler where a game or a closure misses a capability.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use std::io::Write as _;

/// A game without any capability.
const GAME: &str = "
    #![allow(unused)]
    use tussle::prelude::*;
    use tussle::search::{AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions};
    use tussle::{Match, search::Random};
    struct Heap;
    impl Game for Heap {
        type State = u32;
        type Move = u32;
        fn start(&self) -> u32 { 9 }
        fn turn(&self, left: &u32) -> Turn { if *left == 0 { Turn::Over } else { Turn::Player(0) } }
        fn moves(&self, left: &u32, out: &mut Vec<u32>) { out.push(1) }
        fn play(&self, left: &mut u32, take: u32) { *left -= take }
        fn utility(&self, _: &u32, _: usize) -> f64 { 0.0 }
    }
";

/// Returns the error output of the compiler for a program that uses this build of the façade; `None` if it compiles.
fn compiler_error(facade: &Path, program: &str) -> Option<String> {
    let folder = facade.parent().expect("a folder");
    let mut compiler = Command::new("rustc")
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--out-dir"])
        .arg(std::env::temp_dir())
        .arg(format!("--crate-name=facade_{}", std::process::id()))
        .args([OsStr::new("-L"), folder.as_os_str(), OsStr::new("--extern")])
        .arg(format!("tussle={}", facade.display()))
        .arg("-")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the compiler that built this test");
    let mut input = compiler.stdin.take().expect("it is piped");
    input.write_all([GAME, program].concat().as_bytes()).expect("the compiler reads");
    drop(input);
    let output = compiler.wait_with_output().expect("the compiler ends");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Returns the builds of the façade beside this test, the latest first. Some may be of other compilers or features.
fn facades() -> Vec<PathBuf> {
    let test = std::env::current_exe().expect("this test");
    let folder = test.parent().expect("a folder");
    let is_facade = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let is_library = path.extension().is_some_and(|extension| extension == "rlib");
        is_library && name.starts_with("libtussle-")
    };
    let files =
        folder.read_dir().expect("the folder of builds").map(|file| file.expect("a file").path());
    let mut builds: Vec<_> = files.filter(is_facade).collect();
    let age = |path: &PathBuf| {
        path.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    builds.sort_by_key(|path| std::cmp::Reverse(age(path)));
    builds
}

#[test]
fn a_missing_capability_is_named_with_what_to_write() {
    let sound =
        "fn f() { let _ = Mcts::new(MctsOptions::default()).search(&Heap, &9, &Limits::none()); }";
    let builds = facades();
    let facade = builds.iter().find(|build| compiler_error(build, sound).is_none());
    let facade =
        facade.unwrap_or_else(|| panic!("{builds:?}: {:?}", compiler_error(&builds[0], sound)));
    let zero_sum = "impl ZeroSum for Heap {}";
    for (program, expected) in [
        (
            "fn f() { let _ = AlphaBeta::<Heap>::new(AlphaBetaOptions::default(), tussle::NoEvaluation); }".to_owned(),
            [
                "`Heap` is not declared to be a game of two players with opposite interests",
                "write `impl ZeroSum for Heap {}`",
            ],
        ),
        (
            "fn f() { let _ = Mcts::<Heap>::new(MctsOptions::default()).with_table(); }".to_owned(),
            ["`Heap` has no keys for tables", "implement `Hashed` for `Heap`"],
        ),
        (
            format!(
                "{zero_sum} fn f() {{ \
                 let _ = AlphaBeta::<Heap>::new(AlphaBetaOptions::default(), |_: &u32, _: usize| 0.0); }}"
            ),
            ["cannot value positions of `Heap`", "wrap a closure: `evaluation_fn(&game, |state, player| …)`"],
        ),
        (
            "fn f() { let mut mine = |game: &Heap, _: &u32, _: &Limits| 1; \
             let _ = Match::new(&Heap).play(&mut mine, &mut Random::new(1)); }"
                .to_owned(),
            ["does not choose moves of `Heap`", "wrap a closure: `agent_fn(|game: &Heap, state, limits| …)`"],
        ),
    ] {
        let error = compiler_error(facade, &program).unwrap_or_else(|| panic!("it compiles: {program}"));
        // Long notes are broken into several lines.
        let words: Vec<&str> = error.split_whitespace().collect();
        let error = words.join(" ");
        for part in expected {
            assert!(error.contains(part), "{part}\nis missing in\n{error}");
        }
    }
}
