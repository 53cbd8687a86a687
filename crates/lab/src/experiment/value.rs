//! What a search says a position is worth, the longer it looks.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition, Query};
use tussle_core::{Limits, Outcome, Report, Rng, StopFlag, Turn};
use tussle_view::chart::{Axis, Chart, Look, Point, Series};
use tussle_view::{Figure, Panel};

use super::positions::{A_FEW, positions};
use super::sample::median;
use super::words::{about, game as game_words, list, sentence};
use super::{Against, Experiment, Group};
use crate::{Bench, Finding, LabError, Table};

/// A search to a depth takes no more nodes than this.
const MOST_QUICK: u64 = 1_500_000;
const MOST_FULL: u64 = 30_000_000;

/// Least time that is drawn, in seconds: a clock may round less to 0.
const MIN_SECONDS: f64 = 1e-6;

/// What a search said after one of its depths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Said {
    depth: u32,
    /// For the first player; none once the outcome is proven, for then it is no evaluation.
    value: Option<f64>,
    seconds: f64,
}

/// What is asked of a search.
#[derive(Clone, Copy)]
enum Limit {
    Depth(u32, u64),
    Millis(u64),
}

impl Limit {
    fn text(self) -> String {
        match self {
            Self::Depth(depth, nodes) => format!("depth {depth} nodes {nodes}"),
            Self::Millis(ms) => format!("{ms} ms"),
        }
    }

    fn budget(self) -> Limits {
        match self {
            Self::Depth(depth, nodes) => Limits::depth(depth).or_nodes(nodes),
            Self::Millis(ms) => Limits::time(Duration::from_millis(ms)),
        }
    }

    fn weight(self) -> u64 {
        match self {
            Self::Depth(_, nodes) => nodes / 1000,
            Self::Millis(ms) => ms,
        }
    }
}

/// One line of the figure.
struct Curve {
    group: String,
    name: String,
    said: Vec<Said>,
}

/// Listens to every agent, ply by ply; against depth also to one of them in several positions.
pub(super) fn run(
    experiment: &Experiment,
    against: Against,
    groups: &[Group],
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let game = tussle_catalog::game(experiment.game)?;
    let most = plan.points.last().copied().unwrap_or(1.0);
    let limit = match against {
        Against::Depth => {
            Limit::Depth(most as u32, if bench.is_quick { MOST_QUICK } else { MOST_FULL })
        }
        Against::Time => Limit::Millis((most * 1000.0) as u64),
    };
    let searches = match against {
        Against::Depth => experiment.agents.len() as u64 + u64::from(plan.repeats),
        Against::Time => experiment.agents.len() as u64 * u64::from(plan.repeats),
    };
    bench.begin(experiment.name, limit.weight() * searches);
    let start = game.start();
    let mut curves = Vec::new();
    for (group, agents) in experiment.grouped(groups) {
        for &(name, spec) in agents {
            let runs = if against == Against::Time { plan.repeats } else { 1 };
            let mut all = Vec::new();
            for run in 0..runs {
                let seed = Rng::derive(bench.seed, &[run.into()]).next_u64();
                all.push(listen(bench, game.as_ref(), start.as_ref(), spec, limit, seed)?);
            }
            let said = middle(&all);
            curves.push(Curve { group: group.to_owned(), name: name.to_owned(), said });
        }
    }
    if let (Against::Depth, Some((name, spec))) = (against, experiment.agents.first()) {
        let group = format!("{name} in random positions");
        let positions = positions(game.as_ref(), plan.repeats, A_FEW, bench.seed)?;
        for (i, position) in positions.iter().enumerate() {
            let seed = bench.seed;
            let said = listen(bench, game.as_ref(), position.as_ref(), spec, limit, seed)?;
            let name = format!("position {}", i + 1);
            curves.push(Curve { group: group.clone(), name, said });
        }
    }
    let mut names: Vec<String> = curves.iter().map(|curve| curve.group.clone()).collect();
    names.dedup();
    let panels = names.iter().map(|group| {
        let curves = curves.iter().filter(|curve| curve.group == *group);
        let series = curves.map(|curve| series(curve, against, most)).collect();
        let [x, y] = experiment.axes;
        let x = if against == Against::Time { Axis::log(x) } else { Axis::linear(x) };
        let (title, y) = (group.clone(), Axis::linear(y));
        Panel::Chart(Chart { title, x, y, series, ..Chart::default() })
    });
    let what = match against {
        Against::Depth => "The value of a position, by the depth of the search",
        Against::Time => "The value of a position, by the time of the search",
    };
    let title = format!("{what} ({})", game_words(experiment.game));
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title, panels: panels.collect() },
        table: table(&curves),
        reading: reading(&names, &curves, against),
    })
}

/// Writes down what a search says after each depth.
fn listen(
    bench: &mut Bench<'_>,
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    spec: &str,
    limit: Limit,
    seed: u64,
) -> Result<Vec<Said>, LabError> {
    let (text, most) = (position.text(), limit.text());
    let key = format!("values {} {text} {spec} {most} seed {seed}", game.spec());
    let listen = |stop: &StopFlag| -> Result<Vec<Said>, LabError> {
        let mut all: Vec<Said> = Vec::new();
        let mut live = |report: &Report<String>| {
            let depth = report.stats.depth;
            if all.last().is_none_or(|said| said.depth < depth) {
                let (value, seconds) =
                    (value(game, position, report), report.elapsed.as_secs_f64());
                all.push(Said { depth, value, seconds });
            }
        };
        let budget = limit.budget().or_stop(stop);
        let query = Query { live: Some(&mut live), ..Query::new(&budget) };
        game.agent(spec, seed)?.analyse(position, query)?;
        Ok(all)
    };
    match limit {
        Limit::Depth(..) => bench.measure(&key, limit.weight(), spec, listen),
        Limit::Millis(_) => bench.timed(&key, limit.weight(), spec, listen),
    }
}

/// What a report says for the first player, unless that is a proof.
pub(super) fn value(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    report: &Report<String>,
) -> Option<f64> {
    let line = report.lines.first().filter(|line| line.outcome().is_none())?;
    let Turn::Player(mover) = position.turn() else { return None };
    game.values(mover, line)?.first().copied()
}

/// The outcome of the first player, if it is proven: 1, 0 or -1.
pub(super) fn proven(position: &dyn AnyPosition, report: &Report<String>) -> Option<f64> {
    let value = match report.lines.first()?.outcome()? {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    };
    Some(if position.turn() == Turn::Player(0) { value } else { 0.0 - value })
}

/// One run in the place of several: values are the same, and times those in the middle.
fn middle(runs: &[Vec<Said>]) -> Vec<Said> {
    let Some(longest) = runs.iter().max_by_key(|run| run.len()) else { return Vec::new() };
    let said = longest.iter().enumerate().map(|(i, said)| {
        let mut times: Vec<f64> =
            runs.iter().filter_map(|run| run.get(i)).map(|said| said.seconds).collect();
        Said { seconds: median(&mut times), ..*said }
    });
    said.collect()
}

fn series(curve: &Curve, against: Against, most: f64) -> Series {
    let known = curve.said.iter().filter_map(|said| Some((said, said.value?)));
    match against {
        Against::Depth => {
            let points = known.map(|(said, value)| Point::new(f64::from(said.depth), value));
            Series::line(&curve.name, points.collect())
        }
        Against::Time => {
            // All values that the reading tells are drawn. A logarithmic axis has no place for a time of 0.
            let millis = |said: &Said| said.seconds.max(MIN_SECONDS) * 1000.0;
            let mut points: Vec<Point> =
                known.map(|(said, value)| Point::new(millis(said), value)).collect();
            if let Some(last) = points.last().copied() {
                points.push(Point::new((most * 1000.0).max(last.x), last.y));
            }
            Series { name: curve.name.clone(), look: Look::Steps, points }
        }
    }
}

fn table(curves: &[Curve]) -> Table {
    let mut table = Table::new(["group", "search", "depth", "value", "seconds"]);
    for curve in curves {
        for said in &curve.said {
            let value = said.value.map_or(serde_json::Value::Null, Into::into);
            let (group, name) = (curve.group.as_str().into(), curve.name.as_str().into());
            table.add(vec![group, name, said.depth.into(), value, said.seconds.into()]);
        }
    }
    table
}

/// From which depth on the value stays near the last one, and how near: within a tenth of the range it went
/// through. None if that is one of the last two depths, for every curve ends where it ends.
fn settled(values: &[(u32, f64)]) -> Option<(u32, f64)> {
    let last = values.last()?.1;
    let low = values.iter().map(|v| v.1).fold(f64::INFINITY, f64::min);
    let high = values.iter().map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
    let near = (high - low) / 10.0;
    let from = values.iter().rposition(|v| (v.1 - last).abs() > near).map_or(0, |i| i + 1);
    (from + 2 < values.len()).then(|| (values[from].0, near))
}

fn reading(groups: &[String], curves: &[Curve], against: Against) -> Vec<String> {
    let mut said = Vec::new();
    for group in groups {
        let mut parts = Vec::new();
        for curve in curves.iter().filter(|curve| curve.group == *group) {
            let known = curve.said.iter().filter_map(|said| Some((said.depth, said.value?)));
            let values: Vec<(u32, f64)> = known.collect();
            let [first, .., last] = values.as_slice() else { continue };
            let end = match settled(&values) {
                None => "has not settled".to_owned(),
                Some((depth, near)) => {
                    let when = curve.said.iter().find(|said| said.depth == depth);
                    let since = match (against, when) {
                        (Against::Time, Some(said)) => {
                            format!("since {} ms ({depth} plies)", about(said.seconds * 1000.0))
                        }
                        _ => format!("from {depth} plies on"),
                    };
                    format!("stays within {} of that {since}", about(near))
                }
            };
            parts.push(format!(
                "{} goes from {} to {} at {} plies and {end}",
                curve.name,
                about(first.1),
                about(last.1),
                last.0,
            ));
        }
        if !parts.is_empty() {
            let place = if group.is_empty() { String::new() } else { format!("{group}: ") };
            said.push(sentence(&format!("{place}{}.", parts.join("; "))));
        }
        if let Some(wobble) = wobble(curves, group) {
            said.push(format!("One ply more changes the value by {} on average.", about(wobble)));
        }
        if against == Against::Time {
            said.extend(sooner(curves, group));
        }
    }
    said.push("Values are those for the first player, in the unit of the evaluation.".to_owned());
    said
}

/// By how much the value changes from ply to ply, on average.
fn wobble(curves: &[Curve], group: &str) -> Option<f64> {
    let curves = curves.iter().filter(|curve| curve.group == group);
    let steps = curves.flat_map(|curve| curve.said.windows(2));
    let steps = steps.filter_map(|pair| Some((pair[1].value? - pair[0].value?).abs()));
    let steps: Vec<f64> = steps.collect();
    (!steps.is_empty()).then(|| steps.iter().sum::<f64>() / steps.len() as f64)
}

/// How long each search of a group took to the deepest value that all of them found.
fn sooner(curves: &[Curve], group: &str) -> Option<String> {
    let curves: Vec<&Curve> = curves.iter().filter(|curve| curve.group == group).collect();
    let depth = curves.iter().filter_map(|curve| Some(curve.said.last()?.depth)).min()?;
    let times: Vec<String> = curves
        .iter()
        .filter_map(|curve| {
            let said = curve.said.iter().find(|said| said.depth == depth)?;
            Some(format!("{} after {} ms", curve.name, about(said.seconds * 1000.0)))
        })
        .collect();
    (times.len() > 1).then(|| format!("What {depth} plies say is known to {}.", list(&times)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_settled_when_it_stays_near_its_end() {
        let values = [(1, 0.0), (2, 20.0), (3, 9.0), (4, 11.0), (5, 10.0)];
        assert_eq!(settled(&values), Some((3, 2.0)));
        assert_eq!(settled(&[(1, 5.0), (2, 5.0), (3, 5.0)]), Some((1, 0.0)));
        assert_eq!(settled(&[]), None);
    }

    #[test]
    fn that_a_curve_ends_does_not_mean_that_it_settled() {
        assert_eq!(settled(&[(1, 0.0), (2, 1.0), (3, 2.0), (4, 3.0)]), None);
        assert_eq!(settled(&[(1, 0.0), (2, 20.0), (3, 9.0), (4, 10.0)]), None);
        assert_eq!(settled(&[(1, 5.0)]), None);
    }

    #[test]
    fn every_value_of_the_reading_and_the_table_is_drawn() {
        let said = |depth, value, seconds| Said { depth, value: Some(value), seconds };
        let said = vec![
            said(1, -98.0, 0.0),
            said(2, -55.0, 9e-6),
            said(3, -45.0, 2e-4),
            said(4, -11.0, 0.8),
            Said { depth: 5, value: None, seconds: 0.9 },
        ];
        let curve = Curve { group: String::new(), name: "minimax".to_owned(), said };
        for against in [Against::Time, Against::Depth] {
            let Series { points, .. } = series(&curve, against, 1.5);
            let drawn: Vec<f64> = points.iter().map(|point| point.y).collect();
            assert_eq!(drawn[..4], [-98.0, -55.0, -45.0, -11.0], "{against:?}");
            assert!(points.iter().all(|point| point.x > 0.0));
            assert!(points.is_sorted_by(|a, b| a.x < b.x));
            let told = reading(&[String::new()], std::slice::from_ref(&curve), against);
            assert!(told[0].starts_with("Minimax goes from -98 to -11 at 4 plies"), "{told:?}");
        }
        let rows = table(std::slice::from_ref(&curve)).rows;
        assert_eq!((rows.len(), &rows[0][3]), (5, &serde_json::json!(-98.0)));
    }

    #[test]
    fn times_are_those_in_the_middle() {
        let run = |seconds: &[f64]| -> Vec<Said> {
            let said =
                |(i, &seconds): (usize, &f64)| Said { depth: i as u32, value: None, seconds };
            seconds.iter().enumerate().map(said).collect()
        };
        let all = [run(&[1.0, 5.0]), run(&[2.0, 3.0]), run(&[9.0])];
        let times: Vec<f64> = middle(&all).iter().map(|said| said.seconds).collect();
        assert_eq!(times, [2.0, 4.0]);
    }
}
