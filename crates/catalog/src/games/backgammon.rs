//! The entry of backgammon, and its parameter.

use tussle_games::Backgammon;
use tussle_games::backgammon::{Eval, Score};

use crate::agents::BACKGAMMON;
use crate::{Entry, Key};

const KEYS: &[Key<Backgammon>] = &[Key::choice(
    "score",
    &["full", "win"],
    "full",
    |game, word| game.score = if word == "win" { Score::Win } else { Score::Full },
    "full: gammons count 2 and backgammons 3; win: every win counts 1",
)];

pub(super) fn backgammon() -> Entry<Backgammon> {
    Entry::with_params("backgammon", KEYS, Ok)
        .summary("move fifteen checkers home past the opponent's, by rolls of two dice")
        .evaluator(
            "pips",
            "the opponent's pip count minus mine; 1000 for each point of a finished game",
            Eval::Pips,
        )
        .evaluator(
            "blots",
            "pips, minus 8 for each blot of mine that the opponent has yet to pass, plus 8 for each of \
             the opponent's",
            Eval::Blots,
        )
        .complete()
        .tuned(BACKGAMMON)
}
