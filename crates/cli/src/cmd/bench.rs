//! `tussle bench`, with one file per benchmark.

mod arena;
mod levels;
mod mcts;
mod overrun;
mod playouts;
mod signature;

use clap::{Args, Subcommand};

use tussle_catalog::Catalog;
use tussle_engine::Programs;

use crate::failure::Failure;

/// Measure speed and punctuality, or check whether a change altered a search
///
/// Without a subcommand, run a fixed list of searches and print their signature: a number that is the same
/// on every run. If it differs after a change of the code, the change altered a search.
///
/// Examples:
///   tussle bench
///   tussle bench playouts
///   tussle bench playouts connect4 --time 3s --json
///   tussle bench playouts --heavy
///   tussle bench mcts go:size=9 connect4 --threads 1,2 --json
///   tussle bench overrun go:size=9 --agent minimax --searches 1000
///   tussle bench arena
///   tussle bench levels go:size=9 --games 40 --top 3
#[derive(Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(crate) struct Bench {
    #[command(subcommand)]
    benchmark: Option<Benchmark>,
    #[command(flatten)]
    signature: signature::Signature,
}

#[derive(Subcommand)]
enum Benchmark {
    Playouts(playouts::Playouts),
    Mcts(mcts::Mcts),
    Overrun(overrun::Overrun),
    Arena(arena::Arena),
    Levels(levels::Levels),
}

impl Bench {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        match &self.benchmark {
            Some(Benchmark::Playouts(playouts)) => playouts.run(catalog),
            Some(Benchmark::Mcts(mcts)) => mcts.run(catalog),
            Some(Benchmark::Overrun(overrun)) => overrun.run(catalog),
            Some(Benchmark::Arena(arena)) => arena.run(catalog, &programs.guard),
            Some(Benchmark::Levels(levels)) => levels.run(catalog),
            None => self.signature.run(),
        }
    }
}
