//! `tussle agents`

use clap::Args;
use serde::Serialize;
use tussle_catalog::{AGENTS, PRESETS};

use super::games::{ParamRow, add_params, param_rows};
use crate::failure::Failure;
use crate::{output, table};

/// List the agents with their parameters, and the presets made of them
///
/// Examples:
///   tussle agents
///   tussle match gobblet greedy:eval=pairs,ties=random random --games 100
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Agents {
    /// One JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct AgentRow {
    name: &'static str,
    summary: &'static str,
    params: Vec<ParamRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stands_for: Option<&'static str>,
}

impl Agents {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if self.json {
            let agents = AGENTS.iter().map(|agent| AgentRow {
                name: agent.name,
                summary: agent.summary,
                params: param_rows(agent.params),
                stands_for: None,
            });
            let presets = PRESETS.iter().map(|preset| AgentRow {
                name: preset.name,
                summary: preset.summary,
                params: Vec::new(),
                stands_for: Some(preset.spec),
            });
            return output::json(&agents.chain(presets).collect::<Vec<_>>());
        }
        let mut table = table::new(["agent", "how it plays, and its parameters (defaults)"]);
        for agent in AGENTS {
            table.add_row([agent.name, agent.summary]);
            add_params(&mut table, agent.params);
        }
        for preset in PRESETS {
            table.add_row([preset.name, preset.summary]);
            table.add_row([format!("  = {}", preset.spec)]);
        }
        output::print(&table::text(&table))
    }
}
