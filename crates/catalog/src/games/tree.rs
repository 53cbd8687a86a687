//! The entry of game trees: which of the two types a file holds is known once it is read.

use std::sync::Arc;

use tussle_core::ParseError;
use tussle_games::tree::{Eval, Tree};

use super::tree_file::{TreeFile, TreeGame, read};
use crate::Key;
use crate::entry::{Build, Capabilities, GameEntry};
use crate::keys::options;

/// The file that a spec names: its path and its text.
#[derive(Default)]
struct TreeSource(Option<(String, String)>);

const KEYS: &[Key<TreeSource>] = &[Key::file(
    "file",
    |given, path, text| given.0 = Some((path.to_owned(), text.to_owned())),
    "the JSON file, for instance examples/trees/lecture-alphabeta.json",
)];

pub(super) fn tree() -> GameEntry {
    GameEntry {
        name: "tree",
        summary: "a game tree written down node by node in a JSON file",
        params: KEYS.iter().map(Key::param).collect(),
        evaluations: capabilities::<true>().evaluation_list().to_vec(),
        build: Arc::new(|request: Build<'_>| {
            let TreeSource(Some((path, text))) = options(KEYS, request.args) else {
                return Err(ParseError::new("say which tree: tree:file=FILE.json"));
            };
            Ok(match read(&path, &text)? {
                TreeGame::Duel(tree) => {
                    let capabilities = capabilities().zero_sum().first_players_view();
                    let capabilities = capabilities.tree_file(TreeFile::new(&tree));
                    request.finish(Arc::new(tree), Arc::new(capabilities))
                }
                TreeGame::Many(tree) => {
                    let capabilities = capabilities().tree_file(TreeFile::new(&tree));
                    request.finish(Arc::new(tree), Arc::new(capabilities))
                }
            })
        }),
    }
}

fn capabilities<const DUEL: bool>() -> Capabilities<Tree<DUEL>> {
    Capabilities::new()
        .evaluator("value", "the value that is written at the node, 0 where none is", Eval::Value)
        .complete()
        .written_playouts(Tree::written_playout)
        // The lectures try moves in the order in which they are written.
        .agent_defaults(&["mcts:untried=listed"])
}
