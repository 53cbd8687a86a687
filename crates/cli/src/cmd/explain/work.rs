//! Trees with wins and visits: there is nothing to search, but something to work out.

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_explain::Exercise;

use crate::failure::Failure;
use crate::output;

/// The exercise, if the game is one and no other agent than `mcts` was asked for.
pub(super) fn exercise(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: Option<&str>,
) -> Result<Option<Exercise>, Failure> {
    match tussle_explain::exercise_constant(game, agent)? {
        Some(c) => Ok(tussle_explain::exercise(game, position, c)?),
        None => Ok(None),
    }
}

/// The answer.
pub(super) fn print(game: &str, exercise: &Exercise, json: bool) -> Result<(), Failure> {
    if json {
        return output::json(&exercise.document(game));
    }
    output::print(&exercise.text())
}
