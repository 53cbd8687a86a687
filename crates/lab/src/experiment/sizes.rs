//! How long a random game takes, the larger the board.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tussle_catalog::AnyPosition;
use tussle_core::{Limits, Rng, StopFlag};
use tussle_engine::cpu_time;
use tussle_view::chart::{Axis, Chart, Series};
use tussle_view::{Figure, Panel};

use super::Experiment;
use super::sample::{Middle, slope};
use super::words::{about, several};
use crate::{Bench, Finding, LabError, Table};

/// How long games are played at a time. A measurement is the median of some such slices: what disturbs one
/// of them does not disturb the others.
const SLICE: Duration = Duration::from_millis(10);
const SLICES: u64 = 5;

/// Some random games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Slice {
    playouts: u64,
    moves: u64,
    /// Of the processor.
    seconds: f64,
}

impl Slice {
    fn microseconds(self) -> f64 {
        self.seconds * 1e6 / self.playouts as f64
    }

    fn length(self) -> f64 {
        self.moves as f64 / self.playouts as f64
    }

    fn nanoseconds_a_move(self) -> f64 {
        self.seconds * 1e9 / self.moves as f64
    }
}

/// A board, and what was measured on it.
type Row = (f64, Vec<Slice>);

/// Plays random games on boards of all sizes of the plan, which `param` of the game sets.
pub(super) fn run(
    experiment: &Experiment,
    param: &str,
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let weight = SLICE.as_millis() as u64 * SLICES;
    let slices = plan.points.len() as u64 * u64::from(plan.repeats);
    bench.begin(experiment.name, weight * slices);
    let mut rows: Vec<Row> = plan.points.iter().map(|&size| (size, Vec::new())).collect();
    // Run by run, so that what else the machine does meets all sizes alike.
    for i in 0..plan.repeats {
        let seed = Rng::derive(bench.seed, &[i.into()]).next_u64();
        for (size, slices) in &mut rows {
            let game = tussle_catalog::game(&format!("{}:{param}={size}", experiment.game))?;
            let key = format!("{SLICES} slices {} {SLICE:?} seed {seed}", game.spec());
            slices.push(bench.measure(&key, weight, game.spec(), |stop| {
                let start = game.start();
                let slice = |i| play(start.as_ref(), Rng::derive(seed, &[i]).next_u64(), stop);
                let mut slices: Vec<Slice> = (0..SLICES).map(slice).collect();
                let pace = |slice: &Slice| slice.nanoseconds_a_move();
                slices.sort_by(|a, b| pace(a).total_cmp(&pace(b)));
                Ok(slices[slices.len() / 2])
            })?);
        }
    }
    let [x, y] = experiment.axes;
    let panel = |title: &str, y: &str, of: fn(Slice) -> f64| {
        let points = middles(&rows, of).into_iter().map(|(size, middle)| middle.point(size));
        let series = vec![Series::line("random", points.collect())];
        let (x, y) = (Axis::log(x), Axis::log(y));
        Panel::Chart(Chart { title: title.into(), x, y, series, ..Chart::default() })
    };
    let panels = vec![
        panel("a game", y, Slice::microseconds),
        panel("a move", "time of a move (ns)", Slice::nanoseconds_a_move),
    ];
    let title = format!("Random games of {}, by the size of the board", experiment.game);
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title, panels },
        table: table(&rows),
        reading: reading(&rows, plan.repeats),
    })
}

/// Random games for a while.
fn play(start: &dyn AnyPosition, seed: u64, stop: &StopFlag) -> Slice {
    let worked = cpu_time();
    let budget = Limits::time(SLICE).or_stop(stop);
    let tally = start.playouts(&budget, seed);
    let seconds = cpu_time().saturating_sub(worked).as_secs_f64();
    Slice { playouts: tally.playouts.max(1), moves: tally.plies.max(1), seconds }
}

fn middles(rows: &[Row], of: fn(Slice) -> f64) -> Vec<(f64, Middle)> {
    let middle = |(size, slices): &Row| {
        let numbers: Vec<f64> = slices.iter().map(|&slice| of(slice)).collect();
        (*size, Middle::geometric(&numbers))
    };
    rows.iter().map(middle).collect()
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(["size", "run", "playouts", "moves", "seconds"]);
    for (size, slices) in rows {
        for (i, Slice { playouts, moves, seconds }) in slices.iter().enumerate() {
            let run = (i + 1).into();
            let counts = [(*playouts).into(), (*moves).into(), (*seconds).into()];
            table.add([(*size).into(), run].into_iter().chain(counts).collect());
        }
    }
    table
}

/// On logarithmic axes a power is a straight line, and its exponent the slope.
fn power(rows: &[Row], of: fn(Slice) -> f64) -> f64 {
    let points = middles(rows, of);
    let logs: Vec<_> = points.iter().map(|(size, m)| (size.ln(), m.middle.ln())).collect();
    slope(&logs)
}

/// Where moves become slower most, and the powers on both sides of that.
fn steepest(rows: &[Row]) -> Option<String> {
    let times: Vec<f64> =
        middles(rows, Slice::nanoseconds_a_move).iter().map(|(_, time)| time.middle).collect();
    let step = |i: &usize| times[i + 1] / times[*i];
    let i = (0..times.len().checked_sub(1)?).max_by(|a, b| step(a).total_cmp(&step(b)))?;
    let (low, high) = rows.split_at(i + 1);
    let mut said = format!(
        "Moves become slower most from {} to {}: {} times.",
        low[i].0,
        high[0].0,
        about(step(&i))
    );
    if low.len() > 1 && high.len() > 1 {
        let [low, high] = [low, high].map(|rows| power(rows, Slice::microseconds));
        said += &format!(
            " Up to there the time of a game grows by the power of {low:.2}, from there on by {high:.2}."
        );
    }
    Some(said)
}

fn reading(rows: &[Row], runs: u32) -> Vec<String> {
    let mut said = Vec::new();
    for i in [0, rows.len().saturating_sub(1)] {
        let Some(row) = rows.get(i) else { continue };
        let of = |number| middles(std::slice::from_ref(row), number)[0].1.middle;
        said.push(format!(
            "Board {0}x{0}: a random game takes {1} µs and has {2} moves of {3} ns.",
            row.0,
            about(of(Slice::microseconds)),
            about(of(Slice::length)),
            about(of(Slice::nanoseconds_a_move))
        ));
    }
    said.extend(steepest(rows));
    if rows.len() > 1 {
        said.push(format!(
            "With the side of the board the time of a game grows by the power of {:.2}, the number of its moves by {:.2} and \
             the time of a move by {:.2}: slopes of the lines through all points, both axes being logarithmic. The \
             number of points on the board grows by the power of 2.",
            power(rows, Slice::microseconds),
            power(rows, Slice::length),
            power(rows, Slice::nanoseconds_a_move)
        ));
    }
    said.push(format!(
        "One thread, processor time; geometric means over {} with their 95 % intervals, each the median of {SLICES} slices of \
         {} ms.",
        several(runs as usize, "run", "runs"),
        SLICE.as_millis()
    ));
    said
}
