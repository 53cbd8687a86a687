//! The standard games. To add a game, add one line here.

mod backgammon;
mod connect4;
mod go;
mod gobblet;
mod keep_on_moving;
mod pentago;
mod tictactoe;
mod tree;
mod tree_file;

use crate::entry::GameEntry;

pub use go::go_options;
pub use tree_file::TreeFile;

/// Returns the standard games, in the order of lists.
pub(crate) fn standard() -> Vec<GameEntry> {
    vec![
        tictactoe::tictactoe().into(),
        connect4::connect4().into(),
        gobblet::gobblet().into(),
        go::go(),
        keep_on_moving::keep_on_moving(),
        pentago::pentago_twist().into(),
        pentago::pentago().into(),
        backgammon::backgammon().into(),
        tree::tree(),
    ]
}
