//! What searches took and found, as `bench/run` reads it.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde_json::json;

/// One of several equal searches.
pub struct Found {
    pub cpu: Duration,
    pub wall: Duration,
    /// Positions entered, if the library counts them.
    pub nodes: Option<u64>,
    pub value: f64,
}

/// Runs a search, with the clock on for nothing else.
pub fn timed<T>(search: impl FnOnce() -> T) -> (T, Duration, Duration) {
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    let found = search();
    (found, cpu.elapsed(), wall.elapsed())
}

/// One line for all of them: the mean times and nodes, and the value, which must be one.
pub fn line(searches: &[Found]) -> Result<String, String> {
    let n = searches.len() as f64;
    let mean = |time: fn(&Found) -> Duration| {
        searches.iter().map(|one| time(one).as_secs_f64()).sum::<f64>() / n
    };
    let value = searches.first().ok_or("no search was asked for")?.value;
    if searches.iter().any(|one| one.value != value) {
        return Err("the same search found different values".to_owned());
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

/// The line for a Monte Carlo tree search: its simulations, and the place of the move it chose.
pub fn simulated(
    simulations: u64,
    cpu: Duration,
    wall: Duration,
    best: Option<usize>,
) -> Result<String, String> {
    Ok(json!({
        "cpu": cpu.as_secs_f64(),
        "wall": wall.as_secs_f64(),
        "nodes": simulations,
        "best": best,
    })
    .to_string())
}
