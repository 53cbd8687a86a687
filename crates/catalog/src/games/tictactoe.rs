//! The entry of tic-tac-toe.

use tussle_games::TicTacToe;
use tussle_games::tictactoe::Eval;

use crate::Entry;
use crate::agents::TICTACTOE;

pub(super) fn tictactoe() -> Entry<TicTacToe> {
    Entry::new("tictactoe", TicTacToe)
        .summary("three in a row on a 3x3 board")
        .evaluator(
            "open-lines",
            "lines still open to me minus lines still open to the opponent; 10 for a win",
            Eval::OpenLines,
        )
        .tactics()
        .tuned(TICTACTOE)
        .complete()
}
