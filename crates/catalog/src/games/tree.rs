//! Game trees: which of the two types a file holds is known once it is read.

use std::sync::Arc;

use tussle_core::{Evaluations, Kind, Param, ParseError};
use tussle_games::DuelTree;

use super::tree_file::{TreeFile, TreeGame, read};
use crate::entry::{Build, Capabilities, GameEntry};

/// The lectures try moves in the order in which they are written.
const LECTURES: &[&str] = &["mcts:untried=listed"];

pub(super) fn tree() -> GameEntry {
    GameEntry {
        name: "tree",
        summary: "a game tree written down node by node in a JSON file",
        params: &[Param {
            key: "file",
            kind: Kind::File,
            default: "",
            help: "the JSON file, for instance examples/trees/lecture-alphabeta.json",
        }],
        evaluations: DuelTree::EVALUATIONS.to_vec(),
        build: Arc::new(|request: Build<'_>| {
            if !request.args.is_set("file") {
                return Err(ParseError::new("say which tree: tree:file=FILE.json"));
            }
            let (path, text) = request.args.file("file");
            Ok(match read(path, text)? {
                TreeGame::Duel(tree) => {
                    let capabilities = Capabilities::new().complete().zero_sum();
                    let capabilities = capabilities.first_players_view().agent_defaults(LECTURES);
                    let capabilities = capabilities.tree_file(TreeFile::new(&tree));
                    request.finish(Arc::new(tree), Arc::new(capabilities))
                }
                TreeGame::Many(tree) => {
                    let capabilities = Capabilities::new().complete().agent_defaults(LECTURES);
                    let capabilities = capabilities.tree_file(TreeFile::new(&tree));
                    request.finish(Arc::new(tree), Arc::new(capabilities))
                }
            })
        }),
    }
}
