//! The nodes of an exercise, with the wins and visits that the tree file has.

use std::collections::HashMap;

use tussle_catalog::{AnyPosition, NodeStats};
use tussle_core::Turn;

use super::{ExerciseError, ExerciseNode};

/// Maximum number of nodes of an exercise.
const MAX_NODES: usize = 10_000;

/// Returns all nodes, level by level, and the indices of the nodes whose wins and visits are missing.
pub(super) fn nodes(
    position: &dyn AnyPosition,
    stats: &HashMap<String, NodeStats>,
) -> Result<(Vec<ExerciseNode>, Vec<usize>), ExerciseError> {
    let mover = |position: &dyn AnyPosition, by: usize| match position.turn() {
        Turn::Player(player) if player < 2 => Ok(player),
        // The players would also take turns below a leaf.
        Turn::Over => Ok(1 - by),
        _ => Err(ExerciseError::Players(position.text())),
    };
    let root = position.without_history();
    // The opponent of the player to move at the root made the move before it.
    let by = match root.turn() {
        Turn::Player(player) if player < 2 => 1 - player,
        Turn::Over => 1,
        _ => return Err(ExerciseError::Players(root.text())),
    };
    let mut nodes = vec![standing(root.as_ref(), None, by)];
    let mut positions = vec![root];
    let mut at = 0;
    while at < nodes.len() {
        let player = mover(positions[at].as_ref(), nodes[at].by)?;
        for mv in positions[at].moves() {
            let mut child = positions[at].without_history();
            if child.play(&mv).is_err() {
                continue;
            }
            let number = nodes.len();
            nodes[at].children.push(number);
            nodes.push(standing(child.as_ref(), Some(at), player));
            positions.push(child);
        }
        if nodes.len() > MAX_NODES {
            return Err(ExerciseError::Large(MAX_NODES));
        }
        at += 1;
    }
    let mut missing = Vec::new();
    for (number, node) in nodes.iter_mut().enumerate() {
        match stats.get(&node.name) {
            Some(NodeStats::Known { wins, visits }) => (node.wins, node.visits) = (*wins, *visits),
            Some(NodeStats::Asked) | None => missing.push(number),
        }
    }
    Ok((nodes, missing))
}

fn standing(position: &dyn AnyPosition, parent: Option<usize>, by: usize) -> ExerciseNode {
    ExerciseNode {
        name: position.text(),
        parent,
        children: Vec::new(),
        by,
        wins: 0.0,
        visits: 0,
        weight: None,
    }
}
