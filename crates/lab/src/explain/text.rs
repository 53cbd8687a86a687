//! A story as lines of text.

use super::Beat;
use crate::grouped;

/// More lines than these nobody reads.
pub const MOST_LINES: usize = 400;

/// The beats of a story, one a line, each as far to the right as the search was deep. With `most`, leaves that say
/// the same are put together; if there are more lines even so, what happened deepest is folded away, and what is
/// still too much is cut off.
pub fn text(beats: &[Beat], most: Option<usize>) -> String {
    let Some(most) = most else { return beats.iter().map(|beat| line(beat, &beat.text)).collect() };
    let rows = together(beats);
    if rows.len() <= most {
        let mut text: String = rows.iter().map(|row| row.text.as_str()).collect();
        if rows.iter().any(|row| row.is_shortened) {
            text += "… leaves that are worth the same stand together: --all shows each\n";
        }
        return text;
    }
    let deepest = rows.iter().map(|row| row.depth).max().unwrap_or(0);
    let fits = |&depth: &usize| folded(&rows, depth).len() <= most;
    // Less than what the root's moves are worth is no story.
    let depth = (1..deepest.min(DEEPEST)).rev().find(fits);
    let lines = match depth {
        Some(depth) => folded(&rows, depth),
        None => rows.iter().take(most).map(|row| row.text.clone()).collect(),
    };
    let is_told = |(at, row): &(usize, &Row)| depth.map_or(*at < most, |depth| row.depth <= depth);
    let told: usize = rows.iter().enumerate().filter(is_told).map(|(_, row)| row.beats).sum();
    let hidden = grouped(beats.len().saturating_sub(told) as u64);
    lines.concat() + &format!("… {hidden} more lines: --all shows them\n")
}

fn line(beat: &Beat, text: &str) -> String {
    // A round stands apart.
    let before = if beat.node.is_none() && beat.steps > 1 { "\n" } else { "" };
    format!("{before}{}{text}\n", indent(beat.depth))
}

/// No line begins further to the right than this.
const DEEPEST: usize = 40;

fn indent(depth: usize) -> String {
    let deeper = if depth > DEEPEST { format!("(ply {depth}) ") } else { String::new() };
    "  ".repeat(depth.min(DEEPEST)) + &deeper
}

/// A line and the beats it tells.
struct Row {
    text: String,
    depth: usize,
    beats: usize,
    /// Whether not all of them are named.
    is_shortened: bool,
}

/// So many leaves that say the same are named.
const NAMED: usize = 4;

/// Puts leaves together that stand side by side and say the same.
fn together(beats: &[Beat]) -> Vec<Row> {
    let says = |beat: &Beat| {
        let (name, rest) = beat.text.split_once(" = ").filter(|_| beat.is_leaf)?;
        Some((name.to_owned(), rest.to_owned()))
    };
    let same = |a: &Beat, b: &Beat| {
        let (first, second) = (says(a), says(b));
        a.depth == b.depth && first.is_some() && first.map(|(_, x)| x) == second.map(|(_, x)| x)
    };
    let row = |some: &[Beat]| {
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
            text: line(first, &text),
            depth: first.depth,
            beats: some.len(),
            is_shortened: more > 0,
        }
    };
    beats.chunk_by(same).map(row).collect()
}

/// Lines down to this depth; a mark stands for those below.
fn folded(rows: &[Row], depth: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for some in rows.chunk_by(|a, b| (a.depth > depth) == (b.depth > depth)) {
        if some[0].depth > depth {
            lines.push(mark(depth, some.iter().map(|row| row.beats).sum()));
        } else {
            lines.extend(some.iter().map(|row| row.text.clone()));
        }
    }
    lines
}

fn mark(depth: usize, hidden: usize) -> String {
    let lines = if hidden == 1 { "line" } else { "lines" };
    format!("{}… {} {lines}\n", indent(depth + 1), grouped(hidden as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat(depth: usize) -> Beat {
        Beat { text: "x".to_owned(), steps: 0, node: None, depth, is_leaf: false }
    }

    #[test]
    fn a_short_story_is_told_whole() {
        assert_eq!(text(&[beat(0), beat(2)], Some(2)), "x\n    x\n");
    }

    #[test]
    fn what_is_deepest_is_folded_first() {
        let beats = [0, 1, 2, 2, 2, 1, 2, 2].map(beat);
        let told = text(&beats, Some(7));
        assert_eq!(
            told,
            "x\n  x\n    … 3 lines\n  x\n    … 2 lines\n… 5 more lines: --all shows them\n"
        );
        assert_eq!(text(&beats, None).lines().count(), 8);
    }

    #[test]
    fn a_deep_story_stays_narrow() {
        let told = text(&[beat(50_000)], None);
        assert_eq!(told.trim_start(), "(ply 50000) x\n");
        assert!(told.len() < 100);
    }

    #[test]
    fn a_flat_story_is_cut_off() {
        let beats = [0; 9].map(beat);
        assert_eq!(text(&beats, Some(3)), "x\nx\nx\n… 6 more lines: --all shows them\n");
    }

    #[test]
    fn leaves_that_say_the_same_stand_together() {
        let leaf = |text: &str| Beat { text: text.to_owned(), is_leaf: true, ..beat(1) };
        let inner = Beat { text: "c = 1".to_owned(), ..beat(1) };
        let beats = [leaf("a = 1"), leaf("b = 1"), inner, leaf("d = 1"), leaf("e = 2")];
        assert_eq!(text(&beats, Some(9)), "  a, b = 1\n  c = 1\n  d = 1\n  e = 2\n");
        let many =
            ["a", "b", "c", "d", "e", "f"].map(|name| leaf(&format!("{name} = 1, evaluated")));
        let told = text(&many, Some(9));
        assert!(told.starts_with("  a, b, c, d and 2 more = 1, evaluated\n… leaves"), "{told}");
        assert_eq!(text(&many, None).lines().count(), 6);
    }
}
