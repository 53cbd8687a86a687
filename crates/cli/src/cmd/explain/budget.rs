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
    /// Says that there is nothing to limit, if a limit was given.
    pub(super) fn are_idle(&self, why: &str) {
        let given = [
            ("--time", self.time.is_some()),
            ("--nodes", self.nodes.is_some()),
            ("--depth", self.depth.is_some()),
        ];
        for (name, _) in given.iter().filter(|(_, is_given)| *is_given) {
            tell(&format!("{name} means nothing here: {why}"));
        }
    }

    /// The budget, from now on.
    pub(super) fn budget(
        &self,
        position: &dyn AnyPosition,
        agent: &str,
    ) -> Result<Budget, Failure> {
        let by_plies = looks_by_plies(agent)?;
        // A depth is no limit to an agent that does not look by plies.
        let is_deep = self.depth.is_some() && by_plies;
        let unlimited = self.time.is_none() && self.nodes.is_none() && !is_deep;
        let mut budget = Budget { nodes: self.nodes, depth: self.depth, ..Budget::default() };
        if self.depth.is_some() && !by_plies {
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
