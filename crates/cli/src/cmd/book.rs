//! `tussle book`

mod build;
mod show;

use clap::{Args, Subcommand};

use tussle_catalog::Catalog;
use tussle_engine::Programs;

use crate::failure::Failure;

/// Build, show and check opening books
///
/// An agent with the parameter `book` answers from an opening book without a search while it has the
/// position: minimax:book=FILE.
///
/// Examples:
///   tussle book build tictactoe --agent minimax --plies 9 --out ttt.book
///   tussle book show ttt.book
///   tussle match tictactoe minimax:book=ttt.book random --games 100
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Book {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Build(build::Build),
    Show(show::Show),
    Check(show::Check),
}

impl Book {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        match &self.action {
            Action::Build(build) => build.run(catalog, programs),
            Action::Show(show) => show.run(),
            Action::Check(check) => check.run(catalog),
        }
    }
}
