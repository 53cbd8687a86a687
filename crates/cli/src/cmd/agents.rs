//! `tussle agents`

use clap::Args;
use tussle_catalog::{AGENTS, Catalog, PRESETS};

use crate::failure::Failure;
use crate::{output, table};

/// List the agents with their parameters, and the presets made of them
///
/// A number that need not be whole may be a product or quotient with square roots:
/// 1.4, sqrt2, sqrt2/7, "sqrt(2)/7", "2*sqrt2", -1/3.
///
/// Examples:
///   tussle agents
///   tussle analyse connect4 --agent mcts:c=sqrt2/7 --nodes 1000
///   tussle match gobblet greedy:eval=pairs,ties=random random --games 100
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Agents {
    /// One JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

impl Agents {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        if self.json {
            return output::json(&catalog.agent_rows());
        }
        let mut table = table::new(["agent", "how it plays, and its parameters (defaults)"]);
        for agent in AGENTS {
            table.add_row([agent.name, agent.summary]);
            table::add_params(&mut table, agent.params);
        }
        for agent in catalog.own_agents() {
            table.add_row([agent.name, agent.summary]);
        }
        for preset in PRESETS {
            table.add_row([preset.name, preset.summary]);
            table.add_row([format!("  = {}", preset.spec)]);
        }
        output::print(&table::text(&table))
    }
}
