//! Every JSON document of the command line, and two stores, as first recorded under `tests/baseline`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p tussle-cli --test cli baseline` writes the documents anew; look at the difference
//! before you keep it. The stores are never written again: later versions must read them. Version 0.1.0 wrote them with
//!
//! ```text
//! tussle tournament connect4:width=5,height=4 mcts:nodes=50 greedy 'script:moves=1|2|9' \
//!     --opening-plies 2 --nodes 200 --seed 7 --store store.db
//! tussle match keep-on-moving:file=examples/boards/triangle.txt maxn paranoid random \
//!     --games 3 --nodes 60 --store begun.db
//! ```
//!
//! and the last game of `begun.db` was deleted with `sqlite3`, as if the match had been interrupted.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::common::{Folder, difference, is_updating, stdout, tussle};

/// Commands whose documents are the same in every run but for the [`VOLATILE`] keys. The first word is the file's name.
/// `FOLDER` is a temporary folder.
const EXACT: &str = r"
games: games --json
agents: agents --json
show-backgammon: show backgammon:score=win --moves 31,8/5+6/5 --json
show-go: show go:size=5,komi=2.5 --moves C3,C4,pass --json
show-gobblet: show gobblet --moves B1@4,S1@0 --json
show-over: show tictactoe --moves a1,b1,a2,b2,a3 --json
perft-backgammon: perft backgammon 2 --json
perft-connect4: perft connect4:width=5,height=4 5 --divide --json

analyse-random: analyse connect4 --agent random --json
analyse-greedy-gobblet: analyse gobblet --moves B1@4,B1@0 --agent greedy:eval=pairs,ties=first --json
analyse-greedy-territory: analyse keep-on-moving:board=2 --agent greedy:eval=territory,radius=5,c=2 --json
analyse-minimax-proof: analyse tictactoe --moves b2,a1,c1 --agent minimax --json
analyse-minimax-shuffled: analyse pentago-twist --moves b5:0r --agent minimax:shuffle=on,dedupe=on --nodes 2000 --seed 3 --json
analyse-minimax-tree: analyse tree:file=examples/trees/lecture-alphabeta.json --agent minimax --json
analyse-alphabeta-plain: analyse go:size=4 --moves B2 --agent alphabeta-textbook:order=none,tt=off,window=full,eval=area --depth 4 --json
analyse-alphabeta-proof: analyse connect4:width=4,height=4 --agent alphabeta-textbook --lines all --json
analyse-alphabeta-quiesce: analyse go --moves C3,C4,D4 --agent alphabeta-textbook:quiesce=on,order=root,window=aspiration,deepen=on --depth 4 --json
analyse-alphabeta-win: analyse connect4 --moves 4,1,4,1,3 --agent alphabeta-textbook:eval=centre --depth 6 --lines 2 --json
analyse-ids: analyse pentago --moves b5:0r,e2:1l --agent ids:eval=lines --nodes 20000 --json
analyse-heavy-2020: analyse keep-on-moving:board=4 --agent heavy-2020 --depth 6 --seed 5 --json
analyse-expectimax-backgammon: analyse backgammon --moves 31 --agent expectimax:prune=star1 --depth 3 --nodes 20000 --json
analyse-expectimax-course: analyse gobblet --moves S1@0 --agent expectimax:opponent=course --depth 2 --json
analyse-expectimax-tree: analyse tree:file=examples/trees/coin.json --agent expectimax --json
analyse-maxn: analyse keep-on-moving:file=examples/boards/triangle.txt --agent maxn --depth 6 --lines all --json
analyse-maxn-tree: analyse tree:file=examples/trees/kplayer.json --agent maxn:prune=none --json
analyse-paranoid: analyse keep-on-moving:file=examples/boards/triangle.txt --agent paranoid --nodes 4000 --json
analyse-mcts: analyse go --agent mcts-textbook --nodes 1000 --json
analyse-mcts-backgammon: analyse backgammon --moves 31 --agent mcts-textbook:rollout=eval --nodes 300 --json
analyse-mcts-epsilon: analyse gobblet --agent mcts-textbook:policy=epsilon,epsilon=0.2,rollout=greedy,expand=all,draw=0 --nodes 300 --seed 4 --json
analyse-mcts-heavy: analyse pentago-twist --moves b5:0r --agent mcts-pentago:rollout=heavy --nodes 200 --json
analyse-mcts-paranoid: analyse keep-on-moving:file=examples/boards/triangle.txt --agent mcts-textbook:paranoid=on,untried=listed,final=mean --nodes 500 --json
analyse-mcts-puct: analyse connect4 --moves 4,4 --agent mcts-textbook:policy=puct,prior=eval,lambda=0.5,final=secure --nodes 1000 --json
analyse-mcts-solver: analyse tictactoe --moves b2,a1,c1 --agent mcts-textbook:solver=on,table=on --nodes 2000 --json

explain-alphabeta: explain tree:file=examples/trees/lecture-alphabeta.json --agent alphabeta:order=none,window=full,tt=off --json
explain-expectimax: explain gobblet --moves S1@0 --agent expectimax:opponent=course --depth 1 --json
explain-greedy: explain tictactoe --moves b2,a1,c1 --agent greedy --json
explain-ids: explain tictactoe --moves b2,a1,c1,a3 --agent ids --depth 2 --json
explain-maxn: explain tree:file=examples/trees/kplayer.json --agent maxn --json
explain-mcts-lecture: explain tree:file=examples/trees/lecture-mcts.json --agent mcts:c=2 --nodes 4 --json
explain-mcts-puct: explain connect4:width=4,height=4 --agent mcts-textbook:policy=puct,lambda=0.5 --nodes 6 --json
explain-minimax: explain tree:file=examples/trees/lecture-alphabeta.json --agent minimax --json
explain-paranoid: explain tree:file=examples/trees/kplayer.json --agent paranoid --json
explain-star1: explain tree:file=examples/trees/star1.json --agent expectimax:prune=star1 --json
explain-ucb1: explain tree:file=examples/trees/ucb1-exercise.json --json

match: match connect4:width=5,height=4 mcts-textbook:nodes=50 greedy --games 4 --opening-plies 2 --seed 7 --json
match-backgammon: match backgammon expectimax:depth=1 random --games 2 --json
match-boards: match keep-on-moving:board=0..1 simple random --games 4 --json
match-sprt: match tictactoe mcts-textbook:nodes=60 random --sprt elo0=0,elo1=100 --games 40 --opening-plies 1 --json
match-three-players: match keep-on-moving:file=examples/boards/triangle.txt maxn paranoid random --games 3 --nodes 60 --json
tournament-adaptive: tournament connect4:width=4,height=4 greedy random alphabeta-textbook --format adaptive --games 8 --nodes 100 --json
tournament-gauntlet: tournament gobblet greedy-improved greedy random --format gauntlet --rounds 1 --depth 2 --json
tournament-round-robin: tournament tictactoe greedy random mcts-textbook:nodes=50 --rounds 1 --anchor random=1000 --json
tournament-swiss: tournament go:size=3 greedy random mcts-textbook:nodes=30 alphabeta-textbook --format swiss --rounds 2 --nodes 200 --json

power: power --elo 20 --draws 0.3 --sprt --json
review-go: review --game go:size=4 --moves B2,C3,C2,B3 --agent mcts-textbook --nodes 100 --json
review-proof: review --game tictactoe --moves a1,b1,b2,c3 --nodes 200 --all --json
book-build: book build tictactoe --agent minimax:depth=9 --plies 4 --out FOLDER/t.book --json
book-show: book show FOLDER/t.book --entries 4 --json
book-check: book check FOLDER/t.book --json
bench: bench --json
bench-levels: bench levels tictactoe --games 2 --top 2 --json
experiment: experiment known-value --quick --json
experiment-list: experiment --json
reproduce: reproduce ucb1 lecture-minimax lecture-alphabeta lecture-mcts tictactoe-states --json
reproduce-list: reproduce --list --json
";

/// Commands that measure the machine: only the keys and the types of the values are recorded. `TUSSLE` is the binary.
const SHAPES: &str = r#"
bench-arena: bench arena --plies 20 --json
bench-mcts: bench mcts tictactoe --threads 1 --json
bench-overrun: bench overrun tictactoe --searches 5 --json
bench-playouts: bench playouts tictactoe --time 20ms --json
tune: tune tictactoe mcts c=0.1..2 "solver=on|off" --games 40 --verify 4 --nodes 20 --out FOLDER/tune --json
check: check "ugi:TUSSLE ugi --game tictactoe --agent random" --game tictactoe --json
"#;

/// Commands on the recorded stores, or on copies of them in `FOLDER`; times are in the stores and do not change.
const STORES: &str = r"
store-results: results FOLDER/store.db --json
store-anchored: results FOLDER/store.db --anchor greedy=1000 --json
store-replay: replay FOLDER/store.db 1 --json
store-replay-crash: replay FOLDER/store.db 3 --ply 2 --json
begun-results: results FOLDER/begun.db --json
begun-replay: replay FOLDER/begun.db 0 --json
";

/// Requests to `tussle rules backgammon`, one for each operation.
const REQUESTS: &str = r#"
{"op":"info"}
{"op":"start"}
{"op":"moves","state":1}
{"op":"apply","state":1,"move":"31","id":7}
{"op":"moves","state":2}
{"op":"eval","state":2,"eval":"pips"}
{"op":"result","state":2}
{"op":"draw","state":2}
{"op":"playout","state":2,"seed":5}
{"op":"release","state":2}
{"op":"moves","state":2}
"#;

/// Keys of times, rates, paths and versions. Their values differ from run to run or from release to release.
const VOLATILE: [&str; 9] = [
    "elapsed_ms",
    "file",
    "max_ms",
    "nodes_per_s",
    "out",
    "p50_ms",
    "p99_ms",
    "seconds",
    "version",
];

/// Lines longer than this are broken if they hold a list or an object.
const MAX_LINE_CHARS: usize = 100;

/// Replaces the values of all [`VOLATILE`] keys, at any depth. Lists and objects stay: `seconds` is also the name of an
/// object of estimates, which do not change.
fn mask(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(fields) => {
            for (key, field) in fields {
                let is_scalar = !matches!(field, Value::Array(_) | Value::Object(_));
                if is_scalar && VOLATILE.contains(&key.as_str()) {
                    *field = "volatile".into();
                }
                mask(field);
            }
        }
        _ => {}
    }
}

/// Returns the keys with the types of their values; of a list, only its first item.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(_) => "bool".into(),
        Value::Number(_) => "number".into(),
        Value::String(_) => "text".into(),
        Value::Array(items) => items.iter().take(1).map(shape).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, field)| (key.clone(), shape(field))).collect())
        }
    }
}

/// Appends a value as indented JSON. Short lists and objects stay on one line, which keeps files and differences small.
fn pretty(value: &Value, indent: usize, text: &mut String) {
    let line = value.to_string();
    let is_short = indent + line.chars().count() <= MAX_LINE_CHARS;
    let (items, brackets): (Vec<(Option<&String>, &Value)>, _) = match value {
        Value::Array(items) if !is_short => (items.iter().map(|item| (None, item)).collect(), "[]"),
        Value::Object(fields) if !is_short => {
            (fields.iter().map(|(key, field)| (Some(key), field)).collect(), "{}")
        }
        _ => return text.push_str(&line),
    };
    let (open, close) = brackets.split_at(1);
    text.push_str(open);
    for (n, (key, item)) in items.into_iter().enumerate() {
        text.push_str(if n == 0 { "\n" } else { ",\n" });
        text.push_str(&" ".repeat(indent + 1));
        if let Some(key) = key {
            text.push_str(&format!("{}: ", Value::from(key.as_str())));
        }
        pretty(item, indent + 1, text);
    }
    text.push_str(&format!("\n{}{close}", " ".repeat(indent)));
}

/// The recorded files that a test compares with, and the differences found.
struct Baseline {
    folder: Folder,
    differences: Vec<String>,
}

impl Baseline {
    fn new(name: &str) -> Self {
        Self { folder: Folder::new(name), differences: Vec::new() }
    }

    /// Splits a command line and replaces `FOLDER` and `TUSSLE`.
    fn words(&self, command: &str) -> Vec<String> {
        let words = shlex::split(command).expect("quotes are closed");
        let folder = self.folder.path("");
        let folder = folder.trim_end_matches('/');
        let fill = |word: String| {
            word.replace("FOLDER", folder).replace("TUSSLE", env!("CARGO_BIN_EXE_tussle"))
        };
        words.into_iter().map(fill).collect()
    }

    /// Runs a command and returns the JSON documents that it prints, one per line.
    fn documents(&self, command: &str, input: &str) -> Vec<Value> {
        let words = self.words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let parse =
            |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{command}: {e}: {line}"));
        stdout(&words, input).lines().map(parse).collect()
    }

    /// Compares a document with its file.
    fn compare(&mut self, name: &str, command: &str, document: &Value) {
        let mut text = String::new();
        pretty(document, 0, &mut text);
        text.push('\n');
        if let Some(difference) = difference(&format!("baseline/{name}.json"), &text) {
            self.differences.push(format!("tussle {command}\n{difference}"));
        }
    }

    /// Runs all commands of a table and compares their documents, changed by `edit`, with the files.
    fn compare_all(&mut self, table: &str, edit: impl Fn(Value) -> Value) {
        for (name, command) in rows(table) {
            let mut documents = self.documents(command, "");
            assert_eq!(documents.len(), 1, "{command}: expected one document");
            let document = edit(documents.remove(0));
            self.compare(name, command, &document);
        }
    }

    /// Copies a recorded store, so that no command changes the recorded one.
    fn copy_store(&self, name: &str) {
        let recorded = format!("{}/tests/baseline/{name}", env!("CARGO_MANIFEST_DIR"));
        fs::copy(recorded, self.folder.path(name)).expect("the store is recorded");
    }

    /// Fails with all differences at once.
    fn finish(self) {
        assert!(
            self.differences.is_empty(),
            "{} documents are no longer as recorded. If that is right, run the tests with UPDATE_GOLDEN=1 and commit \
             the difference.\n\n{}",
            self.differences.len(),
            self.differences.join("\n")
        );
    }
}

/// The names and commands of a table.
fn rows(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = table.lines().filter(|line| !line.is_empty());
    lines.map(|line| line.split_once(": ").expect("a name and a command"))
}

fn masked(mut document: Value) -> Value {
    mask(&mut document);
    document
}

#[test]
fn documents_are_as_recorded() {
    let mut baseline = Baseline::new("baseline");
    baseline.compare_all(EXACT, masked);
    let answers = baseline.documents("rules backgammon", REQUESTS.trim_start());
    baseline.compare("rules", "rules backgammon", &answers.into());
    baseline.finish();
}

#[test]
fn measurements_have_the_recorded_keys() {
    let mut baseline = Baseline::new("baseline-shapes");
    baseline.compare_all(SHAPES, |document| shape(&document));
    baseline.finish();
}

#[test]
fn stores_of_version_0_1_0_are_read_and_resumed() {
    let mut baseline = Baseline::new("baseline-stores");
    baseline.copy_store("store.db");
    baseline.copy_store("begun.db");
    baseline.compare_all(STORES, |document| document);
    let export = "results FOLDER/store.db --export jsonl";
    let games = baseline.documents(export, "");
    baseline.compare("store-export", export, &games.into());
    let resume = "match keep-on-moving:file=examples/boards/triangle.txt maxn paranoid random --games 3 --nodes 60 \
                  --store FOLDER/begun.db --json";
    baseline.compare_all(&format!("begun-resumed: {resume}"), masked);
    baseline.finish();
}

/// Version 0.1.0 had no tuned defaults: its `mcts` is `mcts-textbook`.
#[test]
fn a_store_of_version_0_1_0_is_resumed_with_the_textbook_agent_only() {
    let baseline = Baseline::new("baseline-textbook");
    baseline.copy_store("store.db");
    let store = baseline.folder.path("store.db");
    let resumed = |agent: &str| {
        let game = "connect4:width=5,height=4";
        let words =
            ["tournament", game, agent, "greedy", "script:moves=1|2|9", "--opening-plies", "2"];
        tussle(&[&words[..], &["--nodes", "200", "--seed", "7", "--store", &store]].concat())
    };
    let output = resumed("mcts:nodes=50");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    let was = "mcts:nodes=50 was mcts-textbook:nodes=50 when this tournament began, and is mcts-textbook:";
    assert!(message.contains(was), "{message}");
    assert!(message.contains("; give mcts-textbook:nodes=50 to resume it\n"), "{message}");
    let output = resumed("mcts-textbook:nodes=50");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = resumed("mcts-textbook:nodes=51");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn no_other_files_are_recorded() {
    if is_updating() {
        return;
    }
    let tables = [EXACT, SHAPES, STORES].map(rows).into_iter().flatten();
    let mut expected: BTreeSet<String> = tables.map(|(name, _)| format!("{name}.json")).collect();
    expected.extend(["rules.json", "store-export.json", "begun-resumed.json"].map(str::to_owned));
    expected.extend(["store.db", "begun.db"].map(str::to_owned));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/baseline");
    let found = fs::read_dir(folder).expect("the folder is there").flatten();
    let found: BTreeSet<String> =
        found.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(found, expected);
}
