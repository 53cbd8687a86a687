//! How far a search that is to be read may go.

use std::io::Write as _;
use std::time::Duration;

use clap::Args;
use tussle_catalog::{AnyPosition, looks_by_plies};
use tussle_core::Budget;

use crate::failure::Failure;
use crate::interrupt;

/// The limits of a search; without any, a small one is chosen.
#[derive(Args)]
pub(super) struct Limits {
    /// Answer within this time.
    #[arg(long, value_parser = tussle_core::parse_duration)]
    time: Option<Duration>,
    /// Enter at most this many positions; mcts: make this many simulations.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Look at most this many plies ahead.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

impl Limits {
    /// The budget, from now on.
    pub(super) fn budget(
        &self,
        position: &dyn AnyPosition,
        agent: &str,
    ) -> Result<Budget, Failure> {
        let unlimited = self.time.is_none() && self.nodes.is_none() && self.depth.is_none();
        let mut budget = Budget { nodes: self.nodes, depth: self.depth, ..Budget::default() };
        if self.depth.is_some() && !looks_by_plies(agent)? {
            tell("--depth means nothing to this agent: it does not search by plies");
        }
        if unlimited && let Some((modest, words)) = tussle_lab::modest(position, agent)? {
            tell(&format!("no limit given: {words}; --depth, --nodes or --time say otherwise"));
            budget = modest;
        }
        let budget = budget.stop_flag(interrupt::stop_flag());
        Ok(match self.time {
            Some(limit) => budget.time(limit), // the clock runs from here
            None => budget,
        })
    }
}

/// Says something on standard error, if anybody is there to read it.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
