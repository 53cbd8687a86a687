//! The entry of connect four, and its parameters.

use tussle_games::Connect4;
use tussle_games::connect4::{Eval, MAX_CONNECT, MAX_SIDE};

use crate::agents::CONNECT4;
use crate::{Entry, Key};

/// Size of the board and length of a winning line.
struct Size {
    width: usize,
    height: usize,
    connect: usize,
}

impl Default for Size {
    fn default() -> Self {
        Self { width: 7, height: 6, connect: 4 }
    }
}

const SIDE: (i64, i64) = (1, MAX_SIDE as i64);

const KEYS: &[Key<Size>] = &[
    Key::int(
        "width",
        SIDE,
        "7",
        |size, n| size.width = n as usize,
        "columns; width x (height + 1) may be up to 64",
    ),
    Key::int("height", SIDE, "6", |size, n| size.height = n as usize, "rows"),
    Key::int(
        "connect",
        (2, MAX_CONNECT as i64),
        "4",
        |size, n| size.connect = n as usize,
        "length of a winning line",
    ),
];

pub(super) fn connect4() -> Entry<Connect4> {
    let make = |Size { width, height, connect }| Connect4::new(width, height, connect);
    Entry::with_params("connect4", KEYS, make)
        .summary("discs fall into columns; four in a row win")
        .evaluator(
            "windows",
            "squared discs in every line still open to me, minus the opponent's; 100000 for a win",
            Eval::Windows,
        )
        .evaluator(
            "centre",
            "discs in the middle columns, minus the opponent's; 100000 for a win",
            Eval::Centre,
        )
        .tactics()
        .tuned(CONNECT4)
        .complete()
}
