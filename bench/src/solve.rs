//! Random positions in the middle of a game, and measurements of searches that solve them.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde_json::{Value, json};
use tussle_catalog::AnyPosition;
use tussle_core::{Limits, Outcome, Rng};

use crate::error::BenchError;

/// Returns `n` positions after `plies` random plies, each as its moves. The positions are always the
/// same.
pub fn positions(game: &str, plies: usize, n: usize) -> Result<String, BenchError> {
    let start = tussle_catalog::game(game)?.start();
    let mut rng = Rng::new(1);
    let found: Vec<String> = std::iter::repeat_with(|| opening(start.as_ref(), plies, &mut rng))
        .take(MAX_TRIES)
        .flatten()
        .take(n)
        .collect();
    if found.len() < n {
        return Err(BenchError::ShortGames { game: game.to_owned(), plies, found: found.len() });
    }
    Ok(Value::from(found).to_string())
}

/// Maximum number of random games tried to find enough long ones.
pub const MAX_TRIES: usize = 10_000;

/// Returns the moves of `plies` random plies, or `None` if the game is over by then.
fn opening(start: &dyn AnyPosition, plies: usize, rng: &mut Rng) -> Option<String> {
    let mut game = start.boxed();
    for _ in 0..plies {
        let moves = game.moves();
        game.play(moves.get(rng.below(moves.len().max(1)))?).ok()?;
    }
    (!game.moves().is_empty()).then(|| game.history().join(","))
}

/// Solves a position with a new agent and returns the outcome for the player to move (1, 0 or -1), the plies
/// to the end and the time, as JSON. The time includes the allocation of the agent's table.
pub fn solve(game: &str, moves: &str, agent: &str) -> Result<String, BenchError> {
    let rules = tussle_catalog::game(game)?;
    let mut position = rules.start();
    for mv in moves.split(',') {
        position.play(mv)?;
    }
    let mut agent = rules.agent(agent, 1)?;
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    let report = agent.choose(position.as_ref(), &Limits::none())?;
    let (cpu, wall): (Duration, _) = (cpu.elapsed(), wall.elapsed());
    let best = report.lines.first().ok_or(BenchError::GameOver)?;
    let outcome = match best.outcome().ok_or(BenchError::NotProven)? {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    };
    Ok(json!({
        "cpu": cpu.as_secs_f64(),
        "wall": wall.as_secs_f64(),
        "nodes": report.stats.nodes,
        "outcome": outcome,
        "distance": best.distance(),
    })
    .to_string())
}
