//! A tree that grows step by step: does a search ever pause, and how long does it take to move on?

use std::time::Duration;

use cpu_time::ThreadTime;
use serde_json::json;
use tussle_core::Limits;

/// Simulations a step.
const STEP: u64 = 100;

/// Lets one agent think about the start again and again, a step at a time, and then about the position after the
/// first two moves of its line, for one simulation. Processor time: what other programs take is no pause of ours.
pub fn grow(game: &str, agent: &str, steps: u64) -> Result<String, String> {
    let rules = tussle_catalog::game(game).map_err(|e| e.to_string())?;
    let mut agent = rules.agent(agent, 1).map_err(|e| e.to_string())?;
    let mut position = rules.start();
    let mut times = Vec::new();
    let mut line = Vec::new();
    let mut visits = 0;
    for _ in 0..steps {
        let began = ThreadTime::now();
        let report = agent.choose(position.as_ref(), &Limits::nodes(STEP));
        times.push(began.elapsed());
        let best = report.map_err(|e| e.to_string())?.lines.swap_remove(0);
        (visits, line) = (best.visits, best.pv);
    }
    for mv in line.iter().take(2) {
        position.play(mv).map_err(|e| e.to_string())?;
    }
    let began = ThreadTime::now();
    agent.choose(position.as_ref(), &Limits::nodes(1)).map_err(|e| e.to_string())?;
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
