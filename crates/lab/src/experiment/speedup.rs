//! Speed of a search with several threads.

use serde::{Deserialize, Serialize};
use tussle_core::Limits;
use tussle_view::Figure;
use tussle_view::chart::Series;

use super::parallel::{cores, panel_of_factors, rows_by_workers, worker_counts};
use super::{Context, Experiment, Kind};
use crate::Result;
use crate::figure::lines;
use crate::mean::Mean;
use crate::sentences::{about, game_words, list, several};

/// Approximate time of a search, in milliseconds.
const WEIGHT: u64 = 400;

/// Searches by every agent, which has limits of its own, with each number of threads of the plan.
#[derive(Debug)]
pub(super) struct Speedup;

/// Cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Cost {
    seconds: f64,
    nodes: u64,
}

impl Cost {
    fn nodes_per_second(self) -> f64 {
        self.nodes as f64 / self.seconds
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    agent: &'static str,
    threads: u32,
    run: u32,
    #[serde(flatten)]
    cost: Cost,
    /// Cost of one thread in the same run.
    #[serde(skip)]
    alone: Cost,
}

/// Returns the nodes per second as multiples of those of one thread.
fn node_rates(rows: &[Row]) -> Vec<Series> {
    let rate = |row: &Row| row.cost.nodes_per_second() / row.alone.nodes_per_second();
    lines(rows, |row| row.agent, |row| row.threads.into(), rate, Mean::geometric)
}

/// Returns the time of one thread as a multiple of the time.
fn speedups(rows: &[Row]) -> Vec<Series> {
    let speedup = |row: &Row| row.alone.seconds / row.cost.seconds;
    lines(rows, |row| row.agent, |row| row.threads.into(), speedup, Mean::geometric)
}

impl Kind for Speedup {
    type Row = Row;

    fn measure(&self, experiment: &Experiment, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let plan = experiment.plan(context);
        let game = experiment.game()?;
        let cores = cores();
        let searches =
            experiment.agents.len() * worker_counts(plan).count() * plan.repeats as usize;
        context.begin(experiment.name, WEIGHT * searches as u64);
        let start = game.start();
        let mut rows = Vec::new();
        for &(agent, spec) in experiment.agents {
            let measure = |run, threads| {
                let spec = format!("{spec},threads={threads}");
                let seed = context.run_seed(run);
                let key = format!("took {} {spec} {cores} cores seed {seed}", game.spec());
                context.measure(&key, WEIGHT, agent, |stop| {
                    let limits = Limits::none().or_stop(stop);
                    let report = game.agent(&spec, seed)?.choose(start.as_ref(), &limits)?;
                    let seconds = report.elapsed.as_secs_f64();
                    Ok(Cost { seconds, nodes: report.stats.nodes })
                })
            };
            let row = |run, threads, cost, alone| Row { agent, threads, run, cost, alone };
            rows.extend(rows_by_workers(plan, measure, row)?);
        }
        Ok(rows)
    }

    fn figure(&self, experiment: &Experiment, rows: &[Row]) -> Result<Figure> {
        let [x, y] = experiment.axes;
        let (rates, rate) = (node_rates(rows), "times those of one thread");
        let panels = vec![
            panel_of_factors("nodes per second", x, rate, rates),
            panel_of_factors("speed for the same work", x, y, speedups(rows)),
        ];
        let (cores, game) = (several(cores(), "core", "cores"), game_words(experiment.game));
        Ok(Figure { title: format!("More threads on {cores} ({game})"), panels })
    }

    fn sentences(&self, _: &Experiment, rows: &[Row]) -> Vec<String> {
        let cores = cores();
        let mut said = Vec::new();
        let (rates, speedups) = (node_rates(rows), speedups(rows));
        let counts: Vec<f64> = rates
            .first()
            .map_or_else(Vec::new, |line| line.points.iter().map(|point| point.x).collect());
        for (i, &threads) in counts.iter().enumerate().filter(|(_, threads)| **threads > 1.0) {
            let part = |(rate, speedup): (&Series, &Series)| {
                let (rate, speedup, name) = (rate.points[i], speedup.points[i], &speedup.name);
                let (low, high) = speedup.range.unwrap_or((speedup.y, speedup.y));
                format!(
                    "{name} enters {} times as many nodes per second and finishes {} times as fast ({} to {})",
                    about(rate.y),
                    about(speedup.y),
                    about(low),
                    about(high)
                )
            };
            let parts: Vec<String> = rates.iter().zip(&speedups).map(part).collect();
            let more = if threads > cores as f64 {
                format!(", more than the {} of this machine,", several(cores, "core", "cores"))
            } else {
                String::new()
            };
            said.push(format!("With {threads} threads{more} {}.", list(&parts)));
        }
        let runs = rows.iter().map(|row| row.run).max().unwrap_or(0);
        said.push(format!(
            "Geometric means over {} with their 95 % intervals; whatever else the machine did is in them.",
            several(runs as usize, "run", "runs")
        ));
        said
    }
}
