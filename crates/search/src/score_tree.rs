//! Trees of the scores that alpha-beta compares, in memory.

use tussle_core::{Evaluator, Turn, ZeroSum};

use crate::score::{Leaves, MAX_PLIES, moves};
use crate::{AlphaBetaOptions, Query};

/// Tree of an alpha-beta search in memory. The first node is the root.
///
/// Scores are those of the root player, as the search compares them: wins are above all evaluations and draws,
/// losses below, and an early win is above a late one.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreTree {
    /// All nodes.
    pub nodes: Vec<ScoreNode>,
    /// Least score that has the [known value](Query::known_value) of the root.
    pub known: Option<f64>,
}

/// Node of a [`ScoreTree`].
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreNode {
    /// Score of a leaf, or minimax value of an inner node.
    pub score: f64,
    /// True if the root player moves here.
    pub is_root_players: bool,
    /// Nodes after every move, in the order of the moves; empty for a leaf.
    pub children: Vec<u32>,
}

impl ScoreTree {
    /// Creates the tree that alpha-beta would search for a query; `None` if it has more than `max_nodes` nodes, no
    /// player is to move, or the evaluator fails.
    pub(crate) fn new<G: ZeroSum>(
        game: &G,
        state: &G::State,
        evaluator: &dyn Evaluator<G>,
        options: &AlphaBetaOptions,
        query: &Query<'_, G::Move>,
        max_nodes: usize,
    ) -> Option<Self> {
        let AlphaBetaOptions { draw, finished, dedupe, .. } = *options;
        let Turn::Player(root) = game.turn(state) else { return None };
        let leaves = Leaves::new(game, evaluator, draw, finished);
        let known = query.known_value.map(|value| leaves.at_least(value));
        let (nodes, buffer) = (Vec::new(), Vec::new());
        let mut layout = Layout { game, leaves, root, dedupe, max_nodes, nodes, buffer };
        let depth = query.limits.depth.unwrap_or(MAX_PLIES).min(MAX_PLIES);
        layout.add(&mut state.clone(), depth, 0)?;
        Some(Self { nodes: layout.nodes, known })
    }
}

/// State of the construction of a tree.
struct Layout<'a, G: ZeroSum> {
    game: &'a G,
    leaves: Leaves<'a, G>,
    root: usize,
    dedupe: bool,
    max_nodes: usize,
    nodes: Vec<ScoreNode>,
    /// One stack of moves for all plies.
    buffer: Vec<G::Move>,
}

impl<G: ZeroSum> Layout<'_, G> {
    /// Adds a position and its subtree; `None` if the tree gets too large or the evaluator fails.
    fn add(&mut self, state: &mut G::State, depth: u32, ply: u32) -> Option<u32> {
        let (game, root, id) = (self.game, self.root, self.nodes.len());
        if id >= self.max_nodes {
            return None;
        }
        let turn = game.turn(state);
        let is_root_players = turn == Turn::Player(root);
        self.nodes.push(ScoreNode { score: f64::NAN, is_root_players, children: Vec::new() });
        if !matches!(turn, Turn::Player(_)) {
            self.nodes[id].score = self.leaves.end(game, state, root, ply)?;
            return Some(id as u32);
        }
        if depth == 0 {
            self.nodes[id].score = self.leaves.horizon(game, state, root)?;
            return Some(id as u32);
        }
        let base = self.buffer.len();
        moves(game, state, self.dedupe, &mut self.buffer);
        self.nodes[id].children.reserve(self.buffer.len() - base);
        for i in base..self.buffer.len() {
            let mv = self.buffer[i];
            let child = game.visit(state, mv, |child| self.add(child, depth - 1, ply + 1))?;
            let score = self.nodes[child as usize].score;
            let node = &mut self.nodes[id];
            node.children.push(child);
            // The first child replaces NaN.
            node.score =
                if is_root_players { node.score.max(score) } else { node.score.min(score) };
        }
        self.buffer.truncate(base);
        Some(id as u32)
    }
}
