//! Files that commands write completely or not at all, and files that they refuse to read.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::{Folder, start, stdout, tussle};

/// Longer than any of these commands takes, unless it waits for its input.
const MAX_RUN_TIME: Duration = Duration::from_mins(1);

/// Runs `tussle` on a disk where a file has room for `blocks` blocks of 512 or 1024 bytes.
fn on_a_full_disk(blocks: u32, args: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    Command::new("sh")
        .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_tussle")])
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("there is a shell")
}

/// The files of a folder and their contents.
fn contents(folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("it is there").flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let mut files: Vec<(String, Vec<u8>)> = files
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("it can be read"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn on_a_full_disk_no_file_is_half_written_and_old_files_stay() {
    let folder = Folder::new("full");
    let [store, other] = ["s.db", "go.db"].map(|name| folder.path(name));
    stdout(&["match", "connect4", "random", "random", "--games", "100", "--store", &store], "");
    stdout(&["match", "go:size=5", "random", "random", "--games", "20", "--store", &other], "");
    let out = folder.path("out");
    let at = |name: &str| format!("{out}/{name}");
    let precious = |names: &[&str]| {
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).expect("a folder can be made");
        for name in names {
            fs::write(at(name), "precious").expect("a file can be written");
        }
    };
    // The file that fails is named in the message, and every file is as it was.
    let check = |blocks: u32, file: &str, args: &[&str]| {
        let before = contents(&out);
        let output = on_a_full_disk(blocks, args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {message}");
        let expected = format!("cannot write {}: File too large", at(file));
        assert!(message.contains(&expected), "{args:?}: {message}");
        let after = contents(&out);
        let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
            files.iter().map(|(name, _)| name.clone()).collect()
        };
        assert_eq!(names(&after), names(&before), "{args:?}");
        assert!(after == before, "{args:?}: a file has changed");
    };
    let (f, go) = (at("f"), go_moves());
    let agent = ["--agent", "minimax:depth=2"];
    let cases: [&[&str]; 14] = [
        &["show", "go:size=19", "--svg", &f],
        &["show", "go:size=9", "--png", &f],
        &["show", "go:size=19", "--moves", &go, "--write-sgf", &f],
        &["analyse", "tictactoe", "--agent", "mcts:nodes=200", "--tree", &f],
        &["analyse", "connect4", "--agent", "greedy", "--svg", &f],
        &["analyse", "connect4", "--agent", "greedy", "--png", &f],
        &["explain", "tictactoe", "--moves", "a1,b2,c3,b1", agent[0], agent[1], "--html", &f],
        &["results", &store, "--export", "csv", "--out", &f],
        &["results", &store, "--export", "pgn", "--out", &f],
        &["results", &store, "--export", "jsonl", "--out", &f],
        &["results", &other, "--export", "sgf", "--out", &f],
        &["replay", &store, "0", "--svg", &f],
        &["review", "--game", "connect4", "--moves", "4,4,3,3", "--nodes", "10", "--svg", &f],
        &["reproduce", "ucb1", "--html", &f],
    ];
    for args in cases {
        precious(&["f"]);
        check(1, "f", args);
        fs::remove_file(&f).expect("it is there");
        check(1, "f", args); // a new file is not left behind either
    }
    precious(&["f"]);
    check(
        1,
        "f",
        &["book", "build", "tictactoe", "--agent", "random", "--plies", "3", "--out", &f],
    );
    check(1, "f", &["new-agent", "--lang", "python", "--out", &f, "--force"]);
    precious(&[]);
    check(1, "f", &["new-agent", "--lang", "python", "--out", &f]);
    // Series: the files before the one that fails are whole, and that one is as it was.
    precious(&["0000.svg", "0001.svg"]);
    check(1, "0000.svg", &["replay", &store, "0", "--svg", &out]);
    precious(&["0000.png"]);
    check(1, "0000.png", &["replay", &store, "0", "--png", &out]);
    precious(&["0001.svg"]);
    let explain = ["explain", "tictactoe", "--moves", "a1,b2,c3,b1", agent[0], agent[1], "--svg"];
    let output = on_a_full_disk(1, &[&explain[..], &[&out]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(contents(&out), [("0001.svg".to_owned(), b"precious".to_vec())]);
    precious(&["report.html", "report.json"]);
    fs::write(at("measured.jsonl"), "").expect("a file can be written");
    check(1, "report.json", &["reproduce", "ucb1", "--out", &out]);
    // Measurements are appended; the files of the finding are replaced.
    precious(&[]);
    let experiment = ["experiment", "known-value", "--quick", "--out", &out];
    stdout(&experiment, "");
    let whole = contents(&out);
    check(1, "known-value.svg", &experiment);
    assert!(contents(&out) == whole && whole.len() == 6, "the files of the first run stay");
}

/// Moves of a game of Go: their record is longer than a block.
fn go_moves() -> String {
    let row = |y: usize| "ABCDEFGHJKLMNOPQRST".chars().map(move |x| format!("{x}{y}"));
    (1..=19).step_by(2).flat_map(row).collect::<Vec<_>>().join(",")
}

#[test]
fn a_torn_measurement_is_taken_again() {
    let folder = Folder::new("torn");
    let out = folder.path("out");
    let experiment = ["experiment", "known-value", "--quick", "--out", &out];
    let first = stdout(&experiment, "");
    let measured = format!("{out}/measured.jsonl");
    let whole = fs::read(&measured).expect("it is kept");
    fs::write(&measured, &whole[..whole.len() - 7]).expect("it can be written");
    assert_eq!(stdout(&experiment, ""), first);
}

#[test]
fn pictures_go_through_standard_output_and_links() {
    let folder = Folder::new("through");
    let [real, link] = ["real.svg", "link.svg"].map(|name| folder.path(name));
    let show = |file: &str| stdout(&["show", "tictactoe", "--svg", file], "");
    let text = show("/dev/stdout");
    assert!(text.contains("<svg") && text.contains("position: "), "{text}");
    show("/dev/null");
    symlink("real.svg", &link).expect("a link can be made");
    show(&link);
    assert!(fs::symlink_metadata(&link).is_ok_and(|link| link.is_symlink()));
    assert!(fs::read_to_string(&real).is_ok_and(|svg| svg.ends_with("</svg>\n")));
    let mut files = folder.files();
    files.sort();
    assert_eq!(files, ["link.svg", "real.svg"]);
    let output = tussle(&["show", "tictactoe", "--svg", &folder.path("none/")]);
    assert_eq!(output.status.code(), Some(2), "a folder that is not there");
}

/// Checks that a command refuses its input at once, with this message.
fn refused_at_once(args: &[&str], part: &str) {
    let mut child = start(args);
    let began = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if began.elapsed() > MAX_RUN_TIME {
            let _ = child.kill();
            panic!("{args:?}: it reads for ever");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("it has ended");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(message.contains(part), "{args:?}: {message}");
}

#[test]
fn only_regular_files_of_a_reasonable_size_are_read() {
    let folder = Folder::new("readers");
    let [pipe, zero, large] =
        ["pipe.toml", "zero.toml", "large.toml"].map(|name| folder.path(name));
    assert!(Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()));
    symlink("/dev/zero", &zero).expect("a link can be made");
    File::create(&large).and_then(|file| file.set_len((256 << 20) + 1)).expect("a sparse file");
    for (file, part) in [
        (&pipe, "expected a regular file, found a pipe; save its content to a file"),
        (&zero, "expected a regular file, found a device"),
        (&large, "the file is larger than 256 MB"),
    ] {
        let of = |key: &str| format!("{key}={file}");
        let [tree, board] = ["tree:file", "keep-on-moving:file"].map(of);
        let [book, weights] = ["minimax:book", "expectimax:opponent"].map(of);
        let commands: [&[&str]; 9] = [
            &["show", "go", "--sgf", file],
            &["review", "--game", "go", "--sgf", file],
            &["match", "tictactoe", "random", "random", "--games", "2", "--openings", file],
            &["tournament", file],
            &["show", &tree],
            &["show", &board],
            &["match", "tictactoe", &book, "random", "--games", "2"],
            &["match", "gobblet", &weights, "random", "--games", "2"],
            &["book", "show", file],
        ];
        for args in commands {
            refused_at_once(args, part);
        }
    }
    for file in [&pipe, &zero] {
        refused_at_once(&["results", file], file);
        refused_at_once(&["match", "tictactoe", "random", "random", "--store", file], file);
    }
    // A file without the ending, as `<(…)` gives one.
    let bare = folder.path("pipe");
    fs::rename(&pipe, &bare).expect("it can be renamed");
    refused_at_once(&["tournament", &bare], "found a pipe");
    let openings =
        format!("game = \"tictactoe\"\nagents = [\"random\", \"random\"]\nopenings = {bare:?}\n");
    let file = folder.path("t.toml");
    fs::write(&file, openings).expect("a file can be written");
    refused_at_once(&["tournament", &file], "found a pipe");
}
