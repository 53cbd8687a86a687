//! Exercises: trees with wins and visits, which need no search.

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_explain::Exercise;

use crate::failure::Failure;
use crate::output;

/// Returns the exercise if the game is one and the agent is `mcts` or not given.
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

/// Prints the solution of an exercise.
pub(super) fn print(game: &str, exercise: &Exercise, json: bool) -> Result<(), Failure> {
    if json {
        return output::json(&exercise.document(game));
    }
    output::report(&exercise.text())
}
