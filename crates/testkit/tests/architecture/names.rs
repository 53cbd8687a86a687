//! Names of games in code that should work for every game.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tussle_catalog::Catalog;

use crate::sources::{ROOT, code, crate_folders, files, is_source, shown};

/// File with the number of names in each file that still has some.
const LIST: &str = "crates/testkit/tests/architecture/game_names.txt";

/// Crates that may name games: they define them, or they are for tests.
const ALLOWED: [&str; 4] = ["games", "catalog", "conformance", "testkit"];

/// Returns the places in a line of code where a game is named by a string literal: `"go"` or `"go:size=9"`.
///
/// A name that is a word of its own (`go`, `tree`) counts alone only where the line is about games.
fn named(line: &str, games: &[&str], is_script: bool) -> usize {
    let words = || line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let about_games =
        words().any(|word| ["game", "games", "game_spec", "kind", "name", "spec"].contains(&word));
    let count = |game: &str| {
        let is_word = ["go", "tree"].contains(&game);
        let literals = line.match_indices(game).filter(|(at, _)| {
            let quote = line[..*at].chars().next_back().filter(|c| "\"'`".contains(*c));
            let after = line[at + game.len()..].chars().next();
            quote.is_some() && (after == Some(':') || after == quote && (!is_word || about_games))
        });
        let is_key = is_script && !is_word && line.trim_start().starts_with(&format!("{game}: "));
        literals.count() + usize::from(is_key)
    };
    games.iter().map(|game| count(game)).sum()
}

#[test]
fn literals_and_keys_are_found() {
    let games = ["go", "gobblet", "tree"];
    let count = |line| named(line, &games, true);
    assert_eq!(count("if (this.game === \"go\") return;"), 1);
    assert_eq!(count("    \"go:size=5\", \"gobblet\","), 2);
    assert_eq!(count("  gobblet: (x) => x,"), 1);
    assert_eq!(count("el(\"button\", { class: \"go\" })"), 0);
    assert_eq!(count("let gobblet = 1; // gobblet"), 0);
}

/// Returns the files that should work for every game.
fn searched() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in
        crate_folders().iter().filter(|folder| !ALLOWED.iter().any(|name| folder.ends_with(name)))
    {
        found.extend(files(&folder.join("src")).into_iter().filter(|path| is_source(path)));
    }
    let assets = files(&Path::new(ROOT).join("crates/web/assets"));
    found.extend(assets.into_iter().filter(|path| path.extension().is_some_and(|end| end == "js")));
    found
}

#[test]
fn no_other_code_names_a_game() {
    let catalog = Catalog::standard();
    let games: Vec<&str> = catalog.games().iter().map(|entry| entry.name).collect();
    let mut counts = BTreeMap::new();
    for path in searched() {
        let is_script = path.extension().is_some_and(|end| end == "js");
        let text = fs::read_to_string(&path).unwrap();
        let count: usize = code(&text).map(|(_, line)| named(line, &games, is_script)).sum();
        if count > 0 {
            counts.insert(shown(&path), count);
        }
    }
    let list = fs::read_to_string(Path::new(ROOT).join(LIST)).unwrap();
    let (comments, lines): (Vec<_>, Vec<_>) = list.lines().partition(|line| line.starts_with('#'));
    let allowed: BTreeMap<_, usize> = lines
        .into_iter()
        .map(|line| line.split_once(": ").unwrap_or_else(|| panic!("{LIST}: {line}")))
        .map(|(path, count)| (path.to_owned(), count.parse().unwrap()))
        .collect();
    let of = |counts: &BTreeMap<String, usize>, path: &str| counts.get(path).copied().unwrap_or(0);
    let more = counts.iter().filter(|(path, count)| **count > of(&allowed, path));
    let more: Vec<_> = more
        .map(|(path, count)| format!("{path}: {count} instead of {}", of(&allowed, path)))
        .collect();
    assert!(
        more.is_empty(),
        "these files name more games than {LIST} allows; ask the game or its catalog entry for what differs \
         between games: {more:#?}"
    );
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let lines = counts.iter().map(|(path, count)| format!("{path}: {count}\n"));
        let text = comments.iter().map(|line| format!("{line}\n")).chain(lines).collect::<String>();
        fs::write(Path::new(ROOT).join(LIST), text).unwrap();
        return;
    }
    let fewer = allowed.iter().filter(|(path, count)| **count > of(&counts, path));
    let fewer: Vec<_> = fewer
        .map(|(path, count)| format!("{path}: {} instead of {count}", of(&counts, path)))
        .collect();
    assert!(
        fewer.is_empty(),
        "these files name fewer games now; lower the numbers in {LIST}, or set UPDATE_GOLDEN=1: {fewer:#?}"
    );
}
