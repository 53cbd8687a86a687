//! What a tree costs, the larger it grows: simulations a second, and memory.

use serde::{Deserialize, Serialize};
use tussle_catalog::AnyGame;
use tussle_core::{Limits, Rng, StopFlag};
use tussle_engine::cpu_time;
use tussle_view::chart::{Axis, Chart, Series};
use tussle_view::{Figure, Panel};

use super::sample::{Middle, median};
use super::words::{about, percent, several};
use super::{Experiment, ExperimentError};
use crate::{Bench, Finding, LabError, Table};

/// In so many parts the last simulations up to a size are timed.
const SLICES: u64 = 5;

/// What is asked of a growing tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Simulations a second.
    Speed,
    /// Bytes.
    Memory,
}

/// A game in which a tree grows.
#[derive(Clone, Copy, Debug)]
pub struct Grown {
    /// Its name in the figure.
    pub name: &'static str,
    /// Its spec.
    pub spec: &'static str,
    /// About how long a simulation takes, in microseconds.
    pub cost: f64,
}

/// A tree of some size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Size {
    /// Simulations it has grown by.
    simulations: u64,
    /// Simulations a second of the processor, in the middle of the last ones.
    speed: f64,
    bytes: u64,
}

impl Size {
    fn bytes_each(&self) -> f64 {
        self.bytes as f64 / self.simulations as f64
    }
}

/// A game, and the sizes of its trees run by run.
type Row = (&'static Grown, Vec<Vec<Size>>);

/// Lets the experiment's agent, which must keep its tree, grow one in every game.
pub(super) fn run(
    experiment: &Experiment,
    asked: Asked,
    games: &'static [Grown],
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let &[(_, spec), ..] = experiment.agents else {
        return Err(ExperimentError::NoAgent(experiment.name).into());
    };
    let sizes: Vec<u64> = plan.points.iter().map(|&size| size as u64).collect();
    let largest = sizes.last().copied().unwrap_or(0);
    let weight = |game: &Grown| (game.cost * largest as f64 / 1e3).ceil() as u64;
    let each: u64 = games.iter().map(weight).sum();
    bench.begin(experiment.name, each * u64::from(plan.repeats));
    let mut rows: Vec<Row> = games.iter().map(|game| (game, Vec::new())).collect();
    // Run by run, so that what else the machine does meets all games alike.
    for i in 0..plan.repeats {
        let seed = Rng::derive(bench.seed, &[i.into()]).next_u64();
        for (game, runs) in &mut rows {
            let rules = tussle_catalog::game(game.spec)?;
            let key = format!("grown {} {spec} to {sizes:?} seed {seed}", rules.spec());
            runs.push(bench.measure(&key, weight(game), game.name, |stop| {
                grow(rules.as_ref(), spec, seed, &sizes, stop)
            })?);
        }
    }
    let (title, panels) = match asked {
        Asked::Speed => {
            ("Simulations a second, by the size of the tree", speeds(experiment, &rows))
        }
        Asked::Memory => ("Memory of a tree, by its size", memory(experiment, &rows)),
    };
    let agent = experiment.agents[0].0;
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title: format!("{title} ({agent})"), panels },
        table: table(&rows),
        reading: reading(asked, &rows, plan.repeats),
    })
}

/// One tree, looked at whenever it has grown to one of the sizes.
fn grow(
    game: &dyn AnyGame,
    spec: &str,
    seed: u64,
    sizes: &[u64],
    stop: &StopFlag,
) -> Result<Vec<Size>, LabError> {
    let start = game.start();
    let mut agent = game.agent(spec, seed)?;
    let mut simulations = 0;
    let mut seen = Vec::new();
    for &size in sizes {
        let (mut speeds, mut bytes) = (Vec::new(), 0);
        // To three quarters of it, and on in slices: the speed at a size is not that of all the smaller ones, and
        // what disturbs one of them does not disturb the others.
        let quarter = size / 4;
        for slice in 0..=SLICES {
            let goal = size - quarter + quarter * slice / SLICES;
            let more = goal.saturating_sub(simulations);
            if more == 0 {
                continue;
            }
            let budget = Limits::nodes(more).or_stop(stop);
            let worked = cpu_time();
            let report = agent.choose(start.as_ref(), &budget)?;
            let seconds = cpu_time().saturating_sub(worked).as_secs_f64();
            if report.stats.nodes < more && !stop.is_stopped() {
                let spec = spec.to_owned();
                return Err(ExperimentError::TreeTooSmall { spec, size }.into());
            }
            simulations += report.stats.nodes;
            bytes = report.stats.bytes;
            if slice > 0 {
                speeds.push(report.stats.nodes as f64 / seconds);
            }
        }
        seen.push(Size { simulations, speed: median(&mut speeds), bytes });
    }
    Ok(seen)
}

/// A line for each game: the middles of what its runs say, size by size.
fn lines(rows: &[Row], of: impl Fn(&Size, &Size) -> f64) -> Vec<Series> {
    let line = |(game, runs): &Row| {
        let points = middles(runs, &of).into_iter().map(|(x, middle)| middle.point(x)).collect();
        Series::line(game.name, points)
    };
    rows.iter().map(line).collect()
}

/// For each size, the middle of a number of it; the second of the two sizes is the run's smallest.
fn middles(runs: &[Vec<Size>], of: impl Fn(&Size, &Size) -> f64) -> Vec<(f64, Middle)> {
    let count = runs.iter().map(Vec::len).min().unwrap_or(0);
    let middle = |i: usize| {
        let numbers: Vec<f64> = runs.iter().map(|run| of(&run[i], &run[0])).collect();
        (runs[0][i].simulations as f64, Middle::geometric(&numbers))
    };
    (0..count).map(middle).collect()
}

fn chart(title: &str, x: &str, y: Axis, series: Vec<Series>) -> Panel {
    Panel::Chart(Chart { title: title.into(), x: Axis::log(x), y, series, ..Chart::default() })
}

fn speeds(experiment: &Experiment, rows: &[Row]) -> Vec<Panel> {
    let [x, y] = experiment.axes;
    let share = Axis::linear("share of the speed in the smallest tree (%)").showing(0.0..=110.0);
    let shares = lines(rows, |size, first| 100.0 * size.speed / first.speed);
    vec![
        chart("speed", x, Axis::log(y), lines(rows, |size, _| size.speed)),
        chart("what is left of it", x, share, shares),
    ]
}

fn memory(experiment: &Experiment, rows: &[Row]) -> Vec<Panel> {
    let [x, y] = experiment.axes;
    let each = lines(rows, |size, _| size.bytes_each());
    let top = each.iter().flat_map(|line| &line.points).map(|point| point.y).fold(0.0, f64::max);
    let whole = lines(rows, |size, _| size.bytes as f64 / 1e6);
    vec![
        chart("the whole tree", x, Axis::log(y), whole),
        chart("for each simulation", x, Axis::linear("bytes").showing(0.0..=top * 1.1), each),
    ]
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(["game", "simulations", "run", "simulations/s", "bytes"]);
    for (game, runs) in rows {
        for (i, run) in runs.iter().enumerate() {
            for Size { simulations, speed, bytes } in run {
                let number = [(*simulations).into(), (i + 1).into(), (*speed).into()];
                let cells = [game.name.into()].into_iter().chain(number);
                table.add(cells.chain([(*bytes).into()]).collect());
            }
        }
    }
    table
}

fn reading(asked: Asked, rows: &[Row], runs: u32) -> Vec<String> {
    let mut said = Vec::new();
    for (game, runs) in rows {
        let sizes = match asked {
            Asked::Speed => middles(runs, |size, _| size.speed),
            Asked::Memory => middles(runs, |size, _| size.bytes_each()),
        };
        let [(small, first), .., (large, last)] = sizes.as_slice() else { continue };
        let whole = middles(runs, |size, _| size.bytes as f64 / 1e6);
        let name = game.name;
        let (small, large) = (about(*small), about(*large));
        said.push(match asked {
            Asked::Speed => {
                let shares = middles(runs, |size, first| size.speed / first.speed);
                let share = shares.last().map_or(f64::NAN, |(_, share)| share.middle);
                format!(
                    "{name}: {} simulations a second in a tree of {small} simulations, {} in one of {large}: {} of \
                     the speed.",
                    about(first.middle),
                    about(last.middle),
                    percent(share)
                )
            }
            Asked::Memory => format!(
                "{name}: {} bytes a simulation in a tree of {large} simulations, {} MB in all; {} bytes in one of \
                 {small}.",
                about(last.middle),
                about(whole.last().map_or(f64::NAN, |(_, megabytes)| megabytes.middle)),
                about(first.middle)
            ),
        });
    }
    let runs = several(runs as usize, "run", "runs");
    said.push(match asked {
        Asked::Speed => format!(
            "One thread, from the start of the game. The speed at a size is that of the last quarter of the simulations up \
             to it: of its five parts, the median. Counted is processor time, in which waiting for other programs does not count. \
             Geometric means over {runs} with their 95 % intervals."
        ),
        Asked::Memory => format!(
            "A simulation adds one node, unless it comes to an end of the game that the tree holds already. Places for \
             moves that were not tried yet count, and the index of all the memory that the tree may take, which is why \
             small trees look larger. Geometric means over {runs}."
        ),
    });
    said
}
