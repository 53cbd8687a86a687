//! What a search costs and finds, the deeper it looks.

use tussle_core::Budget;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Chart, Point, Series};

use super::{Experiment, Stat};
use crate::{Bench, Finding, LabError, Table};

/// Lets every agent search some positions to each depth.
pub(super) fn run(
    experiment: &Experiment,
    stat: Stat,
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let game = tussle_catalog::game(experiment.game)?;
    bench.begin(experiment.name, (experiment.agents.len() * plan.points.len()) as u64);
    let mut table = Table::new(["agent", "depth", "leaves"]);
    let mut series = Vec::new();
    for &(name, spec) in experiment.agents {
        let mut points = Vec::new();
        for &depth in plan.points {
            let key = format!("{} {spec} depth {depth}", experiment.game);
            let leaves: u64 = bench.measure(&key, 1, name, |stop| {
                let budget = Budget::unlimited().depth(depth as u32).stop_flag(stop.clone());
                let report = game.agent(spec, 1)?.choose(game.start().as_ref(), &budget)?;
                let Stat::Leaves = stat;
                Ok(report.stats.leaves)
            })?;
            table.add(vec![name.into(), depth.into(), leaves.into()]);
            points.push(Point::new(depth, leaves as f64));
        }
        series.push(Series::line(name, points));
    }
    let [x, y] = experiment.axes;
    let chart = Chart { x: Axis::linear(x), y: Axis::log(y), series, ..Chart::default() };
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure::chart("Leaves of a search of connect four", chart),
        table,
        reading: vec!["…".to_owned()],
    })
}
