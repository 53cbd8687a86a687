//! Explicit game trees: every node, every move and every value is written down, as in a
//! lecture or an exercise.

mod actions;
mod check;
mod outline;
mod scene;

use std::sync::Arc;

use tussle_core::{
    Evaluator, Game, Hashed, Notation, ParseError, Payoffs, Symmetric, Turn, ZeroSum, mix,
};

use check::Flat;

/// The largest number of nodes a tree may have.
pub const MAX_NODES: usize = 1_000_000;

/// The largest number of players of a tree.
pub const MAX_PLAYERS: usize = 8;

/// What happens at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The first of two players chooses: the one for whom the values are written.
    Max,
    /// The second of two players chooses.
    Min,
    /// This player chooses; players are numbered from 1, as they are written.
    Player(usize),
    /// Chance chooses.
    Chance,
    /// The game ends.
    Leaf,
}

/// A move as it is written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The name of the node it leads to.
    pub to: String,
    /// The move's text; without one it is the name of the node it leads to.
    pub label: Option<String>,
    /// At a chance node, how likely it is. Either all outcomes of a node have one, or none has
    /// and they are equally likely.
    pub probability: Option<f64>,
}

/// How often a node has been visited and won, in an exercise about UCB1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeStats {
    /// These numbers.
    Known {
        /// Games won, by the player who moved into the node; a draw may count as a half.
        wins: f64,
        /// Games played.
        visits: u64,
    },
    /// The exercise asks for them.
    Asked,
}

/// A node as it is written down, before [`Tree::new`] has looked at the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name, unlike any other.
    pub name: String,
    /// What happens there.
    pub kind: Kind,
    /// The moves, in order.
    pub moves: Vec<Edge>,
    /// Its worth: one number from the first player's side, or one number for each player. At a
    /// leaf it is the result, elsewhere an estimate for searches that stop there.
    pub values: Vec<f64>,
    /// Results of simulations from here, to be taken in this order.
    pub rollouts: Vec<f64>,
    /// Visits and wins.
    pub stats: Option<NodeStats>,
}

impl Node {
    /// A leaf with this value.
    pub fn leaf(name: impl Into<String>, value: f64) -> Self {
        Self { values: vec![value], ..Self::inner(name, Kind::Leaf, &[]) }
    }

    /// A node whose moves lead to these nodes, and are called like them.
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

/// Whether these nodes make a [`DuelTree`] (no node has more than one value) or a [`ManyTree`].
pub fn is_duel(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| node.values.len() <= 1)
}

/// A game tree. Clones share the nodes.
///
/// A leaf without a value (it must then have rollouts or stats) is worth the mean of its
/// rollouts, and 0 if it has none.
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

/// A tree of max, min (or player 1 and 2) and chance nodes with one value a leaf: what the
/// first player wins, the second one loses. A tree for a single agent has max nodes only.
pub type DuelTree = Tree<true>;

/// A tree for K players with K values a leaf.
pub type ManyTree = Tree<false>;

/// A position: the node that has been reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State(u32);

impl<const DUEL: bool> Tree<DUEL> {
    /// The tree of these nodes, whose order does not matter.
    ///
    /// # Errors
    /// If the nodes are no tree (cycles, nodes that are missing, never reached or reached
    /// twice), if a name or label is used twice or holds white space, a comma, `>` or `|`, if a
    /// leaf has no value, if chances do not sum to 1, if the number of values or the players do
    /// not fit the kind of tree. The message names the node.
    pub fn new(nodes: Vec<Node>, root: &str) -> Result<Self, ParseError> {
        let needs = if DUEL { "one number" } else { "one number for each player" };
        if is_duel(&nodes) != DUEL
            && let Some(node) = nodes.iter().max_by_key(|node| node.values.len())
        {
            return Err(ParseError::new(format!(
                "node `{}` has {} value(s): this kind of tree takes {needs}",
                node.name,
                node.values.len()
            )));
        }
        Ok(Self(Arc::new(Flat::new(nodes, root)?)))
    }

    /// Declares that all values, results and estimates, lie in this range: those of the first player, or of every
    /// one of many. Searches prune by it, where they would otherwise prune by the largest value in the tree. A node
    /// without a value is worth 0, or the end of the range nearest to 0.
    ///
    /// # Errors
    /// If an end is not finite, if `low` is above `high`, or if a value or rollout lies outside of the range. The
    /// message names the node.
    pub fn with_range(mut self, low: f64, high: f64) -> Result<Self, ParseError> {
        Arc::make_mut(&mut self.0).declare((low, high))?;
        Ok(self)
    }

    /// The name of the node.
    pub fn name(&self, state: &State) -> &str {
        &self.0.names[state.0 as usize]
    }

    /// Returns all nodes, level by level from the root.
    pub fn nodes(&self) -> impl Iterator<Item = State> + use<DUEL> {
        (0..self.0.vertices.len() as u32).map(State)
    }

    /// Returns the number of levels, with that of the root.
    pub fn levels(&self) -> usize {
        let mut node = self.0.vertices.len() - 1; // the last node is on the last level
        let mut levels = 1;
        while node != 0 {
            node = self.0.vertices[node].parent as usize;
            levels += 1;
        }
        levels
    }

    /// Returns true if a value is written at the node.
    pub fn has_value(&self, state: &State) -> bool {
        self.0.valued[state.0 as usize]
    }

    /// The results that simulations from this node give, in order; empty if they are not
    /// written down.
    pub fn rollouts(&self, state: &State) -> &[f64] {
        self.0.rollouts.get(&state.0).map_or(&[], Vec::as_slice)
    }

    /// Returns the result of the simulation number `nth`, from 0, from this node for the first player. `None` where
    /// the file has no such result: then the simulation follows the tree.
    pub fn written_playout(&self, state: &State, nth: u64) -> Option<f64> {
        self.rollouts(state).get(usize::try_from(nth).ok()?).copied()
    }

    /// Visits and wins of the node, if they are written down.
    pub fn stats(&self, state: &State) -> Option<NodeStats> {
        self.0.stats.get(&state.0).copied()
    }

    /// What the node is worth to a player: its value, or 0 where none is written.
    #[inline]
    fn worth(&self, state: State, player: usize) -> f64 {
        let node = state.0 as usize;
        if !DUEL {
            self.0.worths[node * self.0.width + player]
        } else if player == 0 {
            self.0.worths[node]
        } else {
            0.0 - self.0.worths[node] // and not `-`, which would make -0 of 0
        }
    }
}

impl<const DUEL: bool> Game for Tree<DUEL> {
    type State = State;
    /// Which child, counted from 0 in the order in which the moves are written.
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
        self.worth(*state, player)
    }

    /// Between the largest value of a leaf or rollout for either side (1 if all of them are 0)
    /// and its opposite. For many players, what the leaves say. A declared range counts instead of the leaves.
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
                "`{name}`: no node has this name; a position is the name of a node, as in `{root}`"
            ))
        })
    }

    fn why_illegal(&self, state: &State, _: &str) -> String {
        const SHOWN: u32 = 8;
        let children = self.0.vertex(*state).children;
        if children == 0 {
            return format!("the game is over at `{}`", self.name(state));
        }
        let labels: Vec<String> =
            (0..children.min(SHOWN)).map(|mv| self.move_text(state, mv)).collect();
        let rest = if children > SHOWN { ", …" } else { "" };
        format!("the moves at `{}` are {}{rest}", self.name(state), labels.join(", "))
    }
}

/// The heuristic of a tree.
#[derive(Clone, Copy, Debug)]
pub enum Eval {
    /// The value that is written at the node, 0 where none is.
    Value,
}

impl<const DUEL: bool> Evaluator<Tree<DUEL>> for Eval {
    fn value(&self, tree: &Tree<DUEL>, state: &State, player: usize) -> f64 {
        tree.worth(*state, player)
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
