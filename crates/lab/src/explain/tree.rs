//! The positions a search saw, as a tree of the moves that lead to them.

use std::collections::HashMap;

use tussle_catalog::AnyPosition;
use tussle_core::Turn;

/// Who decides at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The first of two players, who wants much.
    Max,
    /// The second, who wants little.
    Min,
    /// Chance.
    Chance,
    /// One of more than two players.
    Player(usize),
    /// Nobody: the game is over.
    End,
}

/// A position.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position before it; none for the root.
    pub parent: Option<usize>,
    /// The move that leads to it.
    pub mv: Option<String>,
    /// What it is called: in a tree from a file by its name, elsewhere by the move that leads to it.
    pub name: String,
    /// Who decides there.
    pub kind: Kind,
    /// Those after it that the search knows of, in its order.
    pub children: Vec<usize>,
    /// Plies from the root.
    pub depth: usize,
    /// Whether the search was ever there. It may know of a node and leave it out.
    pub is_seen: bool,
    /// Probability of the move that leads to it, if chance makes it or a model of the opponent says so.
    pub probability: Option<f64>,
    /// What the game is worth to each player, if it is over here.
    pub utilities: Option<Vec<f64>>,
}

/// All positions a search saw or left out; the root is number 0.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    players: usize,
    /// Whether positions have names of their own.
    has_names: bool,
    /// The children of each node by the moves to them: a node may have very many.
    by_move: HashMap<usize, HashMap<String, usize>>,
    /// Probabilities of the moves of a node, where chance moves or a model of the opponent says so.
    odds: HashMap<usize, HashMap<String, f64>>,
}

impl Tree {
    /// The root alone.
    pub(super) fn new(position: &dyn AnyPosition, players: usize) -> Self {
        let has_names = position.game_spec().split(':').next() == Some("tree");
        let (by_move, odds) = (HashMap::new(), HashMap::new());
        let mut tree = Self { nodes: Vec::new(), players, has_names, by_move, odds };
        let root = tree.node(position, None, None, 0);
        tree.nodes.push(root);
        tree
    }

    /// All positions, each after the one it follows from.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether it is a tree from a file, where every node has a name.
    pub fn has_names(&self) -> bool {
        self.has_names
    }

    /// The players of the game.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Takes down what a model of the opponent says of the moves of a node.
    pub(super) fn model(&mut self, node: usize, moves: &[String], probabilities: &[f64]) {
        let odds = moves.iter().cloned().zip(probabilities.iter().copied()).collect();
        self.odds.insert(node, odds);
    }

    /// Drops what a model says of the moves of a node that is done: its children know it, and memory is scarce.
    pub(super) fn forget_model(&mut self, node: usize) {
        if self.nodes[node].kind != Kind::Chance {
            self.odds.remove(&node);
        }
    }

    /// The search was here.
    pub(super) fn see(&mut self, node: usize) {
        self.nodes[node].is_seen = true;
    }

    /// Makes everything below a node known, as long as there are fewer than `most` nodes.
    /// `position` is the one at the node, and the same again afterwards.
    pub(super) fn grow(&mut self, node: usize, position: &mut dyn AnyPosition, most: usize) {
        // Not by recursion: a tree may be as deep as it has nodes.
        let mut todo = vec![(node, position.moves().into_iter())];
        while let Some((node, moves)) = todo.last_mut() {
            let (node, next) = (*node, moves.next());
            let Some(mv) = next.filter(|_| self.nodes.len() < most) else {
                todo.pop();
                if !todo.is_empty() {
                    position.undo();
                }
                continue;
            };
            let child = self.child(node, &mv, position);
            if position.play(&mv).is_ok() {
                todo.push((child, position.moves().into_iter()));
            }
        }
    }

    /// A node and all that is below it, each before what follows from it.
    pub fn below(&self, node: usize) -> Vec<usize> {
        let (mut found, mut todo) = (Vec::new(), vec![node]);
        while let Some(node) = todo.pop() {
            found.push(node);
            todo.extend(self.nodes[node].children.iter().rev());
        }
        found
    }

    /// The child of a node by this move; made if the search did not know it yet. `position` is the one
    /// at the node, and the same again afterwards.
    pub(super) fn child(&mut self, node: usize, mv: &str, position: &mut dyn AnyPosition) -> usize {
        if let Some(&child) = self.by_move.get(&node).and_then(|children| children.get(mv)) {
            return child;
        }
        let depth = self.nodes[node].depth + 1;
        if self.nodes[node].kind == Kind::Chance {
            self.odds.entry(node).or_insert_with(|| odds(position));
        }
        let odds = self.odds.get(&node);
        let probability = odds.map(|odds| odds.get(mv).copied().unwrap_or(0.0));
        let is_legal = position.play(mv).is_ok();
        let child = self.node(position, Some(node), Some(mv.to_owned()), depth);
        let child = Node { probability, ..child };
        if is_legal {
            position.undo();
        }
        self.nodes.push(child);
        let number = self.nodes.len() - 1;
        self.nodes[node].children.push(number);
        self.by_move.entry(node).or_default().insert(mv.to_owned(), number);
        number
    }

    fn node(
        &self,
        position: &dyn AnyPosition,
        parent: Option<usize>,
        mv: Option<String>,
        depth: usize,
    ) -> Node {
        let kind = match position.turn() {
            Turn::Over => Kind::End,
            Turn::Chance => Kind::Chance,
            Turn::Player(player) if self.players > 2 => Kind::Player(player),
            Turn::Player(0) => Kind::Max,
            Turn::Player(_) => Kind::Min,
        };
        let name = match &mv {
            _ if self.has_names => position.text(),
            Some(mv) => mv.clone(),
            None => "the root".to_owned(),
        };
        let utilities = position.utilities();
        let children = Vec::new();
        let (is_seen, probability) = (false, None);
        Node { parent, mv, name, kind, children, depth, is_seen, probability, utilities }
    }
}

/// How likely each outcome is where chance moves.
fn odds(position: &dyn AnyPosition) -> HashMap<String, f64> {
    position.moves().into_iter().zip(position.probabilities()).collect()
}
