//! Text of an analysis.

use tussle_core::format::decimal;
use tussle_core::{Report, StopReason, Unit};
use tussle_explain::words::stop_reason;
use tussle_explain::{Analysis, KnownValueNodes};

use super::{live, words};
use crate::layout::Table;
use crate::turns;

/// Returns the best lines, the search statistics and the stop reason.
pub(super) fn text(analysis: &Analysis<'_>, wanted: usize) -> String {
    let &Analysis { game, position, report, .. } = analysis;
    let mut text = format!("position: {}\n", position.text());
    if let Some(utilities) = position.utilities() {
        text += &format!("over: {} {utilities:?}\n", turns::result(&utilities));
        return text;
    }
    let turn = turns::turn(game.players(), position.turn());
    text += &format!("{turn} to move\n\n");
    text += &lines(report, wanted);
    let hidden = report.lines.len().saturating_sub(wanted);
    if hidden > 0 {
        let moves = if hidden == 1 { "move" } else { "moves" };
        text += &format!("{hidden} more {moves}; list all with --lines all\n");
    }
    text += &format!("\n{}", costs(report));
    if !analysis.savings.is_empty() {
        text += &format!("\n{}", savings(analysis.savings));
    }
    text
}

fn lines(report: &Report<String>, wanted: usize) -> String {
    let sampled = report.lines.iter().any(|line| line.sampled.is_some());
    // All of these are rewards: mean + bonus = uct.
    let bonus: &[&str] = if sampled { &["bonus", "uct", "prior"] } else { &[] };
    let value = if sampled { "mean" } else { "value" };
    let headings = [&["", "move", value, "outcome", "visits"], bonus, &["line"]].concat();
    // A column has one unit: points or evaluations, if there are any.
    let shown = report.lines.iter().take(wanted).filter(|line| line.searched);
    let units: Vec<Unit> = shown.map(|line| line.value.unit()).collect();
    let unit = if units.contains(&Unit::Evaluation) { Unit::Evaluation } else { Unit::Result };
    let unit = if units.contains(&Unit::Points) { Unit::Points } else { unit };
    let mut table = Table::new(headings);
    table.numbers([0, 2, 4].into_iter().chain(5..5 + bonus.len()));
    for (i, line) in report.lines.iter().take(wanted).enumerate() {
        let value = if line.values.is_empty() {
            words::value_in(line, unit)
        } else {
            line.values.iter().map(|&v| decimal(v, 3)).collect::<Vec<_>>().join(" ")
        };
        let mut row = vec![
            (i + 1).to_string(),
            line.mv.clone(),
            value,
            words::proven(line),
            line.visits.to_string(),
        ];
        if let Some(sampled) = line.sampled {
            let uct = sampled.mean.map_or(f64::INFINITY, |mean| mean + sampled.bonus);
            row.extend([sampled.bonus, uct, sampled.prior].map(|term| decimal(term, 3)));
        }
        row.push(line.pv.join(" "));
        table.add_row(row);
    }
    table.text()
}

fn costs(report: &Report<String>) -> String {
    let stats = &report.stats;
    let speed = stats.nodes as f64 / report.elapsed.as_secs_f64().max(1e-9);
    let reason = match report.stopped {
        StopReason::StopFlag => "Ctrl-C",
        why => stop_reason(why),
    };
    let rows = [
        ("stopped", format!("{}: {reason}", report.stopped)),
        ("depth", stats.depth.to_string()),
        ("nodes", stats.nodes.to_string()),
        ("leaves", stats.leaves.to_string()),
        ("evaluations", stats.evaluations.to_string()),
        ("cutoffs", stats.cutoffs.to_string()),
        ("pruned", stats.pruned.to_string()),
        ("table hits", stats.table_hits.to_string()),
        ("playouts", stats.playouts.to_string()),
        ("bytes", stats.bytes.to_string()),
        ("time", format!("{}, {} nodes/s", live::seconds(report.elapsed), live::short(speed))),
    ];
    rows.map(|(name, value)| format!("{name:<11}  {value}\n")).concat()
}

/// Returns a table of the nodes that a known value of the root saves.
fn savings(counts: &[KnownValueNodes]) -> String {
    let mut table = Table::new(["move order", "nodes, value known", "nodes, full search", "share"]);
    table.numbers(1..=3);
    for nodes in counts {
        let share = 100.0 * nodes.known as f64 / nodes.full.max(1) as f64;
        table.add_row([
            nodes.order.to_owned(),
            nodes.known.to_string(),
            nodes.full.to_string(),
            format!("{share:.1} %"),
        ]);
    }
    table.text()
}
