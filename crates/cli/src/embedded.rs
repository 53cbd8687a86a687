//! The book and the example files, which the binary contains.

use std::path::Path;

use tussle_catalog::suggest::nearest;

/// Error of a topic or an example that does not exist.
#[derive(Debug, thiserror::Error)]
#[error(
    "there is no {what} `{wanted}`; {}`{lister}` lists all {what}s",
    near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default()
)]
pub(crate) struct NotFound {
    what: &'static str,
    wanted: String,
    /// Nearest existing name, if any is near.
    near: Option<&'static str>,
    /// Command that lists all names.
    lister: &'static str,
}

// `PAGES_INDEX`, `PAGES`, `EXAMPLES_INDEX` and `EXAMPLES`: the indexes and the files that they list, with their paths.
include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Folders that order the pages by purpose; they are not part of a topic.
const SECTIONS: [&str; 4] = ["tutorials/", "how-to/", "reference/", "explanations/"];

/// Entry of the table of contents.
pub(crate) enum Entry {
    /// Heading of a part or of a group of pages.
    Heading(&'static str),
    /// Page of the book.
    Page(Page),
}

/// Page of the book.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    /// Name by which `tussle docs` prints the page.
    pub(crate) topic: &'static str,
    /// Title in the table of contents.
    pub(crate) title: &'static str,
    /// Path below `docs`.
    pub(crate) path: &'static str,
    /// Markdown of the page.
    pub(crate) text: &'static str,
}

/// Example file.
#[derive(Clone, Copy)]
pub(crate) struct Example {
    /// Path below `examples`.
    pub(crate) path: &'static str,
    /// Description in one line.
    pub(crate) about: &'static str,
    /// Content.
    pub(crate) text: &'static str,
}

/// Returns the table of contents in reading order.
pub(crate) fn contents() -> Vec<Entry> {
    let mut entries = Vec::new();
    for line in PAGES_INDEX.lines() {
        if let Some(part) = line.strip_prefix("# ") {
            if part != "Summary" {
                entries.push(Entry::Heading(part));
            }
        } else if let Some((title, path, _)) = item(line) {
            match file(PAGES, path) {
                Some(text) => {
                    entries.push(Entry::Page(Page { topic: topic(path), title, path, text }));
                }
                None => entries.push(Entry::Heading(title)),
            }
        }
    }
    entries
}

/// Returns all pages in reading order.
pub(crate) fn pages() -> impl Iterator<Item = Page> {
    contents().into_iter().filter_map(|entry| match entry {
        Entry::Page(page) => Some(page),
        Entry::Heading(_) => None,
    })
}

/// Finds a page by its topic, its path, or the last word of its topic if only one page has it.
///
/// # Errors
/// The message names the nearest topic.
pub(crate) fn page(wanted: &str) -> Result<Page, NotFound> {
    let name = wanted.strip_prefix("docs/").unwrap_or(wanted);
    let name = name.strip_suffix(".md").unwrap_or(name);
    let name = topic(name);
    if let Some(page) = pages().find(|page| page.topic == name) {
        return Ok(page);
    }
    let mut by_last_word = pages().filter(|page| last_word(page.topic) == name);
    if let (Some(page), None) = (by_last_word.next(), by_last_word.next()) {
        return Ok(page);
    }
    let topics = pages().flat_map(|page| [page.topic, last_word(page.topic)]);
    let near = nearest(name, topics);
    Err(NotFound { what: "topic", wanted: wanted.to_owned(), near, lister: "tussle docs" })
}

/// Returns the topic of a page: its path without the folder of the section and without the extension.
pub(crate) fn topic(path: &str) -> &str {
    let path = path.strip_suffix(".md").unwrap_or(path);
    let path = SECTIONS.iter().find_map(|section| path.strip_prefix(section)).unwrap_or(path);
    if path == "README" { "book" } else { path }
}

fn last_word(topic: &str) -> &str {
    topic.rsplit('/').next().unwrap_or(topic)
}

/// Returns all example files in the order of their index.
pub(crate) fn examples() -> impl Iterator<Item = Example> {
    EXAMPLES_INDEX.lines().filter_map(|line| {
        let (_, path, rest) = item(line)?;
        let about = rest.trim_start_matches(": ");
        Some(Example { path, about, text: file(EXAMPLES, path)? })
    })
}

/// Finds example files: one by its path, its name or its stem, or all of a folder.
///
/// # Errors
/// The message names the nearest file or folder.
pub(crate) fn examples_named(wanted: &str) -> Result<Vec<Example>, NotFound> {
    let name = wanted.strip_prefix("./").unwrap_or(wanted);
    let name = name.strip_prefix("examples/").unwrap_or(name).trim_end_matches('/');
    let in_folder = format!("{name}/");
    let below = |e: &Example| e.path == name || e.path.starts_with(&in_folder);
    let found: Vec<Example> = examples().filter(below).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let by_name = |e: &Example| last_word(e.path) == name || stem(e.path) == name;
    let found: Vec<Example> = examples().filter(by_name).collect();
    if found.len() == 1 {
        return Ok(found);
    }
    let names = examples().flat_map(|e| [e.path, stem(e.path), first_folder(e.path)]);
    let near = nearest(name, names);
    Err(NotFound { what: "example", wanted: wanted.to_owned(), near, lister: "tussle examples" })
}

fn stem(path: &str) -> &str {
    let name = last_word(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn first_folder(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

/// Returns the command that writes the first example file among the arguments that is not there.
pub(crate) fn missing_example<'a>(args: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const FOLDER: &str = "examples/";
    for arg in args {
        let Some(at) = arg.find(FOLDER) else { continue };
        if arg[..at].ends_with(|c: char| c.is_alphanumeric() || c == '/') {
            continue; // a longer path, such as my-examples/ or /home/me/examples/
        }
        let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',');
        let path = arg[at..].split(ends).next().unwrap_or_default();
        let name = &path[FOLDER.len()..];
        if !Path::new(path).exists() && examples().any(|e| e.path == name) {
            return Some(format!("tussle examples {} --out examples", first_folder(name)));
        }
    }
    None
}

/// Splits a list item `- [title](path)rest`; the dash may be missing.
fn item(line: &'static str) -> Option<(&'static str, &'static str, &'static str)> {
    let line = line.trim_start();
    let line = line.strip_prefix("- ").unwrap_or(line).strip_prefix('[')?;
    let (title, line) = line.split_once("](")?;
    let (path, rest) = line.split_once(')')?;
    Some((title, path, rest))
}

fn file(files: &[(&'static str, &'static str)], path: &str) -> Option<&'static str> {
    files.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_found_by_its_topic_and_by_its_path() {
        for page in pages() {
            let same = |found: Page| assert_eq!(found.path, page.path);
            same(super::page(page.topic).unwrap());
            same(super::page(&format!("docs/{}", page.path)).unwrap());
        }
        assert_eq!(page("mcts").unwrap().path, "agents/mcts.md");
        assert_eq!(page("arena").unwrap().topic, "arena");
    }

    #[test]
    fn a_wrong_topic_is_answered_with_the_nearest_one() {
        let message = page("areena").err().unwrap().to_string();
        assert!(message.contains("did you mean `arena`?"), "{message}");
        let message = page("zzzzzz").err().unwrap().to_string();
        assert!(!message.contains("did you mean"), "{message}");
    }

    #[test]
    fn an_example_is_found_by_path_name_stem_or_folder() {
        let paths = |name: &str| -> Vec<&str> {
            examples_named(name).unwrap().iter().map(|e| e.path).collect()
        };
        for name in ["trees/coin.json", "examples/trees/coin.json", "coin.json", "coin"] {
            assert_eq!(paths(name), ["trees/coin.json"]);
        }
        let class = ["tournaments/class.toml", "tournaments/class/centre.py"];
        assert_eq!(paths("tournaments")[..2], class);
        assert!(examples().all(|e| !e.about.is_empty()));
        let message = examples_named("tree").err().unwrap().to_string();
        assert!(message.contains("did you mean `trees`?"), "{message}");
    }

    #[test]
    fn only_a_missing_example_is_hinted_at() {
        let hint = |arg: &str| missing_example([arg]);
        let wanted = Some("tussle examples trees --out examples".to_owned());
        assert_eq!(hint("tree:file=examples/trees/coin.json"), wanted);
        assert_eq!(hint("tree:file=examples/trees/mine.json"), None);
        assert_eq!(hint("tree:file=/tmp/examples/trees/coin.json"), None);
    }
}
