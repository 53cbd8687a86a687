//! Server of small tasks, so that our side can take turns with a peer in another program.

use std::io::{self, BufRead};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde_json::json;
use tussle_core::Limits;

use crate::error::BenchError;
use crate::{grow, solve};

/// Answers requests, one per line, or prints `?` and the reason of an error:
/// - `playouts GAME N`: the CPU time of N random playouts, in seconds;
/// - `search GAME AGENT N`: the mean time and the result of N searches from the start;
/// - `within GAME AGENT SECONDS`: the result of one search in that time;
/// - `positions GAME PLIES N`: N positions after this many random plies, as their moves;
/// - `solve GAME MOVES AGENT`: the time to prove the position after these moves;
/// - `grow GAME AGENT STEPS`: the longest pause of a growing tree, and the time to reuse a subtree.
pub fn serve() -> Result<(), BenchError> {
    println!("tussle {}", env!("CARGO_PKG_VERSION"));
    for (seed, line) in (1..).zip(io::stdin().lock().lines()) {
        let line = line?;
        match answer(&line, seed) {
            Ok(answer) => println!("{answer}"),
            Err(error) => println!("? {error}"),
        }
    }
    Ok(())
}

fn answer(line: &str, seed: u64) -> Result<String, BenchError> {
    let wrong = || BenchError::Request(line.to_owned());
    match line.split(' ').collect::<Vec<_>>()[..] {
        ["playouts", game, n] => playouts(game, n.parse().map_err(|_| wrong())?, seed),
        ["search", game, agent, n] => {
            searches(game, agent, n.parse().map_err(|_| wrong())?, &Limits::none())
        }
        ["within", game, agent, seconds] => {
            let seconds = seconds.parse().map_err(|_| wrong())?;
            let time = Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
            searches(game, agent, 1, &Limits::time(time))
        }
        ["positions", game, plies, n] => {
            let number = |text: &str| text.parse().map_err(|_| wrong());
            solve::positions(game, number(plies)?, number(n)?)
        }
        ["solve", game, moves, agent] => solve::solve(game, moves, agent),
        ["grow", game, agent, steps] => {
            grow::grow(game, agent, steps.parse().map_err(|_| wrong())?)
        }
        _ => Err(wrong()),
    }
}

fn playouts(game: &str, games: u64, seed: u64) -> Result<String, BenchError> {
    let start = tussle_catalog::game(game)?.start();
    let began = ProcessTime::now();
    let tally = start.playouts(&Limits::nodes(games), seed);
    let seconds = began.elapsed().as_secs_f64();
    assert_eq!(tally.playouts, games);
    Ok(seconds.to_string())
}

/// Runs `n` searches, each with a new agent, because a used table would contain the answer. The time
/// includes the allocation of the table, and for MCTS the release of the tree, as for the peers.
fn searches(game: &str, agent: &str, n: u32, budget: &Limits) -> Result<String, BenchError> {
    let rules = tussle_catalog::game(game)?;
    let start = rules.start();
    let (mut cpu, mut wall, mut nodes) = (Duration::ZERO, Duration::ZERO, 0);
    let mut found = None;
    let is_tree_dropped = agent.starts_with("mcts");
    for _ in 0..n {
        let mut agent = rules.agent(agent, 1)?;
        let (cpu_began, wall_began) = (ProcessTime::now(), Instant::now());
        let report = agent.choose(start.as_ref(), budget)?;
        let kept = (!is_tree_dropped).then_some(agent);
        (cpu, wall) = (cpu + cpu_began.elapsed(), wall + wall_began.elapsed());
        drop(kept);
        nodes += report.stats.nodes;
        let best = &report.lines[0];
        found = Some((best.value.number(), report.stats.depth, best.mv.clone()));
    }
    let (value, depth, best) = found.ok_or(BenchError::NoSearch)?;
    Ok(json!({
        "cpu": cpu.as_secs_f64() / f64::from(n),
        "wall": wall.as_secs_f64() / f64::from(n),
        "nodes": nodes as f64 / f64::from(n),
        "value": value,
        "depth": depth,
        "best": best,
    })
    .to_string())
}
