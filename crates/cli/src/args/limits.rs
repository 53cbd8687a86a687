//! How far a search may go: the part that `analyse` and `explain` share.

use std::time::Duration;

use clap::Args;
use tussle_catalog::Catalog;
use tussle_core::Limits;

use crate::failure::Failure;
use crate::interrupt;
use crate::output::tell;

/// The limits of a search.
#[derive(Args)]
pub(crate) struct SearchLimits {
    /// Answer within this time.
    #[arg(long, value_parser = tussle_core::parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Enter at most this many positions; mcts: make this many simulations.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Look at most this many plies ahead.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
}

impl SearchLimits {
    /// Says so if a depth was given to an agent that does not search by plies.
    pub(crate) fn note_idle_depth(&self, catalog: &Catalog, agent: &str) -> Result<(), Failure> {
        if self.depth.is_some() && !catalog.looks_by_plies(agent)? {
            tell("--depth means nothing to this agent: it does not search by plies");
        }
        Ok(())
    }

    /// Returns the limits that were given, with Ctrl-C as stop flag.
    pub(crate) fn given(&self) -> Limits {
        self.on(Limits { nodes: self.nodes, depth: self.depth, ..Limits::none() })
    }

    /// Adds the time that was given and Ctrl-C to other limits.
    pub(crate) fn on(&self, limits: Limits) -> Limits {
        let limits = limits.or_stop(&interrupt::stop_flag());
        match self.time {
            Some(limit) => limits.or_time(limit),
            None => limits,
        }
    }
}
