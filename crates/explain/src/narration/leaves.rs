//! Lines about leaves.

use tussle_catalog::recording::Node;
use tussle_core::{LeafKind, Value};

use super::bounds::winner;
use crate::Explanation;
use crate::number::Wins;

/// Returns the line about a leaf.
pub(super) fn text(
    told: &Explanation,
    node: &Node,
    (value, or): (&[Value], &str),
    kind: LeafKind,
) -> String {
    let wins = Wins::of(told);
    let text = format!("{} = {}{or}", node.name, wins.values(value));
    let says_who = value.iter().any(|&value| winner(value).is_some());
    match kind {
        // In a tree file every leaf ends the game.
        LeafKind::End if told.tree.has_names() => text,
        LeafKind::End if says_who => text,
        LeafKind::End => text + &result(node),
        LeafKind::Evaluation if node.utilities.is_some() && !told.tree.has_names() => {
            format!("{text}, evaluated, though the game is over{}", result(node))
        }
        LeafKind::Evaluation => text + ", evaluated",
        LeafKind::Table => text + ", known from the table",
        LeafKind::Tactics if says_who => text + ", by a win at once",
        LeafKind::Book => text + ", from the opening book",
        _ => text,
    }
}

/// Returns the result of the game as a clause.
fn result(node: &Node) -> String {
    let Some(utilities) = &node.utilities else { return String::new() };
    match utilities.as_slice() {
        [first, second] if first > second => ", won by MAX".to_owned(),
        [first, second] if first < second => ", won by MIN".to_owned(),
        [_, _] => ", a draw".to_owned(),
        many => {
            let most = many.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let best = many.iter().enumerate().filter(|&(_, &utility)| utility == most);
            let best: Vec<String> = best.map(|(player, _)| (player + 1).to_string()).collect();
            match best.as_slice() {
                [one] => format!(", won by player {one}"),
                some => format!(", a tie of players {}", crate::words::list(some)),
            }
        }
    }
}
