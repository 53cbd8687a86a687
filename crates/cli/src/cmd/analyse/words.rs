//! Formatting of values, outcomes and move sequences.

use tussle_core::format::decimal;
use tussle_core::{Bound, Line, Outcome, Unit};

/// Returns the sign before a number that is only a bound.
fn sign(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Lower => "≥",
        Bound::Upper => "≤",
    }
}

/// Formats the value of a line with the sign of its bound, or the mean reward of a sampled move; `?`
/// without a value.
pub(super) fn value(line: &Line<String>) -> String {
    let known = match line.sampled {
        Some(sampled) => sampled.mean,
        None => line.known_value(),
    };
    known.map_or_else(
        || "?".to_owned(),
        |known| format!("{}{}", sign(line.bound), decimal(known, 3)),
    )
}

/// Formats the value of a line in a column of this unit. A result in a column of evaluations is empty,
/// because the column of outcomes shows it.
pub(super) fn value_in(line: &Line<String>, unit: Unit) -> String {
    if line.sampled.is_some() || !line.searched || line.value.unit() == unit {
        return value(line);
    }
    match line.value.expected_score() {
        _ if line.outcome().is_some() => String::new(),
        1.0 => format!("{}win", sign(line.bound)),
        0.0 => format!("{}loss", sign(line.bound)),
        _ => value(line),
    }
}

/// Formats the proven outcome of a line: `win in 5`, `draw`; empty if it is not proven.
pub(super) fn proven(line: &Line<String>) -> String {
    let name = line.outcome().map_or("", Outcome::as_str);
    match line.distance() {
        Some(plies) if !name.is_empty() => format!("{name} in {plies}"),
        _ => name.to_owned(),
    }
}

/// Joins as many moves as fit into this many characters; `…` stands for the rest.
pub(super) fn cut(moves: &[String], width: usize) -> String {
    let whole = moves.join(" ");
    if whole.chars().count() <= width {
        return whole;
    }
    let mut text = String::new();
    let mut used = 1; // the dots
    for mv in moves {
        used += mv.chars().count() + 1;
        if used > width {
            break;
        }
        text += mv;
        text.push(' ');
    }
    text.push('…');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_between_moves() {
        let moves = ["b2", "a1", "c3", "b3"].map(str::to_owned);
        assert_eq!(cut(&moves, 11), "b2 a1 c3 b3");
        assert_eq!(cut(&moves, 10), "b2 a1 c3 …");
        assert_eq!(cut(&moves, 9), "b2 a1 …");
        assert_eq!(cut(&moves, 0), "…");
    }
}
