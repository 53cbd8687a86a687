//! Games a second of a tournament, the more of them are played at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread::available_parallelism;
use std::time::Instant;

use tussle_arena::Store;
use tussle_core::{Rng, StopFlag};
use tussle_view::chart::{Axis, Chart, Point, Series};
use tussle_view::{Figure, Panel};

use super::Experiment;
use super::sample::Middle;
use super::words::{about, game as game_words, list, several};
use crate::{Bench, Duel, Finding, LabError, Table};

/// About how long the games of one measurement take, in milliseconds.
const WEIGHT: u64 = 800;

/// An agent, and its games a second for each number of jobs, run by run.
type Row = (&'static str, Vec<Vec<f64>>);

/// Lets every agent play so many games against itself, with more and more of them at once.
pub(super) fn run(
    experiment: &Experiment,
    games: &[u64],
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let cores = available_parallelism().map_or(1, usize::from);
    // Twice as many jobs as cores show what there is beyond them.
    let most = (2 * cores).max(2) as f64;
    let jobs: Vec<usize> =
        plan.points.iter().filter(|&&n| n <= most).map(|&jobs| jobs as usize).collect();
    let matches = experiment.agents.len() * jobs.len() * plan.repeats as usize;
    bench.begin(experiment.name, WEIGHT * matches as u64);
    let mut rows: Vec<Row> = Vec::new();
    for (&(name, spec), &games) in experiment.agents.iter().zip(games) {
        let mut speeds: Vec<Vec<f64>> = vec![Vec::new(); jobs.len()];
        // Run by run, so that what else the machine does meets all of them alike.
        for i in 0..plan.repeats {
            let seed = Rng::derive(bench.seed, &[i.into()]).next_u64() >> 32;
            let duel = Duel::new(experiment.game, [("a", spec), ("b", spec)], games, seed);
            for (&jobs, speeds) in jobs.iter().zip(&mut speeds) {
                let key = format!(
                    "throughput {} {spec} {games} games {jobs} jobs {cores} cores seed {seed}",
                    experiment.game
                );
                speeds
                    .push(bench.measure(&key, WEIGHT, name, |stop| throughput(&duel, jobs, stop))?);
            }
        }
        rows.push((name, speeds));
    }
    let title = format!(
        "Games at once on {} ({})",
        several(cores, "core", "cores"),
        game_words(experiment.game)
    );
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title, panels: panels(experiment, &jobs, cores, &rows) },
        table: table(&jobs, games, &rows),
        reading: reading(&jobs, cores, games, &rows, plan.repeats),
    })
}

/// Games a second, each of them kept in a file when it is over.
fn throughput(duel: &Duel, jobs: usize, stop: &StopFlag) -> Result<f64, LabError> {
    let folder = Folder::new()?;
    let tournament = duel.tournament()?;
    let mut store = Store::open_or_create(&folder.0.join("games.db"), tournament.spec())?;
    let began = Instant::now();
    duel.run(&tournament, &mut store, jobs, stop, &mut || {})?;
    Ok(duel.games() as f64 / began.elapsed().as_secs_f64())
}

/// A folder that is gone in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, LabError> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let (program, number) = (std::process::id(), MADE.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(format!("tussle-throughput-{program}-{number}"));
        std::fs::create_dir_all(&path).map_err(|error| LabError::Folder(path.clone(), error))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// For each number of jobs, what `of` makes of the runs' speeds and those of one job.
fn middles(speeds: &[Vec<f64>], of: fn(f64, f64) -> f64) -> Vec<Middle> {
    let middle = |runs: &Vec<f64>| {
        let numbers: Vec<f64> =
            runs.iter().zip(&speeds[0]).map(|(&speed, &alone)| of(speed, alone)).collect();
        Middle::geometric(&numbers)
    };
    speeds.iter().map(middle).collect()
}

fn speed(speed: f64, _: f64) -> f64 {
    speed
}

fn ratio(speed: f64, alone: f64) -> f64 {
    speed / alone
}

fn panels(experiment: &Experiment, jobs: &[usize], cores: usize, rows: &[Row]) -> Vec<Panel> {
    let [x, y] = experiment.axes;
    let lines = |of: fn(f64, f64) -> f64| -> Vec<Series> {
        let line = |(name, speeds): &Row| {
            let points = middles(speeds, of).into_iter().enumerate();
            Series::line(*name, points.map(|(i, middle)| middle.point(i as f64)).collect())
        };
        rows.iter().map(line).collect()
    };
    let panel = |title: &str, y: Axis, series: Vec<Series>| {
        let x = Axis::names(x, jobs.iter().map(usize::to_string));
        Panel::Chart(Chart { title: title.into(), x, y, series, ..Chart::default() })
    };
    let best = |jobs: usize| jobs.min(cores) as f64;
    let ideal = jobs.iter().enumerate().map(|(i, &jobs)| Point::new(i as f64, best(jobs)));
    let mut ratios = lines(ratio);
    ratios.push(Series::line("no losses", ideal.collect()));
    let top = jobs.last().map_or(1.0, |&jobs| best(jobs));
    vec![
        panel("games a second", Axis::log(y), lines(speed)),
        panel(
            "against one at a time",
            Axis::linear("times those of one job").showing(0.0..=top * 1.1),
            ratios,
        ),
    ]
}

fn table(jobs: &[usize], games: &[u64], rows: &[Row]) -> Table {
    let mut table = Table::new(["agent", "jobs", "run", "games", "games/s"]);
    for ((name, speeds), &games) in rows.iter().zip(games) {
        for (&jobs, runs) in jobs.iter().zip(speeds) {
            for (i, &speed) in runs.iter().enumerate() {
                let numbers = [jobs.into(), (i + 1).into(), games.into(), speed.into()];
                table.add([(*name).into()].into_iter().chain(numbers).collect());
            }
        }
    }
    table
}

fn reading(jobs: &[usize], cores: usize, games: &[u64], rows: &[Row], runs: u32) -> Vec<String> {
    let one = |(name, speeds): &Row| format!("{name} {}", about(middles(speeds, speed)[0].middle));
    let alone: Vec<String> = rows.iter().map(one).collect();
    let mut said = vec![format!("Games a second, one at a time: {}.", list(&alone))];
    for (i, &n) in jobs.iter().enumerate().filter(|(_, n)| **n > 1) {
        let part = |(name, speeds): &Row| {
            let Middle { middle, range } = middles(speeds, ratio)[i];
            let (low, high) = range.unwrap_or((middle, middle));
            format!("{name} {} times as many ({} to {})", about(middle), about(low), about(high))
        };
        let parts: Vec<String> = rows.iter().map(part).collect();
        said.push(format!("With {n} jobs: {}.", list(&parts)));
    }
    let games: Vec<String> = games.iter().map(u64::to_string).collect();
    said.push(format!(
        "This machine has {}. Agents are part of the program and play against themselves, {} games each; a game is \
         written to a store on disk when it is over, as in a tournament. Geometric means over {} with their 95 % \
         intervals; whatever else the machine did is in them.",
        several(cores, "core", "cores"),
        list(&games),
        several(runs as usize, "run", "runs")
    ));
    said
}
