//! `tussle games`

use clap::Args;
use tussle_catalog::{Catalog, GameRow};

use crate::failure::Failure;
use crate::layout::Definitions;
use crate::output;

/// List the games with their parameters and evaluations
///
/// A parameter is shown as key=values (default).
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
        list.add("game", "rules; key=values (default); evaluations");
        for game in chosen {
            list.add(game.name, game.summary);
            list.add_params(&game.params, 2);
            for evaluation in &game.evaluations {
                list.add(format!("  eval {}", evaluation.name), evaluation.summary);
                list.add_params(&evaluation.params, 4);
            }
        }
        output::print(&list.text())
    }
}
