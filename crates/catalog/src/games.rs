//! The standard games. A new game is one line here.

mod go;
mod keep_on_moving;
mod tree;
mod tree_file;

use tussle_games::{Backgammon, Connect4, Gobblet, Pentago, PentagoTwist, TicTacToe};

use crate::entry::{Entry, GameEntry};

pub use go::go_options;
pub use tree_file::TreeFile;

/// Returns the standard games, in the order of lists.
pub(crate) fn standard() -> Vec<GameEntry> {
    vec![
        Entry::<TicTacToe>::described().complete().into(),
        Entry::<Connect4>::described().complete().into(),
        Entry::<Gobblet>::described().complete().into(),
        go::go(),
        keep_on_moving::keep_on_moving(),
        Entry::<PentagoTwist>::described().complete().into(),
        Entry::<Pentago>::described().complete().into(),
        Entry::<Backgammon>::described().complete().into(),
        tree::tree(),
    ]
}
