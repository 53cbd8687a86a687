//! Times and results of searches, in the form that `bench/run` reads.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde_json::json;

use crate::Answer;
use crate::error::RequestError;

/// Time and result of one search.
pub struct Measurement {
    pub cpu: Duration,
    pub wall: Duration,
    /// Number of positions entered, if the library counts them.
    pub nodes: Option<u64>,
    pub value: f64,
}

/// Runs a search and returns its result, CPU time and wall time.
pub fn timed<T>(search: impl FnOnce() -> T) -> (T, Duration, Duration) {
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    let found = search();
    (found, cpu.elapsed(), wall.elapsed())
}

/// Returns the line for repeated searches: mean times and nodes, and the value, which must be the same
/// in all of them.
pub fn line(searches: &[Measurement]) -> Answer {
    let n = searches.len() as f64;
    let mean = |time: fn(&Measurement) -> Duration| {
        searches.iter().map(|one| time(one).as_secs_f64()).sum::<f64>() / n
    };
    let value = searches.first().ok_or(RequestError::NoSearch)?.value;
    if searches.iter().any(|one| one.value != value) {
        return Err(RequestError::DifferentValues);
    }
    let nodes: Option<u64> = searches.iter().map(|one| one.nodes).sum();
    Ok(json!({
        "cpu": mean(|one| one.cpu),
        "wall": mean(|one| one.wall),
        "nodes": nodes.map(|nodes| nodes as f64 / n),
        "value": value,
    })
    .to_string())
}

/// Returns the line for a Monte Carlo tree search: its simulations, its times and the number of its best
/// move.
pub fn simulated(
    simulations: u64,
    cpu: Duration,
    wall: Duration,
    best: Option<usize>,
) -> Answer {
    Ok(json!({
        "cpu": cpu.as_secs_f64(),
        "wall": wall.as_secs_f64(),
        "nodes": simulations,
        "best": best,
    })
    .to_string())
}
