//! The entries of Pentago and its variant with flips.

use tussle_games::pentago::{Eval, Quadrants, Twists};
use tussle_games::{Pentago, PentagoTwist};

use crate::agents::PENTAGO;
use crate::{Entry, Key};

/// Options of Pentago.
struct Options {
    early: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { early: true }
    }
}

const KEYS: &[Key<Options>] = &[Key::switch(
    "early",
    "on",
    |options, on| options.early = on,
    "five in a row made by the stone win at once, before the twist",
)];

pub(super) fn pentago() -> Entry<Pentago> {
    let make = |options: Options| Ok(Pentago::new(options.early));
    declared(Entry::with_params("pentago", KEYS, make))
        .summary("place a stone, then turn a quadrant of the board; five in a row win")
}

pub(super) fn pentago_twist() -> Entry<PentagoTwist> {
    declared(Entry::new("pentago-twist", PentagoTwist::default()))
        .summary("place a stone, then turn or flip a quadrant of the board; five in a row win")
}

fn declared<T: Twists>(entry: Entry<Quadrants<T>>) -> Entry<Quadrants<T>> {
    entry
        .evaluator(
            "lines",
            "squared stones in every line of five still open to me, minus the opponent's; 10000 for a \
             win",
            Eval::Lines,
        )
        .evaluator(
            "reach",
            "evaluation `lines`, summed over the board and the eight boards after one twist; 10000 for a win",
            Eval::Reach,
        )
        .tactics()
        .tuned(PENTAGO)
        .complete()
}
