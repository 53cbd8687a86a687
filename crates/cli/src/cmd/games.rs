//! `tussle games`

use clap::Args;
use tussle_catalog::{Catalog, GameRow};

use crate::failure::Failure;
use crate::layout::Definitions;
use crate::output;

/// List the games with their parameters, evaluations and best known agents
///
/// A parameter is shown as key=values (default). `mcts`, `alphabeta` and `best` are shown with what they
/// stand for in the game, and with the match that justifies it.
///
/// Examples:
///   tussle games
///   tussle games gobblet
///   tussle games --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Games {
    /// Game to show alone
    name: Option<String>,
    /// Print one JSON document instead of a table
    #[arg(long)]
    json: bool,
}

impl Games {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let chosen: Vec<_> = match &self.name {
            None => catalog.games().iter().collect(),
            Some(name) => vec![catalog.entry(name)?],
        };
        if self.json {
            let rows: Vec<GameRow> = chosen.into_iter().map(GameRow::from).collect();
            return output::json(&rows);
        }
        let mut list = Definitions::default();
        list.add("game", "rules; key=values (default); evaluations; tuned agents");
        for game in chosen {
            list.add(game.name, game.summary);
            list.add_params(&game.params, 2);
            for evaluation in &game.evaluations {
                list.add(format!("  eval {}", evaluation.name), evaluation.summary);
                list.add_params(&evaluation.params, 4);
            }
            for agent in game.tuned {
                list.add(format!("  {} =", agent.name), agent.spec);
                if !agent.variant.is_empty() {
                    list.add("", format!("({})", agent.variant));
                }
                if let Some(evidence) = agent.evidence {
                    list.add("", evidence.to_string());
                }
            }
        }
        output::print(&list.text())
    }
}
