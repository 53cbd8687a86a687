//! `tussle results`

mod merge;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use tussle_arena::export::{self, ExportError, ExportFormat};
use tussle_arena::{Anchor, Record, Store, StoreError, Tally, TournamentSpec, export_formats};
use tussle_catalog::file::Draft;
use tussle_catalog::text::counted;

use crate::failure::{Failure, visible};
use crate::report::{self, Losses};
use crate::{output, progress, table};

/// Show what is in the store of a tournament, or put stores together
///
/// The store may be in use: its finished games are shown.
///
/// Examples:
///   tussle results S.db
///   tussle results S.db --games
///   tussle results S.db --json
///   tussle results S.db --anchor random=1000
///   tussle results S.db --export pgn --out games.pgn
///   tussle results merge one.db two.db --into all.db
#[derive(Args)]
#[command(
    verbatim_doc_comment,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub(crate) struct Results {
    #[command(subcommand)]
    other: Option<Other>,
    #[command(flatten)]
    shown: Option<Shown>,
}

#[derive(Subcommand)]
enum Other {
    Merge(merge::Merge),
}

#[derive(Args)]
struct Shown {
    /// The store.
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// One JSON document.
    #[arg(long, conflicts_with_all = ["games", "export"])]
    json: bool,
    /// List the games.
    #[arg(long, conflicts_with = "export")]
    games: bool,
    /// Write the games: JSON lines, comma-separated values, text with tags, or SGF (Go only).
    #[arg(long, value_parser = export_formats(), value_name = "FORM")]
    export: Option<ExportFormat>,
    /// The file to write them to, instead of standard output.
    #[arg(long, requires = "export", value_name = "FILE")]
    out: Option<PathBuf>,
    /// This agent's rating is given, and the others' are relative to it; may be repeated.
    #[arg(long = "anchor", value_name = "NAME=ELO", conflicts_with_all = ["export"])]
    anchors: Vec<Anchor>,
}

impl Results {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match (&self.other, &self.shown) {
            (Some(Other::Merge(merge)), _) => merge.run(),
            (None, Some(shown)) => shown.run(),
            (None, None) => Err(Failure::usage("name a store; see tussle results --help")),
        }
    }
}

impl Shown {
    fn run(&self) -> Result<(), Failure> {
        let store = Store::read(&self.store)?;
        match self.export {
            Some(export) => self.export(&store, export),
            None if self.json => json(&store, &self.anchors),
            None => print(&store, self.games, &self.anchors),
        }
    }

    fn export(&self, store: &Store, format: ExportFormat) -> Result<(), Failure> {
        let Some(path) = &self.out else {
            let mut out = BufWriter::new(io::stdout().lock());
            export::write(store, format, &mut out).map_err(|e| failure(e, Failure::from))?;
            out.flush()?;
            return Ok(());
        };
        Failure::unless_other_file(path, &self.store)?;
        let cannot = |e: io::Error| Failure::cannot_write(path, &e);
        let mut out = BufWriter::new(Draft::new(path).map_err(cannot)?);
        export::write(store, format, &mut out).map_err(|e| failure(e, cannot))?;
        let draft = out.into_inner().map_err(|e| cannot(e.into_error()))?;
        draft.commit().map_err(cannot)
    }
}

fn failure(error: ExportError, cannot_write: impl Fn(io::Error) -> Failure) -> Failure {
    match error {
        ExportError::Store(e) => e.into(),
        ExportError::Io(e) => cannot_write(e),
        error @ ExportError::Game { .. } => Failure::usage(error.to_string()),
    }
}

/// Prints the standing, after a list of the games if that is wanted.
pub(super) fn print(store: &Store, with_games: bool, anchors: &[Anchor]) -> Result<(), Failure> {
    let (config, anchors) = store.spec().for_display(anchors);
    let mut tally = Tally::new(&config).anchored(&anchors).map_err(Failure::usage)?;
    let mut losses = Losses::default();
    let mut games = game_table();
    store.for_each(|record| {
        let surplus = tally.is_surplus(&record);
        tally.add(&record);
        if !surplus {
            losses.add(&config, &record);
        }
        if with_games {
            game_row(&mut games, &config, &record, surplus);
        }
        Ok::<_, StoreError>(())
    })?;
    let replays = store.replays()?;
    let summary = progress::named(&rating(store), || tally.finish(replays));
    if with_games {
        output::line(&table::text(&games))?;
    }
    output::print(&report::text(&config, &summary, &losses))
}

/// One document.
pub(super) fn json(store: &Store, anchors: &[Anchor]) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let tally = Tally::new(store.spec()).anchored(anchors).map_err(Failure::usage)?;
    let written =
        progress::named(&rating(store), || export::write_document(store, tally, &mut out));
    written.map_err(|e| failure(e, Failure::from))?;
    out.flush()?;
    Ok(())
}

/// What takes long where there are many agents.
fn rating(store: &Store) -> String {
    format!("rating {}", counted(store.spec().agents.len() as u64, "agent"))
}

fn game_table() -> comfy_table::Table {
    let mut games = table::new(["game", "", "agents", "result", "plies", "verdict"]);
    table::numbers(&mut games, [0, 4]);
    games
}

fn game_row(
    games: &mut comfy_table::Table,
    config: &TournamentSpec,
    record: &Record,
    surplus: bool,
) {
    let names = export::names(config, record).join(" v ");
    games.add_row([
        record.id.to_string(),
        report::one_line(&record.game),
        visible(&names),
        export::result(record),
        record.moves.len().to_string(),
        format!("{}{}", record.verdict, if surplus { ", does not count" } else { "" }),
    ]);
}
