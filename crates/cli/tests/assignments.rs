//! The page "Your assignment" equals what is generated from `examples/assignments.toml`, and the commands of that
//! file print the expected answers.
//!
//! `UPDATE_GOLDEN=1` rewrites the page. The test that is ignored runs the slow commands too and prints a table;
//! `./test --assignments` is the short way to it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;

/// Page that is generated, relative to the folder of the book.
const PAGE: &str = "assignments.md";
/// First line of the generated part of the page. The text above it is written by hand.
const MARKER: &str =
    "<!-- Generated from examples/assignments.toml by crates/cli/tests/assignments.rs. -->";
/// Longest line of generated prose.
const MAX_COLUMNS: usize = 120;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Assignments {
    needs: BTreeMap<String, String>,
    course: Vec<Course>,
    part: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Course {
    key: String,
    title: String,
    about: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    course: String,
    number: String,
    title: String,
    answer: String,
    /// Page of the book: the end of its path, and perhaps `#` with a heading.
    page: String,
    /// Missing capability, a key of [`Assignments::needs`].
    needs: Option<String>,
    /// Sentence about what the part lacks without that capability.
    missing: Option<String>,
    run: Vec<Run>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    command: String,
    #[serde(default)]
    time: Time,
    /// Texts in the standard output, with single spaces.
    #[serde(default)]
    prints: Vec<String>,
    /// Range of the number after the first occurrence of a text.
    #[serde(default)]
    numbers: BTreeMap<String, [f64; 2]>,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Time {
    #[default]
    Quick,
    Minutes,
    Hours,
}

fn root() -> PathBuf {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    root.canonicalize().expect("the repository is where it was built")
}

fn read_assignments() -> Assignments {
    let path = root().join("examples/assignments.toml");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    toml::from_str(&text).unwrap_or_else(|error| panic!("examples/assignments.toml: {error}"))
}

impl Part {
    fn name(&self) -> String {
        format!("{} {}", self.course, self.number)
    }
}

/// Returns the paths of all pages, relative to the book's folder.
fn pages(book: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![book.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the book can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path.strip_prefix(book).expect("it is in the book").to_path_buf());
            }
        }
    }
    pages
}

/// Returns the anchor that Markdown renderers derive from a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns a Markdown link to a page of the book, whose text is the heading of the page.
fn link(book: &Path, page: &str) -> String {
    let (name, heading) = page.split_once('#').map_or((page, None), |(name, h)| (name, Some(h)));
    let mut found: Vec<PathBuf> =
        pages(book).into_iter().filter(|path| path.ends_with(name)).collect();
    // Several pages can have one file name: the outermost one is meant.
    found.sort_by_key(|path| path.components().count());
    let path = found.first().unwrap_or_else(|| panic!("the book has no page {name}"));
    let text = std::fs::read_to_string(book.join(path)).expect("the page can be read");
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let title =
        headings.clone().next().expect("a page has a heading").trim_start_matches('#').trim();
    let mut target = path.display().to_string();
    if let Some(heading) = heading {
        let mut anchors = headings.map(|line| anchor(line.trim_start_matches('#').trim()));
        assert!(anchors.any(|anchor| anchor == heading), "{target} has no heading #{heading}");
        let _ = write!(target, "#{heading}");
    }
    format!("[{title}]({target})")
}

/// Returns the text in lines of at most [`MAX_COLUMNS`] characters, unless a word is longer.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut columns = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if columns > 0 {
            let is_full = columns + 1 + length > MAX_COLUMNS;
            lines.push(if is_full { '\n' } else { ' ' });
            columns = if is_full { 0 } else { columns + 1 };
        }
        lines.push_str(word);
        columns += length;
    }
    lines
}

/// Returns the generated part of the page.
fn generated(assignments: &Assignments, book: &Path) -> String {
    let mut page = format!(
        "{MARKER}\n\n| course | parts | answered completely | partly |\n|---|---|---|---|\n"
    );
    for course in &assignments.course {
        let parts = || assignments.part.iter().filter(|part| part.course == course.key);
        let partly = parts().filter(|part| part.needs.is_some()).count();
        let title = format!("Course {}: {}", course.key, course.title);
        let (all, anchor) = (parts().count(), anchor(&title));
        let _ = writeln!(page, "| [{title}](#{anchor}) | {all} | {} | {partly} |", all - partly);
    }
    page.push_str(
        "\nParts that are not answered completely wait for one of these capabilities:\n\n",
    );
    for (key, what) in &assignments.needs {
        let waiting = assignments.part.iter().filter(|part| part.needs.as_ref() == Some(key));
        let names: Vec<String> = waiting.map(Part::name).collect();
        let _ = writeln!(page, "- {what}. Parts: {}.", names.join(", "));
    }
    for course in &assignments.course {
        let _ = write!(page, "\n## Course {}: {}\n\n{}\n", course.key, course.title, course.about);
        for part in assignments.part.iter().filter(|part| part.course == course.key) {
            let _ = write!(page, "\n### {}: {}\n\n```text\n", part.name(), part.title);
            for run in &part.run {
                match run.time {
                    Time::Quick => {}
                    Time::Minutes => page.push_str("# takes up to a few minutes\n"),
                    Time::Hours => page.push_str("# takes hours\n"),
                }
                let _ = writeln!(page, "{}", run.command.trim());
            }
            let _ = write!(page, "```\n\n{}\n", wrapped(&part.answer));
            if let (Some(needs), Some(missing)) = (&part.needs, &part.missing) {
                let capability = assignments.needs[needs].split(':').next().unwrap_or_default();
                let note = format!("**Not complete yet ({capability}).** {missing}");
                let _ = write!(page, "\n{}\n", wrapped(&note));
            }
            let _ = write!(page, "\nSee {}.\n", link(book, &part.page));
        }
    }
    page
}

#[test]
fn parts_name_courses_and_missing_capabilities() {
    let assignments = read_assignments();
    let mut names = Vec::new();
    for part in &assignments.part {
        let name = part.name();
        assert!(
            assignments.course.iter().any(|course| course.key == part.course),
            "{name}: course"
        );
        assert_eq!(
            part.needs.is_some(),
            part.missing.is_some(),
            "{name}: needs and missing go together"
        );
        let capability = part.needs.as_ref();
        assert!(capability.is_none_or(|key| assignments.needs.contains_key(key)), "{name}: needs");
        let is_checked = |run: &Run| !run.prints.is_empty() || !run.numbers.is_empty();
        assert!(part.run.iter().any(is_checked), "{name}: no command has an expected output");
        names.push(name);
    }
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!((all, names.len()), (79, 79), "every part once");
}

#[test]
fn the_page_equals_what_is_generated() {
    let book = root().join("docs");
    let path = book.join(PAGE);
    let page = std::fs::read_to_string(&path).expect("the page can be read");
    let (introduction, _) = page.split_once(MARKER).expect("the page has the marker");
    let expected = format!("{introduction}{}", generated(&read_assignments(), &book));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, expected).expect("the page can be written");
    } else {
        assert!(
            page == expected,
            "{} is not current; run this test with UPDATE_GOLDEN=1",
            path.display()
        );
    }
}

/// Returns the text with single spaces instead of spaces and line breaks.
fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the number after the first occurrence of a text.
fn number_after(text: &str, label: &str) -> Option<f64> {
    let (_, rest) = text.split_once(label)?;
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-'));
    rest[..end.unwrap_or(rest.len())].trim_end_matches('.').parse().ok()
}

#[test]
fn the_number_after_a_text_is_found() {
    let text = single_spaced("Games: 20,\n Wins:   19, Losses: 1. Value = -3.5");
    assert_eq!(number_after(&text, "Wins:"), Some(19.0));
    assert_eq!(number_after(&text, "Losses:"), Some(1.0));
    assert_eq!(number_after(&text, "Value ="), Some(-3.5));
    assert_eq!(number_after(&text, "Draws:"), None);
    assert_eq!(number_after(&text, "Games"), None);
}

/// Runs a command in a folder. Returns how its output differs from the expected one, or `None` if it agrees.
fn difference(run: &Run, folder: &Path) -> Option<String> {
    let tussle = Path::new(env!("CARGO_BIN_EXE_tussle"));
    let binaries = tussle.parent().expect("it lies in a folder");
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &run.command])
        .current_dir(folder)
        .env("PATH", path)
        .env("TUSSLE", tussle)
        .env("COLUMNS", "80")
        .output()
        .expect("bash runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Some(format!("failed: {}{printed}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = single_spaced(&printed);
    for expected in &run.prints {
        if !text.contains(expected.as_str()) {
            return Some(format!("expected `{expected}`, printed:\n{printed}"));
        }
    }
    for (label, [least, most]) in &run.numbers {
        let number = number_after(&text, label);
        if !number.is_some_and(|number| (*least..=*most).contains(&number)) {
            return Some(format!(
                "expected {least} to {most} after `{label}`, found {number:?} in:\n{printed}"
            ));
        }
    }
    None
}

/// Result of one part.
struct Outcome {
    commands: usize,
    skipped: usize,
    time: Duration,
    difference: Option<String>,
}

/// Runs the commands of a part that take at most `longest`, in a new folder that contains the examples.
fn run_part(part: &Part, longest: Time) -> Outcome {
    let name = format!("tussle-assignments-{}-{}-{}", std::process::id(), part.course, part.number);
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::os::unix::fs::symlink(root().join("examples"), folder.join("examples")).expect("a link");
    let started = Instant::now();
    let (runs, skipped): (Vec<&Run>, Vec<&Run>) =
        part.run.iter().partition(|run| run.time <= longest);
    let difference = runs.iter().find_map(|run| {
        let difference = difference(run, &folder)?;
        Some(format!("{}: `{}` {difference}", part.name(), run.command.trim()))
    });
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    Outcome { commands: runs.len(), skipped: skipped.len(), time: started.elapsed(), difference }
}

#[test]
fn quick_commands_print_the_expected_answers() {
    let parts = read_assignments().part;
    let next = AtomicUsize::new(0);
    let differences = || {
        let mut found = Vec::new();
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(run_part(part, Time::Quick).difference);
        }
        found
    };
    let found = std::thread::scope(|scope| {
        let other = scope.spawn(differences);
        let mut found = differences();
        found.extend(other.join().expect("no part panics"));
        found
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Prints a table of all parts. Commands that take hours need `TUSSLE_HOURS=1`.
#[test]
#[ignore = "takes about ten minutes: ./test --assignments"]
fn all_commands_print_the_expected_answers() {
    let assignments = read_assignments();
    let longest =
        if std::env::var_os("TUSSLE_HOURS").is_some() { Time::Hours } else { Time::Minutes };
    let mut differences = Vec::new();
    println!("\npart      commands  seconds  result");
    for part in &assignments.part {
        let outcome = run_part(part, longest);
        let result = match (&outcome.difference, &part.needs) {
            (Some(_), _) => "DIFFERS".to_owned(),
            (None, _) if outcome.commands == 0 => {
                "not run: takes hours, set TUSSLE_HOURS=1".to_owned()
            }
            (None, Some(needs)) => format!("agrees, waits for {needs}"),
            (None, None) => "agrees".to_owned(),
        };
        let (name, seconds) = (part.name(), outcome.time.as_secs_f64());
        let commands = outcome.commands;
        println!("{name:<9} {commands:>8}  {seconds:>7.1}  {result}");
        if outcome.commands > 0 && outcome.skipped > 0 {
            println!(
                "{:<9} {:>8}           not run: takes hours, set TUSSLE_HOURS=1",
                "", outcome.skipped
            );
        }
        differences.extend(outcome.difference);
    }
    let (parts, differing) = (assignments.part.len(), differences.len());
    println!("\n{} of {parts} parts agree", parts - differing);
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}
