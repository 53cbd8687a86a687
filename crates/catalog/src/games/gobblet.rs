//! The entry of Gobblet, and its parameter.

use tussle_games::Gobblet;
use tussle_games::gobblet::Eval;

use crate::agents::GOBBLET;
use crate::{Entry, Key};

const KEYS: &[Key<Gobblet>] = &[Key::int(
    "steps",
    (1, 1000),
    "100",
    |game, steps| game.steps = steps as u16,
    "number of steps after which the game is a tie",
)];

pub(super) fn gobblet() -> Entry<Gobblet> {
    Entry::with_params("gobblet", KEYS, Ok)
        .summary("three in a row with pieces that cover smaller ones")
        .evaluator(
            "visible",
            "my pieces on the board that are not covered; ignores wins",
            Eval::Visible,
        )
        .evaluator(
            "pairs",
            "lines with exactly two of my visible pieces, minus the opponent's; 10 for a win",
            Eval::Pairs,
        )
        .evaluator("outcome", "6 for a win, -6 for a loss, 0 otherwise", Eval::Outcome)
        .tactics()
        .tuned(GOBBLET)
        .complete()
}
