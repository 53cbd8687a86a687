//! Depth that searches reach in a time.

use std::time::Duration;

use serde::Serialize;
use tussle_core::Limits;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Series};

use super::{Context, Experiment, Group, Kind};
use crate::Result;
use crate::figure::{lines, panel};
use crate::mean::{Mean, slope};
use crate::sentences::{about, game_words, list, placed};
use crate::table::groups;

/// Search of the first position for the seconds of the plan, by every agent.
#[derive(Debug)]
pub(super) struct DepthInTime(pub(super) &'static [Group]);

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    group: &'static str,
    agent: &'static str,
    seconds: f64,
    run: u32,
    depth: u32,
}

fn depths(rows: Vec<&Row>) -> Vec<Series> {
    lines(rows, |row| row.agent, |row| row.seconds, |row| row.depth.into(), Mean::arithmetic)
}

impl Kind for DepthInTime {
    type Row = Row;

    fn measure(&self, experiment: &Experiment, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let plan = experiment.plan(context);
        let game = experiment.game()?;
        let start = game.start();
        let millis = |seconds: f64| (seconds * 1000.0).round() as u64;
        let once: u64 = plan.points.iter().map(|&seconds| millis(seconds)).sum();
        // Players that do not begin a depth that they cannot finish use about half of their time.
        let total = once / 2 * u64::from(plan.repeats) * experiment.agents.len() as u64;
        context.begin(experiment.name, total);
        let mut rows = Vec::new();
        for player in experiment.players(self.0) {
            for &seconds in plan.points {
                for run in 0..plan.repeats {
                    let (spec, seed, ms) = (player.spec, context.run_seed(run), millis(seconds));
                    let key = format!("in time {} {spec} {ms} ms seed {seed}", game.spec());
                    let depth = context.timed(&key, ms / 2, player.name, |stop| {
                        let limits =
                            Limits::none().or_stop(stop).or_time(Duration::from_millis(ms));
                        let report = game.agent(spec, seed)?.choose(start.as_ref(), &limits)?;
                        Ok(report.stats.depth)
                    })?;
                    let (group, agent) = (player.group, player.name);
                    rows.push(Row { group, agent, seconds, run: run + 1, depth });
                }
            }
        }
        Ok(rows)
    }

    fn figure(&self, experiment: &Experiment, rows: &[Row]) -> Result<Figure> {
        let [x, y] = experiment.axes;
        let chart = |(group, rows): (&str, Vec<&Row>)| {
            panel(group, Axis::log(x), Axis::linear(y), depths(rows))
        };
        let title = format!("Depth reached in a time ({})", game_words(experiment.game));
        let panels = groups(rows, |row| row.group).into_iter().map(chart).collect();
        Ok(Figure { title, panels })
    }

    fn sentences(&self, _: &Experiment, rows: &[Row]) -> Vec<String> {
        let mut sentences = Vec::new();
        for (group, rows) in groups(rows, |row| row.group) {
            let longest = rows.last().map_or(0.0, |row| row.seconds);
            let (mut reached, mut costs) = (Vec::new(), Vec::new());
            for Series { name, points, .. } in depths(rows) {
                reached.push(format!(
                    "{name} {} plies",
                    about(points.last().map_or(0.0, |last| last.y))
                ));
                // Depth grows with the logarithm of time, so a ply is a factor.
                let trend: Vec<_> = points.iter().map(|point| (point.x.ln(), point.y)).collect();
                let cost = slope(&trend).recip().exp();
                if cost.is_finite() && cost > 1.0 {
                    costs.push(format!("{name} {} times", about(cost)));
                }
            }
            let mut said = placed(group, &format!("in {} s {}.", about(longest), list(&reached)));
            if !costs.is_empty() {
                said += &format!(
                    " Each ply more takes {} the time, going by the line through all points.",
                    list(&costs)
                );
            }
            sentences.push(said);
        }
        sentences.push(match rows.iter().map(|row| row.run).max() {
            Some(runs @ 2..) => format!(
                "Lines are means of {runs} runs with different seeds, bands the 95 % intervals of these means (Student's); \
                 where there is no band all runs came equally deep."
            ),
            _ => "One run each.".to_owned(),
        });
        sentences
    }
}
