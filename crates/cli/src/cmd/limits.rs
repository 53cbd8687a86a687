//! How far a search may go: the part that `analyse` and `explain` share.

use std::io::Write as _;
use std::time::Duration;

use clap::Args;
use tussle_catalog::Catalog;
use tussle_core::Budget;

use crate::failure::{Failure, visible};
use crate::interrupt;

/// The limits of a search.
#[derive(Args)]
pub(super) struct Limits {
    /// Answer within this time.
    #[arg(long, value_parser = tussle_core::parse_duration)]
    pub(super) time: Option<Duration>,
    /// Enter at most this many positions; mcts: make this many simulations.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,
    /// Look at most this many plies ahead.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) depth: Option<u32>,
}

impl Limits {
    /// Says so if a depth was given to an agent that does not search by plies.
    pub(super) fn note_idle_depth(&self, catalog: &Catalog, agent: &str) -> Result<(), Failure> {
        if self.depth.is_some() && !catalog.looks_by_plies(agent)? {
            tell("--depth means nothing to this agent: it does not search by plies");
        }
        Ok(())
    }

    /// The limits that were given.
    pub(super) fn budget(&self) -> Budget {
        self.on(Budget { nodes: self.nodes, depth: self.depth, ..Budget::default() })
    }

    /// Another budget, which Ctrl-C ends, and the time that was given.
    pub(super) fn on(&self, budget: Budget) -> Budget {
        let budget = budget.stop_flag(interrupt::stop_flag());
        match self.time {
            Some(limit) => budget.time(limit),
            None => budget,
        }
    }
}

/// Says something on standard error, if anybody is there to read it.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible(text));
}
