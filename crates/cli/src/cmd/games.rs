//! `tussle games`

use clap::Args;
use serde::Serialize;
use tussle_catalog::GAMES;
use tussle_core::{Kind, Param};

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

#[derive(Serialize)]
struct GameRow {
    name: &'static str,
    summary: &'static str,
    params: Vec<ParamRow>,
    evaluations: Vec<EvaluationRow>,
}

#[derive(Serialize)]
struct EvaluationRow {
    name: &'static str,
    summary: &'static str,
    antisymmetric: bool,
    params: Vec<ParamRow>,
}

/// A parameter as `games` and `agents` list it.
#[derive(Serialize)]
pub(super) struct ParamRow {
    key: &'static str,
    values: String,
    default: &'static str,
    help: &'static str,
}

impl From<&Param> for ParamRow {
    fn from(param: &Param) -> Self {
        Self {
            key: param.key,
            values: values(param.kind),
            default: param.default,
            help: param.help,
        }
    }
}

/// The rows of a parameter table.
pub(super) fn param_rows(params: &[Param]) -> Vec<ParamRow> {
    params.iter().map(ParamRow::from).collect()
}

/// Adds parameters to a printed table, indented under what they belong to.
pub(super) fn add_params(table: &mut comfy_table::Table, params: &[Param]) {
    for param in params {
        let default = match param.default {
            "" => String::new(),
            default => format!(" ({default})"),
        };
        let values = values(param.kind);
        table.add_row([format!("  {}={values}{default}", param.key), param.help.to_owned()]);
    }
}

fn values(kind: Kind) -> String {
    match kind {
        Kind::Int(low, high) => format!("{low}..{high}"),
        Kind::IntOr(low, high, word) => format!("{low}..{high}|{word}"),
        Kind::Float(low, high) => format!("{low}..{high}"),
        Kind::FloatOr(low, high, word) => format!("{low}..{high}|{word}"),
        Kind::Bytes => "MEMORY".to_owned(),
        Kind::Switch => "on|off".to_owned(),
        Kind::Choice(words) => words.join("|"),
        Kind::Words => "WORDS".to_owned(),
        Kind::File => "FILE".to_owned(),
        Kind::ChoiceOrFile(words) => format!("{}|FILE", words.join("|")),
        Kind::Evaluation => "EVALUATION".to_owned(),
    }
}

impl Games {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let chosen: Vec<_> = match &self.name {
            None => GAMES.iter().collect(),
            Some(name) => vec![tussle_catalog::entry(name)?],
        };
        if self.json {
            let rows: Vec<GameRow> = chosen
                .iter()
                .map(|game| GameRow {
                    name: game.name,
                    summary: game.summary,
                    params: param_rows(game.params),
                    evaluations: game
                        .evaluations
                        .iter()
                        .map(|e| EvaluationRow {
                            name: e.name,
                            summary: e.summary,
                            antisymmetric: e.antisymmetric,
                            params: param_rows(e.params),
                        })
                        .collect(),
                })
                .collect();
            return output::json(&rows);
        }
        let mut table =
            table::new(["game", "what it is, its parameters (defaults) and evaluations"]);
        for game in chosen {
            table.add_row([game.name, game.summary]);
            add_params(&mut table, game.params);
            for evaluation in game.evaluations {
                table.add_row([format!("  eval {}", evaluation.name), evaluation.summary.into()]);
                for param in evaluation.params {
                    let key =
                        format!("    {}={} ({})", param.key, values(param.kind), param.default);
                    table.add_row([key, param.help.to_owned()]);
                }
            }
        }
        output::print(&table::text(&table))
    }
}
