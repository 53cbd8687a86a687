//! `tussle bench overrun`

mod load;

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use serde::Serialize;
use tussle_catalog::{AnyAgent, AnyGame, AnyPosition, Catalog};
use tussle_core::{Limits, Rng, StopReason, Turn, parse_duration};

use self::load::Load;
use crate::failure::Failure;
use crate::layout::Table;
use crate::output;
use crate::progress::Progress;

/// Default games: large and small boards, slow and fast evaluations.
const DEFAULT_GAMES: [&str; 5] =
    ["go:size=9", "gobblet", "keep-on-moving:board=4", "connect4", "pentago-twist"];
/// Number of positions per game, each from another random game.
const POSITIONS_PER_GAME: usize = 50;
/// Number of searches after which an agent is replaced by a new one, about the number of moves of a game. The
/// first search of an agent may be slower, because its tables are not in memory yet.
const SEARCHES_PER_AGENT: u64 = 20;

/// Measure how late searches answer: the time from the hard deadline to the answer
///
/// Each search starts from a random position with a random time limit. An answer in time counts as 0 ms
/// late.
///
/// Examples:
///   tussle bench overrun
///   tussle bench overrun go:size=9 --agent minimax --searches 1000
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Overrun {
    /// Game specs [default: five games of different kinds]
    games: Vec<String>,
    /// Agent spec
    #[arg(long, default_value = "alphabeta", value_name = "SPEC")]
    agent: String,
    /// Number of searches for each load
    #[arg(long, default_value_t = 10_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    searches: u64,
    /// Shortest time limit
    #[arg(long, default_value = "1ms", value_parser = parse_duration, value_name = "TIME")]
    min: Duration,
    /// Longest time limit
    #[arg(long, default_value = "50ms", value_parser = parse_duration, value_name = "TIME")]
    max: Duration,
    /// Other load on the machine
    #[arg(long, value_enum, default_value_t)]
    load: LoadChoice,
    /// Seed of the positions, limits and agents
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum LoadChoice {
    /// No other load
    Idle,
    /// Two busy threads per core
    Loaded,
    /// First idle, then loaded
    #[default]
    Both,
}

#[derive(Serialize)]
struct Document<'a> {
    agent: &'a str,
    games: Vec<&'a str>,
    searches: u64,
    min_ms: f64,
    max_ms: f64,
    seed: u64,
    loads: Vec<Lateness>,
    timing: Timing,
}

#[derive(Serialize)]
struct Timing {
    elapsed_ms: f64,
}

/// Lateness of the answers under one load.
#[derive(Serialize)]
struct Lateness {
    load: &'static str,
    searches: u64,
    /// Searches that ended by their time limit; the others finished earlier.
    timed: u64,
    p50_ms: f64,
    p99_ms: f64,
    p999_ms: f64,
    worst_ms: f64,
    worst: Search,
}

/// Search with its time limit.
#[derive(Clone, Default, Serialize)]
struct Search {
    game: String,
    position: String,
    limit_ms: f64,
}

/// Game with positions of it and the agent that searches them.
struct Ground {
    game: Arc<dyn AnyGame>,
    positions: Vec<Box<dyn AnyPosition>>,
    agent: Box<dyn AnyAgent>,
    moves: u64,
}

impl Overrun {
    pub(super) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        if self.min > self.max {
            return Err(Failure::usage("--min is longer than --max; use a shorter --min"));
        }
        let mut specs = self.games.clone();
        if specs.is_empty() {
            specs = DEFAULT_GAMES.map(str::to_owned).to_vec();
        }
        let mut grounds = Vec::new();
        for (n, spec) in specs.iter().enumerate() {
            grounds.push(self.ground(catalog, spec, n as u64)?);
        }
        let began = Instant::now();
        let mut loads = Vec::new();
        if !matches!(self.load, LoadChoice::Loaded) {
            loads.push(self.measure("idle", &mut grounds)?);
        }
        if !matches!(self.load, LoadChoice::Idle) {
            let load = Load::start()?;
            loads.push(self.measure("loaded", &mut grounds)?);
            drop(load);
        }
        if !self.json {
            return print(&loads);
        }
        output::json(&Document {
            agent: &self.agent,
            games: grounds.iter().map(|ground| ground.game.spec()).collect(),
            searches: self.searches,
            min_ms: millis(self.min),
            max_ms: millis(self.max),
            seed: self.seed,
            loads,
            timing: Timing { elapsed_ms: millis(began.elapsed()) },
        })
    }

    fn ground(&self, catalog: &Catalog, spec: &str, number: u64) -> Result<Ground, Failure> {
        let game = catalog.game(spec)?;
        let agent = game.agent(&self.agent, self.seed)?;
        let mut rng = Rng::derive(self.seed, &[number]);
        let positions = (0..POSITIONS_PER_GAME)
            .map(|_| random_position(game.as_ref(), &mut rng))
            .collect::<Result<_, _>>()?;
        Ok(Ground { game, positions, agent, moves: 0 })
    }

    /// Measures under the current load. The searches are the same for each load.
    fn measure(&self, load: &'static str, grounds: &mut [Ground]) -> Result<Lateness, Failure> {
        let mut rng = Rng::derive(self.seed, &[grounds.len() as u64]);
        let mut late = Vec::new();
        let mut timed = 0;
        let mut worst = (Duration::ZERO, Search::default());
        let mut progress = Progress::new(load, self.searches);
        for n in 0..self.searches {
            let at = rng.below(grounds.len());
            let ground = &mut grounds[at];
            let position = &ground.positions[rng.below(ground.positions.len())];
            let limit = self.min + self.max.saturating_sub(self.min).mul_f64(rng.unit());
            if ground.moves == SEARCHES_PER_AGENT {
                let seed = Rng::derive(self.seed, &[at as u64, n]).next_u64();
                ground.agent = ground.game.agent(&self.agent, seed)?;
                ground.moves = 0;
            }
            ground.moves += 1;

            let limits = Limits::time(limit);
            let began = Instant::now();
            let report = ground.agent.choose(position.as_ref(), &limits)?;
            let over = began.elapsed().saturating_sub(limit);

            late.push(over);
            timed += u64::from(report.stopped == StopReason::Time);
            if over >= worst.0 {
                let (game, position) = (ground.game.spec().to_owned(), position.text());
                worst = (over, Search { game, position, limit_ms: millis(limit) });
            }
            progress.step();
        }
        late.sort_unstable();
        Ok(Lateness {
            load,
            searches: self.searches,
            timed,
            p50_ms: millis(quantile(&late, 0.5)),
            p99_ms: millis(quantile(&late, 0.99)),
            p999_ms: millis(quantile(&late, 0.999)),
            worst_ms: millis(worst.0),
            worst: worst.1,
        })
    }
}

/// Returns a position of a random game, chosen uniformly among those in which a player is to move.
fn random_position(game: &dyn AnyGame, rng: &mut Rng) -> Result<Box<dyn AnyPosition>, Failure> {
    let mut position = game.start();
    let mut chosen = None;
    let mut seen = 0;
    loop {
        let mv = match position.turn() {
            Turn::Over => break,
            Turn::Chance => position.roll(rng).unwrap_or_default(),
            Turn::Player(_) => {
                seen += 1;
                if rng.below(seen) == 0 {
                    chosen = Some(position.without_history());
                }
                let mut moves = position.moves();
                moves.swap_remove(rng.below(moves.len()))
            }
        };
        position.play(&mv)?;
    }
    chosen.ok_or_else(|| Failure::usage(format!("{}: no player ever has a move", game.spec())))
}

/// Returns the smallest of the sorted times that at least this share of them does not exceed.
pub(super) fn quantile(sorted: &[Duration], share: f64) -> Duration {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn print(loads: &[Lateness]) -> Result<(), Failure> {
    let headings =
        ["ms late", "searches", "ended by the clock", "p50", "p99", "p99.9", "worst", "worst in"];
    let mut table = Table::new(headings);
    table.numbers(1..=6);
    for late in loads {
        let number = |ms: f64| format!("{ms:.3}");
        table.add_row([
            late.load.to_owned(),
            late.searches.to_string(),
            late.timed.to_string(),
            number(late.p50_ms),
            number(late.p99_ms),
            number(late.p999_ms),
            number(late.worst_ms),
            late.worst.game.clone(),
        ]);
    }
    output::print(&table.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_measured_times() {
        let times: Vec<_> = (1..=1000).map(Duration::from_millis).collect();
        for (share, millis) in [(0.0, 1), (0.5, 500), (0.99, 990), (0.999, 999), (1.0, 1000)] {
            assert_eq!(quantile(&times, share), Duration::from_millis(millis), "{share}");
        }
        assert_eq!(quantile(&times[..1], 0.999), times[0]);
    }
}
