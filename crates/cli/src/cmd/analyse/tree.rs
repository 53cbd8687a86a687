//! Output of the search tree as JSON.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tussle_catalog::{TreeFilter, TreeNode};
use tussle_explain::{Analysis, TreeDocument};

use crate::failure::Failure;
use crate::output;

/// Options for the search tree.
#[derive(Args)]
pub(super) struct Tree {
    /// JSON file for the search tree; only from agents that keep one (mcts)
    #[arg(long = "tree", id = "tree", value_name = "FILE")]
    path: Option<PathBuf>,
    /// Number of plies of the tree to write
    #[arg(
        long = "tree-depth",
        id = "tree-depth",
        value_name = "N",
        default_value_t = 3,
        requires = "tree"
    )]
    depth: u32,
    /// Minimum number of visits of the nodes to write
    #[arg(long = "tree-visits", value_name = "N", default_value_t = 1, requires = "tree")]
    visits: u64,
}

#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    agent: &'a str,
    position: String,
    seed: u64,
    simulations: u64,
    depth: u32,
    visits: u64,
    root: TreeDocument<'a>,
}

impl Tree {
    /// Returns the part of the tree to write, or `None` without `--tree`.
    pub(super) fn filter(&self) -> Option<TreeFilter> {
        self.path.as_ref().map(|_| TreeFilter { max_depth: self.depth, min_visits: self.visits })
    }

    /// Writes the file of `--tree`, if given.
    pub(super) fn write(
        &self,
        analysis: &Analysis<'_>,
        tree: Option<&TreeNode<String>>,
    ) -> Result<(), Failure> {
        let (Some(path), Some(root)) = (&self.path, tree) else { return Ok(()) };
        output::json_file(
            path,
            &Document {
                game: analysis.game.spec(),
                agent: analysis.agent,
                position: analysis.position.text(),
                seed: analysis.seed,
                simulations: analysis.report.stats.nodes,
                depth: self.depth,
                visits: self.visits,
                root: TreeDocument::new(root),
            },
        )
    }
}
