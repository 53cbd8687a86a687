//! A solved exercise as JSON.

use serde::Serialize;

use super::{Exercise, ExerciseNode};

/// A tree with wins and visits and its solution, as `tussle explain --json` writes it.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Exercise))]
pub struct ExerciseDocument<'a> {
    /// Exploration constant.
    c: f64,
    nodes: Vec<Node<'a>>,
    /// Node without numbers in the tree file.
    asked: Option<&'a str>,
    /// Derivation of its numbers, one step per line.
    derivation: &'a [String],
    /// Numbers that contradict each other.
    contradictions: &'a [String],
    /// Leaf with the largest bound of all leaves.
    largest_leaf: &'a str,
    /// Leaf that is reached from the root by taking the largest bound at every step.
    top_down: &'a str,
    after_loss: AfterLoss,
    game: &'a str,
}

/// A node of the tree with its bound; a number that a node does not have is null.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ExerciseNode))]
struct Node<'a> {
    name: &'a str,
    parent: Option<&'a str>,
    wins: f64,
    visits: u64,
    mean: Option<f64>,
    bonus: Option<f64>,
    ucb: Option<f64>,
}

/// Nodes whose numbers change after a lost simulation of a new child of a leaf, from below.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct AfterLoss {
    largest_leaf: Vec<NodeCounts>,
    top_down: Vec<NodeCounts>,
}

/// A node with its new numbers.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct NodeCounts {
    name: String,
    wins: f64,
    visits: u64,
}

impl Exercise {
    /// Returns the exercise and its solution as JSON; `game` is the spec of the tree.
    pub fn document<'a>(&'a self, game: &'a str) -> ExerciseDocument<'a> {
        ExerciseDocument {
            c: self.c,
            nodes: self.nodes.iter().map(|node| self.node(node)).collect(),
            asked: self.asked.map(|asked| self.name(asked)),
            derivation: &self.derivation,
            contradictions: &self.contradictions,
            largest_leaf: self.name(self.largest),
            top_down: self.name(self.top_down),
            after_loss: AfterLoss {
                largest_leaf: self.counted_after_loss(self.largest),
                top_down: self.counted_after_loss(self.top_down),
            },
            game,
        }
    }

    fn node<'a>(&'a self, node: &'a ExerciseNode) -> Node<'a> {
        Node {
            name: &node.name,
            parent: node.parent.map(|parent| self.name(parent)),
            wins: node.wins,
            visits: node.visits,
            mean: node.weight.filter(|_| node.visits > 0).map(|(mean, _)| mean),
            bonus: node.weight.map(|(_, bonus)| bonus),
            ucb: node.bound(),
        }
    }

    fn counted_after_loss(&self, leaf: usize) -> Vec<NodeCounts> {
        let counted = |(name, wins, visits)| NodeCounts { name, wins, visits };
        self.after_loss(leaf).into_iter().map(counted).collect()
    }
}
