//! The book and the examples: `tussle docs`, `tussle examples`, the links between the pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tussle_catalog::TunedAgent;

use crate::common::{Folder, is_updating, stdout, tussle};

fn root() -> PathBuf {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    root.canonicalize().expect("the repository is where it was built")
}

/// Returns the files of a folder and of the folders in it that version control may hold, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let generated = ["target", "__pycache__", "book", ".gitignore", "Cargo.lock"];
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        if generated.contains(&entry.file_name().to_string_lossy().as_ref()) {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// Returns all pages of the documentation: the book, and the pages outside it that link to it.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut pages: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md"]
            .map(|page| root.join(page))
            .to_vec();
    for folder in ["docs", "examples"] {
        pages.extend(files(&root.join(folder)).into_iter().filter(|path| is_page(path)));
    }
    pages
}

/// Returns the lines of a page outside code blocks, without code spans, with their numbers.
fn prose(text: &str) -> Vec<(usize, String)> {
    let mut in_code = false;
    let mut lines = Vec::new();
    for (n, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            let outside = line.split('`').step_by(2);
            lines.push((n, outside.collect::<Vec<_>>().join("")));
        }
    }
    lines
}

/// Returns the targets of all links and pictures of a page, with the numbers of their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (n, line) in prose(text) {
        for (at, _) in line.match_indices("](") {
            let target = line[at + 2..].split(')').next().unwrap_or_default();
            found.push((n, target.to_owned()));
        }
    }
    found
}

/// Returns the anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut in_code = false;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        let heading = line.trim_start_matches('#');
        if in_code || heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let anchor: String = heading.trim().to_lowercase().chars().filter(is_kept).collect();
        let anchor = anchor.replace(' ', "-");
        let times = seen.entry(anchor.clone()).or_default();
        anchors.insert(if *times == 0 { anchor } else { format!("{anchor}-{times}") });
        *times += 1;
    }
    anchors
}

/// Returns the file that a link names, or `None` for an address outside the repository.
fn target_file(page: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split('#').next().unwrap_or_default();
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    if path.is_empty() {
        return Some(page.to_owned());
    }
    Some(page.parent().expect("a page lies in a folder").join(path))
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for (n, target) in links(&text) {
            let Some(file) = target_file(&page, &target) else { continue };
            let is_draft = target.is_empty() && page.ends_with("SUMMARY.md");
            let place = format!("{}:{n}: {target}", page.strip_prefix(root()).unwrap().display());
            if !file.exists() {
                broken.push(format!("{place}: no such file"));
            } else if let Some((_, anchor)) = target.split_once('#')
                && is_page(&file)
                && !anchors(&fs::read_to_string(&file).unwrap()).contains(anchor)
            {
                broken.push(format!("{place}: no such heading"));
            } else if target.is_empty() && !is_draft {
                broken.push(format!("{place}: an empty link"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn the_table_of_contents_lists_every_page_once() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let mut listed: Vec<PathBuf> = links(&summary)
        .into_iter()
        .filter(|(_, target)| !target.is_empty())
        .map(|(_, target)| docs.join(target))
        .collect();
    listed.sort();
    let mut there: Vec<PathBuf> = files(&docs).into_iter().filter(|path| is_page(path)).collect();
    there.retain(|path| !path.ends_with("SUMMARY.md"));
    assert_eq!(listed, there, "docs/SUMMARY.md against the pages in docs");
}

#[test]
fn every_page_can_be_reached_from_the_readme() {
    let mut open = vec![root().join("README.md")];
    let mut reached: BTreeSet<PathBuf> = open.iter().cloned().collect();
    while let Some(page) = open.pop() {
        for (_, target) in links(&fs::read_to_string(&page).unwrap()) {
            let Some(file) = target_file(&page, &target) else { continue };
            let file = file.canonicalize().unwrap_or(file);
            // The table of contents does not count: a page needs a link that says when to read it.
            if is_page(&file) && !file.ends_with("SUMMARY.md") && reached.insert(file.clone()) {
                open.push(file);
            }
        }
    }
    let pages = pages().into_iter().filter(|path| !path.ends_with("SUMMARY.md"));
    let lost: Vec<_> = pages.filter(|page| !reached.contains(page)).collect();
    // The changelog and the notes on the benchmark programs are found in their folders.
    let lost: Vec<_> = lost
        .iter()
        .filter(|p| !p.ends_with("CHANGELOG.md") && !p.ends_with("bench/README.md"))
        .collect();
    assert!(lost.is_empty(), "no page links to {lost:?}");
}

#[test]
fn the_index_of_examples_lists_every_file_once() {
    let folder = root().join("examples");
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    let is_item = |line: &&str| line.starts_with("- [");
    let items = index.lines().filter(is_item).collect::<Vec<_>>().join("\n") + "\n";
    let mut listed: Vec<PathBuf> =
        links(&items).into_iter().map(|(_, target)| folder.join(target)).collect();
    listed.sort();
    let mut there = files(&folder);
    // Neither an example: the index, and the tests of the agents, which need the repository.
    there.retain(|path| *path != folder.join("README.md") && !path.ends_with("test_agents.py"));
    assert_eq!(listed, there, "examples/README.md against the files in examples");
}

#[test]
fn the_binary_has_the_pages_in_reading_order() {
    let list = stdout(&["docs"], "");
    let topics: Vec<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let place = |topic: &str| {
        let place = topics.iter().position(|t| *t == topic);
        place.unwrap_or_else(|| panic!("no topic `{topic}`:\n{list}"))
    };
    let order = ["book", "first-agent", "analyse", "conventions", "games/go", "statistics"];
    assert!(order.is_sorted_by_key(|topic| place(topic)), "{list}");
    assert!(list.lines().all(|line| line.chars().count() <= 80), "{list}");
    for topic in topics {
        assert!(stdout(&["docs", topic], "").starts_with("# "), "{topic}");
    }
    let page = fs::read_to_string(root().join("docs/explanations/statistics.md")).unwrap();
    assert_eq!(stdout(&["docs", "statistics"], ""), page);
    assert_eq!(stdout(&["docs", "statistics", "--raw"], ""), page);
    assert_eq!(stdout(&["docs", "docs/explanations/statistics.md"], ""), page);
}

fn refused(output: &Output, words: &[&str]) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for word in words {
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_wrong_topic_or_example_is_answered_with_the_nearest_one() {
    refused(&tussle(&["docs", "statistcs"]), &["did you mean `statistics`?"]);
    refused(&tussle(&["docs", "qqqqqq"]), &["`tussle docs` lists all topics"]);
    refused(&tussle(&["examples", "trees/coins.json"]), &["did you mean `trees/coin.json`?"]);
    refused(&tussle(&["examples", "qqqqqq"]), &["`tussle examples` lists all examples"]);
}

#[test]
fn examples_are_listed_and_printed() {
    let list = stdout(&["examples"], "");
    assert!(list.contains("trees/lecture-mcts.json") && list.contains("tournaments/class.toml"));
    let trees = stdout(&["examples", "trees"], "");
    assert!(trees.contains("trees/coin.json") && !trees.contains("class.toml"), "{trees}");
    let tree = fs::read_to_string(root().join("examples/trees/coin.json")).unwrap();
    for name in ["trees/coin.json", "examples/trees/coin.json", "coin"] {
        assert_eq!(stdout(&["examples", name], ""), tree);
    }
}

#[test]
fn written_examples_make_the_commands_of_the_book_work_in_any_folder() {
    let folder = Folder::new("examples");
    let here = folder.path("");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tussle"));
        command.args(args).current_dir(&here).output().expect("the binary runs")
    };
    let tree = ["show", "tree:file=examples/trees/coin.json", "--json"];
    refused(&run(&tree), &["error: ", "help: `tussle examples trees --out examples`"]);

    let written = run(&["examples", "trees", "--out", "examples"]);
    assert!(written.status.success());
    let told = String::from_utf8(written.stdout).unwrap();
    assert!(told.contains("wrote examples/trees/coin.json\n"), "{told}");
    assert!(run(&tree).status.success());

    let again = run(&["examples", "coin", "--out", "examples"]);
    let told = String::from_utf8(again.stdout).unwrap();
    assert_eq!(told, "examples/trees/coin.json exists\n");

    let file = folder.path("examples/trees/coin.json");
    fs::write(&file, "mine").unwrap();
    refused(&run(&["examples", "--out", "examples"]), &["differs from the example", "--force"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    assert!(!Path::new(&folder.path("examples/boards")).exists(), "nothing is written");
    assert!(run(&["examples", "--out", "examples", "--force"]).status.success());
    assert!(run(&tree).status.success());

    let rounds = ["tournament", "examples/tournaments/class.toml", "--rounds", "1"];
    let played = run(&rounds);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
}

/// Heading of the section that lists what `mcts`, `alphabeta` and `best` stand for in a game.
const DEFAULT_AGENTS: &str = "## Default agents\n";

/// Returns the section of a game's page on its best known agents.
fn default_agents(tuned: &[TunedAgent]) -> String {
    let mut text = format!("{DEFAULT_AGENTS}\n| agent | stands for | measured |\n|---|---|---|\n");
    for TunedAgent { name, variant, spec, evidence } in tuned {
        let variant = if variant.is_empty() { String::new() } else { format!(", {variant}") };
        let evidence = evidence.map_or_else(|| "not yet".to_owned(), |match_| match_.to_string());
        text += &format!("| `{name}`{variant} | `{spec}` | {evidence} |\n");
    }
    text += "\nA key that you give replaces the one of this table. See [mcts](../agents/mcts.md#textbook-and-tuned-defaults).\n";
    text
}

#[test]
fn the_page_of_each_game_lists_its_default_agents() {
    for game in tussle_catalog::Catalog::standard().games() {
        let path = root().join(format!("docs/games/{}.md", game.name));
        let page = fs::read_to_string(&path).unwrap();
        let expected = default_agents(game.tuned);
        let (before, rest) = page.split_once(DEFAULT_AGENTS).expect("the section is there");
        let after = rest.find("\n## ").map_or("", |end| &rest[end..]);
        let updated = format!("{before}{expected}{after}");
        if is_updating() {
            fs::write(&path, updated).unwrap();
        } else {
            assert_eq!(page, updated, "{}: UPDATE_GOLDEN=1 writes it anew", path.display());
        }
    }
}
