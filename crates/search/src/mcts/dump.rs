//! The tree as plain data, for people and for tests.

use tussle_core::Outcome;

use super::edge::Edge;
use super::options::MctsOptions;
use super::order::Order;
use super::tree::{Id, Tree};

/// The part of a search tree to return [default: all nodes that were visited].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeFilter {
    /// Maximum depth in plies below the root.
    pub max_depth: u32,
    /// Minimum number of visits of a node.
    pub min_visits: u64,
}

impl Default for TreeFilter {
    fn default() -> Self {
        Self { max_depth: u32::MAX, min_visits: 1 }
    }
}

/// A node of a search tree that was sampled.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode<M> {
    /// The move that leads here; none at the root.
    pub mv: Option<M>,
    /// How often the search came here.
    pub visits: u64,
    /// The sum of rewards of the player who moved here; at the root, of the player to move.
    pub total: f64,
    /// What it has beside its mean in its parent's eyes, for having been visited little.
    pub bonus: f64,
    /// How likely it was thought to be the best move before any visit.
    pub prior: f64,
    /// What is proven, for the player who moved here; at the root, for the player to move.
    pub outcome: Option<Outcome>,
    /// Its children, in the order of the moves.
    pub children: Vec<TreeNode<M>>,
    /// How many children are not shown: not visited often enough, or too deep.
    pub hidden: usize,
}

/// A root that was never visited.
impl<M> Default for TreeNode<M> {
    fn default() -> Self {
        Self {
            mv: None,
            visits: 0,
            total: 0.0,
            bonus: 0.0,
            prior: 1.0,
            outcome: None,
            children: Vec::new(),
            hidden: 0,
        }
    }
}

/// The part of a tree that was asked for.
pub(super) fn dump<M: Copy>(
    options: &MctsOptions,
    tree: &Tree<M>,
    order: Order,
    root: Id,
    wish: &TreeFilter,
) -> TreeNode<M> {
    node(options, (tree, order), tree.edge(root), (0.0, 1.0), wish)
}

fn node<M: Copy>(
    options: &MctsOptions,
    (tree, order): (&Tree<M>, Order),
    edge: Edge<'_, M>,
    (bonus, prior): (f64, f64),
    wish: &TreeFilter,
) -> TreeNode<M> {
    let mut children = Vec::new();
    let mut known = 0;
    if let Some(block) = edge.block() {
        known = tree.size(block);
        let below = TreeFilter { max_depth: wish.max_depth.saturating_sub(1), ..*wish };
        let shown =
            |child: Edge<'_, M>| child.visits() > 0 && u64::from(child.visits()) >= wish.min_visits;
        for (place, (_, child)) in order.from(0, known).zip(tree.children(block)) {
            if wish.max_depth > 0 && shown(child) {
                let (_, bonus) = options.policy.parts(child, options.c, edge.visits(), 0.0);
                let prior = prior_of(options, child, known);
                let child = node(options, (tree, order), child, (bonus, prior), &below);
                children.push((place, child));
            }
        }
        children.sort_by_key(|(place, _)| *place);
    }
    TreeNode {
        mv: edge.mv(),
        visits: edge.visits().into(),
        total: edge.total(),
        bonus,
        prior,
        outcome: edge.proof().outcome(),
        hidden: known - children.len(),
        children: children.into_iter().map(|(_, child)| child).collect(),
    }
}

/// The prior of one of so many siblings.
pub(super) fn prior_of<M: Copy>(options: &MctsOptions, edge: Edge<'_, M>, siblings: usize) -> f64 {
    if options.has_priors() { edge.prior().into() } else { 1.0 / siblings as f64 }
}
