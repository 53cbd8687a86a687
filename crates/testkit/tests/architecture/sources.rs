//! Invariants of the source text: imports between commands, types of errors.

use std::fs;
use std::path::{Path, PathBuf};

/// Root of the repository.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Returns the files of a folder and of the folders in it, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the folders of all crates, sorted.
pub(crate) fn crate_folders() -> Vec<PathBuf> {
    let crates = fs::read_dir(Path::new(ROOT).join("crates")).unwrap();
    let mut folders: Vec<_> = crates.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

/// Returns the path as it is written in messages: from the root of the repository.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(ROOT).unwrap_or(path).display().to_string()
}

/// Returns the numbered lines of a source file that are code: no comments, and nothing of its module of tests.
pub(crate) fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_code = |(_, line): &(usize, &str)| {
        let line = line.trim_start();
        !line.starts_with("//") && !line.starts_with("/*") && !line.starts_with("* ")
    };
    (1..).zip(code.lines()).filter(is_code)
}

/// Returns true if this is a Rust source file that holds more than tests.
pub(crate) fn is_source(path: &Path) -> bool {
    let path = path.strip_prefix(ROOT).unwrap_or(path);
    let is_test = path
        .iter()
        .filter_map(|part| part.to_str())
        .any(|part| part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs"));
    !is_test && path.extension().is_some_and(|extension| extension == "rs")
}

/// Returns the modules after `prefix` in a statement: one, or all words of a list in braces.
fn modules_after<'a>(statement: &'a str, prefix: &str) -> Vec<&'a str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in statement.match_indices(prefix) {
        let (before, rest) = (&statement[..at], &statement[at + prefix.len()..]);
        if before.ends_with("super::") || before.ends_with(is_name) {
            continue;
        }
        let words = rest.split(|c: char| !is_name(c)).filter(|word| !word.is_empty());
        found.extend(words.take(if rest.starts_with('{') { usize::MAX } else { 1 }));
    }
    found
}

#[test]
fn no_command_imports_another() {
    let found = modules_after("use super::super::{show::From, terms}", "super::super::");
    assert_eq!(found, ["show", "From", "terms"]);
    assert!(modules_after("use super::super::show", "super::").contains(&"super"));

    let folder = Path::new(ROOT).join("crates/cli/src/cmd");
    let name = |path: &Path| {
        let first = path.strip_prefix(&folder).unwrap().iter().next().unwrap().to_string_lossy();
        first.trim_end_matches(".rs").to_owned()
    };
    let files: Vec<_> = files(&folder).into_iter().filter(|path| is_source(path)).collect();
    let commands: Vec<String> = files.iter().map(|path| name(path)).collect();
    let mut found = Vec::new();
    for path in files.iter().filter(|path| !path.ends_with("mod.rs")) {
        let own = name(path);
        // `super` of a command's own file is `cmd`; each folder is one step more.
        let up = "super::".repeat(path.strip_prefix(&folder).unwrap().iter().count());
        let text = fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = code(&text).map(|(_, line)| line.trim()).collect();
        for statement in lines.join(" ").split(';') {
            let mut modules = modules_after(statement, &up);
            modules.extend(modules_after(statement, "cmd::"));
            if modules.iter().any(|word| *word != own && commands.iter().any(|one| one == word)) {
                found.push(format!("{}: {}", shown(path), statement.trim()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "these commands import another one; move what both need to crates/cli/src/args (options) or to a module \
         beside crates/cli/src/cmd: {found:#?}"
    );
}

/// Returns true if a line returns or names an error that is a text.
fn has_text_error(line: &str) -> bool {
    let is_text = |error: &str| {
        let error = error.trim_start().trim_start_matches('&').trim_start_matches("'static ");
        ["String", "str"].iter().any(|text| {
            error.strip_prefix(text).is_some_and(|rest| rest.starts_with(['>', ';', ')']))
        }) || error.starts_with('(') && error.contains(", String)>")
    };
    let alias = ["type Err = ", "type Error = "];
    let aliased = alias.iter().any(|start| line.split(start).nth(1).is_some_and(is_text));
    let results = line.match_indices("Result<").map(|(at, start)| &line[at + start.len()..]);
    aliased || results.filter_map(second_argument).any(is_text)
}

/// Returns what follows the comma after the first of the generic arguments with which `arguments` begins.
fn second_argument(arguments: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in arguments.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if arguments[..at].ends_with('-') => {}
            '>' | ')' | ']' if depth == 0 => return None,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => return Some(&arguments[at + 1..]),
            _ => {}
        }
    }
    None
}

#[test]
fn errors_of_libraries_are_types() {
    for text in [
        "fn f() -> Result<u32, String> {",
        "fn f() -> Result<(u32, u8), &'static str> {",
        "fn f(g: impl Fn() -> Result<Vec<u8>, String>) {",
        "type Err = String;",
        "fn f() -> Result<(), (usize, String)> {",
    ] {
        assert!(has_text_error(text), "{text}");
    }
    for typed in
        ["fn f() -> Result<String, Error> {", "Result<Vec<String>>", "Ok::<_, StoreError>(())"]
    {
        assert!(!has_text_error(typed), "{typed}");
    }
    let mut found = Vec::new();
    // The functions of testkit are test helpers, whose errors are only printed.
    for folder in crate_folders().iter().filter(|folder| !folder.ends_with("testkit")) {
        for path in files(&folder.join("src")).iter().filter(|path| is_source(path)) {
            for (number, line) in code(&fs::read_to_string(path).unwrap()) {
                if has_text_error(line) {
                    found.push(format!("{}:{number}: {}", shown(path), line.trim()));
                }
            }
        }
    }
    assert!(
        found.is_empty(),
        "these errors are texts, which callers can only print; write an enum with thiserror, as \
         crates/stats/src/sprt.rs does: {found:#?}"
    );
}
