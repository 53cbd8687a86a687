//! `tussle bench playouts`

use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use tussle_catalog::{AnyGame, Catalog, PlayoutCounts};
use tussle_core::{Limits, parse_duration};

use crate::failure::{Failure, check_rules};
use crate::layout::Table;
use crate::{output, turns};

/// Measure random games per second on one thread
///
/// The games begin at the start position. `outcomes` are the shares of wins and draws.
///
/// Examples:
///   tussle bench playouts
///   tussle bench playouts connect4 --time 3s --json
///   tussle bench playouts --heavy
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Playouts {
    /// Game specs [default: all games that need no file]
    games: Vec<String>,
    /// Use heavy playouts, which take wins and prevent losses; only some games have them
    #[arg(long)]
    heavy: bool,
    /// Time to play each game
    #[arg(long, default_value = "1s", value_parser = parse_duration)]
    time: Duration,
    /// Number of games to play, instead of a time
    #[arg(long, value_name = "N", conflicts_with = "time",
          value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Seed of the random games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON document per game
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    rollout: &'static str,
    playouts: u64,
    mean_length: f64,
    outcomes: Map<String, Value>,
    seed: u64,
    playouts_per_s: f64,
    moves_per_s: f64,
    timing: Timing,
}

#[derive(Serialize)]
struct Timing {
    elapsed_ms: f64,
}

impl Playouts {
    pub(super) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let mut specs = self.games.clone();
        if specs.is_empty() {
            specs = names(catalog, self.heavy);
        }
        let mut table = Table::new(["game", "playouts/s", "moves/s", "mean length", "outcomes"]);
        table.numbers(1..=3);
        for spec in specs {
            let game = catalog.game(&spec)?;
            let start = game.start();
            let began = Instant::now();
            let limits = match self.count {
                Some(n) => Limits::nodes(n),
                None => Limits::time(self.time),
            };
            let tally = if self.heavy {
                start.heavy_playouts(&limits, self.seed)
            } else {
                Some(start.playouts(&limits, self.seed))
            };
            let Some(tally) = tally else {
                return Err(Failure::usage(format!(
                    "--heavy: {spec} has no heavy playouts; use one of: {}",
                    names(catalog, true).join(", ")
                )));
            };
            check_rules(game.as_ref())?;
            let seconds = began.elapsed().as_secs_f64();
            let shares = shares(&tally);
            let measured = Document {
                game: game.spec(),
                rollout: if self.heavy { "heavy" } else { "random" },
                playouts: tally.playouts,
                mean_length: tally.plies as f64 / tally.playouts as f64,
                outcomes: shares.iter().map(|(k, v)| (k.clone(), Value::from(*v))).collect(),
                seed: self.seed,
                playouts_per_s: tally.playouts as f64 / seconds,
                moves_per_s: tally.plies as f64 / seconds,
                timing: Timing { elapsed_ms: seconds * 1e3 },
            };
            if self.json {
                output::json(&measured)?;
                continue;
            }
            let outcomes = shares.iter().map(|(who, share)| format!("{who} {:.1} %", share * 1e2));
            table.add_row([
                measured.game.to_owned(),
                format!("{:.0}", measured.playouts_per_s),
                format!("{:.0}", measured.moves_per_s),
                format!("{:.2}", measured.mean_length),
                outcomes.collect::<Vec<_>>().join(", "),
            ]);
        }
        if self.json { Ok(()) } else { output::print(&table.text()) }
    }
}

/// Returns the names of the games that need no file; if `heavy`, only those with heavy playouts.
fn names(catalog: &Catalog, heavy: bool) -> Vec<String> {
    let one_game = Limits::nodes(1);
    let has_heavy = |game: &dyn AnyGame| game.start().heavy_playouts(&one_game, 0).is_some();
    let startable = |name| catalog.game(name).is_ok_and(|game| !heavy || has_heavy(game.as_ref()));
    let names = catalog.games().iter().map(|entry| entry.name);
    names.filter(|&name| startable(name)).map(str::to_owned).collect()
}

/// Returns the share of wins of each player, and of draws.
fn shares(tally: &PlayoutCounts) -> Vec<(String, f64)> {
    let share = |n: u64| n as f64 / tally.playouts as f64;
    let players = tally.wins.len();
    let wins = tally.wins.iter().enumerate();
    let mut shares: Vec<_> = wins.map(|(i, &n)| (turns::player(players, i), share(n))).collect();
    shares.insert(1, ("draw".to_owned(), share(tally.draws)));
    shares
}
