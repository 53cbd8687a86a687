//! How deep searches come in so many seconds.

use std::time::Duration;

use tussle_core::{Limits, Rng};
use tussle_view::chart::{Axis, Chart, Series};
use tussle_view::{Figure, Panel};

use super::sample::{Middle, slope};
use super::words::{about, game as game_words, list, sentence};
use super::{Experiment, Group};
use crate::{Bench, Finding, LabError, Table};

/// Gives every agent so many seconds for the first move of a game.
pub(super) fn run(
    experiment: &Experiment,
    groups: &[Group],
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let game = tussle_catalog::game(experiment.game)?;
    let start = game.start();
    let millis = |seconds: f64| (seconds * 1000.0).round() as u64;
    let once: u64 = plan.points.iter().map(|&seconds| millis(seconds)).sum();
    // Players that begin no depth they cannot finish use about half of their time.
    let total = once / 2 * u64::from(plan.repeats) * experiment.agents.len() as u64;
    bench.begin(experiment.name, total);
    let mut table = Table::new(["group", "agent", "seconds", "run", "depth"]);
    let mut panels = Vec::new();
    let mut reading = Vec::new();
    for (group, agents) in experiment.grouped(groups) {
        let (mut series, mut reached, mut costs) = (Vec::new(), Vec::new(), Vec::new());
        for &(name, spec) in agents {
            let (mut points, mut trend) = (Vec::new(), Vec::new());
            let mut last = 0.0;
            for &seconds in plan.points {
                let mut depths = Vec::new();
                for i in 0..plan.repeats {
                    let seed = Rng::derive(bench.seed, &[i.into()]).next_u64();
                    let ms = millis(seconds);
                    let key = format!("in time {} {spec} {ms} ms seed {seed}", game.spec());
                    let depth: u32 = bench.timed(&key, ms / 2, name, |stop| {
                        let mut agent = game.agent(spec, seed)?;
                        let budget = Limits::none().or_stop(stop);
                        let budget = budget.or_time(Duration::from_millis(ms));
                        Ok(agent.choose(start.as_ref(), &budget)?.stats.depth)
                    })?;
                    let row = (group.into(), name.into(), seconds.into(), (i + 1).into());
                    table.add(vec![row.0, row.1, row.2, row.3, depth.into()]);
                    depths.push(f64::from(depth));
                }
                let spread = Middle::mean(&depths);
                trend.push((seconds.ln(), spread.middle));
                last = spread.middle;
                points.push(spread.point(seconds));
            }
            reached.push(format!("{name} {} plies", about(last)));
            // Depth grows with the logarithm of time, so a ply is a factor.
            let cost = slope(&trend).recip().exp();
            if cost.is_finite() && cost > 1.0 {
                costs.push(format!("{name} {} times", about(cost)));
            }
            series.push(Series::line(name, points));
        }
        let longest = plan.points.last().copied().unwrap_or(0.0);
        let place = if group.is_empty() { String::new() } else { format!("{}: ", sentence(group)) };
        let mut said = format!("{place}in {} s {}.", about(longest), list(&reached));
        if !costs.is_empty() {
            said += &format!(
                " Each ply more takes {} the time, going by the line through all points.",
                list(&costs)
            );
        }
        reading.push(sentence(&said));
        let [x, y] = experiment.axes;
        let (x, y) = (Axis::log(x), Axis::linear(y));
        panels.push(Panel::Chart(Chart { title: group.into(), x, y, series, ..Chart::default() }));
    }
    reading.push(match plan.repeats {
        1 => "One run each.".to_owned(),
        runs => format!(
            "Lines are means of {runs} runs with different seeds, bands the 95 % intervals of these means (Student's); \
             where there is no band all runs came equally deep."
        ),
    });
    let title = format!("Depth reached in a time ({})", game_words(experiment.game));
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title, panels },
        table,
        reading,
    })
}
