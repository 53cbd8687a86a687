//! Monte Carlo tree search in its plainest form, to judge the real one by: the same seed must
//! give the same tree.

use tussle_catalog::{AnyGame, AnyPosition, TreeNode};
use tussle_core::{Rng, Turn, mix};

/// The switches that the plain search knows.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// The weight of the bonus.
    pub c: f64,
    /// `ucb1`, `puct` or `epsilon`.
    pub policy: &'static str,
    /// For `epsilon`.
    pub epsilon: f64,
    /// Whether a leaf gets all its children at once, each simulated.
    pub expand_all: bool,
    /// What a draw gives.
    pub draw: f64,
    /// Whether everybody is against the player who searches.
    pub paranoid: bool,
    /// True if moves are first tried in random order.
    pub scrambled: bool,
}

/// Steps through a list of moves, one of which is taken by chance.
const STEPS: [usize; 16] = [
    65_537, 65_539, 65_543, 65_551, 65_557, 65_563, 65_579, 65_581, 65_587, 65_599, 65_609, 65_617,
    65_629, 65_633, 65_647, 65_651,
];

/// A position in the tree.
#[derive(Debug)]
pub struct Node {
    mv: String,
    /// Its place in the list of moves.
    place: usize,
    /// Who moved here; nobody if it was chance.
    player: Option<usize>,
    visits: u64,
    total: f64,
    /// In the order in which they are tried.
    children: Vec<Node>,
}

/// A search in progress.
struct Search<'a> {
    /// The seed of this search.
    seed: u64,
    game: &'a dyn AnyGame,
    plain: Plain,
    rng: Rng,
    left: u64,
    /// The player to move at the root.
    root: usize,
}

/// The tree after so many simulations by an agent with this seed.
///
/// # Panics
/// If no player is to move.
pub fn tree(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    plain: Plain,
    seed: u64,
    simulations: u64,
) -> Node {
    let Turn::Player(root) = position.turn() else { panic!("no player is to move") };
    // An agent takes a number from its stream for every search, and a stream of that for every
    // thread.
    let seed = Rng::new(seed).next_u64();
    let rng = Rng::derive(seed, &[0]);
    let mut search = Search { seed, game, plain, rng, left: simulations, root };
    let mut tree = Node::new(String::new(), 0, Some(root));
    if !plain.expand_all {
        search.expand(&mut tree, position);
    }
    while search.left > 0 {
        search.walk(&mut tree, position.boxed());
    }
    tree
}

impl Search<'_> {
    /// One walk from this node to the end of a game, or several; what each player got in each.
    fn walk(&mut self, node: &mut Node, mut position: Box<dyn AnyPosition>) -> Vec<Vec<f64>> {
        let over = position.turn() == Turn::Over;
        let results = if !node.children.is_empty() {
            let child = self.choose(node, position.as_ref());
            let child = &mut node.children[child];
            position.play(&child.mv).expect("a listed move is legal");
            self.walk(child, position)
        } else if self.plain.expand_all && !over && position.turn() != Turn::Chance {
            self.expand(node, position.as_ref());
            let mut results = Vec::new();
            for child in &mut node.children {
                if self.left > 0 {
                    let mut next = position.boxed();
                    next.play(&child.mv).expect("a listed move is legal");
                    let result = self.simulate(next);
                    child.take(std::slice::from_ref(&result));
                    results.push(result);
                }
            }
            results
        } else if (node.visits > 0 || self.plain.expand_all) && !over {
            self.expand(node, position.as_ref());
            let child = self.choose(node, position.as_ref());
            let child = &mut node.children[child];
            position.play(&child.mv).expect("a listed move is legal");
            let result = self.simulate(position);
            child.take(std::slice::from_ref(&result));
            vec![result]
        } else {
            vec![self.simulate(position)]
        };
        node.take(&results);
        results
    }

    fn choose(&mut self, node: &Node, position: &dyn AnyPosition) -> usize {
        if let Some(outcome) = position.roll(&mut self.rng) {
            return node.children.iter().position(|child| child.mv == outcome).expect("listed");
        }
        let Plain { c, policy, epsilon, .. } = self.plain;
        if policy == "epsilon" && self.rng.unit() < epsilon {
            return self.rng.below(node.children.len());
        }
        let above = node.visits as f64;
        let unknown = if self.game.payoffs().points { 0.0 } else { 0.5 };
        // In 32 bits, rounded where the search rounds: where two children weigh nearly the same,
        // the last bit decides.
        let worth = |child: &Node| {
            let visits = child.visits as f64;
            let mean = (if visits > 0.0 { child.total / visits } else { unknown }) as f32;
            // The search keeps the upper half of a prior.
            let prior = ((1.0 / node.children.len() as f32).to_bits() + (1 << 15)) & !0xffff;
            let prior = f32::from_bits(prior);
            let c = c as f32;
            match policy {
                "puct" => mean + c * above.max(1.0).sqrt() as f32 * (prior / (1.0 + visits) as f32),
                _ if visits == 0.0 => f32::INFINITY,
                "ucb1" => mean + c * above.ln().sqrt() as f32 * (1.0 / (visits as f32).sqrt()),
                _ => mean,
            }
        };
        let mut best = 0;
        for (i, child) in node.children.iter().enumerate() {
            if worth(child) > worth(&node.children[best]) {
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
                0.0 if utilities.len() == 2 => self.plain.draw,
                _ => (utility - payoffs.least) / (payoffs.most - payoffs.least),
            })
            .collect();
        if self.plain.paranoid {
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
        let child = |place: usize| Node::new(moves[place].clone(), place, player);
        node.children = self.order(moves.len()).into_iter().map(child).collect();
    }

    /// Returns the places of the moves in the order in which they are tried: a random first one, and
    /// each later one a fixed number of steps further.
    fn order(&self, moves: usize) -> Vec<usize> {
        if !self.plain.scrambled {
            return (0..moves).collect();
        }
        let bits = mix(self.seed ^ moves as u64);
        let first = (((bits >> 32) * moves as u64) >> 32) as usize;
        let step = STEPS[bits as usize % STEPS.len()];
        (0..moves).map(|nth| (first + nth * step) % moves).collect()
    }
}

impl Node {
    fn new(mv: String, place: usize, player: Option<usize>) -> Self {
        Self { mv, place, player, visits: 0, total: 0.0, children: Vec::new() }
    }

    fn take(&mut self, results: &[Vec<f64>]) {
        self.visits += results.len() as u64;
        for result in results {
            self.total += self.player.map_or(0.0, |player| result[player]);
        }
    }

    /// Compares with the tree of a real search, visited node by visited node.
    ///
    /// # Panics
    /// If they differ.
    pub fn assert_same(&self, real: &TreeNode<String>, path: &str) {
        assert_eq!((self.visits, self.total), (real.visits, real.total), "at {path}");
        let mut visited: Vec<&Node> =
            self.children.iter().filter(|child| child.visits > 0).collect();
        visited.sort_by_key(|child| child.place);
        let ours: Vec<_> = visited.iter().map(|child| Some(&child.mv)).collect();
        let theirs: Vec<_> = real.children.iter().map(|child| child.mv.as_ref()).collect();
        assert_eq!(ours, theirs, "below {path}");
        for (child, real) in visited.into_iter().zip(&real.children) {
            child.assert_same(real, &format!("{path} {}", child.mv));
        }
    }
}
