//! `tussle gtp`

use std::io;
use std::time::Duration;

use clap::Args;
use tussle_catalog::Catalog;
use tussle_core::{TimeControl, parse_any_duration};
use tussle_engine::gtp::{Settings, serve};

use crate::failure::Failure;

/// Be an engine for Go programs, by the Go text protocol (GTP 2)
///
/// For `GoGui`, Sabaki, matches with other engines. boardsize and komi change the game; its other
/// rules are those of --game. Analyses are there as lz-analyze, kata-analyze and analyze.
/// `tussle docs engines` explains them.
///
/// Examples:
///   tussle gtp --agent mcts
///   tussle gtp --agent mcts:threads=2 --clock 5s --game go:size=9
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Gtp {
    /// Who plays: name[:key=value,…], as `tussle agents` lists them.
    #[arg(long, value_name = "AGENT")]
    agent: String,
    /// The rules: go[:key=value,…]. Unless given, as other programs have them: no stone may
    /// recreate an earlier board, and nothing ends a game but passes.
    #[arg(long, value_name = "GAME", default_value = "go:size=19,superko=positional,cap=off")]
    game: String,
    /// The time for a move until the controller says something else, as in `tussle match`.
    #[arg(long, default_value = "2s", value_name = "CLOCK")]
    clock: TimeControl,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How much sooner than it is told the engine answers.
    #[arg(long, default_value = "10ms", value_parser = parse_any_duration, value_name = "TIME")]
    margin: Duration,
}

impl Gtp {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let Self { agent, game, clock, seed, margin } = self;
        let settings = Settings::new(catalog, game, agent, *seed, *clock, *margin)?;
        Ok(serve(settings, io::stdin().lock(), io::stdout())?)
    }
}
