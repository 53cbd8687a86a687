//! A story as lines of text.

use super::Beat;
use super::number::grouped;

/// More lines than these nobody reads.
pub const MOST_LINES: usize = 400;

/// The beats of a story, one a line, each as far to the right as the search was deep. If there are more than
/// `most`, what happened deepest is folded away, and the rest is cut off.
pub fn text(beats: &[Beat], most: Option<usize>) -> String {
    let Some(most) = most.filter(|&most| beats.len() > most) else {
        return beats.iter().map(line).collect();
    };
    let deepest = beats.iter().map(|beat| beat.depth).max().unwrap_or(0);
    let fits = |&depth: &usize| folded(beats, depth).len() <= most;
    // Less than what the root's moves are worth is no story.
    let depth = (1..deepest).rev().find(fits);
    let lines =
        depth.map_or_else(|| beats.iter().map(line).collect(), |depth| folded(beats, depth));
    let mut text: String = lines.iter().take(most).map(String::as_str).collect();
    let told = depth.map_or(most, |depth| beats.iter().filter(|beat| beat.depth <= depth).count());
    let hidden = grouped(beats.len().saturating_sub(told) as u64);
    text += &format!("… {hidden} more lines: --all shows them\n");
    text
}

fn line(beat: &Beat) -> String {
    // A round stands apart.
    let before = if beat.node.is_none() && beat.steps > 1 { "\n" } else { "" };
    format!("{before}{}{}\n", "  ".repeat(beat.depth), beat.text)
}

/// Lines down to this depth; a mark stands for those below.
fn folded(beats: &[Beat], depth: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut hidden = 0;
    for beat in beats {
        if beat.depth > depth {
            hidden += 1;
            continue;
        }
        if hidden > 0 {
            lines.push(mark(depth, hidden));
            hidden = 0;
        }
        lines.push(line(beat));
    }
    if hidden > 0 {
        lines.push(mark(depth, hidden));
    }
    lines
}

fn mark(depth: usize, hidden: usize) -> String {
    let lines = if hidden == 1 { "line" } else { "lines" };
    format!("{}… {} {lines}\n", "  ".repeat(depth + 1), grouped(hidden as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat(depth: usize) -> Beat {
        Beat { text: "x".to_owned(), steps: 0, node: None, depth }
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
    fn a_flat_story_is_cut_off() {
        let beats = [0; 9].map(beat);
        assert_eq!(text(&beats, Some(3)), "x\nx\nx\n… 6 more lines: --all shows them\n");
    }
}
