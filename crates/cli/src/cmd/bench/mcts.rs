//! `tussle bench mcts`

use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tussle_catalog::{AnyGame, AnyPosition, Catalog};
use tussle_core::{Limits, Rng, Turn};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{output, table};

/// Short games and long ones, few moves and many, with dice and without.
const GAMES: [&str; 9] = [
    "tictactoe",
    "connect4",
    "gobblet",
    "keep-on-moving:board=4",
    "go:size=5",
    "go:size=9",
    "pentago-twist",
    "pentago:early=off",
    "backgammon",
];

/// Simulations of Monte Carlo tree search from the start, by the number of threads
///
/// Every search has a fresh agent; a speed is the median of the rounds. Where a game
/// begins with dice, they are rolled first.
///
/// Examples:
///   tussle bench mcts
///   tussle bench mcts go:size=9 connect4 --threads 1,2 --json
///   tussle bench mcts pentago-twist --simulations 1000000 --rounds 1
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Mcts {
    /// The games, as spec strings; nine of many kinds if none is named.
    games: Vec<String>,
    /// Numbers of threads, separated by commas; one thread and one for each core unless said.
    #[arg(long, value_delimiter = ',', value_name = "N,…",
          value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Vec<u64>,
    /// Simulations a search.
    #[arg(long, default_value_t = 100_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    simulations: u64,
    /// Searches for each game and number of threads.
    #[arg(long, default_value_t = 5, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Seed of the dice and of the agents; each round has its own.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Measured {
    /// Simulations asked for.
    simulations: u64,
    rounds: u64,
    seed: u64,
    speeds: Vec<Speed>,
    timing: Timing,
}

#[derive(Serialize)]
struct Timing {
    elapsed_ms: f64,
}

/// One game with one number of threads.
#[derive(Serialize)]
struct Speed {
    game: String,
    threads: u64,
    /// Simulations that were made in one search, the largest of the rounds.
    simulations: u64,
    simulations_per_s: f64,
    /// What the tree took in the end, the largest of the rounds.
    bytes: u64,
}

impl Mcts {
    pub(super) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let mut specs = self.games.clone();
        if specs.is_empty() {
            specs = GAMES.map(str::to_owned).to_vec();
        }
        let threads = if self.threads.is_empty() { usual_threads() } else { self.threads.clone() };
        // All names are looked up first: a wrong one is not found out after minutes.
        let mut grounds = Vec::new();
        for spec in &specs {
            let game = catalog.game(spec)?;
            let start = self.start(game.as_ref())?;
            game.agent("mcts", self.seed)?;
            grounds.push((game, start));
        }
        let began = Instant::now();
        let searches = grounds.len() as u64 * threads.len() as u64 * self.rounds;
        let mut progress = Progress::new("searches", searches);
        let mut speeds = Vec::new();
        for (game, start) in &grounds {
            speeds.extend(self.measure(game.as_ref(), start.as_ref(), &threads, &mut progress)?);
        }
        drop(progress);
        if !self.json {
            return print(&speeds);
        }
        output::json(&Measured {
            simulations: self.simulations,
            rounds: self.rounds,
            seed: self.seed,
            speeds,
            timing: Timing { elapsed_ms: began.elapsed().as_secs_f64() * 1e3 },
        })
    }

    /// The first position in which a player is to move.
    fn start(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyPosition>, Failure> {
        let mut rng = Rng::new(self.seed);
        let mut position = game.start();
        while position.turn() == Turn::Chance {
            let outcome = position.roll(&mut rng).unwrap_or_default();
            position.play(&outcome)?;
        }
        if position.turn() == Turn::Over {
            return Err(Failure::usage(format!("{}: no player ever moves", game.spec())));
        }
        Ok(position)
    }

    /// The numbers of threads take turns, so that whatever slows the machine down meets them all.
    fn measure(
        &self,
        game: &dyn AnyGame,
        start: &dyn AnyPosition,
        threads: &[u64],
        progress: &mut Progress,
    ) -> Result<Vec<Speed>, Failure> {
        let limits = Limits::nodes(self.simulations);
        let mut searches: Vec<Vec<Search>> = threads.iter().map(|_| Vec::new()).collect();
        for round in 0..self.rounds {
            let seed = Rng::derive(self.seed, &[round]).next_u64();
            for (&threads, searches) in threads.iter().zip(&mut searches) {
                let mut agent = game.agent(&format!("mcts:threads={threads}"), seed)?;
                let began = Instant::now();
                let stats = agent.choose(start, &limits)?.stats;
                let time = began.elapsed();
                searches.push(Search { simulations: stats.nodes, time, bytes: stats.bytes });
                progress.step();
            }
        }
        let speed = |(&threads, searches): (&u64, &Vec<Search>)| Speed {
            game: game.spec().to_owned(),
            threads,
            simulations: searches.iter().map(|search| search.simulations).max().unwrap_or(0),
            simulations_per_s: median(searches.iter().map(Search::speed).collect()),
            bytes: searches.iter().map(|search| search.bytes).max().unwrap_or(0),
        };
        Ok(threads.iter().zip(&searches).map(speed).collect())
    }
}

/// One search.
struct Search {
    simulations: u64,
    time: Duration,
    bytes: u64,
}

impl Search {
    fn speed(&self) -> f64 {
        self.simulations as f64 / self.time.as_secs_f64()
    }
}

/// One, and as many as there are cores.
fn usual_threads() -> Vec<u64> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get().min(256) as u64);
    if cores == 1 { vec![1] } else { vec![1, cores] }
}

/// The middle one, or the mean of the two in the middle; there must be one.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 {
        numbers[middle]
    } else {
        f64::midpoint(numbers[middle - 1], numbers[middle])
    }
}

fn print(speeds: &[Speed]) -> Result<(), Failure> {
    let mut table = table::new(["game", "threads", "simulations/s", "simulations", "tree MB"]);
    table::numbers(&mut table, 1..=4);
    for speed in speeds {
        table.add_row([
            speed.game.clone(),
            speed.threads.to_string(),
            format!("{:.0}", speed.simulations_per_s),
            speed.simulations.to_string(),
            format!("{:.1}", speed.bytes as f64 / 1e6),
        ]);
    }
    output::print(&table::text(&table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_lies_in_the_middle() {
        assert_eq!(median(vec![3.0]), 3.0);
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![9.0, 1.0, 2.0, 4.0]), 3.0);
    }
}
