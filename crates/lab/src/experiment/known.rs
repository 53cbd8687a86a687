//! What it saves to know what the root is worth.

use serde::{Deserialize, Serialize};
use tussle_core::Limits;
use tussle_explain::known_value_nodes;
use tussle_view::chart::{Axis, Chart, Series};
use tussle_view::{Figure, Panel};

use super::Experiment;
use super::positions::positions;
use super::sample::Middle;
use super::words::{about, game as game_words, list, percent, sentence, several};
use crate::{Bench, Finding, LabError, Table};

/// In the order of the figure.
const ORDERS: [&str; 3] = ["best", "random", "worst"];
/// The order that says nothing.
const ANY: usize = 1;

/// The nodes of both searches, for each order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Nodes {
    known: u64,
    full: u64,
}

/// Searches positions without their value, and counts what a search needs that is told it.
pub(super) fn run(experiment: &Experiment, bench: &mut Bench<'_>) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let game = tussle_catalog::game(experiment.game)?;
    let spec = experiment.agents.first().map_or("alphabeta", |agent| agent.1);
    let mut searches = Vec::new();
    for &plies in plan.points {
        let few = plies as usize..=plies as usize;
        searches.push((plies, positions(game.as_ref(), plan.repeats, few, bench.seed)?));
    }
    // Each move made leaves a tree a quarter as large or less: it is laid out as a whole.
    let weight = |plies: f64| (800.0 * 0.25_f64.powf(plies)) as u64 + 1;
    let total = searches.iter().map(|(plies, all)| weight(*plies) * all.len() as u64).sum();
    bench.begin(experiment.name, total);
    // By moves made, by position.
    let mut all: Vec<(f64, Vec<Vec<Nodes>>)> = Vec::new();
    let mut worth = None;
    for (plies, positions) in &searches {
        let mut row = Vec::new();
        for position in positions {
            let (name, text, seed) = (game.spec(), position.text(), bench.seed);
            let key = format!("known {name} {text} {spec} seed {seed}");
            let (value, nodes): (f64, Vec<Nodes>) =
                bench.measure(&key, weight(*plies), "", |stop| {
                    let budget = Limits::none().or_stop(stop);
                    let report = game.agent(spec, seed)?.choose(position.as_ref(), &budget)?;
                    let Some(line) = report.lines.first() else { return Ok((0.0, Vec::new())) };
                    let sign = if spec.contains(':') { ',' } else { ':' };
                    let told = format!("{spec}{sign}value={}", line.value.number());
                    let game = game.as_ref();
                    let counts = known_value_nodes(game, position.as_ref(), &told, &budget);
                    let of = |order: &&str| {
                        let nodes = counts.iter().find(|nodes| nodes.order == *order)?;
                        Some(Nodes { known: nodes.known, full: nodes.full })
                    };
                    Ok((line.value.number(), ORDERS.iter().filter_map(of).collect()))
                })?;
            // Who has lost finds at once a move that loses: only like is compared with like.
            if value == *worth.get_or_insert(value) {
                row.push(nodes);
            }
        }
        // A tree too large to be laid out says nothing.
        row.retain(|nodes| nodes.len() == ORDERS.len());
        if !row.is_empty() {
            all.push((*plies, row));
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

fn spread(row: &[Vec<Nodes>], order: usize, of: impl Fn(Nodes) -> f64) -> Middle {
    Middle::geometric(&row.iter().map(|nodes| of(nodes[order])).collect::<Vec<_>>())
}

fn panels(experiment: &Experiment, all: &Measured) -> Vec<Panel> {
    let [x, y] = experiment.axes;
    let Some((first, row)) = all.first() else { return Vec::new() };
    // On a logarithmic axis there is no zero for bars to stand on.
    let dots = |name: &str, of: fn(Nodes) -> f64| {
        let points = (0..ORDERS.len()).map(|i| spread(row, i, of).point(i as f64));
        Series::dots(name, points.collect())
    };
    let dots = Chart {
        title: after(*first),
        x: Axis::names("which move comes first", ORDERS),
        y: Axis::log(y),
        series: vec![
            dots("value to be found", |nodes| nodes.full as f64),
            dots("value known", |nodes| nodes.known as f64),
        ],
        ..Chart::default()
    };
    let line = |name: &str, of: fn(Nodes) -> f64| {
        let points = all.iter().map(|(plies, row)| spread(row, ANY, of).point(*plies));
        Series::line(name, points.collect())
    };
    let lines = Chart {
        title: "any move first".into(),
        x: Axis::linear(x),
        y: Axis::log(y),
        series: vec![
            line("value to be found", |nodes| nodes.full as f64),
            line("value known", |nodes| nodes.known as f64),
        ],
        ..Chart::default()
    };
    vec![Panel::Chart(dots), Panel::Chart(lines)]
}

fn table(all: &Measured) -> Table {
    let mut table = Table::new(["moves before", "position", "order", "nodes known", "nodes full"]);
    for (plies, row) in all {
        for (i, nodes) in row.iter().enumerate() {
            for (order, nodes) in ORDERS.iter().zip(nodes) {
                let (known, full) = (nodes.known.into(), nodes.full.into());
                table.add(vec![(*plies).into(), (i + 1).into(), (*order).into(), known, full]);
            }
        }
    }
    table
}

/// Where the search begins, in words.
fn after(plies: f64) -> String {
    match plies as usize {
        0 => "from the start of the game".to_owned(),
        n => format!("after {}", several(n, "move", "moves")),
    }
}

fn reading(all: &Measured) -> Vec<String> {
    if all.is_empty() {
        return vec!["No tree was small enough to be laid out.".to_owned()];
    }
    let mut said = Vec::new();
    for (plies, row) in all {
        let parts: Vec<String> = ORDERS
            .iter()
            .enumerate()
            .map(|(i, order)| {
                let full = spread(row, i, |nodes| nodes.full as f64).middle;
                let known = spread(row, i, |nodes| nodes.known as f64).middle;
                let order =
                    if *order == "random" { "any".to_owned() } else { format!("the {order}") };
                let (known, full, share) = (about(known), about(full), percent(known / full));
                format!("{known} nodes instead of {full} ({share}) with {order} move first")
            })
            .collect();
        let place = after(*plies);
        said.push(sentence(&format!("{place}, who knows the value needs {}.", list(&parts))));
    }
    let most = all.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    said.push(format!(
        "Geometric means over up to {} that are worth as much as the first one, with their 95 % intervals; the \
         values told are those a full search found, and any move first is one random order of each tree.",
        several(most, "position", "positions")
    ));
    said
}
