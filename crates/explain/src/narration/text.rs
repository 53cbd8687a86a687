//! The narration as text.

use tussle_core::format::grouped;

use super::NarrationLine;
use crate::Explanation;

/// Maximum number of lines of a readable narration.
pub const MAX_TEXT_LINES: usize = 400;

impl Explanation {
    /// Formats the narration as text, one line per narration line, indented by the depth of its node.
    ///
    /// With `max_lines`, leaves with the same value share a line. If there are still more lines, the deepest lines
    /// are collapsed, and the rest is omitted.
    pub fn narration_text(&self, max_lines: Option<usize>) -> String {
        text(&self.narration(), max_lines)
    }
}

pub(crate) fn text(lines: &[NarrationLine], most: Option<usize>) -> String {
    let Some(most) = most else {
        return lines.iter().map(|line| indented(line, &line.text)).collect();
    };
    let rows = together(lines);
    if rows.len() <= most {
        let mut text: String = rows.iter().map(|row| row.text.as_str()).collect();
        if rows.iter().any(|row| row.is_shortened) {
            text += "… leaves with the same value share a line: --all shows each\n";
        }
        return text;
    }
    let deepest = rows.iter().map(|row| row.depth).max().unwrap_or(0);
    let fits = |&depth: &usize| folded(&rows, depth).len() <= most;
    // At least the lines about the root's moves are shown.
    let depth = (1..deepest.min(MAX_INDENTED_DEPTH)).rev().find(fits);
    let shown = match depth {
        Some(depth) => folded(&rows, depth),
        None => rows.iter().take(most).map(|row| row.text.clone()).collect(),
    };
    let is_told = |(at, row): &(usize, &Row)| depth.map_or(*at < most, |depth| row.depth <= depth);
    let told: usize = rows.iter().enumerate().filter(is_told).map(|(_, row)| row.lines).sum();
    let hidden = grouped(lines.len().saturating_sub(told) as u64);
    shown.concat() + &format!("… {hidden} more lines: --all shows them\n")
}

fn indented(line: &NarrationLine, text: &str) -> String {
    // An empty line separates iterations.
    let before = if line.node.is_none() && line.steps > 1 { "\n" } else { "" };
    format!("{before}{}{text}\n", indent(line.depth))
}

/// Maximum depth that is shown by indentation.
const MAX_INDENTED_DEPTH: usize = 40;

fn indent(depth: usize) -> String {
    let deeper = if depth > MAX_INDENTED_DEPTH { format!("(ply {depth}) ") } else { String::new() };
    "  ".repeat(depth.min(MAX_INDENTED_DEPTH)) + &deeper
}

/// Output line for one or more narration lines.
struct Row {
    text: String,
    depth: usize,
    lines: usize,
    /// True if not all leaves of the line are named.
    is_shortened: bool,
}

/// Maximum number of leaves with the same value that are named.
const NAMED: usize = 4;

/// Joins consecutive leaves of the same depth that have the same text after their names.
fn together(lines: &[NarrationLine]) -> Vec<Row> {
    let says = |line: &NarrationLine| {
        let (name, rest) = line.text.split_once(" = ").filter(|_| line.is_leaf)?;
        Some((name.to_owned(), rest.to_owned()))
    };
    let same = |a: &NarrationLine, b: &NarrationLine| {
        let (first, second) = (says(a), says(b));
        a.depth == b.depth && first.is_some() && first.map(|(_, x)| x) == second.map(|(_, x)| x)
    };
    let row = |some: &[NarrationLine]| {
        let (first, more) = (&some[0], some.len().saturating_sub(NAMED));
        let names = some.iter().take(NAMED).filter_map(says).map(|(name, _)| name);
        let text = match says(first) {
            Some((_, rest)) if some.len() > 1 => {
                let names: Vec<String> = names.collect();
                let names = names.join(", ");
                let names = if more > 0 { format!("{names} and {more} more") } else { names };
                format!("{names} = {rest}")
            }
            _ => first.text.clone(),
        };
        Row {
            text: indented(first, &text),
            depth: first.depth,
            lines: some.len(),
            is_shortened: more > 0,
        }
    };
    lines.chunk_by(same).map(row).collect()
}

/// Returns the lines down to this depth, with a mark in place of deeper lines.
fn folded(rows: &[Row], depth: usize) -> Vec<String> {
    let mut written = Vec::new();
    for some in rows.chunk_by(|a, b| (a.depth > depth) == (b.depth > depth)) {
        if some[0].depth > depth {
            written.push(mark(depth, some.iter().map(|row| row.lines).sum()));
        } else {
            written.extend(some.iter().map(|row| row.text.clone()));
        }
    }
    written
}

fn mark(depth: usize, hidden: usize) -> String {
    let noun = if hidden == 1 { "line" } else { "lines" };
    format!("{}… {} {noun}\n", indent(depth + 1), grouped(hidden as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: usize) -> NarrationLine {
        NarrationLine { text: "x".to_owned(), steps: 0, node: None, depth, is_leaf: false }
    }

    #[test]
    fn a_short_narration_is_complete() {
        assert_eq!(text(&[line(0), line(2)], Some(2)), "x\n    x\n");
    }

    #[test]
    fn the_deepest_lines_are_collapsed_first() {
        let lines = [0, 1, 2, 2, 2, 1, 2, 2].map(line);
        let told = text(&lines, Some(7));
        assert_eq!(
            told,
            "x\n  x\n    … 3 lines\n  x\n    … 2 lines\n… 5 more lines: --all shows them\n"
        );
        assert_eq!(text(&lines, None).lines().count(), 8);
    }

    #[test]
    fn a_deep_narration_stays_narrow() {
        let told = text(&[line(50_000)], None);
        assert_eq!(told.trim_start(), "(ply 50000) x\n");
        assert!(told.len() < 100);
    }

    #[test]
    fn a_flat_narration_is_cut_off() {
        let lines = [0; 9].map(line);
        assert_eq!(text(&lines, Some(3)), "x\nx\nx\n… 6 more lines: --all shows them\n");
    }

    #[test]
    fn leaves_with_the_same_text_share_a_line() {
        let leaf = |text: &str| NarrationLine { text: text.to_owned(), is_leaf: true, ..line(1) };
        let inner = NarrationLine { text: "c = 1".to_owned(), ..line(1) };
        let lines = [leaf("a = 1"), leaf("b = 1"), inner, leaf("d = 1"), leaf("e = 2")];
        assert_eq!(text(&lines, Some(9)), "  a, b = 1\n  c = 1\n  d = 1\n  e = 2\n");
        let many =
            ["a", "b", "c", "d", "e", "f"].map(|name| leaf(&format!("{name} = 1, evaluated")));
        let told = text(&many, Some(9));
        assert!(told.starts_with("  a, b, c, d and 2 more = 1, evaluated\n… leaves"), "{told}");
        assert_eq!(text(&many, None).lines().count(), 6);
    }
}
