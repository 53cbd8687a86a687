//! What it saves to know what the root is worth.

use serde::{Deserialize, Serialize};
use tussle_core::Budget;
use tussle_view::chart::{Axis, Chart, Series};
use tussle_view::{Figure, Panel};

use super::Experiment;
use super::positions::positions;
use super::spread::Spread;
use super::words::{about, game as game_words, list, percent, sentence, several};
use crate::{Bench, Finding, LabError, Table};

/// In the order of the figure.
const ORDERS: [&str; 3] = ["best", "random", "worst"];

/// The nodes of both searches, for each order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Nodes {
    known: u64,
    full: u64,
}

/// Searches positions without their value, tells the value, and searches again.
pub(super) fn run(experiment: &Experiment, bench: &mut Bench<'_>) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let game = tussle_catalog::game(experiment.game)?;
    let spec = experiment.agents.first().map_or("alphabeta", |agent| agent.1);
    let positions = positions(game.as_ref(), plan.repeats, bench.seed)?;
    let deepest = plan.points.last().copied().unwrap_or(1.0);
    // Each ply more takes some five times as long: the whole tree is laid out.
    let weight = |depth: f64| (2000.0 * 5_f64.powf(depth - deepest)) as u64 + 1;
    let total: u64 = plan.points.iter().map(|&depth| weight(depth)).sum();
    bench.begin(experiment.name, total * positions.len() as u64);
    // By depth, by position.
    let mut all: Vec<(f64, Vec<Vec<Nodes>>)> = Vec::new();
    for &depth in plan.points {
        let mut row = Vec::new();
        for position in &positions {
            let (name, text, seed) = (game.spec(), position.text(), bench.seed);
            let key = format!("known {name} {text} {spec} depth {depth} seed {seed}");
            let nodes: Vec<Nodes> = bench.measure(&key, weight(depth), "", |stop| {
                let budget = Budget::unlimited().depth(depth as u32).stop_flag(stop.clone());
                let report = game.agent(spec, seed)?.choose(position.as_ref(), &budget)?;
                let Some(line) = report.lines.first() else { return Ok(Vec::new()) };
                let sign = if spec.contains(':') { ',' } else { ':' };
                let told = format!("{spec}{sign}value={}", line.value);
                let report = game.agent(&told, seed)?.choose(position.as_ref(), &budget)?;
                let of = |order: &&str| {
                    let saving = report.savings.iter().find(|saving| saving.order == *order)?;
                    Some(Nodes { known: saving.known, full: saving.full })
                };
                Ok(ORDERS.iter().filter_map(of).collect())
            })?;
            row.push(nodes);
        }
        // A tree too large to be laid out says nothing.
        row.retain(|nodes| nodes.len() == ORDERS.len());
        if !row.is_empty() {
            all.push((depth, row));
        }
    }
    let title = format!("What a known value saves ({})", game_words(experiment.game));
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title, panels: panels(experiment, &all) },
        table: table(&all),
        reading: reading(&all),
    })
}

type Measured = [(f64, Vec<Vec<Nodes>>)];

fn spread(row: &[Vec<Nodes>], order: usize, of: impl Fn(Nodes) -> f64) -> Spread {
    Spread::geometric(&row.iter().map(|nodes| of(nodes[order])).collect::<Vec<_>>())
}

fn share(nodes: Nodes) -> f64 {
    100.0 * nodes.known as f64 / nodes.full as f64
}

fn panels(experiment: &Experiment, all: &Measured) -> Vec<Panel> {
    let [x, y] = experiment.axes;
    let Some((deepest, row)) = all.last() else { return Vec::new() };
    let bars = |name: &str, of: fn(Nodes) -> f64| {
        let points = (0..ORDERS.len()).map(|i| spread(row, i, of).point(i as f64));
        Series::bars(name, points.collect())
    };
    let bars = Chart {
        title: format!("{deepest} plies deep"),
        x: Axis::names("which move comes first", ORDERS),
        y: Axis::log(y),
        series: vec![
            bars("value to be found", |nodes| nodes.full as f64),
            bars("value known", |nodes| nodes.known as f64),
        ],
        ..Chart::default()
    };
    let lines = ORDERS.iter().enumerate().map(|(i, order)| {
        let points = all.iter().map(|(depth, row)| spread(row, i, share).point(*depth));
        Series::line(format!("{order} first"), points.collect())
    });
    let lines = Chart {
        title: "nodes with the value known, in % of those without".into(),
        x: Axis::linear(x),
        y: Axis::linear("share of the nodes (%)").showing(0.0..=100.0),
        series: lines.collect(),
        ..Chart::default()
    };
    vec![Panel::Chart(bars), Panel::Chart(lines)]
}

fn table(all: &Measured) -> Table {
    let mut table = Table::new(["depth", "position", "order", "nodes known", "nodes full"]);
    for (depth, row) in all {
        for (i, nodes) in row.iter().enumerate() {
            for (order, nodes) in ORDERS.iter().zip(nodes) {
                let (known, full) = (nodes.known.into(), nodes.full.into());
                table.add(vec![(*depth).into(), (i + 1).into(), (*order).into(), known, full]);
            }
        }
    }
    table
}

fn reading(all: &Measured) -> Vec<String> {
    let Some((deepest, row)) = all.last() else {
        return vec!["No tree was small enough to be laid out.".to_owned()];
    };
    let parts: Vec<String> = ORDERS
        .iter()
        .enumerate()
        .map(|(i, order)| {
            let [full, known] = [
                spread(row, i, |nodes| nodes.full as f64).middle,
                spread(row, i, |nodes| nodes.known as f64).middle,
            ];
            let (low, high) = spread(row, i, share).range.unwrap_or_default();
            format!(
                "with the {order} move first {} nodes instead of {} ({}, between {} and {})",
                about(known),
                about(full),
                percent(known / full),
                percent(low / 100.0),
                percent(high / 100.0),
            )
        })
        .collect();
    vec![
        sentence(&format!(
            "{deepest} plies deep, a search that is told the value looks at, {}.",
            list(&parts).replace("with the random move", "with any move")
        )),
        format!(
            "Geometric means over {}, with their 95 % intervals; the values told are those a full search found.",
            several(row.len(), "position", "positions")
        ),
    ]
}
