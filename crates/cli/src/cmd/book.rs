//! `tussle book`

mod build;
mod show;

use clap::{Args, Subcommand};

use tussle_catalog::Catalog;
use tussle_engine::Programs;

use crate::failure::Failure;

/// Opening libraries: build, show and check them
///
/// An agent that has the parameter `book` answers from such a file at once while the position is
/// in it: minimax:book=FILE.
///
/// Examples:
///   tussle book build tictactoe --agent minimax --plies 9 --out ttt.book
///   tussle book show ttt.book
///   tussle match tictactoe minimax:book=ttt.book random --games 100
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Book {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Build(build::Build),
    Show(show::Show),
    Check(show::Check),
}

impl Book {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        match &self.what {
            What::Build(build) => build.run(catalog, programs),
            What::Show(show) => show.run(),
            What::Check(check) => check.run(catalog),
        }
    }
}
