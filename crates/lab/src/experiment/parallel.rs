//! Shared by measurements with several workers.

use std::thread::available_parallelism;

use tussle_view::Panel;
use tussle_view::chart::{Axis, Point, Series};

use crate::Result;
use crate::figure::panel;

/// Returns the number of processors.
pub(super) fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Returns the numbers of workers among these, up to twice the processors.
pub(super) fn worker_counts(points: &[f64]) -> impl Iterator<Item = u32> {
    let most = (2 * cores()).max(2) as f64;
    points.iter().filter(move |&&count| count <= most).map(|&count| count as u32)
}

/// Measures every run with every number of workers, and calls `row` with the run, the workers, the value, and the value
/// of one worker in the same run.
pub(super) fn rows_by_workers<T: Copy, R>(
    points: &[f64],
    repeats: u32,
    mut measure: impl FnMut(u32, u32) -> Result<T>,
    row: impl Fn(u32, u32, T, T) -> R,
) -> Result<Vec<R>> {
    let mut values = Vec::new();
    // Run by run, so that other load of the machine affects all numbers of workers alike.
    for run in 0..repeats {
        let mut alone = None;
        for workers in worker_counts(points) {
            let value = measure(run, workers)?;
            values.push((run + 1, workers, value, *alone.get_or_insert(value)));
        }
    }
    values.sort_by_key(|(_, workers, ..)| *workers);
    Ok(values
        .into_iter()
        .map(|(run, workers, value, alone)| row(run, workers, value, alone))
        .collect())
}

/// Returns a panel whose x axis has the numbers of workers, evenly apart.
pub(super) fn panel_by_workers(title: &str, x: &str, y: Axis, mut series: Vec<Series>) -> Panel {
    let counts: Vec<String> = series.first().map_or_else(Vec::new, |line| {
        line.points.iter().map(|point| point.x.to_string()).collect()
    });
    for line in &mut series {
        for (place, point) in line.points.iter_mut().enumerate() {
            point.x = place as f64;
        }
    }
    panel(title, Axis::names(x, counts), y, series)
}

/// Like [`panel_by_workers`], for factors against one worker, beside those without losses.
pub(super) fn panel_of_factors(title: &str, x: &str, y: &str, mut series: Vec<Series>) -> Panel {
    let best = |count: f64| count.min(cores() as f64);
    let counts = series.first().map_or_else(Vec::new, |line| line.points.clone());
    let ideal = counts.iter().map(|point| Point::new(point.x, best(point.x)));
    let top = counts.last().map_or(1.0, |point| best(point.x));
    series.push(Series::line("no losses", ideal.collect()));
    panel_by_workers(title, x, Axis::linear(y).showing(0.0..=top * 1.1), series)
}
