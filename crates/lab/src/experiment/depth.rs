//! What a search costs, the deeper it looks.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Limits, SearchStats};
use tussle_view::chart::{Axis, Chart, Point, Series};
use tussle_view::{Figure, Panel};

use super::positions::{A_FEW, positions};
use super::sample::Middle;
use super::words::{about, game as game_words, list, percent, sentence, several};
use super::{Experiment, Group, Stat};
use crate::{Bench, Finding, LabError, Table};

/// No search may be expected to look at more leaves than this.
const MOST_QUICK: f64 = 1e6;
const MOST_FULL: f64 = 2e7;
/// About so many leaves take a millisecond.
const PACE: f64 = 2000.0;

/// What one search counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    leaves: u64,
    evaluations: u64,
    pruned: u64,
    nodes: u64,
}

impl Counts {
    fn of(self, stat: Stat) -> f64 {
        let count = match stat {
            Stat::Leaves => self.leaves,
            Stat::Evaluations => self.evaluations,
            Stat::Pruned => self.pruned,
            Stat::Nodes => self.nodes,
        };
        count as f64
    }
}

/// A depth, and what an agent counted in all positions.
type Cell = (f64, Vec<Counts>);

/// What an agent counted in all positions, depth by depth.
struct Row {
    /// The title of its chart: its game, if there are several.
    group: String,
    name: &'static str,
    cells: Vec<Cell>,
}

impl Row {
    fn spreads(&self, stat: Stat) -> Vec<(f64, Middle)> {
        // Where the game is over soon there may be none, and factors of nothing are nothing.
        let values = |cell: &[Counts]| -> Vec<f64> {
            cell.iter().map(|c| c.of(stat)).filter(|count| *count > 0.0).collect()
        };
        self.cells.iter().map(|(d, cell)| (*d, Middle::geometric(&values(cell)))).collect()
    }

    /// The middles of the depths that have one.
    fn known(&self, stat: Stat) -> Vec<(f64, f64)> {
        let middles = self.spreads(stat).into_iter().map(|(depth, spread)| (depth, spread.middle));
        middles.filter(|(_, middle)| middle.is_finite()).collect()
    }

    /// By how much one ply more multiplies the count: over four plies, because odd and even ones differ.
    fn growth(&self, stat: Stat) -> Option<f64> {
        let known = self.known(stat);
        let (depth, last) = *known.last()?;
        let (from, first) =
            *known.iter().find(|(d, _)| depth - d <= 4.0 && (depth - d) % 2.0 == 0.0)?;
        (from < depth).then(|| (last / first).powf((depth - from).recip()))
    }

    /// By how much the last ply to an odd depth multiplied the count, and the last to an even one.
    fn last_steps(&self, stat: Stat) -> Option<(f64, f64)> {
        let known = self.known(stat);
        let [.., (_, a), (depth, b), (_, c)] = known.as_slice() else { return None };
        let (before, last) = (b / a, c / b);
        Some(if depth % 2.0 == 1.0 { (before, last) } else { (last, before) })
    }
}

/// Lets every agent search some positions to each depth.
pub(super) fn run(
    experiment: &Experiment,
    stat: Stat,
    groups: &[Group],
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let mut games = Vec::new();
    for spec in experiment.game.split(", ") {
        let game = tussle_catalog::game(spec)?;
        let positions = positions(game.as_ref(), plan.repeats, A_FEW, bench.seed)?;
        games.push((spec, game, positions));
    }
    let count = games.iter().map(|(_, _, positions)| positions.len()).min().unwrap_or(0);
    let most = if bench.is_quick { MOST_QUICK } else { MOST_FULL };
    // The last depths take as long as they may, those before them less and less.
    let full = most / PACE / 6.0 * f64::from(plan.repeats);
    let weights: Vec<u64> =
        (0..plan.points.len()).rev().map(|i| (full / 2_f64.powi(i as i32)) as u64 + 1).collect();
    let total = weights.iter().sum::<u64>() * (experiment.agents.len() * games.len()) as u64;
    bench.begin(experiment.name, total);
    let mut rows = Vec::new();
    for (asked, game, positions) in &games {
        let (game, is_alone) = (game.as_ref(), games.len() == 1);
        for (title, agents) in experiment.grouped(groups) {
            for &(name, spec) in agents {
                let mut cells: Vec<Cell> = Vec::new();
                for (&depth, &weight) in plan.points.iter().zip(&weights) {
                    if expected(&cells).is_some_and(|leaves| leaves > most) {
                        bench.watch.done(weight, name);
                        continue;
                    }
                    let share = weight / positions.len() as u64;
                    let mut cell = Vec::new();
                    for position in positions {
                        cell.push(counts(bench, game, position.as_ref(), spec, depth, share)?);
                    }
                    bench.watch.done(weight - share * positions.len() as u64, name);
                    cells.push((depth, cell));
                }
                let group = if is_alone { title.to_owned() } else { game_words(asked) };
                rows.push(Row { group, name, cells });
            }
        }
    }
    let mut panels: Vec<Chart> =
        groups_of(&rows).into_iter().map(|group| counted(experiment, stat, &rows, group)).collect();
    if stat == Stat::Pruned {
        panels.push(saved(experiment, &rows));
    }
    let positions = several(count, "position", "positions");
    let title = match games.as_slice() {
        [_] => format!("{} ({}, {positions})", title(stat), game_words(experiment.game)),
        _ => format!("{} ({positions} each)", title(stat)),
    };
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title, panels: panels.into_iter().map(Panel::Chart).collect() },
        table: table(&rows),
        reading: reading(stat, &rows, &positions),
    })
}

/// The titles of the charts, in order.
fn groups_of(rows: &[Row]) -> Vec<&str> {
    let mut groups: Vec<&str> = rows.iter().map(|row| row.group.as_str()).collect();
    groups.dedup();
    groups
}

/// The leaves that one ply more will take, going by the last two.
fn expected(cells: &[Cell]) -> Option<f64> {
    let leaves = |cell: &[Counts]| cell.iter().map(|c| c.leaves as f64).fold(0.0, f64::max);
    let [.., (_, before), (_, last)] = cells else { return None };
    Some(leaves(last).powi(2) / leaves(before).max(1.0))
}

fn counts(
    bench: &mut Bench<'_>,
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    spec: &str,
    depth: f64,
    weight: u64,
) -> Result<Counts, LabError> {
    let seed = bench.seed;
    let key = format!("count {} {} {spec} depth {depth} seed {seed}", game.spec(), position.text());
    bench.measure(&key, weight, spec, |stop| {
        let budget = Limits::depth(depth as u32).or_stop(stop);
        let stats = game.agent(spec, seed)?.choose(position, &budget)?.stats;
        let SearchStats { leaves, evaluations, pruned, nodes, .. } = stats;
        Ok(Counts { leaves, evaluations, pruned, nodes })
    })
}

fn title(stat: Stat) -> &'static str {
    match stat {
        Stat::Leaves => "Leaves of a search, by its depth",
        Stat::Evaluations => "Evaluations of a search, by its depth",
        Stat::Pruned => "What pruning leaves out, by depth",
        Stat::Nodes => "Nodes of a search, by its depth",
    }
}

fn counted(experiment: &Experiment, stat: Stat, rows: &[Row], group: &str) -> Chart {
    let mut series = Vec::new();
    for row in rows.iter().filter(|row| row.group == group) {
        let points: Vec<Point> = row.spreads(stat).iter().map(|(d, s)| s.point(*d)).collect();
        let is_shown = points.iter().any(|point| point.y.is_finite());
        if is_shown {
            series.push(Series::line(row.name, points));
        }
    }
    let minimax = rows.iter().find(|row| row.group == group && row.name == "minimax");
    if let (Stat::Leaves, Some(minimax)) = (stat, minimax) {
        series.push(Series::line("with perfect order", least(minimax)));
    }
    let [x, y] = experiment.axes;
    let (x, y) = (Axis::linear(x), Axis::log(y));
    let title = if stat == Stat::Pruned { "children left out at cuts" } else { group };
    Chart { title: title.to_owned(), x, y, series, ..Chart::default() }
}

/// What alpha-beta looks at with the best move first everywhere, in a tree of the same size that has the
/// same number of moves at every node (Knuth and Moore, 1975).
fn least(minimax: &Row) -> Vec<Point> {
    let few = |(d, spread): &(f64, Middle)| {
        let b = spread.middle.powf(d.recip());
        Point::new(*d, b.powf((d / 2.0).ceil()) + b.powf((d / 2.0).floor()) - 1.0)
    };
    minimax.spreads(Stat::Leaves).iter().map(few).collect()
}

/// For every depth that both searched, the share of the first one's leaves that the other did without.
fn shares(all: &Row, other: &Row) -> Vec<(f64, Middle)> {
    let saved = |((depth, all), (_, other)): (&Cell, &Cell)| {
        let share = |(a, b): (&Counts, &Counts)| 100.0 * (1.0 - b.leaves as f64 / a.leaves as f64);
        let shares: Vec<f64> = all.iter().zip(other).map(share).collect();
        (*depth, Middle::mean(&shares))
    };
    all.cells.iter().zip(&other.cells).map(saved).collect()
}

/// How much of the first agent's leaves the others do without.
fn saved(experiment: &Experiment, rows: &[Row]) -> Chart {
    let [all, others @ ..] = rows else { return Chart::default() };
    let series = others.iter().map(|row| {
        let points = shares(all, row).iter().map(|(depth, spread)| spread.point(*depth)).collect();
        Series::line(row.name, points)
    });
    Chart {
        title: format!("leaves of {} that are not looked at", all.name),
        x: Axis::linear(experiment.axes[0]),
        y: Axis::linear("leaves saved (%)").showing(0.0..=100.0),
        series: series.collect(),
        ..Chart::default()
    }
}

fn table(rows: &[Row]) -> Table {
    let columns =
        ["group", "agent", "depth", "position", "leaves", "evaluations", "pruned", "nodes"];
    let mut table = Table::new(columns);
    for row in rows {
        for (depth, cell) in &row.cells {
            for (i, counts) in cell.iter().enumerate() {
                let Counts { leaves, evaluations, pruned, nodes } = *counts;
                let mut cells: Vec<Value> = vec![row.group.as_str().into(), row.name.into()];
                cells.extend([(*depth).into(), (i + 1).into()]);
                cells.extend([leaves, evaluations, pruned, nodes].map(Value::from));
                table.add(cells);
            }
        }
    }
    table
}

fn reading(stat: Stat, rows: &[Row], positions: &str) -> Vec<String> {
    let word = match stat {
        Stat::Leaves => "leaves",
        Stat::Evaluations => "evaluations",
        Stat::Pruned => "children left out",
        Stat::Nodes => "nodes",
    };
    let mut said = vec![];
    for group in groups_of(rows) {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.group == group).collect();
        // The deepest that everybody reached.
        let Some(depth) = rows.iter().map(|row| row.cells.len()).min().filter(|n| *n > 0) else {
            continue;
        };
        let at = |row: &Row| row.spreads(stat)[depth - 1].1.middle;
        let plies = rows[0].cells[depth - 1].0;
        let counts: Vec<String> = rows
            .iter()
            .filter(|row| at(row).is_finite())
            .map(|row| match at(rows[0]) {
                first if first.is_finite() && row.name != rows[0].name => {
                    format!("{} {} ({})", row.name, about(at(row)), percent(at(row) / first))
                }
                _ => format!("{} {}", row.name, about(at(row))),
            })
            .collect();
        let place = if group.is_empty() { String::new() } else { format!("{}: ", sentence(group)) };
        said.push(format!("{place}{plies} plies deep, {word}: {}.", list(&counts)));
        said.extend(factors(stat, &rows));
    }
    if let (Stat::Pruned, [all, others @ ..]) = (stat, rows) {
        let saved: Vec<String> = others
            .iter()
            .filter_map(|row| {
                let (depth, spread) = *shares(all, row).last()?;
                Some(format!("{} {} at {depth} plies", row.name, percent(spread.middle / 100.0)))
            })
            .collect();
        said.push(format!("Of the leaves of {} they save: {}.", all.name, list(&saved)));
    }
    let minimax = rows.iter().find(|row| stat == Stat::Leaves && row.name == "minimax");
    if let Some(point) = minimax.and_then(|minimax| least(minimax).last().copied()) {
        said.push(format!(
            "With the best move first everywhere, alpha-beta would look at about {} leaves {} plies deep: so says \
             the formula of Knuth and Moore (1975) for a tree of that size.",
            about(point.y),
            point.x
        ));
    }
    if stat == Stat::Nodes {
        said.push(
            "A factor is the geometric mean of what each ply multiplied the nodes by, over the last four plies, or the \
             last two where there are no more: an even number, because odd and even plies differ."
                .to_owned(),
        );
    }
    said.push(format!("Geometric means over {positions}, with their 95 % intervals."));
    said
}

/// By how much a ply more multiplies what was counted; of nodes that is the effective branching factor.
fn factors(stat: Stat, rows: &[&Row]) -> Option<String> {
    let factor = |row: &&Row| {
        let mut said = format!("{} {:.2}", row.name, row.growth(stat)?);
        if let Some((odd, even)) = row.last_steps(stat).filter(|_| stat == Stat::Nodes) {
            said += &format!(" (to an odd depth {odd:.2}, to an even one {even:.2})");
        }
        Some(said)
    };
    let factors: Vec<String> = rows.iter().filter_map(factor).collect();
    if factors.is_empty() {
        return None;
    }
    if stat != Stat::Nodes {
        return Some(format!("Each ply more multiplies them by: {}.", list(&factors)));
    }
    let mut said = format!("Effective branching factors: {}.", list(&factors));
    let minimax = rows.iter().find(|row| row.name == "minimax");
    if let Some(all) = minimax.and_then(|row| row.growth(stat)) {
        said += &format!(
            " With the best move first everywhere it would be the root of minimax's, {:.2}.",
            all.sqrt()
        );
    }
    Some(said)
}
