//! `tussle games`

use clap::Args;
use tussle_catalog::{Catalog, GameRow, ParamRow};

use crate::failure::Failure;
use crate::{output, table};

/// List the games with their parameters and evaluations
///
/// Examples:
///   tussle games
///   tussle games gobblet
///   tussle games --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Games {
    /// Only this game.
    name: Option<String>,
    /// One JSON document instead of a table.
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
        let mut table =
            table::new(["game", "what it is, its parameters (defaults) and evaluations"]);
        for game in chosen {
            table.add_row([game.name, game.summary]);
            table::add_params(&mut table, &game.params);
            for evaluation in &game.evaluations {
                table.add_row([format!("  eval {}", evaluation.name), evaluation.summary.into()]);
                for param in &evaluation.params {
                    let ParamRow { key, values, default, help } = param.into();
                    table.add_row([format!("    {key}={values} ({default})"), help.to_owned()]);
                }
            }
        }
        output::print(&table::text(&table))
    }
}
