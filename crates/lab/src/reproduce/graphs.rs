//! The graphs of the keep-on-moving course: how deep, and at what price.

use std::time::Duration;

use tussle_core::Budget;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Chart, Point, Series};

use super::verdict::{self, Counted};
use super::{Reproduced, Row, Told};
use crate::experiment::sample::Middle;
use crate::{Bench, LabError};

const BOARD: &str = "keep-on-moving:board=4";
const EVALUATIONS: [&str; 2] = ["freedom", "territory"];
/// Names in the legend, and presets.
const PLAYERS: [(&str, &str); 3] =
    [("minimax", "minimax-2020"), ("alphabeta", "alphabeta-2020"), ("ordered", "ordered-2020")];
/// The shortest and the longest time of the course's graphs.
const TIMES: (f64, f64) = (0.1, 3.0);

/// How far, how often, and how many times within [`TIMES`].
struct Plan {
    depth: u32,
    repeats: u64,
    times: u32,
}

fn plan(is_quick: bool) -> Plan {
    if is_quick {
        Plan { depth: 16, repeats: 10, times: 7 }
    } else {
        Plan { depth: 20, repeats: 50, times: 50 }
    }
}

impl Plan {
    /// Evenly spread as factors.
    fn seconds(&self) -> Vec<f64> {
        let (from, to) = TIMES;
        let last = f64::from(self.times - 1);
        (0..self.times).map(|i| from * (to / from).powf(f64::from(i) / last)).collect()
    }
}

/// About how long it takes.
pub(super) fn millis(is_quick: bool) -> u64 {
    let plan = plan(is_quick);
    let runs = EVALUATIONS.len() * PLAYERS.len();
    runs as u64 * ((plan.seconds().iter().sum::<f64>() * 1000.0) as u64 + depth_millis(&plan))
}

/// One player, all depths.
fn depth_millis(plan: &Plan) -> u64 {
    plan.repeats * if plan.depth > 16 { 400 } else { 40 }
}

/// Measures and draws.
pub(super) fn run(bench: &mut Bench<'_>, out: &mut Reproduced) -> Result<(), LabError> {
    let plan = plan(bench.is_quick);
    for evaluation in EVALUATIONS {
        let mut leaves = Vec::new();
        let mut depths = Vec::new();
        for (name, preset) in PLAYERS {
            let spec = format!("{preset}:eval={evaluation}");
            leaves.push(leaves_of(name, &spec, &plan, bench)?);
        }
        for (name, preset) in PLAYERS {
            let spec = format!("{preset}:eval={evaluation}");
            depths.push(depths_of(name, &spec, &plan, bench)?);
        }
        out.rows.extend(rows(evaluation, &leaves, &depths));
        let cost = Chart {
            x: Axis::linear("depth (plies)"),
            y: Axis::log("leaves, all iterations together"),
            series: leaves.into_iter().map(|(name, points)| Series::line(name, points)).collect(),
            ..Chart::default()
        };
        out.figures.push(Figure::chart(format!("Leaves against depth, {evaluation}"), cost));
        let reach = Chart {
            x: Axis::log("time for a move (s)"),
            y: Axis::linear("depth reached (plies)"),
            series: depths.into_iter().map(|(name, points)| Series::line(name, points)).collect(),
            ..Chart::default()
        };
        out.figures.push(Figure::chart(format!("Depth against time, {evaluation}"), reach));
    }
    out.effort.push(format!(
        "the first move on board 4; depths 1 to {}, means of {} orders of moves; {} times from 0.1 to 3 s",
        plan.depth, plan.repeats, plan.times
    ));
    if bench.is_quick {
        out.left_out.push(format!(
            "The course measured 50 times from 0.1 to 3 s, here they are {}. All of them: tussle reproduce {} --full",
            plan.times, out.name
        ));
    }
    Ok(())
}

/// Leaves of a search to each depth: means over orders of moves, with their 95 % intervals.
fn leaves_of<'a>(
    name: &'a str,
    spec: &str,
    plan: &Plan,
    bench: &mut Bench<'_>,
) -> Result<(&'a str, Vec<Point>), LabError> {
    let game = tussle_catalog::game(BOARD)?;
    let mut points = Vec::new();
    let weight = depth_millis(plan) / u64::from(plan.depth);
    for depth in 1..=plan.depth {
        let (seed, repeats) = (bench.seed, plan.repeats);
        let key = format!("leaves {BOARD} {spec} depth {depth} x {repeats} seed {seed}");
        let leaves: Vec<u64> = bench.measure(&key, weight, name, |stop| {
            let budget = Budget::unlimited().depth(depth).stop_flag(stop.clone());
            let one = |number| {
                let mut agent = game.agent(spec, seed.wrapping_add(number))?;
                Ok(agent.choose(game.start().as_ref(), &budget)?.stats.leaves)
            };
            (0..repeats).map(one).collect()
        })?;
        let leaves: Vec<f64> = leaves.into_iter().map(|one| one as f64).collect();
        let mut point = Middle::mean(&leaves).point(f64::from(depth));
        // There is at least one, and less has no place on this axis.
        point.range = point.range.map(|(low, high)| (low.max(1.0), high));
        points.push(point);
    }
    Ok((name, points))
}

/// The depth that is reached in each time.
fn depths_of<'a>(
    name: &'a str,
    spec: &str,
    plan: &Plan,
    bench: &mut Bench<'_>,
) -> Result<(&'a str, Vec<Point>), LabError> {
    let game = tussle_catalog::game(BOARD)?;
    let mut points = Vec::new();
    for seconds in plan.seconds() {
        let seed = bench.seed;
        let key = format!("depth {BOARD} {spec} in {seconds:.4} s seed {seed}");
        let depth: u32 = bench.measure(&key, (seconds * 1000.0) as u64, name, |stop| {
            let time = Duration::from_secs_f64(seconds);
            let budget = Budget::unlimited().time(time).stop_flag(stop.clone());
            let report = game.agent(spec, seed)?.choose(game.start().as_ref(), &budget)?;
            Ok(report.stats.depth)
        })?;
        points.push(Point::new(seconds, f64::from(depth)));
    }
    Ok((name, points))
}

type Curves<'a> = [(&'a str, Vec<Point>)];

/// What the course said of its graphs, point by point.
fn rows(evaluation: &str, leaves: &Curves<'_>, depths: &Curves<'_>) -> Vec<Row> {
    let compare =
        |curves: &Curves<'_>, a: usize, b: usize, holds: fn(f64, f64) -> bool, from: f64| {
            let pairs = curves[a].1.iter().zip(&curves[b].1).filter(|(point, _)| point.x >= from);
            let all: Vec<bool> = pairs.map(|(a, b)| holds(a.y, b.y)).collect();
            Counted::new(all.iter().filter(|holds| **holds).count() as u64, all.len() as u64)
        };
    let row = |what: &str, words: &str, threshold: f64, ours: Counted| {
        let judged = verdict::holds(threshold, ours);
        let published = Told::AtLeast(words.to_owned(), threshold);
        let ours = Told::Words(format!("{} of {} points", ours.hits, ours.of));
        Row::new(format!("{evaluation}: {what}"), published, ours, judged)
    };
    let fewer = |a: f64, b: f64| a < b;
    let at_least = |a: f64, b: f64| a >= b;
    // One or two plies leave nothing to prune.
    let cost = compare(leaves, 1, 0, fewer, 4.0);
    let order = compare(leaves, 2, 1, |a, b| a <= b, 4.0);
    let reach = compare(depths, 1, 0, at_least, 0.0);
    let reach_ordered = compare(depths, 2, 0, at_least, 0.0);
    vec![
        row("alphabeta looks at fewer leaves than minimax, from depth 4 on", "always", 1.0, cost),
        row("ordered looks at no more leaves than alphabeta", "mostly", 0.5, order),
        row("alphabeta gets at least as deep as minimax in the same time", "always", 1.0, reach),
        row(
            "ordered gets at least as deep as minimax in the same time",
            "always",
            1.0,
            reach_ordered,
        ),
    ]
}
