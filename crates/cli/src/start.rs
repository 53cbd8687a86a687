//! Positions from which an agent cannot search.

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_engine::needs_moves;

use crate::failure::Failure;

/// Refuses a position that the agent cannot be told: GTP programs know only moves from the empty board.
pub(crate) fn check_start(
    agent: &str,
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
) -> Result<(), Failure> {
    if !needs_moves(agent) {
        return Ok(());
    }
    let mut start = position.boxed();
    while start.undo() {}
    if start.same(game.start().as_ref()) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{agent}: GTP has no positions; give the moves from the empty board (--moves, --sgf), or use a program that \
         speaks UGI or JSON"
    )))
}

/// Chance is to move, and no agent has a choice.
pub(crate) fn roll_first(position: &dyn AnyPosition) -> Failure {
    let outcome = position.moves().into_iter().next().unwrap_or_default();
    let before = if position.history().is_empty() { "" } else { "…," };
    Failure::usage(format!("chance is to move; roll first: --moves {before}{outcome}"))
}
