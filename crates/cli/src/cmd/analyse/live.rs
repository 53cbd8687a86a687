//! Progress lines of a search, one per depth.

use std::time::Duration;

use tussle_core::{Outcome, Report};

use super::words;
use crate::layout;
use crate::output::tell;

/// Width of the columns before the moves.
const BEFORE_MOVES: usize = 58;

/// Lines on standard error: depth, value, nodes, speed, time, moves.
pub(super) struct DepthLines {
    width: usize,
    has_header: bool,
}

impl DepthLines {
    pub(super) fn new() -> Self {
        Self { width: layout::stderr_width(), has_header: false }
    }

    /// Prints the line of the latest report, after a header the first time.
    pub(super) fn show(&mut self, report: &Report<String>) {
        if !self.has_header {
            self.has_header = true;
            tell(&row(["depth", "value", "nodes", "nodes/s", "time"].map(str::to_owned), "line"));
        }
        tell(&line(report, self.width));
    }
}

fn line(report: &Report<String>, width: usize) -> String {
    let Some(best) = report.lines.first() else { return String::new() };
    // Points already tell who wins, so print the number.
    let is_proven = best.distance().is_some() || best.outcome() == Some(Outcome::Draw);
    let value = if is_proven { words::proven(best) } else { words::value(best) };
    let stats = &report.stats;
    let columns = [
        stats.depth.to_string(),
        value,
        stats.nodes.to_string(),
        short(stats.nodes as f64 / report.elapsed.as_secs_f64().max(1e-9)),
        seconds(report.elapsed),
    ];
    row(columns, &words::cut(&best.pv, width.saturating_sub(BEFORE_MOVES)))
}

fn row([depth, value, nodes, speed, time]: [String; 5], moves: &str) -> String {
    format!("{depth:>5}  {value:>12}  {nodes:>14}  {speed:>8}  {time:>9}  {moves}")
}

/// Formats a large number in four or five characters: `950`, `12.3k`, `4.5M`.
pub(super) fn short(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.1}G", n / 1e9),
        n if n >= 1e6 => format!("{:.1}M", n / 1e6),
        n if n >= 1e3 => format!("{:.1}k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// Formats a duration in seconds.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use tussle_core::{Line, SearchStats, StopReason, Value};

    use super::*;

    #[test]
    fn a_line_fits_the_terminal() {
        let mut best = Line::new("b2".to_owned(), Value::win(Some(50)));
        best.pv = vec!["b2".to_owned(); 50];
        let stats = SearchStats { depth: 12, nodes: 1_234_567, ..SearchStats::default() };
        let elapsed = Duration::from_millis(500);
        let report = Report::new(vec![best], stats, StopReason::Depth, elapsed);
        let shown = line(&report, 80);
        assert_eq!(shown.chars().count(), 80, "{shown}");
        assert!(
            shown.starts_with("   12     win in 50         1234567      2.5M    0.500 s  b2 b2")
        );
        assert!(shown.ends_with(" b2 …"), "{shown}");
        assert!(line(&report, 20).ends_with("s  …"));
    }
}
