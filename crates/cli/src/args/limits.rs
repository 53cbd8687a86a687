//! Search limits of `analyse` and `explain`.

use std::time::Duration;

use clap::Args;
use tussle_catalog::AnyGame;
use tussle_core::Limits;

use crate::failure::Failure;
use crate::interrupt;
use crate::output::tell;

/// Limits of a search.
#[derive(Args)]
pub(crate) struct SearchLimits {
    /// Time limit, such as 500ms or 2s
    #[arg(long, value_parser = tussle_core::parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Maximum number of nodes (positions entered); mcts: of simulations
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Maximum search depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
}

impl SearchLimits {
    /// Prints a note if a depth was given to an agent that does not search by plies.
    pub(crate) fn note_idle_depth(&self, game: &dyn AnyGame, agent: &str) -> Result<(), Failure> {
        if self.depth.is_some() && !game.looks_by_plies(agent)? {
            tell("--depth has no effect: this agent does not search by plies");
        }
        Ok(())
    }

    /// Returns the given limits, with Ctrl-C as stop flag.
    pub(crate) fn given(&self) -> Limits {
        self.on(Limits { nodes: self.nodes, depth: self.depth, ..Limits::none() })
    }

    /// Adds the given time and Ctrl-C to other limits.
    pub(crate) fn on(&self, limits: Limits) -> Limits {
        let limits = limits.or_stop(&interrupt::stop_flag());
        match self.time {
            Some(limit) => limits.or_time(limit),
            None => limits,
        }
    }
}
