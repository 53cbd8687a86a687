//! `tussle ugi`, `tussle gtp`, and the agents that `tussle new-agent` writes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tussle_core::{Rng, Turn};

use crate::common::{Folder, stdout, tussle};

/// Running program with pipes for its lines.
struct LineProgram {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl LineProgram {
    fn with(command: &mut Command) -> Self {
        // The starters find `tussle` where users have it, on the path.
        let binaries = Path::new(env!("CARGO_BIN_EXE_tussle")).parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", binaries.display()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().expect("an output"));
        Self { child, to, from }
    }

    fn say(&mut self, line: &str) {
        let to = self.to.as_mut().expect("the talk goes on");
        writeln!(to, "{line}").expect("it reads");
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        let read = self.from.read_line(&mut line).expect("it answers");
        assert!(read > 0, "it has gone");
        line.trim_end().to_owned()
    }

    fn hear_until(&mut self, start: &str) -> String {
        loop {
            let line = self.hear();
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Closes its input and waits for its end.
    fn close(mut self) {
        self.to = None;
        assert!(self.child.wait().expect("it ends").success());
    }
}

#[test]
fn ugi_and_gtp_are_spoken_on_standard_input_and_output() {
    let said = stdout(&["ugi", "--game", "connect4", "--agent", "random"], "ugi\nisready\nquit\n");
    assert!(said.ends_with("ugiok\nreadyok\n"), "{said}");
    let said = stdout(&["gtp", "--agent", "random"], "1 protocol_version\n2 fly\nquit\n");
    assert_eq!(said, "=1 2\n\n?2 unknown command\n\n=\n\n");
    for wrong in [
        &["ugi", "--game", "chess", "--agent", "random"][..],
        &["ugi", "--game", "go", "--agent", "human"],
        &["gtp", "--agent", "mcst"],
        &["gtp", "--agent", "random", "--game", "gobblet"],
    ] {
        let output = tussle(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(output.stdout.is_empty(), "{wrong:?}");
    }
}

#[test]
fn a_search_ends_with_the_input() {
    let mut talk = LineProgram::with(
        Command::new(env!("CARGO_BIN_EXE_tussle"))
            .args(["ugi", "--game", "gobblet", "--agent", "mcts"]),
    );
    talk.say("go infinite");
    talk.say("isready");
    talk.hear_until("readyok");
    talk.close();
}

/// Plays a game against a JSON agent, which has every seat.
fn play_by_json(talk: &mut LineProgram, spec: &str, id: &mut u64) {
    let game = tussle_catalog::game(spec).expect("a game");
    let mut position = game.start();
    let mut rng = Rng::new(*id);
    while position.turn() != Turn::Over {
        let Turn::Player(player) = position.turn() else {
            let roll = position.roll(&mut rng).expect("chance is to move");
            position.play(&roll).expect("an outcome");
            continue;
        };
        *id += 1;
        let request = json!({
            "id": *id, "op": "move", "game": spec, "game_id": 0, "player": player,
            "players": game.players(), "position": position.text(),
            "history": position.history(), "moves": position.moves(),
            "seed": u64::MAX, "clock": {"move_ms": 1000}, "something": [{"new": "\"\\\u{e9}"}],
        });
        talk.say(&request.to_string());
        let reply: Value = serde_json::from_str(&talk.hear()).expect("a JSON object");
        assert_eq!(reply["id"], json!(*id));
        position.play(reply["move"].as_str().expect("a move")).expect("a legal move");
    }
}

/// Plays a game against a UGI engine, which has every seat, and asks it how it ended.
fn play_by_ugi(talk: &mut LineProgram, spec: &str) {
    let game = tussle_catalog::game(spec).expect("a game");
    talk.say("ugi");
    talk.hear_until("ugiok");
    for seed in [1, 2] {
        talk.say(&format!("setoption name seed value {seed}\nuginewgame\nisready"));
        talk.hear_until("readyok");
        let mut position = game.start();
        while let Turn::Player(player) = position.turn() {
            talk.say("query p1turn");
            assert_eq!(talk.hear(), format!("response {}", player == 0));
            talk.say("go p1time 60000 p2time 60000");
            let best = talk.hear_until("bestmove");
            position.play(best.strip_prefix("bestmove ").expect("a move")).expect("a legal move");
            talk.say(&format!("position startpos moves {}", position.history().join(" ")));
            talk.say("query gameover");
            assert_eq!(talk.hear(), format!("response {}", position.turn() == Turn::Over));
        }
        let utility = position.utilities().expect("it is over")[0];
        let result = ["p2win", "draw", "p1win"][(utility as i32 + 1) as usize];
        talk.say("query result");
        assert_eq!(talk.hear(), format!("response {result}"));
        talk.say(&format!("position fen {}\ngo movetime 50", position.text()));
        assert_eq!(talk.hear_until("bestmove"), "bestmove 0000");
    }
}

#[test]
fn the_python_agent_plays_by_json() {
    let folder = Folder::new("python-json");
    let file = folder.path("agent.py");
    let told = stdout(&["new-agent", "--lang", "python", "--game", "gobblet", "--out", &file], "");
    assert!(told.contains("tussle match gobblet json:\"python3 "), "{told}");
    let mut talk = LineProgram::with(Command::new("python3").arg(&file));
    let mut id = 0;
    for spec in ["gobblet", "tictactoe", "backgammon", "go:size=5"] {
        play_by_json(&mut talk, spec, &mut id);
    }
    talk.close();
}

#[test]
fn python_agents_get_the_client_of_the_rules_beside_them() {
    let folder = Folder::new("client");
    let client = folder.path("tussle_rules.py");
    let make = |name: &str, options: &[&str]| {
        let file = folder.path(name);
        stdout(&[&["new-agent", "--lang", "python", "--out", &file], options].concat(), "")
    };
    let text = |path: &str| std::fs::read_to_string(path).expect("a file");
    let source =
        text(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/agents/python/tussle_rules.py"));
    assert!(make("one.py", &[]).contains(&format!("wrote {client}: ")));
    assert_eq!(text(&client), source);
    assert!(make("two.py", &["--protocol", "ugi"]).contains("tussle_rules.py exists: "));
    std::fs::write(&client, "my own").expect("a file");
    assert!(
        make("three.py", &[])
            .contains("which differs from the file of this version; replace it with --force")
    );
    assert_eq!(text(&client), "my own");
    assert!(make("three.py", &["--force"]).contains(&format!("wrote {client}: ")));
    assert_eq!(text(&client), source);
    // The template shows how to use it.
    let agent = text(&folder.path("one.py"));
    assert!(agent.contains("from tussle_rules import Game"), "{agent}");
    assert!(agent.contains("tussle rules --help") && !agent.contains("docs/"), "{agent}");

    let output = tussle(&["new-agent", "--lang", "python", "--out", &client]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_python_engine_plays_by_ugi() {
    let folder = Folder::new("python-ugi");
    let file = folder.path("my agent.py");
    let game = "connect4:width=5,height=4";
    let args = ["new-agent", "--lang", "python", "--protocol", "ugi", "--game", game];
    let told = stdout(&[&args[..], &["--out", &file]].concat(), "");
    assert!(told.contains(&format!("ugi:\"python3 '{file}'\"")), "{told}");
    let mut talk = LineProgram::with(Command::new("python3").arg(&file));
    play_by_ugi(&mut talk, game);
    talk.say("quit");
    talk.close();
}

#[test]
fn the_rust_agents_need_nothing_but_a_compiler() {
    let folder = Folder::new("rust");
    for protocol in ["json", "ugi"] {
        let out = folder.path(protocol);
        let args = ["new-agent", "--lang", "rust", "--protocol", protocol, "--game", "tictactoe"];
        let told = stdout(&[&args[..], &["--out", &out]].concat(), "");
        assert!(told.contains("cargo build --release"), "{told}");
        let built = Command::new("cargo")
            .args(["build", "--offline", "--quiet", "--manifest-path"])
            .arg(format!("{out}/Cargo.toml"))
            .env("CARGO_TARGET_DIR", folder.path("target"))
            .env("RUSTFLAGS", "-D warnings")
            .output()
            .expect("cargo runs");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let mut talk = LineProgram::with(&mut Command::new(folder.path("target/debug/my-agent")));
        if protocol == "json" {
            let mut id = 0;
            for spec in ["tictactoe", "gobblet", "go:size=5"] {
                play_by_json(&mut talk, spec, &mut id);
            }
        } else {
            play_by_ugi(&mut talk, "tictactoe");
            talk.say("quit");
        }
        talk.close();
    }
}

#[test]
fn files_are_replaced_only_with_force() {
    let folder = Folder::new("overwrite");
    let (file, out) = (folder.path("agent.py"), folder.path("agent"));
    std::fs::write(&file, "my work").expect("a file");
    std::fs::create_dir_all(folder.path("agent/src")).expect("a folder");
    std::fs::write(folder.path("agent/src/main.rs"), "my work").expect("a file");
    for (lang, path) in [("python", &file), ("rust", &out)] {
        let args = ["new-agent", "--lang", lang, "--out", path];
        let output = tussle(&args);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            told.contains("exists; choose another --out, or replace it with --force"),
            "{told}"
        );
    }
    let kept = |path: &str| std::fs::read_to_string(folder.path(path)).expect("a file");
    assert_eq!((kept("agent.py"), kept("agent/src/main.rs")), ("my work".into(), "my work".into()));
    assert!(!Path::new(&folder.path("agent/Cargo.toml")).exists());
    stdout(&["new-agent", "--lang", "python", "--out", &file, "--force"], "");
    assert!(kept("agent.py").starts_with("#!/usr/bin/env python3\n"));
    let output = tussle(&["new-agent", "--lang", "python", "--game", "chess", "--out", &file]);
    assert_eq!(output.status.code(), Some(2));
}
