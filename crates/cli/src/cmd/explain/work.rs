//! Trees with wins and visits: there is nothing to search, but something to work out.

use tussle_catalog::{AnyGame, AnyPosition, Spec};
use tussle_lab::Exercise;

use crate::failure::Failure;
use crate::output;

/// The exercise, if the game is one and no other agent than `mcts` was asked for.
pub(super) fn exercise(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: Option<&str>,
) -> Result<Option<Exercise>, Failure> {
    let mut c = std::f64::consts::SQRT_2;
    if let Some(spec) = agent {
        let given = Spec::parse(spec)?;
        if given.name != "mcts" {
            return Ok(None);
        }
        game.agent(spec, 1)?; // refuses what is wrong with it
        if let Some(told) = given.value("c").and_then(|c| c.parse().ok()) {
            c = told;
        }
    }
    Ok(tussle_lab::exercise(game, position, c)?)
}

/// The answer.
pub(super) fn print(game: &str, exercise: &Exercise, json: bool) -> Result<(), Failure> {
    if json {
        let mut document = exercise.document();
        document["game"] = game.into();
        return output::json(&document);
    }
    output::print(&exercise.text())
}
