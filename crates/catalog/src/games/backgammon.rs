//! The entry of backgammon, and its parameter.

use tussle_games::Backgammon;
use tussle_games::backgammon::{Eval, Score};

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
        .summary("race fifteen checkers home past the rival's, by two dice")
        .evaluator(
            "pips",
            "the rival's pip count minus mine; 1000 for each point of a finished game",
            Eval::Pips,
        )
        .evaluator(
            "blots",
            "pips, less 8 for each blot of mine that a rival has yet to pass, and 8 more for each of \
             the rival's",
            Eval::Blots,
        )
        .complete()
}
