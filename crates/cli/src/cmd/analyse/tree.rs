//! The search tree as JSON.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tussle_catalog::{TreeNode, TreeWish};

use super::{Analysis, words};
use crate::failure::Failure;
use crate::output;

/// What of the tree to write, and where.
#[derive(Args)]
pub(super) struct Tree {
    /// Write the search tree as JSON; only from agents that keep one (mcts).
    #[arg(long = "tree", id = "tree", value_name = "FILE")]
    path: Option<PathBuf>,
    /// Plies of the tree to write.
    #[arg(
        long = "tree-depth",
        id = "tree-depth",
        value_name = "N",
        default_value_t = 3,
        requires = "tree"
    )]
    depth: u32,
    /// Leave out what was visited less often.
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
    root: Node<'a>,
}

#[derive(Serialize)]
struct Node<'a> {
    #[serde(rename = "move")]
    mv: Option<&'a str>,
    visits: u64,
    total: f64,
    mean: Option<f64>,
    bonus: Option<f64>,
    prior: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    hidden: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Node<'a>>,
}

impl<'a> Node<'a> {
    fn new(node: &'a TreeNode<String>) -> Self {
        Self {
            mv: node.mv.as_deref(),
            visits: node.visits,
            total: node.total,
            mean: (node.visits > 0).then(|| node.total / node.visits as f64),
            bonus: node.bonus.is_finite().then_some(node.bonus),
            prior: node.prior,
            outcome: node.outcome.map(words::outcome),
            hidden: node.hidden,
            children: node.children.iter().map(Node::new).collect(),
        }
    }
}

impl Tree {
    /// What is asked for, if anything is.
    pub(super) fn wish(&self) -> Option<TreeWish> {
        self.path.as_ref().map(|_| TreeWish { depth: self.depth, visits: self.visits })
    }

    /// Writes the file, if one is asked for.
    pub(super) fn write(&self, analysis: &Analysis<'_>) -> Result<(), Failure> {
        let (Some(path), Some(root)) = (&self.path, &analysis.tree) else { return Ok(()) };
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
                root: Node::new(root),
            },
        )
    }
}
