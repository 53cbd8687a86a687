//! What it saves to know the value of the root: the same small tree, searched both ways.

use tussle_core::{Rng, Saving, Turn, ZeroSum};

use super::Switches;
use crate::score::{self, DEEPEST, Leaves};

/// Trees with more nodes than this are not laid out.
const MOST_NODES: usize = 1 << 20;

/// A node of a tree laid out in memory.
struct Node {
    /// Its value for the root player.
    value: f64,
    /// Whether the root player moves here.
    ours: bool,
    /// Its children.
    children: Vec<u32>,
}

/// Counts the nodes of both searches with the best move first, last, and anywhere.
///
/// Nothing if the whole tree is too large to be laid out, for without it nobody knows which
/// move is the best.
pub(super) fn savings<G: ZeroSum>(
    game: &G,
    state: &G::State,
    leaves: &Leaves<'_, G>,
    switches: &Switches,
    root: usize,
    depth: Option<u32>,
) -> Vec<Saving> {
    let Some(value) = switches.known else { return Vec::new() };
    let mut tree = Vec::new();
    let mut layout = Layout { game, leaves, root, dedupe: switches.dedupe, tree: &mut tree };
    if layout.add(&mut state.clone(), depth.unwrap_or(DEEPEST), 0).is_none() {
        return Vec::new();
    }
    let enough = leaves.at_least(value);
    ["best", "worst", "random"]
        .into_iter()
        .map(|order| {
            sort(&mut tree, order);
            let count = |alpha, beta| {
                let mut nodes = 0;
                alphabeta(&tree, 0, alpha, beta, &mut nodes);
                nodes
            };
            let full = count(f64::NEG_INFINITY, f64::INFINITY);
            Saving { order, known: count(enough.next_down(), enough), full }
        })
        .collect()
}

struct Layout<'a, G: ZeroSum> {
    game: &'a G,
    leaves: &'a Leaves<'a, G>,
    root: usize,
    dedupe: bool,
    tree: &'a mut Vec<Node>,
}

impl<G: ZeroSum> Layout<'_, G> {
    /// Adds a position and everything below it; `None` if that is too much.
    fn add(&mut self, state: &mut G::State, depth: u32, ply: u32) -> Option<u32> {
        if self.tree.len() >= MOST_NODES {
            return None;
        }
        let id = self.tree.len();
        let turn = self.game.turn(state);
        let ours = turn == Turn::Player(self.root);
        self.tree.push(Node { value: 0.0, ours, children: Vec::new() });
        self.tree[id].value = if !matches!(turn, Turn::Player(_)) {
            self.leaves.end(self.game, state, self.root, ply)
        } else if depth == 0 {
            self.leaves.horizon(self.game, state, self.root)
        } else {
            let mut moves = Vec::new();
            score::moves(self.game, state, self.dedupe, &mut moves);
            let mut best = f64::NAN;
            for mv in moves {
                let child =
                    self.game.visit(state, mv, |child| self.add(child, depth - 1, ply + 1))?;
                self.tree[id].children.push(child);
                let value = self.tree[child as usize].value;
                best = if ours { best.max(value) } else { best.min(value) };
            }
            best
        };
        Some(id as u32)
    }
}

fn sort(tree: &mut [Node], order: &str) {
    let mut rng = Rng::new(1);
    for i in 0..tree.len() {
        let mut children = std::mem::take(&mut tree[i].children);
        let worth = |&child: &u32| {
            let value = tree[child as usize].value;
            if tree[i].ours { value } else { -value }
        };
        match order {
            "best" => children.sort_by(|a, b| worth(b).total_cmp(&worth(a))),
            "worst" => children.sort_by(|a, b| worth(a).total_cmp(&worth(b))),
            _ => rng.shuffle(&mut children),
        }
        tree[i].children = children;
    }
}

fn alphabeta(tree: &[Node], id: u32, mut alpha: f64, mut beta: f64, nodes: &mut u64) -> f64 {
    *nodes += 1;
    let node = &tree[id as usize];
    if node.children.is_empty() {
        return node.value;
    }
    let mut best = if node.ours { f64::NEG_INFINITY } else { f64::INFINITY };
    for &child in &node.children {
        let value = alphabeta(tree, child, alpha, beta, nodes);
        if node.ours {
            best = best.max(value);
            alpha = alpha.max(best);
        } else {
            best = best.min(value);
            beta = beta.min(best);
        }
        if alpha >= beta {
            break;
        }
    }
    best
}
