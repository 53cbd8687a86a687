//! Speed of a search with several threads.

use serde::{Deserialize, Serialize};
use tussle_core::Limits;
use tussle_view::Figure;
use tussle_view::chart::Series;

use super::parallel::{cores, panel_of_factors, rows_by_workers, worker_counts};
use super::setup::{StartSupport, with_pair, without_key};
use super::swept::{Steps, Swept};
use super::{Context, Kind, Setup};
use crate::Result;
use crate::figure::lines;
use crate::mean::Mean;
use crate::sentences::{about, game_words, list, several};

/// Number of nodes of the search that chooses a depth for a game of the user's choice.
const CALIBRATION_NODES: u64 = 1_000_000;
/// Approximate time of a search, in milliseconds.
const WEIGHT: u64 = 400;

/// Searches by every agent, which has limits of its own, with each number of threads of the plan.
#[derive(Debug)]
pub(super) struct Speedup;

/// Cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Cost {
    seconds: f64,
    nodes: u64,
}

impl Cost {
    fn nodes_per_second(self) -> f64 {
        self.nodes as f64 / self.seconds
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    agent: String,
    threads: u32,
    run: u32,
    #[serde(flatten)]
    cost: Cost,
    /// Cost of one thread in the same run.
    #[serde(skip)]
    alone: Cost,
}

/// Returns the nodes per second as multiples of those of one thread.
fn node_rates(rows: &[Row]) -> Vec<Series> {
    let rate = |row: &Row| row.cost.nodes_per_second() / row.alone.nodes_per_second();
    lines(rows, |row| row.agent.as_str(), |row| row.threads.into(), rate, Mean::geometric)
}

/// Returns the time of one thread as a multiple of the time.
fn speedups(rows: &[Row]) -> Vec<Series> {
    let speedup = |row: &Row| row.alone.seconds / row.cost.seconds;
    lines(rows, |row| row.agent.as_str(), |row| row.threads.into(), speedup, Mean::geometric)
}

impl Kind for Speedup {
    type Row = Row;

    fn swept(&self) -> Swept {
        Swept { name: "numbers of threads", steps: Steps::WholeFactors }
    }

    fn start(&self) -> StartSupport {
        StartSupport::PerRun
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        setup.begin_at_one();
        let no_threads =
            "has no key `threads`; use an agent that has it, such as alphabeta or mcts";
        setup.expect_no_program(no_threads)?;
        let game = setup.game()?;
        for player in &setup.agents {
            if !setup.takes(game.as_ref(), &player.spec, "threads", "2") {
                return Err(setup.unfit(player, no_threads));
            }
            if !setup.limits_itself(game.as_ref(), &player.spec)? {
                let why = "has no limit of its own; add depth=N or nodes=N to its spec";
                return Err(setup.unfit(player, why));
            }
        }
        if (setup.own.game || setup.own.start) && !setup.own.agents {
            let start = setup.position(game.as_ref());
            for player in &mut setup.agents {
                // The depth of the list belongs to its game.
                if game.looks_by_plies(&player.spec)? {
                    let spec = without_key(&player.spec, "depth");
                    let limits = Limits::nodes(CALIBRATION_NODES);
                    let report = game.agent(&spec, 1)?.choose(start.as_ref(), &limits)?;
                    let depth = report.stats.depth.max(1).to_string();
                    player.spec = with_pair(&spec, "depth", &depth);
                }
            }
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let game = setup.game()?;
        let cores = cores();
        let searches =
            setup.agents.len() * worker_counts(&setup.points).count() * setup.repeats as usize;
        context.begin(setup.name, WEIGHT * searches as u64);
        let starts = setup.positions_of_runs(game.as_ref(), context.seed)?;
        let mut rows = Vec::new();
        for player in &setup.agents {
            let agent = &player.name;
            let measure = |run: u32, threads: u32| {
                let spec = with_pair(&player.spec, "threads", &threads.to_string());
                let start = &starts[run as usize % starts.len()];
                let (seed, place) = (context.run_seed(run), setup.key_of_position(start.as_ref()));
                let key = format!("took {} {spec} {cores} cores seed {seed}{place}", game.spec());
                context.measure(&key, WEIGHT, agent, |stop| {
                    let limits = Limits::none().or_stop(stop);
                    let report = game.agent(&spec, seed)?.choose(start.as_ref(), &limits)?;
                    let seconds = report.elapsed.as_secs_f64();
                    Ok(Cost { seconds, nodes: report.stats.nodes })
                })
            };
            let row = |run, threads, cost, alone| {
                let agent = agent.clone();
                Row { agent, threads, run, cost, alone }
            };
            rows.extend(rows_by_workers(&setup.points, setup.repeats, measure, row)?);
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let (rates, rate) = (node_rates(rows), "times those of one thread");
        let panels = vec![
            panel_of_factors("nodes per second", x, rate, rates),
            panel_of_factors("speed for the same work", x, y, speedups(rows)),
        ];
        let (cores, game) = (several(cores(), "core", "cores"), game_words(&setup.game));
        Ok(Figure { title: format!("More threads on {cores} ({game})"), panels })
    }

    fn sentences(&self, _: &Setup, rows: &[Row]) -> Vec<String> {
        let cores = cores();
        let mut said = Vec::new();
        let (rates, speedups) = (node_rates(rows), speedups(rows));
        let counts: Vec<f64> = rates
            .first()
            .map_or_else(Vec::new, |line| line.points.iter().map(|point| point.x).collect());
        for (i, &threads) in counts.iter().enumerate().filter(|(_, threads)| **threads > 1.0) {
            let part = |(rate, speedup): (&Series, &Series)| {
                let (rate, speedup, name) = (rate.points[i], speedup.points[i], &speedup.name);
                let (low, high) = speedup.range.unwrap_or((speedup.y, speedup.y));
                format!(
                    "{name} enters {} times as many nodes per second and finishes {} times as fast ({} to {})",
                    about(rate.y),
                    about(speedup.y),
                    about(low),
                    about(high)
                )
            };
            let parts: Vec<String> = rates.iter().zip(&speedups).map(part).collect();
            let more = if threads > cores as f64 {
                format!(", more than the {} of this machine,", several(cores, "core", "cores"))
            } else {
                String::new()
            };
            said.push(format!("With {threads} threads{more} {}.", list(&parts)));
        }
        let runs = rows.iter().map(|row| row.run).max().unwrap_or(0);
        said.push(format!(
            "Geometric means over {} with their 95 % intervals; whatever else the machine did is in them.",
            several(runs as usize, "run", "runs")
        ));
        said
    }
}
