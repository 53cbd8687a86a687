//! Derivation of missing numbers, and contradictions.

use super::{ExerciseError, ExerciseNode};
use crate::number::number;

/// Sums over some children of a node.
struct Sum {
    wins: f64,
    visits: u64,
    /// `39 - 6`, or `33 + 1`.
    wins_text: Vec<String>,
    visits_text: Vec<String>,
}

fn sum(nodes: &[ExerciseNode], children: impl Iterator<Item = usize>) -> Sum {
    let mut sum = Sum { wins: 0.0, visits: 0, wins_text: Vec::new(), visits_text: Vec::new() };
    for child in children {
        let ExerciseNode { wins, visits, .. } = nodes[child];
        sum.wins += wins;
        sum.visits += visits;
        sum.wins_text.push(number(wins));
        sum.visits_text.push(visits.to_string());
    }
    sum
}

/// Returns true if the children of a node belong to the other player, so that their wins are its losses.
fn is_turned(nodes: &[ExerciseNode], node: usize) -> bool {
    nodes[node].children.first().is_none_or(|&child| nodes[child].by != nodes[node].by)
}

/// Computes the numbers of the node without numbers, and the derivation.
pub(super) fn fill_in(
    nodes: &mut [ExerciseNode],
    asked: usize,
) -> Result<Vec<String>, ExerciseError> {
    let name = nodes[asked].name.clone();
    let (wins, visits, lines) = match nodes[asked].parent {
        Some(parent) => from_above(nodes, asked, parent),
        None if nodes[asked].children.is_empty() => {
            return Err(ExerciseError::Alone(name, "parent and no children"));
        }
        None => from_below(nodes, asked),
    };
    if visits < 0.0 || !(0.0..=visits).contains(&wins) {
        let (wins, visits) = (number(wins), number(visits));
        return Err(ExerciseError::Impossible { name, wins, visits });
    }
    (nodes[asked].wins, nodes[asked].visits) = (wins, visits as u64);
    Ok(lines)
}

/// Derives the numbers from the parent and its other children.
fn from_above(nodes: &[ExerciseNode], asked: usize, parent: usize) -> (f64, f64, Vec<String>) {
    let ExerciseNode { name: above, wins: has, visits: played, children, .. } = &nodes[parent];
    let others = sum(nodes, children.iter().copied().filter(|&child| child != asked));
    let name = &nodes[asked].name;
    let visits = *played as f64 - others.visits as f64;
    let rest = |first: &str, others: &[String]| {
        let terms: Vec<&str> =
            std::iter::once(first).chain(others.iter().map(String::as_str)).collect();
        terms.join(" - ")
    };
    let is_turned = is_turned(nodes, parent);
    let all = if is_turned { *played as f64 - has } else { *has };
    let wins = all - others.wins;
    let lost = if is_turned {
        format!(
            "The children of {above} win the games that {above} does not win: {played} - {} = {}.",
            number(*has),
            number(all)
        )
    } else {
        format!("The children of {above} win the same games as {above}: {}.", number(all))
    };
    let lines = vec![
        format!(
            "Every visit of {above} went on to one of its children: {name} has {} = {} visits.",
            rest(&played.to_string(), &others.visits_text),
            number(visits)
        ),
        format!(
            "{lost} {name} has {} = {} of them.",
            rest(&number(all), &others.wins_text),
            number(wins)
        ),
        format!("So {name} is {}/{}.", number(wins), number(visits)),
    ];
    (wins, visits, lines)
}

/// Derives the numbers from the children.
fn from_below(nodes: &[ExerciseNode], asked: usize) -> (f64, f64, Vec<String>) {
    let below = sum(nodes, nodes[asked].children.iter().copied());
    let name = &nodes[asked].name;
    let visits = below.visits as f64;
    let is_turned = is_turned(nodes, asked);
    let wins = if is_turned { visits - below.wins } else { below.wins };
    let how =
        if is_turned { "does not win what its children win" } else { "wins what its children win" };
    let lines = vec![
        format!(
            "Every visit of {name} went on to one of its children: {} = {visits} visits.",
            below.visits_text.join(" + ")
        ),
        format!(
            "{name} {how} ({} = {}): {} wins.",
            below.wins_text.join(" + "),
            number(below.wins),
            number(wins)
        ),
        format!("So {name} is {}/{visits}.", number(wins)),
    ];
    (wins, visits, lines)
}

/// Returns the nodes whose numbers are not the sums of those of their children. One more visit is allowed, because
/// the first visit of a node has no child.
pub(super) fn contradictions(nodes: &[ExerciseNode]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, node) in nodes.iter().enumerate().filter(|(_, node)| !node.children.is_empty()) {
        let below = sum(nodes, node.children.iter().copied());
        let names: Vec<String> =
            node.children.iter().map(|&child| nodes[child].name.clone()).collect();
        let names = names.join(" + ");
        let ExerciseNode { name, wins, visits, .. } = node;
        if below.visits != *visits && below.visits + 1 != *visits {
            found.push(format!(
                "{name} has {visits} visits, but {names} have {} = {} together.",
                below.visits_text.join(" + "),
                below.visits
            ));
            continue;
        }
        let own = (*visits - below.visits) as f64;
        let (least, most) = if is_turned(nodes, at) {
            (below.visits as f64 - wins, below.visits as f64 - wins + own)
        } else {
            (wins - own, *wins)
        };
        if !(least - 1e-9..=most + 1e-9).contains(&below.wins) {
            let should = if own == 0.0 {
                number(least)
            } else {
                format!("{} to {}", number(least), number(most))
            };
            found.push(format!(
                "{name} is {}/{visits}, so the wins of {names} should sum to {should}, but they sum to {} = {}.",
                number(*wins),
                below.wins_text.join(" + "),
                number(below.wins)
            ));
        }
    }
    found
}
