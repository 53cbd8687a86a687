//! `tussle docs`

use std::io::{self, IsTerminal as _};

use clap::Args;

use crate::embedded::{self, Entry};
use crate::failure::Failure;
use crate::{markdown, output};

/// Print a page of the book
///
/// Without a topic, list the topics in reading order. On a terminal the page is wrapped to its width;
/// in a pipe it is Markdown.
///
/// Examples:
///   tussle docs
///   tussle docs first-agent
///   tussle docs games/go
///   tussle docs statistics --raw > statistics.md
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Docs {
    /// Topic, as `tussle docs` lists them
    topic: Option<String>,
    /// Print Markdown on a terminal, too
    #[arg(long, requires = "topic")]
    raw: bool,
}

impl Docs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let Some(topic) = &self.topic else { return output::print(&list()) };
        let page = embedded::page(topic).map_err(Failure::usage)?;
        if self.raw || !io::stdout().is_terminal() {
            return output::print(page.text);
        }
        output::print(&markdown::render(page, markdown::width()))
    }
}

/// Returns the table of contents: headings, and one line per page.
fn list() -> String {
    let widest = embedded::pages().map(|page| page.topic.len()).max().unwrap_or(0);
    let mut text = String::new();
    for entry in embedded::contents() {
        text += &match entry {
            Entry::Heading(heading) if text.is_empty() => format!("{heading}\n"),
            Entry::Heading(heading) => format!("\n{heading}\n"),
            Entry::Page(page) => format!("  {:widest$}  {}\n", page.topic, page.title),
        };
    }
    text + "\ntussle docs TOPIC prints a page.\n"
}
