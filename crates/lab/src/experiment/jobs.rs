//! Games per second of a tournament, by the number of games played at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Instant;

use serde::Serialize;
use tussle_arena::Store;
use tussle_catalog::Catalog;
use tussle_core::StopFlag;
use tussle_engine::Guard;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Series};

use super::contest::{PROGRAM_MS, with_time_per_move};
use super::parallel::{cores, panel_by_workers, panel_of_factors, rows_by_workers, worker_counts};
use super::setup::{Player, StartSupport};
use super::swept::{Steps, Swept};
use super::{Context, Kind, Setup};
use crate::figure::lines;
use crate::mean::Mean;
use crate::sentences::{about, game_words, list, several};
use crate::table::groups;
use crate::{Duel, LabError, Result};

/// Number of simulations of a sampling agent without a limit of its own.
const SIMULATIONS: u64 = 1000;
/// Number of games of a match of an agent, or a program, of the user's choice.
const OWN_GAMES: u64 = 40;
const PROGRAM_GAMES: u64 = 8;
/// Approximate time of the games of one measurement, in milliseconds.
const WEIGHT: u64 = 800;

/// Matches of every agent against itself with each number of jobs of the plan.
#[derive(Debug)]
pub(super) struct Throughput {
    /// Number of games of a match, for each agent.
    pub(super) games: &'static [u64],
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    agent: String,
    jobs: u32,
    run: u32,
    games: u64,
    #[serde(rename = "games/s")]
    speed: f64,
    /// Speed of one job in the same run.
    #[serde(skip)]
    alone: f64,
}

fn speeds(rows: &[Row]) -> Vec<Series> {
    lines(rows, |row| row.agent.as_str(), |row| row.jobs.into(), |row| row.speed, Mean::geometric)
}

/// Returns the speeds as multiples of those of one job.
fn factors(rows: &[Row]) -> Vec<Series> {
    let factor = |row: &Row| row.speed / row.alone;
    lines(rows, |row| row.agent.as_str(), |row| row.jobs.into(), factor, Mean::geometric)
}

impl Kind for Throughput {
    type Row = Row;

    fn swept(&self) -> Swept {
        Swept { name: "numbers of parallel games", steps: Steps::WholeFactors }
    }

    fn start(&self) -> StartSupport {
        StartSupport::Openings
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        setup.begin_at_one();
        let game = setup.game()?;
        setup.expect_two_players(game.as_ref())?;
        setup.limit_sampling(game.as_ref(), SIMULATIONS)
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let (cores, game) = (cores(), setup.game.as_str());
        let matches =
            setup.agents.len() * worker_counts(&setup.points).count() * setup.repeats as usize;
        context.begin(setup.name, WEIGHT * matches as u64);
        let mut rows = Vec::new();
        for player in &setup.agents {
            let (agent, spec, is_program) = (&player.name, &player.spec, player.is_program());
            let games = match self.games.get(player.place) {
                Some(&games) if !setup.own.agents => games,
                _ if is_program => PROGRAM_GAMES,
                _ => OWN_GAMES,
            };
            let measure = |run, jobs| {
                let seed = context.run_seed(run) >> 32;
                let mut duel = Duel::new(game, [("a", spec), ("b", spec)], games, seed);
                if is_program {
                    duel = with_time_per_move(duel, PROGRAM_MS);
                }
                let key = format!(
                    "throughput {game} {spec} {games} games {jobs} jobs {cores} cores seed {seed}"
                );
                let (catalog, guard) = (context.catalog.clone(), context.programs.guard.clone());
                context.measure(&key, WEIGHT, agent, |stop| {
                    throughput(&duel, &catalog, &guard, jobs as usize, stop)
                })
            };
            let row = |run, jobs, speed, alone| {
                let agent = agent.clone();
                Row { agent, jobs, run, games, speed, alone }
            };
            rows.extend(rows_by_workers(&setup.points, setup.repeats, measure, row)?);
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let factor = "times those of one job";
        let panels = vec![
            panel_by_workers("games per second", x, Axis::log(y), speeds(rows)),
            panel_of_factors("against one at a time", x, factor, factors(rows)),
        ];
        let (cores, game) = (several(cores(), "core", "cores"), game_words(&setup.game));
        Ok(Figure { title: format!("Games at once on {cores} ({game})"), panels })
    }

    fn sentences(&self, setup: &Setup, rows: &[Row]) -> Vec<String> {
        let one = |line: &Series| format!("{} {}", line.name, about(line.points[0].y));
        let alone: Vec<String> = speeds(rows).iter().map(one).collect();
        let mut said = vec![format!("Games per second, one at a time: {}.", list(&alone))];
        let factors = factors(rows);
        let counts: Vec<f64> = factors
            .first()
            .map_or_else(Vec::new, |line| line.points.iter().map(|point| point.x).collect());
        for (i, &jobs) in counts.iter().enumerate().filter(|(_, jobs)| **jobs > 1.0) {
            let part = |line: &Series| {
                let (name, factor) = (&line.name, line.points[i]);
                let (low, high) = factor.range.unwrap_or((factor.y, factor.y));
                let (factor, low, high) = (about(factor.y), about(low), about(high));
                format!("{name} {factor} times as many ({low} to {high})")
            };
            let parts: Vec<String> = factors.iter().map(part).collect();
            said.push(format!("With {jobs} jobs: {}.", list(&parts)));
        }
        let games: Vec<String> = groups(rows, |row| row.agent.as_str())
            .iter()
            .map(|(_, rows)| rows[0].games.to_string())
            .collect();
        let is_built_in = !setup.agents.iter().any(Player::is_program);
        let whose = if is_built_in { "Agents are part of the program and" } else { "Agents" };
        let runs = rows.iter().map(|row| row.run).max().unwrap_or(0);
        said.push(format!(
            "This machine has {}. {whose} play against themselves, {} games each; a game is \
             written to a store on disk when it is over, as in a tournament. Geometric means over {} with their 95 % \
             intervals, which include the effect of other load on the machine.",
            several(cores(), "core", "cores"),
            list(&games),
            several(runs as usize, "run", "runs")
        ));
        said
    }
}

/// Returns the games per second of a match whose games are stored on disk.
fn throughput(
    duel: &Duel,
    catalog: &Catalog,
    guard: &Guard,
    jobs: usize,
    stop: &StopFlag,
) -> Result<f64> {
    let folder = TemporaryFolder::new()?;
    let tournament = duel.tournament(catalog)?;
    let mut store = Store::open_or_create(&folder.0.join("games.db"), tournament.spec())?;
    let began = Instant::now();
    duel.run(&tournament, &mut store, guard, jobs, stop, &mut || {})?;
    Ok(duel.games() as f64 / began.elapsed().as_secs_f64())
}

/// Folder that is removed when dropped.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn new() -> Result<Self> {
        static NEXT_FOLDER_NUMBER: AtomicU32 = AtomicU32::new(0);
        let (program, number) = (std::process::id(), NEXT_FOLDER_NUMBER.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(format!("tussle-throughput-{program}-{number}"));
        std::fs::create_dir_all(&path).map_err(|error| LabError::Folder(path.clone(), error))?;
        Ok(Self(path))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
