//! Default limits of an explanation, so that it is short enough to read.

use tussle_catalog::{AnyPosition, Error, Spec};
use tussle_core::Limits;

/// Maximum number of simulations of a readable explanation.
const SIMULATIONS: u64 = 200;
/// Maximum number of positions of an explanation that is readable in parts.
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
    let game = position.rules();
    let name = game.expanded_agent(agent)?.name;
    if matches!(name.as_str(), "mcts" | "mcts-textbook") {
        // The number of simulations of a preset may be too large for an explanation.
        let is_limited = Spec::parse(agent)?.value("nodes").is_some();
        let limits = Limits::nodes(SIMULATIONS);
        return Ok((!is_limited).then(|| (limits, format!("{SIMULATIONS} simulations"))));
    }
    // Tree files are small and searched completely.
    let is_tree = position.game_spec().split(':').next() == Some("tree");
    if is_tree || !game.looks_by_plies(agent)? || !game.runs_to_a_proof(agent)? {
        return Ok(None);
    }
    // Only these searches visit all equivalent moves.
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
