//! `tussle agents`

use clap::Args;
use tussle_catalog::{AGENTS, AgentRow, Catalog, HUMAN, PRESETS};

use crate::failure::Failure;
use crate::layout::{Definitions, labelled};
use crate::output;

/// List the agents with their parameters, and the presets made of them
///
/// With the name of an agent or a preset, show it alone, with the games that it plays.
///
/// A parameter is shown as key=values (default). `mcts`, `alphabeta` and `best` have other defaults in
/// some games: their own page lists what they stand for in each game. A number that need not be whole may be a product or
/// quotient with square roots: 1.4, sqrt2, sqrt2/7, "sqrt(2)/7", "2*sqrt2", -1/3.
///
/// Examples:
///   tussle agents
///   tussle agents mcts
///   tussle analyse connect4 --agent mcts:c=sqrt2/7 --nodes 1000
///   tussle match gobblet greedy:eval=pairs,ties=random random --games 100
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Agents {
    /// Agent or preset to show alone
    name: Option<String>,
    /// Print one JSON document instead of a table
    #[arg(long)]
    json: bool,
}

impl Agents {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let rows = catalog.agent_rows();
        let Some(name) = &self.name else {
            if self.json {
                return output::json(&rows);
            }
            let mut list = Definitions::default();
            list.add("agent", "how it plays; key=values (default)");
            for row in &rows {
                add(&mut list, row);
            }
            return output::print(&list.text());
        };
        // An unknown name is an error that suggests the nearest one.
        catalog.expanded(name)?;
        let row = rows.into_iter().find(|row| row.name == name);
        let row = row.ok_or_else(|| {
            Failure::usage(format!("{name}: expected the name of an agent without parameters"))
        })?;
        if self.json {
            return output::json(&[row]);
        }
        output::print(&details(catalog, &row))
    }
}

/// Adds an agent with its parameters, or a preset with what it stands for.
fn add(list: &mut Definitions, row: &AgentRow) {
    list.add(row.name, row.summary);
    let agent = AGENTS.iter().find(|agent| agent.name == row.name);
    list.add_params(agent.map_or(&[], |agent| agent.params), 2);
    if let Some(spec) = row.stands_for {
        list.add(format!("  = {spec}"), "");
    }
}

/// Returns an agent or a preset with its games and presets.
fn details(catalog: &Catalog, row: &AgentRow) -> String {
    let mut list = Definitions::default();
    list.add("agent", "how it plays; key=values (default)");
    add(&mut list, row);
    let mut text = list.text();
    let games = games(catalog, row.name);
    if !games.is_empty() {
        text.push('\n');
        text += &labelled("plays    ", &games.join(", "));
    }
    let presets: Vec<&str> = PRESETS
        .iter()
        .filter(|preset| base(preset.spec) == row.name)
        .map(|preset| preset.name)
        .collect();
    if !presets.is_empty() {
        text += &labelled("presets  ", &presets.join(", "));
    }
    if !row.tuned.is_empty() {
        let mut list = Definitions::default();
        list.add("in", "stands for");
        for tuned in &row.tuned {
            list.add(tuned.game, tuned.spec);
            if !tuned.variant.is_empty() {
                list.add("", format!("({})", tuned.variant));
            }
        }
        text.push('\n');
        text += &list.text();
    }
    if let Some(spec) = row.stands_for {
        let base = base(spec);
        text +=
            &labelled("based on ", &format!("{base}, with its parameters: tussle agents {base}"));
    }
    text
}

/// Returns the name of the agent or preset in a spec.
fn base(spec: &str) -> &str {
    spec.split(':').next().unwrap_or(spec)
}

/// Returns the names of the games that an agent can play with its default parameters.
fn games<'a>(catalog: &'a Catalog, agent: &str) -> Vec<&'a str> {
    if agent == HUMAN.name {
        return catalog.games().iter().map(|game| game.name).collect();
    }
    let plays = |name: &str| catalog.game(name).is_ok_and(|game| game.agent(agent, 0).is_ok());
    catalog.games().iter().map(|game| game.name).filter(|name| plays(name)).collect()
}
