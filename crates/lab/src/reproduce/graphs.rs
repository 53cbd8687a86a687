//! Graphs of the keep-on-moving course: leaves by depth, and depth by time.

use std::time::Duration;

use tussle_core::Limits;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Chart, Point, Series};

use super::proportion::Proportion;
use super::result::{Measurement, ReproductionResult, Row};
use super::verdict::{self, Judgement};
use crate::mean::Mean;
use crate::{ExperimentContext, Result};

const BOARD: &str = "keep-on-moving:board=4";
const EVALUATIONS: [&str; 2] = ["freedom", "territory"];
/// Names in the legend, and presets.
const PLAYERS: [(&str, &str); 3] =
    [("minimax", "minimax-2020"), ("alphabeta", "alphabeta-2020"), ("ordered", "ordered-2020")];
/// The shortest and the longest time of the course's graphs.
const TIMES: (f64, f64) = (0.1, 3.0);

/// Largest depth, number of runs per depth, and number of times in [`TIMES`].
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
    /// Returns the times, evenly spaced on a logarithmic axis.
    fn seconds(&self) -> Vec<f64> {
        let (from, to) = TIMES;
        let last = f64::from(self.times - 1);
        (0..self.times).map(|i| from * (to / from).powf(f64::from(i) / last)).collect()
    }
}

/// Returns an estimate of the time that it takes, in milliseconds.
pub(super) fn millis(is_quick: bool) -> u64 {
    let plan = plan(is_quick);
    let runs = EVALUATIONS.len() * PLAYERS.len();
    runs as u64 * ((plan.seconds().iter().sum::<f64>() * 1000.0) as u64 + depth_millis(&plan))
}

/// Returns an estimate of the time of one player at all depths.
fn depth_millis(plan: &Plan) -> u64 {
    plan.repeats * if plan.depth > 16 { 400 } else { 40 }
}

/// Measures and draws.
pub(super) fn run(context: &mut ExperimentContext<'_>, out: &mut ReproductionResult) -> Result<()> {
    let plan = plan(context.is_quick);
    for evaluation in EVALUATIONS {
        let players = PLAYERS.map(|(name, preset)| (name, format!("{preset}:eval={evaluation}")));
        let mut leaves = Vec::new();
        for (name, spec) in &players {
            leaves.push(leaves_by_depth(name, spec, &plan, context)?);
        }
        let mut depths = Vec::new();
        for (name, spec) in &players {
            depths.push(depth_by_time(name, spec, &plan, context)?);
        }
        out.rows.extend(rows(evaluation, &leaves, &depths));
        let mut draw = |title: &str, x: Axis, y: Axis, series: Vec<Series>| {
            let chart = Chart { x, y, series, ..Chart::default() };
            out.figures.push(Figure::chart(format!("{title}, {evaluation}"), chart));
        };
        let all_leaves = Axis::log("leaves, all iterations together");
        draw("Leaves against depth", Axis::linear("depth (plies)"), all_leaves, leaves);
        let reached = Axis::linear("depth reached (plies)");
        draw("Depth against time", Axis::log("time for a move (s)"), reached, depths);
    }
    out.effort.push(format!(
        "the first move on board 4; depths 1 to {}, means of {} orders of moves; {} times from 0.1 to 3 s",
        plan.depth, plan.repeats, plan.times
    ));
    if context.is_quick {
        out.left_out.push(format!(
            "The course measured 50 times from 0.1 to 3 s, here they are {}. All of them: tussle reproduce {} --full",
            plan.times, out.name
        ));
    }
    Ok(())
}

/// Returns the leaves of a search to each depth: means over orders of moves.
fn leaves_by_depth(
    name: &str,
    spec: &str,
    plan: &Plan,
    context: &mut ExperimentContext<'_>,
) -> Result<Series> {
    let game = tussle_catalog::game(BOARD)?;
    let mut points = Vec::new();
    let weight = depth_millis(plan) / u64::from(plan.depth);
    for depth in 1..=plan.depth {
        let (seed, repeats) = (context.seed, plan.repeats);
        let key = format!("leaves {BOARD} {spec} depth {depth} x {repeats} seed {seed}");
        let leaves: Vec<u64> = context.measure(&key, weight, name, |stop| {
            let limits = Limits::depth(depth).or_stop(stop);
            let one = |number| {
                let mut agent = game.agent(spec, seed.wrapping_add(number))?;
                Ok(agent.choose(game.start().as_ref(), &limits)?.stats.leaves)
            };
            (0..repeats).map(one).collect()
        })?;
        let leaves: Vec<f64> = leaves.into_iter().map(|one| one as f64).collect();
        let mut point = Mean::arithmetic(&leaves).point(f64::from(depth));
        // There is at least one leaf, and a logarithmic axis has no place for a lower end below 0.
        point.range = point.range.map(|(low, high)| (low.max(1.0), high));
        points.push(point);
    }
    Ok(Series::line(name, points))
}

/// Returns the depth that a search reaches in each time.
fn depth_by_time(
    name: &str,
    spec: &str,
    plan: &Plan,
    context: &mut ExperimentContext<'_>,
) -> Result<Series> {
    let game = tussle_catalog::game(BOARD)?;
    let mut points = Vec::new();
    for seconds in plan.seconds() {
        let seed = context.seed;
        let key = format!("depth {BOARD} {spec} in {seconds:.4} s seed {seed}");
        let depth: u32 = context.timed(&key, (seconds * 1000.0) as u64, name, |stop| {
            let time = Duration::from_secs_f64(seconds);
            let limits = Limits::time(time).or_stop(stop);
            let report = game.agent(spec, seed)?.choose(game.start().as_ref(), &limits)?;
            Ok(report.stats.depth)
        })?;
        points.push(Point::new(seconds, f64::from(depth)));
    }
    Ok(Series::line(name, points))
}

/// Compares the claims of the course with the curves, point by point.
fn rows(evaluation: &str, leaves: &[Series], depths: &[Series]) -> Vec<Row> {
    let pairs = |curves: &[Series], a: usize, b: usize| -> Vec<(Point, Point)> {
        curves[a].points.iter().copied().zip(curves[b].points.iter().copied()).collect()
    };
    let row = |what: &str, words: &str, threshold: f64, ours: String, judgement: Judgement| {
        let published = Measurement::AtLeast(words.to_owned(), threshold);
        Row::new(format!("{evaluation}: {what}"), published, Measurement::Words(ours), judgement)
    };
    // Leaves have no random influence. Up to three plies there is little to prune.
    let counted = |what: &str, words: &str, threshold, (a, b), holds: fn(f64, f64) -> bool| {
        let pairs = pairs(leaves, a, b).into_iter().filter(|(point, _)| point.x >= 4.0);
        let all: Vec<bool> = pairs.map(|(a, b)| holds(a.y, b.y)).collect();
        let hits = all.iter().filter(|holds| **holds).count();
        let ours = Proportion::new(hits as u64, all.len() as u64);
        let judgement = verdict::holds(threshold, ours);
        row(what, words, threshold, format!("{} of {} points", ours.hits, ours.of), judgement)
    };
    let timed = |what: &str, (a, b)| {
        let ahead: Vec<f64> = pairs(depths, a, b).iter().map(|(a, b)| a.y - b.y).collect();
        let (ours, judgement) = verdict::never_below(&ahead);
        row(what, "always", 1.0, ours, judgement)
    };
    vec![
        counted(
            "alphabeta looks at fewer leaves than minimax, from depth 4 on",
            "always",
            1.0,
            (1, 0),
            |a, b| a < b,
        ),
        counted("ordered looks at no more leaves than alphabeta", "mostly", 0.5, (2, 1), |a, b| {
            a <= b
        }),
        timed("alphabeta gets at least as deep as minimax in the same time", (1, 0)),
        timed("ordered gets at least as deep as minimax in the same time", (2, 0)),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    /// Verdicts on "alphabeta gets at least as deep as minimax" for these depths of alphabeta.
    fn judged(depths: &[f64]) -> (Verdict, String) {
        let curve = |depths: &[f64]| {
            let point = |(i, &depth): (usize, &f64)| Point::new(0.1 * (i + 1) as f64, depth);
            Series::line("", depths.iter().enumerate().map(point).collect())
        };
        let minimax: Vec<f64> = (0..depths.len()).map(|i| 15.0 + i as f64).collect();
        let depths = [curve(&minimax), curve(depths), curve(&minimax)];
        let leaves = [(); 3].map(|()| Series::line("", Vec::new()));
        let rows = rows("freedom", &leaves, &depths);
        assert_eq!(rows[3].verdict, Verdict::Agrees, "equal depths are no difference");
        (rows[2].verdict, rows[2].ours.words())
    }

    #[test]
    fn one_timed_point_that_falls_does_not_turn_the_verdict() {
        let deeper = [18.0, 19.0, 20.0, 21.0, 23.0, 24.0, 25.0];
        assert_eq!(judged(&deeper), (Verdict::Agrees, "7 of 7 points".to_owned()));
        // One ply short, and several: a measurement that the machine disturbed.
        for (short, ours) in
            [(14.0, "6 of 7 points, 7 within a ply"), (9.0, "6 of 7 points, 6 within a ply")]
        {
            let mut depths = deeper;
            depths[0] = short;
            assert_eq!(judged(&depths), (Verdict::Agrees, ours.to_owned()));
        }
    }

    #[test]
    fn a_series_that_lies_below_differs() {
        // Everywhere one ply short: each point is within the noise, all of them are not.
        let short: Vec<f64> = (0..7).map(|i| 14.0 + f64::from(i)).collect();
        assert_eq!(judged(&short).0, Verdict::Differs);
        // Falling away from minimax.
        assert_eq!(judged(&[16.0, 16.0, 16.0, 15.0, 14.0, 12.0, 10.0]).0, Verdict::Differs);
        // Deeper at most times, but far behind at too many of fifty.
        let often: Vec<f64> =
            (0..50).map(|i| 18.0 + f64::from(i) - 7.0 * f64::from(i % 5 / 4)).collect();
        assert_eq!(judged(&often).0, Verdict::Differs);
    }
}
