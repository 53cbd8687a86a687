//! `tussle bench mcts`

use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tussle_catalog::{AnyGame, AnyPosition, Catalog};
use tussle_core::{Limits, Rng, Turn};

use crate::failure::Failure;
use crate::layout::Table;
use crate::output;
use crate::progress::Progress;

/// Default games: short and long, with few and many moves, with and without chance.
const DEFAULT_GAMES: [&str; 9] = [
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

/// Measure simulations per second of Monte Carlo tree search, by number of threads
///
/// Each search starts at the start of the game with a new agent; a speed is the median of the rounds. If a game
/// starts with a chance event, its outcome is drawn first.
///
/// Examples:
///   tussle bench mcts
///   tussle bench mcts go:size=9 connect4 --threads 1,2 --json
///   tussle bench mcts pentago-twist --simulations 1000000 --rounds 1
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Mcts {
    /// Game specs [default: nine games of different kinds]
    games: Vec<String>,
    /// Numbers of threads, separated by commas [default: 1 and the number of cores]
    #[arg(long, value_delimiter = ',', value_name = "N,…",
          value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Vec<u64>,
    /// Number of simulations per search
    #[arg(long, default_value_t = 100_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    simulations: u64,
    /// Number of searches for each game and number of threads
    #[arg(long, default_value_t = 5, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Seed of chance events and agents; each round derives its own
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    /// Requested simulations per search.
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

/// Speed in one game with one number of threads.
#[derive(Serialize)]
struct Speed {
    game: String,
    threads: u64,
    /// Simulations made in one search: the maximum over the rounds.
    simulations: u64,
    simulations_per_s: f64,
    /// Final size of the tree: the maximum over the rounds.
    bytes: u64,
}

impl Mcts {
    pub(super) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let mut specs = self.games.clone();
        if specs.is_empty() {
            specs = DEFAULT_GAMES.map(str::to_owned).to_vec();
        }
        let threads = if self.threads.is_empty() { usual_threads() } else { self.threads.clone() };
        // Check all specs before the first search, which may take minutes.
        let mut grounds = Vec::new();
        for spec in &specs {
            let game = catalog.game(spec)?;
            let start = self.start(game.as_ref())?;
            game.agent("mcts-textbook", self.seed)?;
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
        output::json(&Document {
            simulations: self.simulations,
            rounds: self.rounds,
            seed: self.seed,
            speeds,
            timing: Timing { elapsed_ms: began.elapsed().as_secs_f64() * 1e3 },
        })
    }

    /// Returns the first position in which a player is to move.
    fn start(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyPosition>, Failure> {
        let mut rng = Rng::new(self.seed);
        let mut position = game.start();
        while position.turn() == Turn::Chance {
            let outcome = position.roll(&mut rng).unwrap_or_default();
            position.play(&outcome)?;
        }
        if position.turn() == Turn::Over {
            return Err(Failure::usage(format!("{}: no player ever has a move", game.spec())));
        }
        Ok(position)
    }

    /// Measures all numbers of threads in each round, so that other load on the machine affects all of them.
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
                let mut agent = game.agent(&format!("mcts-textbook:threads={threads}"), seed)?;
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

/// Statistics of one search.
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

/// Returns 1 and the number of cores.
fn usual_threads() -> Vec<u64> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get().min(256) as u64);
    if cores == 1 { vec![1] } else { vec![1, cores] }
}

/// Returns the median of at least one number.
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
    let mut table = Table::new(["game", "threads", "simulations/s", "simulations", "tree MB"]);
    table.numbers(1..=4);
    for speed in speeds {
        table.add_row([
            speed.game.clone(),
            speed.threads.to_string(),
            format!("{:.0}", speed.simulations_per_s),
            speed.simulations.to_string(),
            format!("{:.1}", speed.bytes as f64 / 1e6),
        ]);
    }
    output::print(&table.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle_number_or_the_mean_of_two() {
        assert_eq!(median(vec![3.0]), 3.0);
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![9.0, 1.0, 2.0, 4.0]), 3.0);
    }
}
