//! Value of a position, by the depth or the time of the search.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition, Evaluation, Query};
use tussle_core::{Limits, Outcome, Report, StopFlag, Turn};
use tussle_view::Figure;
use tussle_view::chart::{Axis, Point, Series, SeriesStyle};

use super::setup::{Player, Start, StartSupport, with_pair};
use super::swept::{Steps, Swept};
use super::{Context, Group, Kind, Setup};
use crate::Result;
use crate::figure::panel;
use crate::mean::median;
use crate::sentences::{about, game_words, list, placed};
use crate::table::groups;

/// Maximum number of nodes of a search to a depth.
const MAX_NODES_QUICK: u64 = 1_500_000;
const MAX_NODES_FULL: u64 = 30_000_000;

/// Maximum number of evaluations of a game that are compared without agents of the user's choice.
const MAX_EVALUATIONS: usize = 4;
/// Number of requests to a program, each with half of the time of the next one.
const REQUESTS_BY_TIME: u32 = 8;

/// Least time that is drawn, in seconds: a clock may round less to 0.
const MIN_SECONDS: f64 = 1e-6;

/// Values that every agent reports, ply by ply. By depth, also those of the first agent in random positions.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) by: Effort,
    pub(super) groups: &'static [Group],
}

/// Swept parameter of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    Depth,
    Time,
}

/// Report of a search after one of its depths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct DepthReport {
    depth: u32,
    /// Evaluation for the first player; none once the outcome is proven.
    value: Option<f64>,
    seconds: f64,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    group: String,
    search: String,
    #[serde(flatten)]
    report: DepthReport,
    /// Limit of the search: plies or seconds.
    #[serde(skip)]
    limit: f64,
}

impl Row {
    fn known(&self) -> Option<(u32, f64)> {
        Some((self.report.depth, self.report.value?))
    }
}

/// Limit of a search, with its text in the cache and its approximate time in milliseconds.
struct Limit {
    limits: Limits,
    text: String,
    weight: u64,
    is_timed: bool,
}

impl Limit {
    fn depth(depth: u32, nodes: u64) -> Self {
        let limits = Limits::depth(depth).or_nodes(nodes);
        let text = format!("depth {depth} nodes {nodes}");
        Self { limits, text, weight: nodes / 1000, is_timed: false }
    }

    fn millis(ms: u64) -> Self {
        let limits = Limits::time(Duration::from_millis(ms));
        Self { limits, text: format!("{ms} ms"), weight: ms, is_timed: true }
    }
}

impl Limit {
    /// Returns the limits of separate requests up to this one.
    fn parts(&self) -> Vec<Limits> {
        if self.is_timed {
            let shares = (0..REQUESTS_BY_TIME).rev().map(|i| self.weight >> i).filter(|ms| *ms > 0);
            return shares.map(|ms| Limits::time(Duration::from_millis(ms))).collect();
        }
        let Limits { depth, nodes, .. } = self.limits;
        let depths = 1..=depth.unwrap_or(1);
        depths.map(|depth| Limits { nodes, ..Limits::depth(depth) }).collect()
    }
}

impl Kind for Values {
    type Row = Row;

    fn groups(&self) -> &'static [Group] {
        self.groups
    }

    fn swept(&self) -> Swept {
        match self.by {
            Effort::Depth => Swept { name: "depths in plies", steps: Steps::Whole(1) },
            Effort::Time => Swept { name: "times in seconds", steps: Steps::Factors },
        }
    }

    fn start(&self) -> StartSupport {
        match self.by {
            Effort::Depth => StartSupport::Repeats,
            Effort::Time => StartSupport::One,
        }
    }

    fn fallback(game: &dyn AnyGame) -> Vec<Player> {
        let evaluations = game.evaluations().iter().take(MAX_EVALUATIONS);
        let player = |evaluation: &Evaluation| {
            let spec = with_pair("alphabeta-textbook", "eval", evaluation.name);
            Player::new(evaluation.name, spec)
        };
        evaluations.map(player).collect()
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        let game = setup.game()?;
        setup.expect_plies(game.as_ref())?;
        setup.expect_player_to_move(game.as_ref())?;
        let is_own = setup.own.game || setup.own.agents;
        for player in setup.agents.iter_mut().filter(|player| is_own && !player.is_program()) {
            // Without deepening, a search to a depth reports that depth only.
            if self.by == Effort::Depth
                && game.agent(&with_pair(&player.spec, "deepen", "on"), 1).is_ok()
            {
                player.spec = with_pair(&player.spec, "deepen", "on");
            }
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let game = setup.game()?;
        let most = setup.points.last().copied().unwrap_or(1.0);
        let nodes = if context.is_quick { MAX_NODES_QUICK } else { MAX_NODES_FULL };
        let agents = setup.agents.len() as u64;
        let is_given = matches!(setup.start, Start::Given(_));
        let (limit, runs, searches) = match self.by {
            Effort::Depth => (
                Limit::depth(most as u32, nodes),
                1,
                agents + if is_given { 0 } else { u64::from(setup.repeats) },
            ),
            Effort::Time => {
                let limit = Limit::millis((most * 1000.0) as u64);
                (limit, setup.repeats, agents * u64::from(setup.repeats))
            }
        };
        context.begin(setup.name, limit.weight * searches);
        let start = setup.position(game.as_ref());
        let mut rows = Vec::new();
        let mut add = |group: &str, search: &str, reports: Vec<DepthReport>| {
            rows.extend(reports.into_iter().map(|report| {
                let (group, search) = (group.to_owned(), search.to_owned());
                Row { group, search, report, limit: most }
            }));
        };
        for player in &setup.agents {
            let mut all = Vec::new();
            for run in 0..runs {
                let seed = context.run_seed(run);
                all.push(reports(setup, context, start.as_ref(), player, &limit, seed)?);
            }
            add(&player.group, &player.name, medians(&all));
        }
        if let (Effort::Depth, Some(player), false) = (self.by, setup.agents.first(), is_given) {
            let group = format!("{} in random positions", player.name);
            let seed = context.seed;
            let positions = setup.random_positions(game.as_ref(), seed)?;
            for (i, position) in positions.iter().enumerate() {
                let reports = reports(setup, context, position.as_ref(), player, &limit, seed)?;
                add(&group, &format!("position {}", i + 1), reports);
            }
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let chart = |(group, rows): (&str, Vec<&Row>)| {
            let x = if self.by == Effort::Time { Axis::log(x) } else { Axis::linear(x) };
            let curves = groups(rows, |row| row.search.as_str());
            let series = curves.into_iter().map(|(name, rows)| self.series(name, &rows)).collect();
            panel(group, x, Axis::linear(y), series)
        };
        let what = match self.by {
            Effort::Depth => "The value of a position, by the depth of the search",
            Effort::Time => "The value of a position, by the time of the search",
        };
        let title = format!("{what} ({})", game_words(&setup.game));
        let panels = groups(rows, |row| row.group.as_str()).into_iter().map(chart).collect();
        Ok(Figure { title, panels })
    }

    fn sentences(&self, _: &Setup, rows: &[Row]) -> Vec<String> {
        let mut said = Vec::new();
        for (group, rows) in groups(rows, |row| row.group.as_str()) {
            let curves = groups(rows, |row| row.search.as_str());
            let parts = curves.iter().filter_map(|(name, rows)| self.course(name, rows));
            let parts: Vec<String> = parts.collect();
            if !parts.is_empty() {
                said.push(placed(group, &format!("{}.", parts.join("; "))));
            }
            if let Some(change) = mean_change(&curves) {
                said.push(format!(
                    "One ply more changes the value by {} on average.",
                    about(change)
                ));
            }
            if self.by == Effort::Time {
                said.extend(times_to_depth(&curves));
            }
        }
        said.push(
            "Values are those for the first player, in the unit of the evaluation.".to_owned(),
        );
        said
    }
}

impl Values {
    fn series(&self, name: &str, rows: &[&Row]) -> Series {
        let known = rows.iter().filter_map(|row| Some((row.report, row.known()?.1)));
        match self.by {
            Effort::Depth => {
                let point =
                    |(report, value): (DepthReport, f64)| Point::new(report.depth.into(), value);
                Series::line(name, known.map(point).collect())
            }
            Effort::Time => {
                // A logarithmic axis has no place for a time of 0.
                let millis = |report: DepthReport| report.seconds.max(MIN_SECONDS) * 1000.0;
                let mut points: Vec<Point> =
                    known.map(|(report, value)| Point::new(millis(report), value)).collect();
                if let (Some(last), Some(row)) = (points.last().copied(), rows.last()) {
                    points.push(Point::new((row.limit * 1000.0).max(last.x), last.y));
                }
                Series { name: name.to_owned(), style: SeriesStyle::Steps, points }
            }
        }
    }

    /// Describes the first value of a search, the last one, and from where on it is near the last one.
    fn course(&self, name: &str, rows: &[&Row]) -> Option<String> {
        let values: Vec<(u32, f64)> = rows.iter().filter_map(|row| row.known()).collect();
        let [first, .., last] = values.as_slice() else { return None };
        let end = match settled(&values) {
            None => "has not settled".to_owned(),
            Some((depth, near)) => {
                let when = rows.iter().map(|row| row.report).find(|report| report.depth == depth);
                let since = match (self.by, when) {
                    (Effort::Time, Some(report)) => {
                        format!("since {} ms ({depth} plies)", about(report.seconds * 1000.0))
                    }
                    _ => format!("from {depth} plies on"),
                };
                format!("stays within {} of that {since}", about(near))
            }
        };
        let (from, to, plies) = (about(first.1), about(last.1), last.0);
        Some(format!("{name} goes from {from} to {to} at {plies} plies and {end}"))
    }
}

/// Returns the report of a search after each depth.
fn reports(
    setup: &Setup,
    context: &mut Context<'_>,
    position: &dyn AnyPosition,
    player: &Player,
    limit: &Limit,
    seed: u64,
) -> Result<Vec<DepthReport>> {
    let (text, most, spec) = (position.text(), &limit.text, &player.spec);
    let rules = setup.game()?;
    let game = rules.as_ref();
    let key = format!("values {} {text} {spec} {most} seed {seed}", game.spec());
    let listen = |stop: &StopFlag| -> Result<Vec<DepthReport>> {
        let mut all: Vec<DepthReport> = Vec::new();
        let mut live = |report: &Report<String>| {
            let depth = report.stats.depth;
            if all.last().is_none_or(|last| last.depth < depth) {
                let (value, seconds) =
                    (value(game, position, report), report.elapsed.as_secs_f64());
                all.push(DepthReport { depth, value, seconds });
            }
        };
        let mut agent = setup.agent(&rules, spec, seed)?;
        // A program reports once per request.
        let requests = if player.is_program() { limit.parts() } else { vec![limit.limits.clone()] };
        for limits in requests {
            let limits = limits.or_stop(stop);
            agent.analyse(position, Query { live: Some(&mut live), ..Query::new(&limits) })?;
        }
        if player.is_program()
            && all.iter().all(|report| report.value.is_none() || report.depth == 0)
        {
            return Err(setup.unreported(player, "value and depth"));
        }
        Ok(all)
    };
    if limit.is_timed {
        Setup::timed(context, player, &key, limit.weight, listen)
    } else {
        context.measure(&key, limit.weight, spec, listen)
    }
}

/// Returns the evaluation of a report for the first player; `None` for a proven outcome.
pub(super) fn value(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    report: &Report<String>,
) -> Option<f64> {
    let line = report.lines.first().filter(|line| line.outcome().is_none())?;
    let Turn::Player(mover) = position.turn() else { return None };
    game.values(mover, line)?.first().copied()
}

/// Returns the proven outcome for the first player: 1, 0 or -1.
pub(super) fn proven(position: &dyn AnyPosition, report: &Report<String>) -> Option<f64> {
    let value = match report.lines.first()?.outcome()? {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    };
    Some(if position.turn() == Turn::Player(0) { value } else { 0.0 - value })
}

/// Returns the longest run with the median times of all runs; values are equal in all of them.
fn medians(runs: &[Vec<DepthReport>]) -> Vec<DepthReport> {
    let Some(longest) = runs.iter().max_by_key(|run| run.len()) else { return Vec::new() };
    let reports = longest.iter().enumerate().map(|(i, report)| {
        let mut times: Vec<f64> =
            runs.iter().filter_map(|run| run.get(i)).map(|report| report.seconds).collect();
        DepthReport { seconds: median(&mut times), ..*report }
    });
    reports.collect()
}

/// Returns the depth from which on the value is near the last one, and how near: within a tenth of the range of all
/// values. `None` if that is one of the last two depths, because the last values are always near the last one.
fn settled(values: &[(u32, f64)]) -> Option<(u32, f64)> {
    let last = values.last()?.1;
    let low = values.iter().map(|v| v.1).fold(f64::INFINITY, f64::min);
    let high = values.iter().map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
    let near = (high - low) / 10.0;
    let from = values.iter().rposition(|v| (v.1 - last).abs() > near).map_or(0, |i| i + 1);
    (from + 2 < values.len()).then(|| (values[from].0, near))
}

type Curves<'a> = [(&'a str, Vec<&'a Row>)];

/// Returns the mean change of the value from ply to ply.
fn mean_change(curves: &Curves<'_>) -> Option<f64> {
    let pairs = curves.iter().flat_map(|(_, rows)| rows.windows(2));
    let changes = pairs.filter_map(|pair| Some((pair[1].known()?.1 - pair[0].known()?.1).abs()));
    let changes: Vec<f64> = changes.collect();
    (!changes.is_empty()).then(|| changes.iter().sum::<f64>() / changes.len() as f64)
}

/// Compares the times of the searches at the deepest depth that all of them reached.
fn times_to_depth(curves: &Curves<'_>) -> Option<String> {
    let depth = curves.iter().filter_map(|(_, rows)| Some(rows.last()?.report.depth)).min()?;
    let time = |(name, rows): &(&str, Vec<&Row>)| {
        let row = rows.iter().find(|row| row.report.depth == depth)?;
        Some(format!("{name} {} ms", about(row.report.seconds * 1000.0)))
    };
    let times: Vec<String> = curves.iter().filter_map(time).collect();
    (times.len() > 1).then(|| format!("Time to depth {depth}: {}.", list(&times)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ALL;
    use crate::experiment::own_tests::listed;

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
    fn every_value_of_the_sentences_is_drawn() {
        let times = [(-98.0, 0.0), (-55.0, 9e-6), (-45.0, 2e-4), (-11.0, 0.8), (f64::NAN, 0.9)];
        let row = |(depth, (value, seconds)): (u32, (f64, f64))| {
            let value = Some(value).filter(|value| value.is_finite());
            let report = DepthReport { depth, value, seconds };
            Row { group: String::new(), search: "minimax".to_owned(), report, limit: 1.5 }
        };
        let rows: Vec<Row> = (1..).zip(times).map(row).collect();
        for by in [Effort::Time, Effort::Depth] {
            let values = Values { by, groups: ALL };
            let Series { points, .. } = values.series("minimax", &rows.iter().collect::<Vec<_>>());
            let drawn: Vec<f64> = points.iter().map(|point| point.y).collect();
            assert_eq!(drawn[..4], [-98.0, -55.0, -45.0, -11.0], "{by:?}");
            assert!(points.iter().all(|point| point.x > 0.0));
            assert!(points.is_sorted_by(|a, b| a.x < b.x));
            let said = values.sentences(&listed("value-vs-time"), &rows);
            assert!(said[0].starts_with("Minimax goes from -98 to -11 at 4 plies"), "{said:?}");
        }
        let table = crate::Table::of(&rows, "").unwrap();
        assert_eq!((table.rows.len(), &table.rows[0][3]), (5, &serde_json::json!(-98.0)));
    }

    #[test]
    fn times_are_medians() {
        let run = |seconds: &[f64]| -> Vec<DepthReport> {
            let report = |(i, &seconds): (usize, &f64)| DepthReport {
                depth: i as u32,
                value: None,
                seconds,
            };
            seconds.iter().enumerate().map(report).collect()
        };
        let all = [run(&[1.0, 5.0]), run(&[2.0, 3.0]), run(&[9.0])];
        let times: Vec<f64> = medians(&all).iter().map(|report| report.seconds).collect();
        assert_eq!(times, [2.0, 4.0]);
    }
}
