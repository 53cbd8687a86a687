//! Nodes of the tree that a search did not visit.

use std::collections::HashSet;

use serde::Serialize;
use tussle_catalog::AnyPosition;
use tussle_catalog::recording::{Node, Step};
use tussle_core::StopReason;

use super::Explanation;

/// Maximum number of nodes of a tree that is counted.
const MAX_COUNTED_NODES: usize = 200_000;

/// Nodes that a search visited, compared with a full search to the same depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Saving {
    /// Number of different nodes that the search entered.
    pub seen: usize,
    /// Number of nodes of the full search; `None` if there are too many to count.
    pub whole: Option<usize>,
    /// Depth to which both are counted; `None` for a search to the end.
    pub depth: Option<usize>,
    /// Names of the nodes of a tree file that the search did not enter, each before its descendants.
    pub unseen: Vec<String>,
}

/// Compares a search with a full search. Returns `None` for Monte Carlo tree search, and if not all steps were
/// recorded.
pub(super) fn saving(told: &Explanation, position: &dyn AnyPosition) -> Option<Saving> {
    let is_sampling = |step: &Step| matches!(step, Step::Simulate { .. });
    if told.is_cut_short || told.steps.iter().any(is_sampling) {
        return None;
    }
    let stats = &told.report.stats;
    let is_tree = told.tree.has_names();
    if !is_tree && stats.pruned + stats.table_hits == 0 {
        return None; // the search did not prune
    }
    let nodes = told.tree.nodes();
    let looks_to_the_end =
        matches!(told.report.stopped, StopReason::Proven | StopReason::Finished) && is_tree;
    let depth = (!looks_to_the_end).then_some(told.report.stats.depth as usize);
    let within = depth.unwrap_or(usize::MAX);
    let is_seen = |node: &&Node| node.is_seen && node.depth <= within;
    let seen = nodes.iter().filter(is_seen).count();
    // Equivalent moves are counted once if the search did so.
    let is_distinct = nodes[0].children.len() <= position.distinct_moves().len();
    let mut position = position.without_history();
    if is_tree {
        let names: HashSet<&str> =
            nodes.iter().filter(is_seen).map(|node| node.name.as_str()).collect();
        let all = named(position.as_mut(), within);
        let unseen = |name: &&String| !names.contains(name.as_str());
        let unseen = all.iter().flatten().filter(unseen).cloned().collect();
        return Some(Saving { seen, whole: all.map(|all| all.len()), depth, unseen });
    }
    // Expectimax skips equivalent moves at choice nodes, but not at averaged nodes.
    let is_comparable = told.settled.name != "expectimax";
    let whole = is_comparable.then(|| count(position.as_mut(), within, is_distinct)).flatten();
    Some(Saving { seen, whole, depth, unseen: Vec::new() })
}

/// Returns the names of all nodes of a tree to this depth, each before its descendants.
fn named(position: &mut dyn AnyPosition, depth: usize) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let is_small = walk(position, depth, false, &mut |position| {
        names.push(position.text());
        names.len() < MAX_COUNTED_NODES
    });
    is_small.then_some(names)
}

/// Returns the number of nodes to this depth.
fn count(position: &mut dyn AnyPosition, depth: usize, is_distinct: bool) -> Option<usize> {
    let Some(above) = depth.checked_sub(1) else { return Some(1) };
    let mut nodes = 1;
    // The last ply is counted without making the moves.
    let is_small = walk(position, above, is_distinct, &mut |position| {
        nodes += moves(position, is_distinct).len();
        nodes <= MAX_COUNTED_NODES
    });
    is_small.then_some(nodes)
}

fn moves(position: &dyn AnyPosition, is_distinct: bool) -> Vec<String> {
    if is_distinct { position.distinct_moves() } else { position.moves() }
}

/// Calls `visit` for every position to this depth until it returns false. Returns true if all positions were visited.
fn walk(
    position: &mut dyn AnyPosition,
    depth: usize,
    is_distinct: bool,
    visit: &mut dyn FnMut(&dyn AnyPosition) -> bool,
) -> bool {
    if !visit(position) {
        return false;
    }
    let mut todo = vec![moves(position, is_distinct).into_iter()];
    while let Some(ahead) = todo.last_mut() {
        let next = ahead.next();
        let Some(mv) = next.filter(|_| depth > 0) else {
            todo.pop();
            if !todo.is_empty() {
                position.undo();
            }
            continue;
        };
        if position.play(&mv).is_err() {
            continue;
        }
        if !visit(position) {
            return false;
        }
        let below = if todo.len() < depth { moves(position, is_distinct) } else { Vec::new() };
        todo.push(below.into_iter());
    }
    true
}
