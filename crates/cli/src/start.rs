//! Errors about positions in which an agent cannot search.

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_engine::needs_moves;

use crate::failure::Failure;

/// Returns an error if the agent is a GTP program and the position is not reached by moves from the start:
/// GTP has only moves from the empty board.
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
        "{agent}: GTP cannot set up a position; give the moves from the empty board (--moves, --sgf), or use a \
         program that speaks UGI or JSON"
    )))
}

/// Returns the error for a position in which chance is to move.
pub(crate) fn roll_first(position: &dyn AnyPosition) -> Failure {
    let outcome = position.moves().into_iter().next().unwrap_or_default();
    let before = if position.history().is_empty() { "" } else { "…," };
    Failure::usage(format!("chance is to move; roll first: --moves {before}{outcome}"))
}
