//! Game trees: which of the two types a file holds is known once it is read.

use tussle_core::{Evaluations, Kind, Param, ParseError};
use tussle_games::DuelTree;

use super::Entry;
use super::tree_file::{TreeFile, TreeGame, read};
use crate::erased::Rules;

/// The lectures try moves in the order in which they are written.
const LECTURES: &[&str] = &["mcts:untried=listed"];

pub(super) const TREE: Entry = Entry {
    name: "tree",
    summary: "a game tree written down node by node in a JSON file",
    params: &[Param {
        key: "file",
        kind: Kind::File,
        default: "",
        help: "the JSON file, for instance examples/trees/lecture-alphabeta.json",
    }],
    evaluations: DuelTree::EVALUATIONS,
    build: |spec, args| {
        if !args.is_set("file") {
            return Err(ParseError::new("say which tree: tree:file=FILE.json"));
        }
        let (path, text) = args.file("file");
        Ok(match read(path, text)? {
            TreeGame::Duel(tree) => {
                let file = TreeFile::new(&tree);
                let rules = Rules::duel(spec, tree).in_maxs_view();
                rules.agents(LECTURES).tree_file(file).erase()
            }
            TreeGame::Many(tree) => {
                let file = TreeFile::new(&tree);
                Rules::many(spec, tree).agents(LECTURES).tree_file(file).erase()
            }
        })
    },
};
