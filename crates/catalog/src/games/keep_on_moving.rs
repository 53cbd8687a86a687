//! Keep on moving: the board decides how much room a state needs.

use tussle_core::Evaluations;
use tussle_games::KeepOnMoving;
use tussle_games::keep_on_moving::{NAME, PARAMS, SUMMARY, board_from_args};

use super::Entry;
use crate::erased::Rules;

/// The room for a small board (up to 192 bits with its border), and for the largest.
const SMALL: usize = 3;
const LARGE: usize = 68;

pub(super) const KEEP_ON_MOVING: Entry = Entry {
    name: NAME,
    summary: SUMMARY,
    params: PARAMS,
    evaluations: KeepOnMoving::<SMALL, 2>::EVALUATIONS,
    build: |spec, args| {
        let board = board_from_args(args)?;
        if board.players() > 2 {
            return Ok(Rules::many(spec, KeepOnMoving::<LARGE, 8>::new(&board)?).erase());
        }
        Ok(match KeepOnMoving::<SMALL, 2>::new(&board) {
            Ok(small) => Rules::duel(spec, small).erase(),
            Err(_) => Rules::duel(spec, KeepOnMoving::<LARGE, 2>::new(&board)?).erase(),
        })
    },
};
