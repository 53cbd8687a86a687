//! Keep on moving: the board decides how much room a state needs.

use std::sync::Arc;

use tussle_core::Evaluations;
use tussle_games::KeepOnMoving;
use tussle_games::keep_on_moving::{NAME, PARAMS, SUMMARY, board_from_args};

use crate::AnyGame;
use crate::entry::{Build, Capabilities, GameEntry};

/// The room for a small board (up to 192 bits with its border), and for the largest.
const SMALL: usize = 3;
const LARGE: usize = 68;

pub(super) fn keep_on_moving() -> GameEntry {
    GameEntry {
        name: NAME,
        summary: SUMMARY,
        params: PARAMS,
        evaluations: KeepOnMoving::<SMALL, 2>::EVALUATIONS.to_vec(),
        build: Arc::new(|request: Build<'_>| {
            let board = board_from_args(request.args)?;
            if board.players() > 2 {
                let game = Arc::new(KeepOnMoving::<LARGE, 8>::new(&board)?);
                return Ok(request.finish(game, Arc::new(Capabilities::new().complete())));
            }
            Ok(match KeepOnMoving::<SMALL, 2>::new(&board) {
                Ok(small) => finish(request, small),
                Err(_) => finish(request, KeepOnMoving::<LARGE, 2>::new(&board)?),
            })
        }),
    }
}

fn finish<const WORDS: usize>(
    request: Build<'_>,
    game: KeepOnMoving<WORDS, 2>,
) -> Arc<dyn AnyGame> {
    request.finish(Arc::new(game), Arc::new(Capabilities::new().complete().zero_sum()))
}
