//! Speed and memory of Monte Carlo tree search by the size of its tree.

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition, Spec};
use tussle_core::{Limits, StopFlag};
use tussle_engine::cpu_time;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Point, Series};

use super::setup::{Start, StartSupport, with_pair};
use super::swept::{Steps, Swept};
use super::{Context, ExperimentError, Kind, Setup};
use crate::Result;
use crate::figure::{lines, panel};
use crate::mean::{Mean, median};
use crate::sentences::{about, game_words, percent, several};

/// Number of slices in which the last simulations up to a size are timed.
const SLICES: u64 = 5;

/// Approximate time of a simulation in a game of the user's choice, in microseconds.
const USUAL_SIMULATION_US: f64 = 5.0;

/// A tree in every game, grown by the experiment's agent, which must keep its tree. The points of the plan are sizes.
#[derive(Debug)]
pub(super) struct GrowingTree {
    pub(super) cost: TreeCost,
    pub(super) games: &'static [TreeGame],
}

/// Cost of a growing tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeCost {
    /// Simulations per second.
    Speed,
    /// Bytes.
    Memory,
}

/// Game in which a tree grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeGame {
    /// Name in the figure.
    pub(super) name: &'static str,
    pub(super) spec: &'static str,
    /// Approximate time of a simulation, in microseconds.
    pub(super) simulation_us: f64,
}

/// Tree of some size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Size {
    /// Number of simulations since the root.
    simulations: u64,
    /// Median of the simulations per second of processor time in the last slices.
    speed: f64,
    bytes: u64,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    game: String,
    simulations: u64,
    run: u32,
    #[serde(rename = "simulations/s")]
    speed: f64,
    bytes: u64,
    /// Speed in the smallest tree of the same run.
    #[serde(skip)]
    first_speed: f64,
}

/// Returns a line per game: geometric means of a number over the runs, by size.
fn means(rows: &[Row], number: fn(&Row) -> f64) -> Vec<Series> {
    lines(rows, |row| row.game.as_str(), |row| row.simulations as f64, number, Mean::geometric)
}

fn speeds(rows: &[Row]) -> Vec<Series> {
    means(rows, |row| row.speed)
}

fn shares(rows: &[Row]) -> Vec<Series> {
    means(rows, |row| 100.0 * row.speed / row.first_speed)
}

fn megabytes(rows: &[Row]) -> Vec<Series> {
    means(rows, |row| row.bytes as f64 / 1e6)
}

fn bytes_per_simulation(rows: &[Row]) -> Vec<Series> {
    means(rows, |row| row.bytes as f64 / row.simulations as f64)
}

impl Kind for GrowingTree {
    type Row = Row;

    fn swept(&self) -> Swept {
        Swept { name: "numbers of simulations", steps: Steps::WholeFactors }
    }

    fn start(&self) -> StartSupport {
        StartSupport::One
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        let (experiment, found) = (setup.name, setup.agents.len());
        if found != 1 {
            let (expected, fix) = ("1 agent", "give --agent once");
            return Err(ExperimentError::AgentCount { experiment, expected, found, fix }.into());
        }
        setup.expect_no_program("is a program, whose tree is unknown; use mcts")?;
        if setup.own.agents {
            let game = setup.game.split(", ").next().unwrap_or_default();
            let game = setup.game_of(game)?;
            let mut spec = setup.agents[0].spec.clone();
            for (key, value) in [("reuse", "on"), ("memory", "1300MB")] {
                if !setup.takes(game.as_ref(), &spec, key, value) {
                    let why = format!(
                        "has no key `{key}`; use an agent that keeps its tree, such as mcts"
                    );
                    return Err(setup.unfit(&setup.agents[0], why));
                }
                if key == "reuse" || Spec::parse(&spec)?.value(key).is_none() {
                    spec = with_pair(&spec, key, value);
                }
            }
            setup.agents[0].spec = spec;
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let Some(agent) = setup.agents.first() else {
            return Err(ExperimentError::NoAgent(setup.name).into());
        };
        let spec = agent.spec.as_str();
        let games = self.games(setup);
        let sizes: Vec<u64> = setup.points.iter().map(|&size| size as u64).collect();
        let largest = sizes.last().copied().unwrap_or(0);
        let weight = |game: &Tree| (game.simulation_us * largest as f64 / 1e3).ceil() as u64;
        let each: u64 = games.iter().map(weight).sum();
        context.begin(setup.name, each * u64::from(setup.repeats));
        let mut rows: Vec<Vec<Row>> = games.iter().map(|_| Vec::new()).collect();
        // Run by run, so that other load of the machine affects all games alike.
        for run in 0..setup.repeats {
            let seed = context.run_seed(run);
            for (game, rows) in games.iter().zip(&mut rows) {
                let rules = setup.game_of(&game.spec)?;
                let start = setup.position(rules.as_ref());
                let place = setup.key_of_position(start.as_ref());
                let key = format!("grown {} {spec} to {sizes:?} seed {seed}{place}", rules.spec());
                let grown = context.measure(&key, weight(game), &game.name, |stop| {
                    grow(rules.as_ref(), start.as_ref(), (spec, seed), &sizes, stop)
                })?;
                let first_speed = grown.first().map_or(f64::NAN, |size| size.speed);
                rows.extend(grown.into_iter().map(|Size { simulations, speed, bytes }| Row {
                    game: game.name.clone(),
                    simulations,
                    run: run + 1,
                    speed,
                    bytes,
                    first_speed,
                }));
            }
        }
        Ok(rows.into_iter().flatten().collect())
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let (title, panels) = match self.cost {
            TreeCost::Speed => {
                let share = Axis::linear("share of the speed in the smallest tree (%)");
                let panels = vec![
                    panel("speed", Axis::log(x), Axis::log(y), speeds(rows)),
                    panel(
                        "share of the initial speed",
                        Axis::log(x),
                        share.showing(0.0..=110.0),
                        shares(rows),
                    ),
                ];
                ("Simulations per second, by the size of the tree", panels)
            }
            TreeCost::Memory => {
                let each = bytes_per_simulation(rows);
                let all = each.iter().flat_map(|line| &line.points).map(|point| point.y);
                let bytes = Axis::linear("bytes").showing(0.0..=all.fold(0.0, f64::max) * 1.1);
                let panels = vec![
                    panel("the whole tree", Axis::log(x), Axis::log(y), megabytes(rows)),
                    panel("for each simulation", Axis::log(x), bytes, each),
                ];
                ("Memory of a tree, by its size", panels)
            }
        };
        let agent = setup.agents.first().map_or("", |agent| &agent.name);
        Ok(Figure { title: format!("{title} ({agent})"), panels })
    }

    fn sentences(&self, setup: &Setup, rows: &[Row]) -> Vec<String> {
        let (sizes, seconds) = match self.cost {
            TreeCost::Speed => (speeds(rows), shares(rows)),
            TreeCost::Memory => (bytes_per_simulation(rows), megabytes(rows)),
        };
        let mut said = Vec::new();
        for (line, second) in sizes.iter().zip(seconds) {
            let ([first, .., last], Some(Point { y: second, .. })) =
                (&line.points[..], second.points.last())
            else {
                continue;
            };
            let (name, small, large) = (&line.name, about(first.x), about(last.x));
            let (first, last) = (about(first.y), about(last.y));
            said.push(match self.cost {
                TreeCost::Speed => format!(
                    "{name}: {first} simulations per second in a tree of {small} simulations, {last} in one of {large}: {} of \
                     the speed.",
                    percent(second / 100.0)
                ),
                TreeCost::Memory => format!(
                    "{name}: {last} bytes per simulation in a tree of {large} simulations, {} MB in all; {first} bytes in one of \
                     {small}.",
                    about(*second)
                ),
            });
        }
        let runs = rows.iter().map(|row| row.run).max().unwrap_or(0);
        let runs = several(runs as usize, "run", "runs");
        let place = match setup.start {
            Start::Given(_) => "the given position",
            Start::Usual | Start::Random(_) => "the start of the game",
        };
        said.push(match self.cost {
            TreeCost::Speed => format!(
                "One thread, from {place}. The speed at a size is that of the last quarter of the simulations up \
                 to it: of its five parts, the median. Counted is processor time, in which waiting for other programs does not count. \
                 Geometric means over {runs} with their 95 % intervals."
            ),
            TreeCost::Memory => format!(
                "A simulation adds one node, unless it comes to an end of the game that the tree holds already. Places for \
                 moves that were not tried yet count, and the index of all the memory that the tree may take, which is why \
                 small trees look larger. Geometric means over {runs}."
            ),
        });
        said
    }
}

/// Game of a setup.
struct Tree {
    name: String,
    spec: String,
    simulation_us: f64,
}

impl GrowingTree {
    /// Returns the games of the list, or the user's.
    fn games(&self, setup: &Setup) -> Vec<Tree> {
        if setup.own.game {
            let (name, spec) = (game_words(&setup.game), setup.game.clone());
            return vec![Tree { name, spec, simulation_us: USUAL_SIMULATION_US }];
        }
        let tree = |&TreeGame { name, spec, simulation_us }: &TreeGame| Tree {
            name: name.to_owned(),
            spec: spec.to_owned(),
            simulation_us,
        };
        self.games.iter().map(tree).collect()
    }
}

/// Grows a tree and measures it at each of the sizes.
fn grow(
    game: &dyn AnyGame,
    start: &dyn AnyPosition,
    (spec, seed): (&str, u64),
    sizes: &[u64],
    stop: &StopFlag,
) -> Result<Vec<Size>> {
    let mut agent = game.agent(spec, seed)?;
    let mut simulations = 0;
    let mut seen = Vec::new();
    for &size in sizes {
        let (mut speeds, mut bytes) = (Vec::new(), 0);
        // First to three quarters of the size, then in slices: the speed at a size excludes that of smaller trees,
        // and the median excludes a slice that other load disturbed.
        let quarter = size / 4;
        for slice in 0..=SLICES {
            let goal = size - quarter + quarter * slice / SLICES;
            let more = goal.saturating_sub(simulations);
            if more == 0 {
                continue;
            }
            let limits = Limits::nodes(more).or_stop(stop);
            let worked = cpu_time();
            let report = agent.choose(start, &limits)?;
            let seconds = cpu_time().saturating_sub(worked).as_secs_f64();
            if report.stats.nodes < more && !stop.is_stopped() {
                let spec = spec.to_owned();
                return Err(ExperimentError::TreeTooSmall { spec, size }.into());
            }
            simulations += report.stats.nodes;
            bytes = report.stats.bytes;
            if slice > 0 {
                speeds.push(report.stats.nodes as f64 / seconds);
            }
        }
        seen.push(Size { simulations, speed: median(&mut speeds), bytes });
    }
    Ok(seen)
}
