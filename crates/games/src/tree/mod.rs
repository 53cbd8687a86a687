//! Explicit game trees with a definition of every node, move and value, as in a lecture or an
//! exercise.

mod actions;
mod check;
mod outline;
mod scene;

use std::sync::Arc;

use tussle_core::{
    Evaluator, Game, Hashed, Notation, ParseError, Payoffs, Symmetric, Turn, ZeroSum, mix,
};

use check::Flat;

/// Maximum number of nodes of a tree.
pub const MAX_NODES: usize = 1_000_000;

/// Maximum number of players of a tree.
pub const MAX_PLAYERS: usize = 8;

/// Kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The first of two players moves. The values are that player's.
    Max,
    /// The second of two players moves.
    Min,
    /// This player moves; players are numbered from 1.
    Player(usize),
    /// A chance event decides.
    Chance,
    /// The game ends.
    Leaf,
}

/// Definition of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Name of the node that the move leads to.
    pub to: String,
    /// Text of the move; `None` stands for the name of the node that it leads to.
    pub label: Option<String>,
    /// Probability of a chance outcome. Either all outcomes of a node have one, or none has one and
    /// they are equally likely.
    pub probability: Option<f64>,
}

/// Visits and wins of a node, in an exercise about UCB1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeStats {
    /// Given numbers.
    Known {
        /// Number of games won by the player who moved into the node; a draw can count as a half.
        wins: f64,
        /// Number of games played.
        visits: u64,
    },
    /// Unknown: the exercise asks for the numbers.
    Asked,
}

/// Definition of a node, from which [`Tree::new`] builds a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Unique name.
    pub name: String,
    /// Kind of the node.
    pub kind: Kind,
    /// Moves, in order.
    pub moves: Vec<Edge>,
    /// Value: one number for the first player, or one number per player. At a leaf it is the
    /// result, elsewhere an evaluation for searches that stop there.
    pub values: Vec<f64>,
    /// Results of the first simulations from this node, in order.
    pub rollouts: Vec<f64>,
    /// Visits and wins.
    pub stats: Option<NodeStats>,
}

impl Node {
    /// Creates a leaf with this value.
    pub fn leaf(name: impl Into<String>, value: f64) -> Self {
        Self { values: vec![value], ..Self::inner(name, Kind::Leaf, &[]) }
    }

    /// Creates a node whose moves lead to these nodes and have their names.
    pub fn inner(name: impl Into<String>, kind: Kind, children: &[&str]) -> Self {
        let edge = |child: &&str| Edge { to: (*child).to_owned(), label: None, probability: None };
        Self {
            name: name.into(),
            kind,
            moves: children.iter().map(edge).collect(),
            values: Vec::new(),
            rollouts: Vec::new(),
            stats: None,
        }
    }
}

/// Returns true if these nodes define a [`DuelTree`] (no node has more than one value), and false
/// if they define a [`ManyTree`].
pub fn is_duel(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| node.values.len() <= 1)
}

/// Game tree. Clones share the nodes.
///
/// A leaf without a value must have rollouts or stats. Its value is the mean of its rollouts, or 0
/// if it has none.
///
/// ```
/// use tussle_core::{Game, Notation, Turn};
/// use tussle_games::DuelTree;
/// use tussle_games::tree::{Kind, Node};
///
/// let tree = DuelTree::new(
///     vec![
///         Node::inner("A", Kind::Max, &["B", "C"]),
///         Node::leaf("B", 1.0),
///         Node::inner("C", Kind::Min, &["D", "E"]),
///         Node::leaf("D", 3.0),
///         Node::leaf("E", -2.0),
///     ],
///     "A",
/// )
/// .unwrap();
/// let mut state = tree.start();
/// for text in ["C", "E"] {
///     let mv = tree.parse_move(&state, text).unwrap();
///     tree.play(&mut state, mv);
/// }
/// assert_eq!(tree.turn(&state), Turn::Over);
/// assert_eq!(tree.utility(&state, 1), 2.0);
/// ```
#[derive(Clone, Debug)]
pub struct Tree<const DUEL: bool>(Arc<Flat>);

/// Tree of max, min (or player 1 and 2) and chance nodes with one value per leaf. The second player
/// loses what the first player wins. A tree for a single agent has max nodes only.
pub type DuelTree = Tree<true>;

/// Tree for K players with K values per leaf.
pub type ManyTree = Tree<false>;

/// Position: the current node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State(u32);

impl<const DUEL: bool> Tree<DUEL> {
    /// Builds a tree from these nodes; their order does not matter.
    ///
    /// # Errors
    /// If
    /// - the nodes do not form a tree: there are cycles, or nodes that are missing, unreachable or
    ///   reached twice;
    /// - a name, or a label at one node, is used twice, is empty or contains white space, a comma,
    ///   `>` or `|`;
    /// - a leaf has no value, or probabilities do not sum to 1;
    /// - the players or the number of values do not match the kind of tree.
    ///
    /// The message names the node.
    pub fn new(nodes: Vec<Node>, root: &str) -> Result<Self, ParseError> {
        let expected = if DUEL { "one value per node" } else { "one value per player" };
        if is_duel(&nodes) != DUEL
            && let Some(node) = nodes.iter().max_by_key(|node| node.values.len())
        {
            return Err(ParseError::new(format!(
                "node `{}`: expected {expected} in this kind of tree, found {}",
                node.name,
                node.values.len()
            )));
        }
        Ok(Self(Arc::new(Flat::new(nodes, root)?)))
    }

    /// Declares the range of all values, results and estimates: of the first player or, in a
    /// [`ManyTree`], of every player. Searches prune by this range; without it they prune by the
    /// largest value in the tree. A node without a value has the value 0, or the end of the range
    /// nearest to 0.
    ///
    /// # Errors
    /// If an end is not finite, if `low` is above `high`, or if a value or rollout is outside the
    /// range. The message names the node.
    pub fn with_range(mut self, low: f64, high: f64) -> Result<Self, ParseError> {
        Arc::make_mut(&mut self.0).declare((low, high))?;
        Ok(self)
    }

    /// Returns the name of the node.
    pub fn name(&self, state: &State) -> &str {
        &self.0.names[state.0 as usize]
    }

    /// Returns all nodes, level by level from the root.
    pub fn nodes(&self) -> impl Iterator<Item = State> + use<DUEL> {
        (0..self.0.vertices.len() as u32).map(State)
    }

    /// Returns the number of levels, including the level of the root.
    pub fn levels(&self) -> usize {
        let mut node = self.0.vertices.len() - 1; // the last node is on the last level
        let mut levels = 1;
        while node != 0 {
            node = self.0.vertices[node].parent as usize;
            levels += 1;
        }
        levels
    }

    /// Returns true if the definition of the node has a value.
    pub fn has_value(&self, state: &State) -> bool {
        self.0.valued[state.0 as usize]
    }

    /// Returns the defined results of simulations from this node, in order; empty if there are
    /// none.
    pub fn rollouts(&self, state: &State) -> &[f64] {
        self.0.rollouts.get(&state.0).map_or(&[], Vec::as_slice)
    }

    /// Returns the result of the simulation number `nth`, from 0, from this node for the first player. `None` where
    /// the file has no such result: then the simulation follows the tree.
    pub fn written_playout(&self, state: &State, nth: u64) -> Option<f64> {
        self.rollouts(state).get(usize::try_from(nth).ok()?).copied()
    }

    /// Returns the visits and wins in the definition of the node.
    pub fn stats(&self, state: &State) -> Option<NodeStats> {
        self.0.stats.get(&state.0).copied()
    }

    /// Returns the value of the node for a player; a missing value has the default of [`Tree`].
    #[inline]
    fn value(&self, state: State, player: usize) -> f64 {
        let node = state.0 as usize;
        if !DUEL {
            self.0.values[node * self.0.width + player]
        } else if player == 0 {
            self.0.values[node]
        } else {
            0.0 - self.0.values[node] // unlike `-`, this does not give -0
        }
    }
}

impl<const DUEL: bool> Game for Tree<DUEL> {
    type State = State;
    /// Index of the child, counted from 0 in the order of the definition.
    type Move = u32;

    fn players(&self) -> usize {
        if DUEL { 2 } else { self.0.width }
    }

    fn start(&self) -> State {
        State(0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match self.0.vertex(*state).kind {
            Kind::Max => Turn::Player(0),
            Kind::Min => Turn::Player(1),
            Kind::Player(k) => Turn::Player(k - 1),
            Kind::Chance => Turn::Chance,
            Kind::Leaf => Turn::Over,
        }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<u32>) {
        out.extend(0..self.0.vertex(*state).children);
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u32) {
        *state = self.0.child(*state, mv);
    }

    #[inline]
    fn utility(&self, state: &State, player: usize) -> f64 {
        self.value(*state, player)
    }

    /// Returns the limits of the results: the largest absolute value of a leaf or rollout (1 if all
    /// are 0) and its negative. For more than two players, the limits are those of the leaves. A
    /// declared range replaces them.
    fn payoffs(&self) -> Payoffs {
        let most = self.0.best;
        if DUEL {
            return Payoffs { least: -most, most, sum: 0.0, points: true };
        }
        let (least, most) = self.0.results;
        Payoffs { least, most, sum: self.0.sum, points: true }
    }

    fn value_range(&self, player: usize) -> Option<(f64, f64)> {
        let (low, high) = self.0.declared?;
        Some(if DUEL && player == 1 { (0.0 - high, 0.0 - low) } else { (low, high) })
    }

    fn has_chance(&self) -> bool {
        self.0.chance
    }

    #[inline]
    fn probability(&self, state: &State, outcome: u32) -> f64 {
        self.0.vertex(self.0.child(*state, outcome)).probability
    }
}

impl ZeroSum for DuelTree {}

impl<const DUEL: bool> Hashed for Tree<DUEL> {
    #[inline]
    fn board_key(&self, state: &State) -> u64 {
        mix(u64::from(state.0))
    }
}

impl<const DUEL: bool> Symmetric for Tree<DUEL> {}

impl<const DUEL: bool> Notation for Tree<DUEL> {
    fn move_text(&self, state: &State, mv: u32) -> String {
        self.0.label(self.0.child(*state, mv).0).to_owned()
    }

    fn position_text(&self, state: &State) -> String {
        self.name(state).to_owned()
    }

    fn parse_position(&self, text: &str) -> Result<State, ParseError> {
        let name = text.trim();
        self.0.find(name).map(State).ok_or_else(|| {
            let root = self.name(&self.start());
            ParseError::new(format!(
                "`{name}`: no node has this name; expected the name of a node, as in `{root}`"
            ))
        })
    }

    fn why_illegal(&self, state: &State, _: &str) -> String {
        const MAX_LISTED_MOVES: u32 = 8;
        let children = self.0.vertex(*state).children;
        if children == 0 {
            return format!("the game is over at `{}`", self.name(state));
        }
        let labels: Vec<String> =
            (0..children.min(MAX_LISTED_MOVES)).map(|mv| self.move_text(state, mv)).collect();
        let rest = if children > MAX_LISTED_MOVES { ", …" } else { "" };
        format!("the moves at `{}` are {}{rest}", self.name(state), labels.join(", "))
    }
}

/// Heuristic for game trees.
#[derive(Clone, Copy, Debug)]
pub enum Eval {
    /// Value in the definition of the node, or the default for a missing value.
    Value,
}

impl<const DUEL: bool> Evaluator<Tree<DUEL>> for Eval {
    fn value(&self, tree: &Tree<DUEL>, state: &State, player: usize) -> f64 {
        tree.value(*state, player)
    }

    fn range(&self, tree: &Tree<DUEL>) -> Option<(f64, f64)> {
        let (low, high) = tree.0.range;
        let both = high.max(-low);
        Some(if DUEL { (-both, both) } else { (low, high) })
    }

    fn is_antisymmetric(&self) -> bool {
        DUEL
    }
}

#[cfg(test)]
mod tests;
