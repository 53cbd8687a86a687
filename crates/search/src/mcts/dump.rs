//! The tree as plain data, for the tree explorer and for tests.

use tussle_core::Outcome;

use super::edge::Edge;
use super::options::MctsOptions;
use super::order::Order;
use super::tree::{Id, Tree};

/// Part of a search tree to return [default: all visited nodes].
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

/// Node in the tree of a Monte Carlo tree search.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode<M> {
    /// Move that leads to the node; `None` at the root.
    pub mv: Option<M>,
    /// Number of visits.
    pub visits: u64,
    /// Sum of the rewards of the player who moved to this node; at the root, of the player to move.
    pub total: f64,
    /// Exploration bonus; 0 at the root.
    pub bonus: f64,
    /// Prior: probability of the move before its first visit.
    pub prior: f64,
    /// Proven outcome for the player who moved to this node; at the root, for the player to move.
    pub outcome: Option<Outcome>,
    /// Child nodes, in the order of the moves.
    pub children: Vec<TreeNode<M>>,
    /// Number of children that are left out by the [`TreeFilter`] or were never visited.
    pub hidden: usize,
}

/// Root without visits.
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

/// Returns the part of the tree that passes the filter.
pub(super) fn dump<M: Copy>(
    options: &MctsOptions,
    tree: &Tree<M>,
    order: Order,
    root: Id,
    filter: &TreeFilter,
) -> TreeNode<M> {
    node(options, (tree, order), tree.edge(root), (0.0, 1.0), filter)
}

fn node<M: Copy>(
    options: &MctsOptions,
    (tree, order): (&Tree<M>, Order),
    edge: Edge<'_, M>,
    (bonus, prior): (f64, f64),
    filter: &TreeFilter,
) -> TreeNode<M> {
    let mut children = Vec::new();
    let mut known = 0;
    if let Some(block) = edge.block() {
        known = tree.size(block);
        let below = TreeFilter { max_depth: filter.max_depth.saturating_sub(1), ..*filter };
        let shown = |child: Edge<'_, M>| {
            child.visits() > 0 && u64::from(child.visits()) >= filter.min_visits
        };
        for (place, (_, child)) in order.from(0, known).zip(tree.children(block)) {
            if filter.max_depth > 0 && shown(child) {
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

/// Returns the prior of an edge; uniform over its siblings if the policy has no priors.
pub(super) fn prior_of<M: Copy>(options: &MctsOptions, edge: Edge<'_, M>, siblings: usize) -> f64 {
    if options.has_priors() { edge.prior().into() } else { 1.0 / siblings as f64 }
}
