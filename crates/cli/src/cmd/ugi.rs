//! `tussle ugi`

use std::io;
use std::time::Duration;

use clap::Args;
use tussle_catalog::Catalog;
use tussle_core::parse_any_duration;
use tussle_engine::{EngineAgent, ugi};

use crate::failure::Failure;

/// Run as an engine over the universal game interface (UGI)
///
/// Standard input has one command per line: ugi, isready, setoption, uginewgame, position, go (p1time p2time
/// p1inc p2inc, movetime, depth, nodes, infinite), stop, query, display, quit. `tussle docs engines` describes them.
///
/// Examples:
///   tussle ugi --game connect4 --agent mcts
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Ugi {
    /// Game spec, name[:key=value,…]; see `tussle games`
    #[arg(long, value_name = "GAME")]
    game: String,
    /// Agent spec, name[:key=value,…]; see `tussle agents`
    #[arg(long, value_name = "AGENT")]
    agent: String,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Safety margin, subtracted from the time limit of a move
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
