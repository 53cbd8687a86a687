//! Naive Monte Carlo tree search, with which tests compare the real one: the same seed must give
//! the same tree.

use tussle_catalog::{AnyGame, AnyPosition, TreeNode};
use tussle_core::{Rng, Turn, mix};

/// Options of the naive search.
#[derive(Clone, Copy, Debug)]
pub struct NaiveOptions {
    /// Exploration constant.
    pub c: f64,
    /// Selection policy: `ucb1`, `puct` or `epsilon`.
    pub policy: &'static str,
    /// Probability of a random child, for `epsilon`.
    pub epsilon: f64,
    /// True if expansion adds all children of a leaf at once and simulates each.
    pub expand_all: bool,
    /// Reward of a draw.
    pub draw: f64,
    /// True if all opponents play against the root player.
    pub paranoid: bool,
    /// True if moves are first tried in random order.
    pub scrambled: bool,
}

/// Strides through the list of moves for the random order; the seed selects one of them.
const STRIDES: [usize; 16] = [
    65_537, 65_539, 65_543, 65_551, 65_557, 65_563, 65_579, 65_581, 65_587, 65_599, 65_609, 65_617,
    65_629, 65_633, 65_647, 65_651,
];

/// Node of the tree.
#[derive(Debug)]
pub struct Node {
    mv: String,
    /// Index in the list of moves.
    index: usize,
    /// Player who moved to this node; `None` for a chance outcome.
    player: Option<usize>,
    visits: u64,
    total: f64,
    /// Children in the order in which the search tries them.
    children: Vec<Node>,
}

/// Running search.
struct Search<'a> {
    /// Seed of this search.
    seed: u64,
    game: &'a dyn AnyGame,
    options: NaiveOptions,
    rng: Rng,
    /// Number of remaining simulations.
    left: u64,
    /// Root player.
    root: usize,
}

/// Returns the tree after `simulations` simulations of an agent with this seed.
///
/// # Panics
/// If no player is to move.
pub fn tree(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    options: NaiveOptions,
    seed: u64,
    simulations: u64,
) -> Node {
    let Turn::Player(root) = position.turn() else { panic!("no player is to move") };
    // An agent draws a seed for every search, from which it derives a generator for every thread.
    let seed = Rng::new(seed).next_u64();
    let rng = Rng::derive(seed, &[0]);
    let mut search = Search { seed, game, options, rng, left: simulations, root };
    let mut tree = Node::new(String::new(), 0, Some(root));
    if !options.expand_all {
        search.expand(&mut tree, position);
    }
    while search.left > 0 {
        search.simulate_from(&mut tree, position.boxed());
    }
    tree
}

impl Search<'_> {
    /// Runs a simulation from this node, or several if it expands all children. Returns the rewards
    /// of each player in each of them.
    fn simulate_from(
        &mut self,
        node: &mut Node,
        mut position: Box<dyn AnyPosition>,
    ) -> Vec<Vec<f64>> {
        let over = position.turn() == Turn::Over;
        let results = if !node.children.is_empty() {
            let child = self.choose(node, position.as_ref());
            let child = &mut node.children[child];
            position.play(&child.mv).expect("a listed move is legal");
            self.simulate_from(child, position)
        } else if self.options.expand_all && !over && position.turn() != Turn::Chance {
            self.expand(node, position.as_ref());
            let mut results = Vec::new();
            for child in &mut node.children {
                if self.left > 0 {
                    let mut next = position.boxed();
                    next.play(&child.mv).expect("a listed move is legal");
                    let result = self.simulate(next);
                    child.back_up(std::slice::from_ref(&result));
                    results.push(result);
                }
            }
            results
        } else if (node.visits > 0 || self.options.expand_all) && !over {
            self.expand(node, position.as_ref());
            let child = self.choose(node, position.as_ref());
            let child = &mut node.children[child];
            position.play(&child.mv).expect("a listed move is legal");
            let result = self.simulate(position);
            child.back_up(std::slice::from_ref(&result));
            vec![result]
        } else {
            vec![self.simulate(position)]
        };
        node.back_up(&results);
        results
    }

    fn choose(&mut self, node: &Node, position: &dyn AnyPosition) -> usize {
        if let Some(outcome) = position.roll(&mut self.rng) {
            return node.children.iter().position(|child| child.mv == outcome).expect("listed");
        }
        let NaiveOptions { c, policy, epsilon, .. } = self.options;
        if policy == "epsilon" && self.rng.unit() < epsilon {
            return self.rng.below(node.children.len());
        }
        let parent_visits = node.visits as f64;
        let unknown = if self.game.payoffs().points { 0.0 } else { 0.5 };
        // Computed in 32 bits and rounded as in the search, because the last bit decides between
        // children of nearly equal weight.
        let weight = |child: &Node| {
            let visits = child.visits as f64;
            let mean = (if visits > 0.0 { child.total / visits } else { unknown }) as f32;
            // The search stores the upper 16 bits of a prior.
            let prior = ((1.0 / node.children.len() as f32).to_bits() + (1 << 15)) & !0xffff;
            let prior = f32::from_bits(prior);
            let c = c as f32;
            match policy {
                "puct" => {
                    mean + c
                        * parent_visits.max(1.0).sqrt() as f32
                        * (prior / (1.0 + visits) as f32)
                }
                _ if visits == 0.0 => f32::INFINITY,
                "ucb1" => {
                    mean + c * parent_visits.ln().sqrt() as f32 * (1.0 / (visits as f32).sqrt())
                }
                _ => mean,
            }
        };
        let mut best = 0;
        for (i, child) in node.children.iter().enumerate() {
            if weight(child) > weight(&node.children[best]) {
                best = i;
            }
        }
        best
    }

    fn simulate(&mut self, mut position: Box<dyn AnyPosition>) -> Vec<f64> {
        self.left -= 1;
        if position.turn() != Turn::Over {
            position.play_out(&mut self.rng);
        }
        let payoffs = self.game.payoffs();
        let utilities = position.utilities().expect("it is over");
        let mut rewards: Vec<f64> = utilities
            .iter()
            .map(|&utility| match utility {
                _ if payoffs.points => utility,
                0.0 if utilities.len() == 2 => self.options.draw,
                _ => (utility - payoffs.least) / (payoffs.most - payoffs.least),
            })
            .collect();
        if self.options.paranoid {
            let ours = rewards[self.root];
            for (player, reward) in rewards.iter_mut().enumerate() {
                *reward = if player == self.root { ours } else { 1.0 - ours };
            }
        }
        rewards
    }
}

impl Search<'_> {
    fn expand(&self, node: &mut Node, position: &dyn AnyPosition) {
        let player = match position.turn() {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        let moves = if player.is_some() { position.distinct_moves() } else { position.moves() };
        let child = |index: usize| Node::new(moves[index].clone(), index, player);
        node.children = self.order(moves.len()).into_iter().map(child).collect();
    }

    /// Returns the indices of the moves in the order in which they are tried: a random first one,
    /// and each later one at a fixed stride from the one before.
    fn order(&self, moves: usize) -> Vec<usize> {
        if !self.options.scrambled {
            return (0..moves).collect();
        }
        let bits = mix(self.seed ^ moves as u64);
        let first = (((bits >> 32) * moves as u64) >> 32) as usize;
        let stride = STRIDES[bits as usize % STRIDES.len()];
        (0..moves).map(|nth| (first + nth * stride) % moves).collect()
    }
}

impl Node {
    fn new(mv: String, index: usize, player: Option<usize>) -> Self {
        Self { mv, index, player, visits: 0, total: 0.0, children: Vec::new() }
    }

    fn back_up(&mut self, results: &[Vec<f64>]) {
        self.visits += results.len() as u64;
        for result in results {
            self.total += self.player.map_or(0.0, |player| result[player]);
        }
    }

    /// Compares all visited nodes with the tree of a real search.
    ///
    /// # Panics
    /// If the trees differ.
    pub fn assert_same(&self, real: &TreeNode<String>, path: &str) {
        assert_eq!((self.visits, self.total), (real.visits, real.total), "at {path}");
        let mut visited: Vec<&Node> =
            self.children.iter().filter(|child| child.visits > 0).collect();
        visited.sort_by_key(|child| child.index);
        let ours: Vec<_> = visited.iter().map(|child| Some(&child.mv)).collect();
        let theirs: Vec<_> = real.children.iter().map(|child| child.mv.as_ref()).collect();
        assert_eq!(ours, theirs, "below {path}");
        for (child, real) in visited.into_iter().zip(&real.children) {
            child.assert_same(real, &format!("{path} {}", child.mv));
        }
    }
}
