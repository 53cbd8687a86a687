//! `tussle perft`

use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tussle_catalog::{AnyPosition, Catalog};

use crate::args::StartPosition;
use crate::failure::{Failure, check_rules};
use crate::layout::Table;
use crate::output;
use crate::progress::Progress;

/// Count the move sequences of a given length
///
/// Games that end earlier are not counted; outcomes of chance events count as moves. Two programs that agree
/// on these counts very likely have the same rules.
///
/// Examples:
///   tussle perft gobblet 4
///   tussle perft connect4 6 --divide
///   tussle perft tictactoe 9 --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Perft {
    /// Game spec, name[:key=value,…]; see `tussle games`
    game: String,
    /// Number of plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1000))]
    depth: u32,
    #[command(flatten)]
    from: StartPosition,
    /// Show the count of each first move
    #[arg(long)]
    divide: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    depth: u32,
    nodes: u64,
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<serde_json::Map<String, serde_json::Value>>,
    timing: Timing,
}

#[derive(Serialize)]
struct Timing {
    elapsed_ms: f64,
    nodes_per_s: f64,
}

impl Perft {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let (game, mut position) = self.from.open(catalog, &self.game)?;
        let began = Instant::now();
        let counts = self.count(position.as_mut());
        check_rules(game.as_ref())?;
        let elapsed = began.elapsed().as_secs_f64();
        let nodes = if self.depth == 0 { 1 } else { counts.iter().map(|(_, n)| n).sum() };
        if self.json {
            let divide = self.divide.then(|| {
                counts.into_iter().map(|(mv, n)| (mv, serde_json::Value::from(n))).collect()
            });
            return output::json(&Document {
                game: game.spec(),
                depth: self.depth,
                nodes,
                position: position.text(),
                divide,
                timing: Timing {
                    elapsed_ms: elapsed * 1e3,
                    nodes_per_s: nodes as f64 / elapsed.max(1e-9),
                },
            });
        }
        if self.divide {
            let mut table = Table::new(["move", "sequences"]);
            table.numbers([1]);
            for (mv, n) in counts {
                table.add_row([mv, n.to_string()]);
            }
            output::print(&table.text())?;
        }
        output::report(&format!(
            "{} perft({}) = {nodes}   {elapsed:.2} s, {:.1} million per second\n",
            game.spec(),
            self.depth,
            nodes as f64 / elapsed.max(1e-9) / 1e6,
        ))
    }

    /// Returns the count of each first move; empty at depth 0.
    fn count(&self, position: &mut dyn AnyPosition) -> Vec<(String, u64)> {
        let mut progress = Progress::new("first moves", position.perft(1));
        let mut counts = Vec::new();
        position.divide(self.depth, &mut |mv, count| {
            counts.push((mv, count));
            progress.step();
        });
        counts
    }
}
