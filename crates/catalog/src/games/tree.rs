//! The entry of game trees. The file determines which of two types the game has: one value per leaf, or one per
//! player.

use std::sync::Arc;

use tussle_core::ParseError;
use tussle_games::tree::{Eval, Tree};

use super::tree_file::{TreeFile, TreeGame, read};
use crate::Key;
use crate::agents::TREE;
use crate::entry::{Build, Capabilities, GameEntry};
use crate::keys::options;

/// Path and text of the file that a spec names.
#[derive(Default)]
struct TreeSource(Option<(String, String)>);

const KEYS: &[Key<TreeSource>] = &[Key::file(
    "file",
    |given, path, text| given.0 = Some((path.to_owned(), text.to_owned())),
    "tree file in JSON, such as examples/trees/lecture-alphabeta.json",
)];

pub(super) fn tree() -> GameEntry {
    GameEntry {
        name: "tree",
        summary: "a game tree from a JSON file",
        params: KEYS.iter().map(Key::param).collect(),
        evaluations: capabilities::<true>().evaluation_list().to_vec(),
        tuned: TREE,
        build: Arc::new(|request: Build<'_>| {
            let TreeSource(Some((path, text))) = options(KEYS, request.args) else {
                return Err(ParseError::new("expected a file: tree:file=FILE.json"));
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
        .evaluator("value", "value of the node in the file, 0 if it has none", Eval::Value)
        .complete()
        .written_playouts(Tree::written_playout)
        // As in the lectures, moves are tried in the order of the file.
        .agent_defaults(&["mcts-textbook:untried=listed"])
        .tuned(TREE)
}
