//! Limits for an explanation that people still read.

use tussle_catalog::{AnyPosition, Error, Spec};
use tussle_core::Limits;

/// Simulations of an explanation that people still read.
const SIMULATIONS: u64 = 200;
/// Positions of an explanation that people still read in parts.
const POSITIONS: usize = 20_000;

/// Returns limits for an explanation short enough to read, and their description; `None` if the agent needs none.
///
/// They are for agents that were given no limits.
///
/// # Errors
/// If no agent has this name.
pub fn readable_limits(
    position: &dyn AnyPosition,
    agent: &str,
) -> Result<Option<(Limits, String)>, Error> {
    let catalog = position.catalog();
    let name = catalog.expanded(agent)?.name;
    if name == "mcts" {
        // A preset may have more simulations than people read.
        let is_limited = Spec::parse(agent)?.value("nodes").is_some();
        let limits = Limits::nodes(SIMULATIONS);
        return Ok((!is_limited).then(|| (limits, format!("{SIMULATIONS} simulations"))));
    }
    // A tree from a file is there to be searched whole.
    let is_tree = position.game_spec().split(':').next() == Some("tree");
    if is_tree || !catalog.looks_by_plies(agent)? || !catalog.runs_to_a_proof(agent)? {
        return Ok(None);
    }
    // Equivalent moves are looked at once, except by these.
    let looks_at_all = matches!(name.as_str(), "minimax" | "expectimax");
    let many = if looks_at_all { position.moves().len() } else { position.distinct_moves().len() };
    let many = many.max(2);
    let (mut depth, mut positions) = (1, many);
    while depth < 4 && positions.saturating_mul(many) <= POSITIONS {
        (depth, positions) = (depth + 1, positions * many);
    }
    let plies = if depth == 1 { "1 ply".to_owned() } else { format!("{depth} plies") };
    Ok(Some((Limits::depth(depth), plies)))
}
