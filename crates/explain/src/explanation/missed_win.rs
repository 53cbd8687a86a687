//! Immediate wins that a search did not choose.

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::Turn;

/// Returns a move that wins at once, if the chosen one does not.
pub(super) fn missed_win(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    chosen: Option<&String>,
) -> Option<String> {
    let Turn::Player(mover) = position.turn() else { return None };
    let payoffs = game.payoffs();
    // Games with points have no wins, only more or fewer points.
    if payoffs.points {
        return None;
    }
    let moves = position.moves();
    let mut position = position.without_history();
    let mut wins = |mv: &str| {
        if position.play(mv).is_err() {
            return false;
        }
        let won = position.utilities().is_some_and(|utilities| {
            let own = utilities.get(mover).copied().unwrap_or(0.0);
            utilities.iter().enumerate().all(|(player, &other)| player == mover || other < own)
        });
        position.undo();
        won
    };
    if chosen.is_some_and(|mv| wins(mv)) {
        return None;
    }
    moves.into_iter().find(|mv| wins(mv))
}
