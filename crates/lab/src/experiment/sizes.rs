//! Time of a random game by the size of the board.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tussle_catalog::AnyPosition;
use tussle_core::{Limits, Rng, StopFlag};
use tussle_engine::cpu_time;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Point, Series};

use super::setup::{StartSupport, with_pair};
use super::swept::{Steps, Swept};
use super::{Context, Kind, Setup};
use crate::Result;
use crate::figure::{panel, points};
use crate::mean::{Mean, slope};
use crate::sentences::{about, several};

/// Time of a slice. A measurement is the median of several slices, so that it excludes one that other load disturbed.
const SLICE: Duration = Duration::from_millis(10);
const SLICES: u64 = 5;

/// Random games on boards of all sizes of the plan.
#[derive(Debug)]
pub(super) struct Playouts {
    /// Parameter of the game that sets the side of its board.
    pub(super) size_param: &'static str,
}

/// Random games of a slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Slice {
    playouts: u64,
    moves: u64,
    /// Processor time.
    seconds: f64,
}

impl Slice {
    fn us_per_game(self) -> f64 {
        self.seconds * 1e6 / self.playouts as f64
    }

    fn moves_per_game(self) -> f64 {
        self.moves as f64 / self.playouts as f64
    }

    fn ns_per_move(self) -> f64 {
        self.seconds * 1e9 / self.moves as f64
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    size: f64,
    run: u32,
    #[serde(flatten)]
    slice: Slice,
}

/// Returns the geometric means of a number over the runs, by size.
fn means(rows: &[Row], number: fn(Slice) -> f64) -> Vec<Point> {
    points(rows, |row| row.size, |row| number(row.slice), Mean::geometric)
}

impl Kind for Playouts {
    type Row = Row;

    fn swept(&self) -> Swept {
        Swept { name: "sides of the board", steps: Steps::Whole(1) }
    }

    fn start(&self) -> StartSupport {
        StartSupport::None
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        if let Some(player) = setup.agents.iter().find(|player| player.spec != "random") {
            let why = "has no part in this experiment, which plays random games; leave --agent out";
            return Err(setup.unfit(player, why));
        }
        let sized = |size| self.sized(setup, size).and_then(|spec| setup.game_of(&spec));
        let fit: Vec<f64> = setup.points.iter().copied().filter(|&x| sized(x).is_ok()).collect();
        match setup.points.first() {
            Some(&first) if fit.is_empty() || setup.own.range => sized(first).map(drop)?,
            _ => {}
        }
        if !setup.own.range {
            setup.points = fit;
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let weight = SLICE.as_millis() as u64 * SLICES;
        let slices = setup.points.len() as u64 * u64::from(setup.repeats);
        context.begin(setup.name, weight * slices);
        let mut rows = Vec::new();
        // Run by run, so that other load of the machine affects all sizes alike.
        for run in 0..setup.repeats {
            let seed = context.run_seed(run);
            for &size in &setup.points {
                let game = setup.game_of(&self.sized(setup, size)?)?;
                let key = format!("{SLICES} slices {} {SLICE:?} seed {seed}", game.spec());
                let slice = context.measure(&key, weight, game.spec(), |stop| {
                    let start = game.start();
                    let slice = |i| play(start.as_ref(), Rng::derive(seed, &[i]).next_u64(), stop);
                    let mut slices: Vec<Slice> = (0..SLICES).map(slice).collect();
                    slices.sort_by(|a, b| a.ns_per_move().total_cmp(&b.ns_per_move()));
                    Ok(slices[slices.len() / 2])
                })?;
                rows.push(Row { size, run: run + 1, slice });
            }
        }
        rows.sort_by(|a, b| a.size.total_cmp(&b.size));
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let agent = setup.agents.first().map_or("", |agent| &agent.name);
        let panel = |title: &str, y: &str, number| {
            let series = vec![Series::line(agent, means(rows, number))];
            panel(title, Axis::log(x), Axis::log(y), series)
        };
        let panels = vec![
            panel("a game", y, Slice::us_per_game),
            panel("a move", "time of a move (ns)", Slice::ns_per_move),
        ];
        let title = format!("Random games of {}, by the size of the board", setup.game);
        Ok(Figure { title, panels })
    }

    fn sentences(&self, _: &Setup, rows: &[Row]) -> Vec<String> {
        let numbers = [Slice::us_per_game, Slice::moves_per_game, Slice::ns_per_move];
        let [games, lengths, moves] = numbers.map(|number| means(rows, number));
        let mut said = Vec::new();
        for i in [0, games.len().saturating_sub(1)] {
            let Some(Point { x, y, .. }) = games.get(i) else { continue };
            said.push(format!(
                "Board {x}x{x}: a random game takes {} µs and has {} moves of {} ns.",
                about(*y),
                about(lengths[i].y),
                about(moves[i].y)
            ));
        }
        said.extend(steepest(&games, &moves));
        if games.len() > 1 {
            said.push(format!(
                "With the side of the board the time of a game grows by the power of {:.2}, the number of its moves by {:.2} and \
                 the time of a move by {:.2}: slopes of the lines through all points, both axes being logarithmic. The \
                 number of points on the board grows by the power of 2.",
                power(&games),
                power(&lengths),
                power(&moves)
            ));
        }
        let runs = rows.iter().map(|row| row.run).max().unwrap_or(0);
        said.push(format!(
            "One thread, processor time; geometric means over {} with their 95 % intervals, each the median of {SLICES} slices of \
             {} ms.",
            several(runs as usize, "run", "runs"),
            SLICE.as_millis()
        ));
        said
    }
}

impl Playouts {
    /// Returns the spec of the game on a board of a size.
    fn sized(&self, setup: &Setup, size: f64) -> Result<String> {
        let name = setup.game.split(':').next().unwrap_or_default();
        let params = &setup.catalog().entry(name)?.params;
        let has = |key: &str| params.iter().any(|param| param.key == key);
        let keys = match () {
            () if has(self.size_param) => vec![self.size_param],
            () if has("width") && has("height") => vec!["width", "height"],
            () => {
                let why = format!(
                    "has no key `{}`, nor `width` and `height`; use a game that has",
                    self.size_param
                );
                return Err(setup.unfit_game(setup.game()?.as_ref(), why));
            }
        };
        let size = size.to_string();
        Ok(keys.iter().fold(setup.game.clone(), |spec, key| with_pair(&spec, key, &size)))
    }
}

/// Plays random games for the time of a slice.
fn play(start: &dyn AnyPosition, seed: u64, stop: &StopFlag) -> Slice {
    let worked = cpu_time();
    let limits = Limits::time(SLICE).or_stop(stop);
    let tally = start.playouts(&limits, seed);
    let seconds = cpu_time().saturating_sub(worked).as_secs_f64();
    Slice { playouts: tally.playouts.max(1), moves: tally.plies.max(1), seconds }
}

/// Returns the exponent of a power of x: on logarithmic axes the slope of a straight line.
fn power(points: &[Point]) -> f64 {
    slope(&points.iter().map(|point| (point.x.ln(), point.y.ln())).collect::<Vec<_>>())
}

/// Describes the step of size with the largest factor in the time of a move, and the powers on both sides of it.
fn steepest(games: &[Point], moves: &[Point]) -> Option<String> {
    let step = |i: &usize| moves[i + 1].y / moves[*i].y;
    let i = (0..moves.len().checked_sub(1)?).max_by(|a, b| step(a).total_cmp(&step(b)))?;
    let (from, to, factor) = (moves[i].x, moves[i + 1].x, about(step(&i)));
    let mut said = format!("Moves become slower most from {from} to {to}: {factor} times.");
    let (low, high) = games.split_at(i + 1);
    if low.len() > 1 && high.len() > 1 {
        said += &format!(
            " Up to there the time of a game grows by the power of {:.2}, from there on by {:.2}.",
            power(low),
            power(high)
        );
    }
    Some(said)
}
