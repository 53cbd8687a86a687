//! `tussle ugi`

use std::io;
use std::time::Duration;

use clap::Args;
use tussle_catalog::Catalog;
use tussle_core::parse_any_duration;
use tussle_engine::{EngineAgent, ugi};

use crate::failure::Failure;

/// Be an engine for other programs, by the universal game interface (UGI)
///
/// Commands come on standard input, one a line: ugi, isready, setoption, uginewgame, position,
/// go (p1time p2time p1inc p2inc, movetime, depth, nodes, infinite), stop, query, display, quit.
/// `tussle docs engines` explains them.
///
/// Example:
///   tussle ugi --game connect4 --agent mcts
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Ugi {
    /// The game: name[:key=value,…], as `tussle games` lists them.
    #[arg(long, value_name = "GAME")]
    game: String,
    /// Who plays: name[:key=value,…], as `tussle agents` lists them.
    #[arg(long, value_name = "AGENT")]
    agent: String,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How much sooner than it is told the engine answers.
    #[arg(long, default_value = "10ms", value_parser = parse_any_duration, value_name = "TIME")]
    margin: Duration,
}

impl Ugi {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let game = catalog.game(&self.game)?;
        let player = EngineAgent::new(game, &self.agent, self.seed)?;
        Ok(ugi::serve(player, self.margin, io::stdin().lock(), io::stdout())?)
    }
}
