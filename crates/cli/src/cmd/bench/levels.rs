//! `tussle bench levels`

use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tussle_catalog::{Catalog, LEVELS};
use tussle_core::TimeControl;
use tussle_lab::{Duel, ExperimentContext};
use tussle_stats::{Estimate, Wdl};

use crate::failure::Failure;
use crate::lab::LabProgress;
use crate::layout::Table;
use crate::report::elo;
use crate::{interrupt, output};

/// Games that are measured by default.
const DEFAULT_GAMES: [&str; 2] = ["connect4", "go:size=5"];
/// Number of random plies at the start of each pair of games.
const OPENING_PLIES: u32 = 2;
/// Time control; long, because levels are limited by simulations.
const CLOCK: TimeControl = TimeControl::PerMove(Duration::from_hours(1));

/// Measure how much stronger each difficulty level is than the one below
///
/// Level 1 plays against `random`, every other level against the level below. The games come in pairs that
/// start with the same two random moves, with sides swapped. Levels are limited by simulations, so the
/// results do not depend on the load of the machine and are reproducible from the seed.
///
/// Examples:
///   tussle bench levels
///   tussle bench levels go:size=9 --games 40 --top 3
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Levels {
    /// Game specs [default: connect4 and go:size=5]
    #[arg(value_name = "GAME")]
    specs: Vec<String>,
    /// Number of games for each level
    #[arg(long, default_value_t = 100, value_name = "N",
          value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: u64,
    /// Highest level to measure
    #[arg(long, default_value_t = LEVELS as u64, value_name = "LEVEL",
          value_parser = clap::value_parser!(u64).range(1..=LEVELS as u64))]
    top: u64,
    /// Seed of the openings and the players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    /// Games for each level.
    games: u64,
    opening_plies: u32,
    seed: u64,
    steps: Vec<Step>,
    timing: Timing,
}

#[derive(Serialize)]
struct Timing {
    elapsed_ms: f64,
}

/// A level against the one below.
#[derive(Serialize)]
struct Step {
    game: String,
    agent: String,
    opponent: String,
    #[serde(flatten)]
    result: Wdl,
    #[serde(flatten)]
    estimate: Estimate,
    /// True if the games show at 95 % confidence which of the two is stronger.
    shown: bool,
}

impl Levels {
    pub(super) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let began = Instant::now();
        let default = DEFAULT_GAMES.map(str::to_owned);
        let specs = if self.specs.is_empty() { &default[..] } else { &self.specs[..] };
        // A wrong spec is reported before any game is played.
        let games = specs.iter().map(|spec| catalog.game(spec));
        let games = games.collect::<Result<Vec<_>, _>>()?;
        let mut watch = LabProgress::default();
        let mut bench = ExperimentContext::new(&mut watch);
        bench.jobs = thread::available_parallelism().map_or(1, usize::from);
        bench.timed_jobs = bench.jobs;
        bench.stop = interrupt::stop_flag();
        let mut steps = Vec::new();
        for game in games {
            for level in 1..=self.top {
                steps.push(self.step(game.spec(), level, &mut bench)?);
            }
        }
        let document = Document {
            games: self.games,
            opening_plies: OPENING_PLIES,
            seed: self.seed,
            steps,
            timing: Timing { elapsed_ms: began.elapsed().as_secs_f64() * 1e3 },
        };
        if self.json { output::json(&document) } else { print(&document) }
    }

    fn step(
        &self,
        game: &str,
        level: u64,
        bench: &mut ExperimentContext<'_>,
    ) -> Result<Step, Failure> {
        let agent = format!("level-{level}");
        let opponent = match level {
            1 => "random".to_owned(),
            _ => format!("level-{}", level - 1),
        };
        let names = [&agent, &opponent].map(|name| (name.as_str(), name.as_str()));
        let mut duel = Duel::new(game, names, self.games, self.seed).timed(CLOCK);
        duel.spec.opening_plies = OPENING_PLIES;
        bench.begin(&format!("{game} {agent}"), self.games);
        let summary = duel.play(bench, 1)?;
        let Some(meeting) = summary.duel() else {
            return Err(Failure::usage(format!("{game} is not a game of two players")));
        };
        let (result, estimate) = (meeting.score, meeting.estimate);
        let shown = estimate.least.is_some() || estimate.beyond.is_some();
        Ok(Step { game: game.to_owned(), agent, opponent, result, estimate, shown })
    }
}

fn print(document: &Document) -> Result<(), Failure> {
    let headings = ["game", "level", "against", "won", "drawn", "lost", "score", "Elo", "shown"];
    let mut table = Table::new(headings);
    table.numbers(3..=6);
    for step in &document.steps {
        let Wdl { wins, draws, losses } = step.result;
        let score = step.estimate.score.map_or(String::new(), |s| format!("{:.1} %", 100.0 * s));
        let shown = match step.estimate.score {
            Some(score) if step.shown && score > 0.5 => "stronger",
            Some(_) if step.shown => "weaker",
            _ => "no difference",
        };
        table.add_row([
            step.game.clone(),
            step.agent.clone(),
            step.opponent.clone(),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
            score,
            elo(&step.estimate),
            shown.to_owned(),
        ]);
    }
    output::print(&table.text())
}
