//! `tussle gtp`

use std::io;
use std::time::Duration;

use clap::Args;
use tussle_catalog::Catalog;
use tussle_core::{TimeControl, parse_any_duration};
use tussle_engine::gtp::{Settings, serve};

use crate::failure::Failure;

/// Run as a Go engine over GTP 2
///
/// For GUIs such as Sabaki, and for matches with other engines. The commands boardsize and komi change the game; its
/// other rules are those of --game. Analysis is available as lz-analyze, kata-analyze and analyze.
/// `tussle docs engines` describes them.
///
/// Examples:
///   tussle gtp --agent mcts
///   tussle gtp --agent mcts:threads=2 --clock 5s --game go:size=9
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Gtp {
    /// Agent spec, name[:key=value,…]; see `tussle agents`
    #[arg(long, value_name = "AGENT")]
    agent: String,
    /// Rules, go[:key=value,…]. The default is usual for engines: no stone may recreate an earlier board,
    /// and only passes end a game
    #[arg(long, value_name = "GAME", default_value = "go:size=19,superko=positional,cap=off")]
    game: String,
    /// Time control until the controller sets another one, as in `tussle match`
    #[arg(long, default_value = "2s", value_name = "CLOCK")]
    clock: TimeControl,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Safety margin, subtracted from the time limit of a move
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
