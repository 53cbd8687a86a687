//! Positions for the requests of a test.

use std::sync::Arc;

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Rng, Turn};

/// Maximum number of plies of a test game. Longer games are not played to their end.
pub(crate) const MAX_GAME_PLIES: usize = 600;

/// Returns a position after about `plies` random moves in which a player is to move.
pub(crate) fn random(game: &Arc<dyn AnyGame>, plies: usize, rng: &mut Rng) -> Box<dyn AnyPosition> {
    let mut position = game.start();
    let mut decided = position.boxed();
    loop {
        match position.turn() {
            Turn::Over => return decided,
            Turn::Player(_) => {
                if position.history().len() >= plies {
                    return position;
                }
                decided = position.boxed();
            }
            Turn::Chance => {}
        }
        step(position.as_mut(), rng);
    }
}

/// Returns the first position of a game in which a player is to move.
pub(crate) fn first(game: &Arc<dyn AnyGame>, rng: &mut Rng) -> Box<dyn AnyPosition> {
    random(game, 0, rng)
}

/// Returns the final position of a random game, or `None` if the game does not end within the maximum number of plies.
pub(crate) fn finished(game: &Arc<dyn AnyGame>, rng: &mut Rng) -> Option<Box<dyn AnyPosition>> {
    let mut position = game.start();
    while position.turn() != Turn::Over {
        if position.history().len() > MAX_GAME_PLIES {
            return None;
        }
        step(position.as_mut(), rng);
    }
    Some(position)
}

/// Plays a random move, or a roll at a chance node.
pub(crate) fn step(position: &mut dyn AnyPosition, rng: &mut Rng) {
    let mv = position.roll(rng).unwrap_or_else(|| {
        let moves = position.moves();
        moves[rng.below(moves.len())].clone()
    });
    // The move is one of the legal moves.
    let _ = position.play(&mv);
}

/// Explains why a move is illegal; `None` for a legal move.
pub(crate) fn fault_of(position: &dyn AnyPosition, mv: &str) -> Option<String> {
    let error = position.boxed().play(mv).err()?;
    let moves = position.moves();
    let some = moves.iter().take(5).cloned().collect::<Vec<_>>().join(" ");
    let more = if moves.len() > 5 { " …" } else { "" };
    Some(format!("`{mv}`, which is not legal ({error}); legal moves are {some}{more}"))
}
