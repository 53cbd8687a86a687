//! What more threads are good for.

use std::thread::available_parallelism;

use serde::{Deserialize, Serialize};
use tussle_core::{Limits, Rng};
use tussle_view::chart::{Axis, Chart, Point, Series};
use tussle_view::{Figure, Panel};

use super::Experiment;
use super::sample::Middle;
use super::words::{about, game as game_words, list, several};
use crate::{Bench, Finding, LabError, Table};

/// What a search took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Took {
    seconds: f64,
    nodes: u64,
}

/// About how long a search takes, in milliseconds.
const WEIGHT: u64 = 400;

/// Lets agents that have their own limits do the same work with more and more threads.
pub(super) fn run(experiment: &Experiment, bench: &mut Bench<'_>) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let game = tussle_catalog::game(experiment.game)?;
    let cores = available_parallelism().map_or(1, usize::from);
    // Twice as many threads as cores show what there is beyond them.
    let most = (2 * cores).max(2) as f64;
    let threads: Vec<u32> =
        plan.points.iter().filter(|&&n| n <= most).map(|&threads| threads as u32).collect();
    let searches = experiment.agents.len() * threads.len() * plan.repeats as usize;
    bench.begin(experiment.name, WEIGHT * searches as u64);
    let start = game.start();
    let mut rows = Vec::new();
    for &(name, spec) in experiment.agents {
        let mut took: Vec<Vec<Took>> = vec![Vec::new(); threads.len()];
        // Run by run, so that what else the machine does meets all of them alike.
        for i in 0..plan.repeats {
            for (&threads, took) in threads.iter().zip(&mut took) {
                let spec = format!("{spec},threads={threads}");
                let seed = Rng::derive(bench.seed, &[i.into()]).next_u64();
                let key = format!("took {} {spec} {cores} cores seed {seed}", game.spec());
                took.push(bench.measure(&key, WEIGHT, name, |stop| {
                    let mut agent = game.agent(&spec, seed)?;
                    let budget = Limits::none().or_stop(stop);
                    let report = agent.choose(start.as_ref(), &budget)?;
                    let seconds = report.elapsed.as_secs_f64();
                    Ok(Took { seconds, nodes: report.stats.nodes })
                })?);
            }
        }
        rows.push((name, took));
    }
    let pace = |took: &Took, alone: &Took| {
        (took.nodes as f64 / took.seconds) / (alone.nodes as f64 / alone.seconds)
    };
    let time = |took: &Took, alone: &Took| alone.seconds / took.seconds;
    let paces = ratios(&rows, pace);
    let times = ratios(&rows, time);
    let panel = |title: &str, y: &str, ratios: &[Ratios<'_>]| {
        let line = |row: &[Middle]| -> Vec<Point> {
            row.iter().enumerate().map(|(i, spread)| spread.point(i as f64)).collect()
        };
        let mut series: Vec<Series> =
            ratios.iter().map(|(name, row)| Series::line(*name, line(row))).collect();
        let best = |n: &u32| f64::from(*n).min(cores as f64);
        let ideal = threads.iter().enumerate().map(|(i, n)| Point::new(i as f64, best(n)));
        series.push(Series::line("no losses", ideal.collect()));
        let top = threads.last().map_or(1.0, best);
        let x = Axis::names(experiment.axes[0], threads.iter().map(u32::to_string));
        let y = Axis::linear(y).showing(0.0..=top * 1.1);
        Panel::Chart(Chart { title: title.into(), x, y, series, ..Chart::default() })
    };
    let panels = vec![
        panel("nodes a second", "times those of one thread", &paces),
        panel("speed for the same work", experiment.axes[1], &times),
    ];
    let title = format!(
        "More threads on {} ({})",
        several(cores, "core", "cores"),
        game_words(experiment.game)
    );
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title, panels },
        table: table(&threads, &rows),
        reading: reading(&threads, cores, &paces, &times, plan.repeats),
    })
}

/// An agent, and how it compares for each number of threads.
type Ratios<'a> = (&'a str, Vec<Middle>);

/// The agents, and what each run took for each number of threads.
type Rows<'a> = [(&'a str, Vec<Vec<Took>>)];

/// For each agent and number of threads, the ratio of its runs to those of one thread.
fn ratios<'a>(rows: &Rows<'a>, ratio: impl Fn(&Took, &Took) -> f64) -> Vec<Ratios<'a>> {
    let row = |(name, took): &(&'a str, Vec<Vec<Took>>)| {
        let spread = |runs: &Vec<Took>| {
            let ratios: Vec<f64> = runs.iter().zip(&took[0]).map(|(a, b)| ratio(a, b)).collect();
            Middle::geometric(&ratios)
        };
        (*name, took.iter().map(spread).collect())
    };
    rows.iter().map(row).collect()
}

fn table(threads: &[u32], rows: &Rows<'_>) -> Table {
    let mut table = Table::new(["agent", "threads", "run", "seconds", "nodes"]);
    for (name, took) in rows {
        for (threads, runs) in threads.iter().zip(took) {
            for (i, took) in runs.iter().enumerate() {
                let (seconds, nodes) = (took.seconds.into(), took.nodes.into());
                table.add(vec![(*name).into(), (*threads).into(), (i + 1).into(), seconds, nodes]);
            }
        }
    }
    table
}

fn reading(
    threads: &[u32],
    cores: usize,
    paces: &[Ratios<'_>],
    times: &[Ratios<'_>],
    runs: u32,
) -> Vec<String> {
    let mut said = Vec::new();
    for (i, &n) in threads.iter().enumerate().filter(|(_, n)| **n > 1) {
        let part = |((name, pace), (_, time)): (&Ratios<'_>, &Ratios<'_>)| {
            let (low, high) = time[i].range.unwrap_or((time[i].middle, time[i].middle));
            format!(
                "{name} enters {} times as many nodes a second and is done {} times as fast ({} to {})",
                about(pace[i].middle),
                about(time[i].middle),
                about(low),
                about(high)
            )
        };
        let parts: Vec<String> = paces.iter().zip(times).map(part).collect();
        let more = if n as usize > cores {
            format!(", more than the {} of this machine,", several(cores, "core", "cores"))
        } else {
            String::new()
        };
        said.push(format!("With {n} threads{more} {}.", list(&parts)));
    }
    said.push(format!(
        "Geometric means over {} with their 95 % intervals; whatever else the machine did is in them.",
        several(runs as usize, "run", "runs")
    ));
    said
}
