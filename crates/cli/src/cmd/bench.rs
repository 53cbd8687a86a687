//! `tussle bench`, one file a benchmark.

mod arena;
mod mcts;
mod overrun;
mod playouts;

use clap::{Args, Subcommand};

use crate::failure::Failure;

/// Measure speeds, and how punctual searches are
///
/// Examples:
///   tussle bench playouts
///   tussle bench playouts connect4 --time 3s --json
///   tussle bench playouts --heavy
///   tussle bench mcts go:size=9 connect4 --threads 1,2 --json
///   tussle bench overrun go:size=9 --agent minimax --searches 1000
///   tussle bench arena
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Playouts(playouts::Playouts),
    Mcts(mcts::Mcts),
    Overrun(overrun::Overrun),
    Arena(arena::Arena),
}

impl Bench {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match &self.what {
            What::Playouts(playouts) => playouts.run(),
            What::Mcts(mcts) => mcts.run(),
            What::Overrun(overrun) => overrun.run(),
            What::Arena(arena) => arena.run(),
        }
    }
}
