//! Lines of listings, help pages and reports fit the width of the output.

use std::fs;

use crate::common::{Folder, json, tussle_in_columns};

/// Long specs and names, in one word and in several.
const LONG_MCTS: &str =
    "mcts:nodes=20,c=sqrt2/7,policy=puct,prior=uniform,rollout=random,expand=one,untried=listed";
const LONG_ALPHABETA: &str =
    "alphabeta:depth=2,order=none,tt=off,window=full,deepen=on,contract=4,partial=off,shuffle=on";
const LONG_NAME: &str =
    "the agent of the group with the very long name that nobody can pronounce at all";

/// Returns the names of the commands in a help page.
fn subcommands(help: &str) -> Vec<String> {
    let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let listed = listed.split("\n\n").next().unwrap_or_default();
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Adds the commands whose help page is that of `path` and of the commands below it.
fn add_help_pages(path: &[String], all: &mut Vec<Vec<String>>) {
    let help = [path, &["--help".to_owned()]].concat();
    let names = subcommands(&printed(&help, None));
    all.extend([help, [path, &["-h".to_owned()]].concat()]);
    for name in names {
        add_help_pages(&[path, &[name]].concat(), all);
    }
}

/// Returns what a command prints in this many columns.
fn printed(args: &[String], columns: Option<&str>) -> String {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = tussle_in_columns(&args, "", columns);
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!text.is_empty(), "{args:?}: {told}");
    text
}

/// Splits commands at blanks; a blank within a word is written as `~`.
fn words(command: &str) -> Vec<String> {
    command.split(' ').map(|word| word.replace('~', " ")).collect()
}

/// Returns the commands that list, and all help pages.
fn listings() -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> =
        ["agents", "games", "experiment", "reproduce", "docs", "examples"].map(words).to_vec();
    for kind in ["agents", "games"] {
        for row in json(&[kind, "--json"]).as_array().expect("rows") {
            all.push(words(&format!("{kind} {}", row["name"].as_str().expect("a name"))));
        }
    }
    add_help_pages(&[], &mut all);
    assert!(all.len() > 100, "{}", all.len());
    all
}

/// Returns the commands that report results, and the folder with their stores.
fn reports() -> (Vec<Vec<String>>, Folder) {
    let folder = Folder::new("layout");
    let [duel, field, many, book, file, tuned] =
        ["duel.db", "field.db", "many.db", "t.book", "field.toml", "tuned"]
            .map(|name| folder.path(name));
    let long = format!("{{ agent = \"greedy\", name = \"{LONG_NAME}\" }}");
    let agents =
        format!("[\"random\", \"{LONG_MCTS}\", \"{LONG_ALPHABETA}\", {long}, \"minimax:depth=1\"]");
    fs::write(&file, format!("game = \"tictactoe\"\nagents = {agents}\n")).expect("a file");
    let twelve = "random ".repeat(12);
    let three = "keep-on-moving:file=examples/boards/triangle.txt";
    let commands = [
        format!("match tictactoe {LONG_MCTS} {LONG_ALPHABETA} --games 4 --store {duel}"),
        format!("match connect4 {LONG_MCTS} random --games 6 --opening-plies 2 --sprt elo0=0,elo1=50"),
        format!("match {three} maxn:depth=1,prune=none,deepen=off,partial=on,dedupe=off random greedy --games 3"),
        format!("tournament {file} --store {field}"),
        format!("tournament tictactoe {twelve}--store {many}"),
        format!("results {duel} --games"),
        format!("results {field} --games"),
        format!("results {many}"),
        format!("replay {duel} 0"),
        format!("review {duel} 0 --nodes 50 --all"),
        "analyse tictactoe --moves a1 --lines all".to_owned(),
        "analyse connect4 --agent mcts --nodes 500 --lines all".to_owned(),
        "analyse tree:file=examples/trees/lecture-alphabeta.json --agent alphabeta:value=8".to_owned(),
        "explain tree:file=examples/trees/star1.json --agent expectimax:prune=star1".to_owned(),
        "explain tree:file=examples/trees/ucb1-exercise.json".to_owned(),
        "show gobblet".to_owned(),
        "power --elo 20 --draws 0.4 --sprt".to_owned(),
        "perft gobblet 2 --divide".to_owned(),
        "doctor".to_owned(),
        format!("book build tictactoe --agent minimax --plies 3 --out {book}"),
        format!("book show {book} --entries 100"),
        format!("book check {book}"),
        "check json:python3~-c~'print(7)'~an-argument-that-makes-this-line-longer-than-all-others --game connect4".to_owned(),
        "experiment known-value --quick".to_owned(),
        "reproduce lecture-alphabeta ucb1".to_owned(),
        format!("tune tictactoe {LONG_MCTS} c=0.1..2 solver=on|off --games 40 --verify 4 --nodes 10 --out {tuned}"),
        "bench playouts --count 10".to_owned(),
        "bench mcts go:size=9,superko=positional,cap=off tictactoe --simulations 10 --rounds 1".to_owned(),
        "bench overrun tictactoe --searches 4 --max 2ms".to_owned(),
        "bench arena tictactoe --plies 10".to_owned(),
        "bench levels tictactoe --games 2 --top 1".to_owned(),
    ];
    (commands.iter().map(|command| words(command)).collect(), folder)
}

/// Returns the lines that are wider than `columns`. A position is one word to copy and is never broken.
fn too_wide(text: &str, columns: usize) -> Vec<&str> {
    let is_wide = |line: &&str| line.chars().count() > columns && !line.starts_with("position: ");
    text.lines().filter(is_wide).collect()
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn listings_and_help_pages_fit_80_columns_and_use_more_where_available() {
    let mut used_more = 0;
    for command in listings() {
        let text = printed(&command, None);
        assert_eq!(too_wide(&text, 80), [""; 0], "{command:?}");
        let wide = printed(&command, Some("120"));
        assert_eq!(too_wide(&wide, 120), [""; 0], "{command:?}");
        used_more += usize::from(widest(&wide) > 80);
    }
    assert!(used_more > 40, "only {used_more} texts use more columns");
}

#[test]
fn reports_fit_80_columns_and_use_more_where_available() {
    let (commands, _folder) = reports();
    let mut used_more = 0;
    for command in commands {
        let text = printed(&command, None);
        assert_eq!(too_wide(&text, 80), [""; 0], "{command:?}");
        let wide = printed(&command, Some("120"));
        assert_eq!(too_wide(&wide, 120), [""; 0], "{command:?}");
        used_more += usize::from(widest(&wide) > 80);
    }
    assert!(used_more > 10, "only {used_more} reports use more columns");
}

#[test]
fn wide_tables_are_split_into_blocks_that_repeat_the_names() {
    let agents = "random ".repeat(12);
    let text = printed(&words(&format!("tournament tictactoe {agents}--seed 1")), None);
    let headings = text.lines().filter(|line| line.contains("against")).count();
    assert!(headings > 1, "{text}");
}

#[test]
fn one_agent_is_shown_with_its_games_and_presets() {
    let text = printed(&words("agents mcts"), None);
    let connect4 = "\nconnect4        mcts-textbook:";
    for part in ["\n  policy=ucb1|epsilon|puct", "\nplays    tictactoe, ", connect4] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let textbook = printed(&words("agents mcts-textbook"), None);
    for part in ["\n  policy=ucb1|epsilon|puct", "\npresets  mcts-go, mcts-pentago, level-1"] {
        assert!(textbook.contains(part), "{part}: {textbook}");
    }
    assert!(!text.contains("minimax"), "{text}");
    let preset = printed(&words("agents ids"), None);
    assert!(preset.contains("\n  = alphabeta-textbook:deepen=on\n"), "{preset}");
    assert!(preset.contains("\nbased on alphabeta-textbook"), "{preset}");
    assert_eq!(json(&["agents", "mcts", "--json"]).as_array().map(Vec::len), Some(1));
    let wrong = tussle_in_columns(&["agents", "mtcs"], "", None);
    let message = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert_eq!(wrong.status.code(), Some(2), "{message}");
    assert!(message.contains("did you mean `mcts`?"), "{message}");
}
