//! The graphs of the keep-on-moving course: how deep, and at what price.

use std::time::Duration;

use tussle_core::Limits;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Chart, Point, Series};

use super::verdict::{self, Counted, Judged};
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
            let budget = Limits::depth(depth).or_stop(stop);
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
        let depth: u32 = bench.timed(&key, (seconds * 1000.0) as u64, name, |stop| {
            let time = Duration::from_secs_f64(seconds);
            let budget = Limits::time(time).or_stop(stop);
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
    let pairs = |curves: &Curves<'_>, a: usize, b: usize| -> Vec<(Point, Point)> {
        curves[a].1.iter().copied().zip(curves[b].1.iter().copied()).collect()
    };
    let row = |what: &str, words: &str, threshold: f64, ours: String, judged: Judged| {
        let published = Told::AtLeast(words.to_owned(), threshold);
        Row::new(format!("{evaluation}: {what}"), published, Told::Words(ours), judged)
    };
    // Leaves leave nothing to chance. One or two plies leave nothing to prune.
    let counted = |what: &str, words: &str, threshold, (a, b), holds: fn(f64, f64) -> bool| {
        let pairs = pairs(leaves, a, b).into_iter().filter(|(point, _)| point.x >= 4.0);
        let all: Vec<bool> = pairs.map(|(a, b)| holds(a.y, b.y)).collect();
        let hits = all.iter().filter(|holds| **holds).count();
        let ours = Counted::new(hits as u64, all.len() as u64);
        let judged = verdict::holds(threshold, ours);
        row(what, words, threshold, format!("{} of {} points", ours.hits, ours.of), judged)
    };
    let timed = |what: &str, (a, b)| {
        let ahead: Vec<f64> = pairs(depths, a, b).iter().map(|(a, b)| a.y - b.y).collect();
        let (ours, judged) = verdict::never_below(&ahead);
        row(what, "always", 1.0, ours, judged)
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
        let curve = |depths: &[f64]| -> Vec<Point> {
            let point = |(i, &depth): (usize, &f64)| Point::new(0.1 * (i + 1) as f64, depth);
            depths.iter().enumerate().map(point).collect()
        };
        let minimax: Vec<f64> = (0..depths.len()).map(|i| 15.0 + i as f64).collect();
        let depths = [
            ("minimax", curve(&minimax)),
            ("alphabeta", curve(depths)),
            ("ordered", curve(&minimax)),
        ];
        let leaves = ["minimax", "alphabeta", "ordered"].map(|name| (name, Vec::new()));
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
