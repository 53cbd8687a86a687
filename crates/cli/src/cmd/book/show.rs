//! `tussle book show` and `tussle book check`

use clap::Args;
use serde::Serialize;
use tussle_catalog::book::{Book, BookEntry, Recipe, VERSION};
use tussle_catalog::text::counted;
use tussle_catalog::{Catalog, Error};
use tussle_core::Outcome;

use crate::failure::Failure;
use crate::layout::Table;
use crate::output;

/// Show the recipe and the first entries of an opening book
///
/// Examples:
///   tussle book show ttt.book
///   tussle book show ttt.book --entries 100 --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Show {
    /// Opening book
    file: String,
    /// Number of entries to show
    #[arg(long, default_value_t = 5, value_name = "N")]
    entries: usize,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Check that every move of an opening book is legal
///
/// Examples:
///   tussle book check ttt.book
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Check {
    /// Opening book
    file: String,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ShowDocument<'a> {
    file: &'a str,
    version: u64,
    recipe: &'a Recipe,
    complete: bool,
    entries: usize,
    proven: usize,
    first: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    ply: u32,
    position: &'a str,
    #[serde(rename = "move")]
    mv: &'a str,
    value: Option<f64>,
    bound: &'static str,
    outcome: Option<&'static str>,
    distance: Option<u32>,
}

impl<'a> Row<'a> {
    fn new(entry: &'a BookEntry) -> Self {
        let line = &entry.line;
        Self {
            ply: entry.ply,
            position: &entry.position,
            mv: &line.mv,
            value: line.known_value(),
            bound: line.bound.as_str(),
            outcome: line.outcome().map(Outcome::as_str),
            distance: line.distance(),
        }
    }

    /// Formats the proven outcome: `win in 5`; empty if nothing is proven.
    fn proof(&self) -> String {
        match (self.outcome, self.distance) {
            (Some(outcome), Some(plies)) => format!("{outcome} in {plies}"),
            (outcome, _) => outcome.unwrap_or_default().to_owned(),
        }
    }
}

fn proven(book: &Book) -> usize {
    book.entries().iter().filter(|entry| entry.line.outcome().is_some()).count()
}

impl Show {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let book = Book::load(&self.file)?;
        let first: Vec<Row<'_>> = book.entries().iter().take(self.entries).map(Row::new).collect();
        if self.json {
            return output::json(&ShowDocument {
                file: &self.file,
                version: VERSION,
                recipe: book.recipe(),
                complete: book.is_complete(),
                entries: book.entries().len(),
                proven: proven(&book),
                first,
            });
        }
        let mut text = description(&book);
        let mut table = Table::new(["ply", "position", "move", "value", "proven"]);
        table.numbers([0, 3]);
        for row in &first {
            let sign = match row.bound {
                "lower" => "≥ ",
                "upper" => "≤ ",
                _ => "",
            };
            table.add_row([
                row.ply.to_string(),
                row.position.to_owned(),
                row.mv.to_owned(),
                row.value.map_or_else(|| "?".to_owned(), |value| format!("{sign}{value}")),
                row.proof(),
            ]);
        }
        if !first.is_empty() {
            text += &format!("\n{}", table.text());
        }
        if first.len() < book.entries().len() {
            text += &format!("… and {} more\n", book.entries().len() - first.len());
        }
        output::report(&text)
    }
}

/// Describes the book in a few lines.
fn description(book: &Book) -> String {
    let recipe = book.recipe();
    let limits = recipe.limits;
    let limits: Vec<String> = [
        limits.time_ms.map(|ms| format!("{} s", ms / 1e3)),
        limits.nodes.map(|n| format!("{n} nodes")),
        limits.depth.map(|n| format!("depth {n}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let limits = if limits.is_empty() { "no limit".to_owned() } else { limits.join(", ") };
    let whole = if book.is_complete() { "" } else { " (interrupted: the book is not complete)" };
    format!(
        "game       {}\nplies      {}{whole}\nagent      {}\neach       {limits}, seed {}\n\
         positions  {}, {} proven\n",
        recipe.game,
        recipe.plies,
        recipe.agent,
        recipe.seed,
        book.entries().len(),
        proven(book),
    )
}

#[derive(Serialize)]
struct CheckDocument<'a> {
    file: &'a str,
    game: &'a str,
    entries: usize,
    complete: bool,
}

impl Check {
    pub(super) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let book = Book::load(&self.file)?;
        let game = catalog.game(&book.recipe().game)?;
        book.check(game.as_ref())
            .map_err(|reason| Error::Book { path: self.file.clone(), reason })?;
        let entries = book.entries().len();
        if self.json {
            return output::json(&CheckDocument {
                file: &self.file,
                game: game.spec(),
                entries,
                complete: book.is_complete(),
            });
        }
        output::report(&format!(
            "{}: {} of {}, all moves are legal\n",
            self.file,
            counted(entries as u64, "position"),
            game.spec()
        ))
    }
}
