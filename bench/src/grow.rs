//! Measurement of a tree that grows step by step: its pauses, and the time to reuse a subtree.

use std::time::Duration;

use cpu_time::ThreadTime;
use serde_json::json;
use tussle_core::Limits;

use crate::error::BenchError;

/// Number of simulations per step.
const STEP_SIMULATIONS: u64 = 100;

/// Searches the start with one agent, step by step, and then the position after the first two moves of the
/// principal variation for one simulation. Measures CPU time, which excludes the time of other programs.
pub fn grow(game: &str, agent: &str, steps: u64) -> Result<String, BenchError> {
    let rules = tussle_catalog::game(game)?;
    let mut agent = rules.agent(agent, 1)?;
    let mut position = rules.start();
    let mut times = Vec::new();
    let mut line = Vec::new();
    let mut visits = 0;
    for _ in 0..steps {
        let began = ThreadTime::now();
        let report = agent.choose(position.as_ref(), &Limits::nodes(STEP_SIMULATIONS));
        times.push(began.elapsed());
        let best = report?.lines.swap_remove(0);
        (visits, line) = (best.visits, best.pv);
    }
    for mv in line.iter().take(2) {
        position.play(mv)?;
    }
    let began = ThreadTime::now();
    agent.choose(position.as_ref(), &Limits::nodes(1))?;
    let moving_on = began.elapsed();
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    let worst = times.last().copied().unwrap_or_default();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    Ok(json!({
        "median_ms": ms(middle),
        "worst_ms": ms(worst),
        "moving_on_ms": ms(moving_on),
        "visits": visits,
    })
    .to_string())
}
