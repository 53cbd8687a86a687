//! `tussle results`

mod merge;

use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use tussle_arena::export::{self, ExportFormat};
use tussle_arena::{Anchor, Store, export_formats};
use tussle_catalog::file::Draft;

use crate::failure::Failure;
use crate::report::results;

/// Show the results in the store of a tournament, or merge stores
///
/// The store may be in use by a running tournament: its finished games are shown.
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
    action: Option<Action>,
    #[command(flatten)]
    show: Option<Show>,
}

#[derive(Subcommand)]
enum Action {
    Merge(merge::Merge),
}

#[derive(Args)]
struct Show {
    /// Store of a match or tournament
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// Print one JSON document
    #[arg(long, conflicts_with_all = ["games", "export"])]
    json: bool,
    /// List the games
    #[arg(long, conflicts_with = "export")]
    games: bool,
    /// Format in which all games are written: JSON lines, comma-separated values, text with tags, or SGF (Go
    /// only)
    #[arg(long, value_parser = export_formats(), value_name = "FORM")]
    export: Option<ExportFormat>,
    /// Output file of `--export`, instead of standard output
    #[arg(long, requires = "export", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Agent with a fixed rating, to which the other ratings are relative; may be repeated
    #[arg(long = "anchor", value_name = "NAME=ELO", conflicts_with_all = ["export"])]
    anchors: Vec<Anchor>,
}

impl Results {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match (&self.action, &self.show) {
            (Some(Action::Merge(merge)), _) => merge.run(),
            (None, Some(show)) => show.run(),
            (None, None) => Err(Failure::usage("expected a store; see tussle results --help")),
        }
    }
}

impl Show {
    fn run(&self) -> Result<(), Failure> {
        let store = Store::read(&self.store)?;
        match self.export {
            Some(export) => self.export(&store, export),
            None if self.json => results::json(&store, &self.anchors),
            None => results::print(&store, self.games, &self.anchors),
        }
    }

    fn export(&self, store: &Store, format: ExportFormat) -> Result<(), Failure> {
        let Some(path) = &self.out else {
            let mut out = BufWriter::new(io::stdout().lock());
            export::write(store, format, &mut out)
                .map_err(|e| Failure::of_export(e, Failure::from))?;
            out.flush()?;
            return Ok(());
        };
        Failure::unless_other_file(path, &self.store)?;
        let cannot = |e: io::Error| Failure::cannot_write(path, &e);
        let mut out = BufWriter::new(Draft::new(path).map_err(cannot)?);
        export::write(store, format, &mut out).map_err(|e| Failure::of_export(e, cannot))?;
        let draft = out.into_inner().map_err(|e| cannot(e.into_error()))?;
        draft.commit().map_err(cannot)
    }
}
