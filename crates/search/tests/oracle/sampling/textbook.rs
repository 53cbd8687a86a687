//! The tree against that of a textbook implementation, with given results of simulations.

use tussle_core::{Game, Limits, Turn};
use tussle_search::{Agent, Mcts, MctsOptions, Query, SelectionPolicy, TreeFilter, TreeNode};

use super::{listed, rounded};
use crate::graph::{Graph, Place};

/// Node of the naive search.
#[derive(Debug, Default)]
struct Node {
    mv: Option<u16>,
    visits: u32,
    total: f64,
    children: Vec<Node>,
}

/// Textbook MCTS for two players, with given results of simulations.
struct Naively<'a> {
    game: &'a Graph,
    c: f64,
    policy: SelectionPolicy,
    expand_all: bool,
    simulations: u64,
}

impl Naively<'_> {
    /// Weight of a child, in the precision of the search.
    fn weight(&self, child: &Node, siblings: usize, visits: u32) -> f32 {
        let n = f64::from(child.visits);
        let mean = (child.total / n) as f32;
        let many = f64::from(visits.max(1));
        match self.policy {
            SelectionPolicy::Puct => {
                let bonus = self.c as f32 * many.sqrt() as f32;
                let prior = rounded(1.0 / siblings as f32);
                let share = prior / (1.0 + n) as f32;
                let mean = if child.visits == 0 { 0.5 } else { mean };
                mean + bonus * share
            }
            _ if child.visits == 0 => f32::INFINITY,
            SelectionPolicy::Ucb1 => {
                let bonus = self.c as f32 * many.ln().sqrt() as f32;
                mean + bonus * (1.0 / (n as f32).sqrt())
            }
            SelectionPolicy::Epsilon(_) => mean,
        }
    }

    fn expand(&self, node: &mut Node, at: &Place) {
        let child = |mv| Node { mv: Some(mv), ..Node::default() };
        node.children = self.game.list(at, true).into_iter().map(child).collect();
    }

    fn simulate(&mut self, node: &Node, at: &Place) -> f64 {
        self.simulations += 1;
        self.game.written(at, u64::from(node.visits) - 1)
    }

    /// Runs one simulation from this node on, and returns all of its results for the first player.
    fn walk(&mut self, node: &mut Node, at: &Place, into: usize, is_root: bool) -> Vec<f64> {
        node.visits += 1;
        let sign = if into == 0 { 1.0 } else { -1.0 };
        let is_new = node.children.is_empty();
        let is_over = self.game.turn(at) == Turn::Over;
        if is_over || is_new && !self.expand_all && node.visits == 1 {
            let result = self.simulate(node, at);
            node.total += sign * result;
            return vec![result];
        }
        if is_new {
            self.expand(node, at);
        }
        let Turn::Player(mover) = self.game.turn(at) else { unreachable!() };
        if is_new && self.expand_all {
            // Each child is simulated once, and each simulation also visits this node.
            let own = if mover == 0 { 1.0 } else { -1.0 };
            let mut results = Vec::new();
            node.visits -= 1;
            let mut children = std::mem::take(&mut node.children);
            for child in &mut children {
                child.visits += 1;
                let result = self.simulate(child, &self.game.after(at, child.mv.unwrap()));
                child.total += own * result;
                node.visits += 1;
                node.total += sign * result;
                results.push(result);
            }
            node.children = children;
            return results;
        }
        let visits = node.visits - 1;
        let siblings = node.children.len();
        let mut best = 0;
        for i in 1..siblings {
            let weight = |i: usize| self.weight(&node.children[i], siblings, visits);
            if weight(i) > weight(best) {
                best = i;
            }
        }
        let child = &mut node.children[best];
        let next = self.game.after(at, child.mv.unwrap());
        let results = if is_new && !is_root {
            // The first child of a new node is always the leaf.
            child.visits += 1;
            let result = self.simulate(child, &next);
            child.total += if mover == 0 { result } else { -result };
            vec![result]
        } else {
            self.walk(child, &next, mover, false)
        };
        node.visits += results.len() as u32 - 1;
        node.total += sign * results.iter().sum::<f64>();
        results
    }
}

fn assert_same(found: &TreeNode<u16>, expected: &Node, what: &str) {
    assert_eq!(found.mv, expected.mv, "{what}");
    assert_eq!(found.visits, u64::from(expected.visits), "{what}");
    assert!((found.total - expected.total).abs() < 1e-9, "{what}: {found:?} {expected:?}");
    let visited: Vec<&Node> = expected.children.iter().filter(|child| child.visits > 0).collect();
    assert_eq!(found.children.len(), visited.len(), "{what}");
    assert_eq!(found.hidden, expected.children.len() - visited.len(), "{what}");
    for (found, expected) in found.children.iter().zip(visited) {
        assert_same(found, expected, what);
    }
}

#[test]
fn the_tree_equals_that_of_the_textbook() {
    for seed in 0..40 {
        let game = Graph {
            branching: if seed % 5 == 0 { 11 } else { 4 },
            twins: seed % 4 == 1,
            plies: 5,
            ..Graph::new(seed)
        };
        for policy in [SelectionPolicy::Ucb1, SelectionPolicy::Puct, SelectionPolicy::Epsilon(0.0)]
        {
            for (c, expand_all) in [(0.3, false), (1.4, false), (1.4, true), (0.0, false)] {
                let what = format!("seed {seed}, {policy:?}, c {c}, all {expand_all}");
                let options = MctsOptions { policy, c, expand_all, ..listed() };
                let written = |game: &Graph, at: &Place, nth| Some(game.written(at, nth));
                let mut mcts = Mcts::new(options).with_written_playouts(Some(written));
                let mut naive = Naively { game: &game, c, policy, expand_all, simulations: 0 };
                let (start, mut root) = (game.start(), Node::default());
                if !expand_all {
                    naive.expand(&mut root, &start);
                }
                while naive.simulations < 300 {
                    naive.walk(&mut root, &start, game.first, true);
                }
                let limits = Limits::nodes(naive.simulations);
                let query = Query::new(&limits).keep_tree();
                let report = mcts.run(&game, &start, query).expect("a report");
                assert_eq!(report.stats.nodes, naive.simulations, "{what}");
                let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
                assert_same(&tree, &root, &what);
            }
        }
    }
}
