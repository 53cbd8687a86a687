//! Recordings of searches: the tree and the steps of an observed search, as plain data.
//!
//! Set [`Query::recording`](crate::Query::recording) to record a search. Explanations, documents and pictures are made
//! from the recording.
//!
//! ```
//! use tussle_catalog::recording::{Recording, Step};
//! use tussle_catalog::{Query, game};
//! use tussle_core::Limits;
//!
//! let game = game("tictactoe")?;
//! let mut recording = Recording::new(1000);
//! let query = Query { recording: Some(&mut recording), ..Query::new(&Limits::none()) };
//! game.agent("greedy", 1)?.analyse(game.start().as_ref(), query)?;
//! assert_eq!(recording.tree.nodes()[0].children.len(), 9);
//! assert!(matches!(recording.steps[1], Step::Enter { node: 0, .. }));
//! # Ok::<(), tussle_catalog::Error>(())
//! ```

mod recorder;

use tussle_core::{CutReason, LeafKind, Mixture, Value};

pub(crate) use recorder::Recorder;

/// Tree and steps of one observed search.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Nodes that the search entered or listed; empty if the agent does not search.
    pub tree: Tree,
    /// Steps in the order in which the search took them.
    pub steps: Vec<Step>,
    /// True if the search took more steps than were kept.
    pub is_cut_short: bool,
    /// Maximum number of steps to keep.
    max_steps: usize,
}

impl Recording {
    /// Creates an empty recording that keeps at most `max_steps` steps.
    pub fn new(max_steps: usize) -> Self {
        Self { tree: Tree::default(), steps: Vec::new(), is_cut_short: false, max_steps }
    }

    /// Returns the nodes that the search entered, in order; a node that was entered several times is repeated.
    pub fn entered(&self) -> impl Iterator<Item = &Node> {
        self.steps.iter().filter_map(|step| match step {
            Step::Enter { node, .. } => self.tree.nodes.get(*node),
            _ => None,
        })
    }
}

/// Kind of a node: the player to move, chance, or the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The first of two players moves and maximises.
    Max,
    /// The second of two players moves and minimises.
    Min,
    /// A chance node.
    Chance,
    /// One of more than two players moves.
    Player(usize),
    /// The game is over.
    End,
}

/// A position of a recorded search.
#[derive(Clone, Debug)]
pub struct Node {
    /// Number of the parent; `None` for the root.
    pub parent: Option<usize>,
    /// Move that leads to the node.
    pub mv: Option<String>,
    /// Name in the tree file, or in other games the move that leads to the node.
    pub name: String,
    /// Kind of the node.
    pub kind: NodeKind,
    /// Numbers of the children that the search listed, in the order of the search.
    pub children: Vec<usize>,
    /// Plies from the root.
    pub depth: usize,
    /// True if the search entered or selected the node; false if it only listed the node as a child.
    pub is_seen: bool,
    /// Probability of the move that leads to it, at a chance node or by an opponent model.
    pub probability: Option<f64>,
    /// Utilities of all players, if the game is over.
    pub utilities: Option<Vec<f64>>,
}

/// Nodes of a recorded search; the root is number 0.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    players: usize,
    has_names: bool,
}

impl Tree {
    /// Returns all nodes, each after its parent.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns true if the game is a tree file, in which every node has a name.
    pub fn has_names(&self) -> bool {
        self.has_names
    }

    /// Returns the number of players of the game.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Returns a node and all of its descendants, each before its children.
    ///
    /// # Panics
    /// If the tree has no node of this number.
    pub fn below(&self, node: usize) -> Vec<usize> {
        let (mut found, mut todo) = (Vec::new(), vec![node]);
        while let Some(node) = todo.pop() {
            found.push(node);
            todo.extend(self.nodes[node].children.iter().rev());
        }
        found
    }
}

/// One step of a search, with numbers of nodes.
///
/// Values are those of the first player; max^n has one value per player.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A new iteration of iterative deepening, or a new simulation, starts.
    Iteration(u32),
    /// A node is entered with this window.
    Enter {
        /// The node.
        node: usize,
        /// Lower end of the window.
        alpha: Value,
        /// Upper end of the window.
        beta: Value,
    },
    /// A node has its value without further search.
    Leaf {
        /// The node.
        node: usize,
        /// Its value.
        values: Vec<Value>,
        /// Origin of the value.
        kind: LeafKind,
    },
    /// The value of a child narrowed the window of a node.
    Window {
        /// The node.
        node: usize,
        /// The child.
        by: usize,
        /// Lower end afterwards.
        alpha: Value,
        /// Upper end afterwards.
        beta: Value,
    },
    /// The other children of a node are pruned.
    Cut {
        /// The node.
        node: usize,
        /// Reason of the cutoff.
        reason: CutReason,
        /// The pruned children.
        skipped: Vec<usize>,
    },
    /// A node is finished.
    Leave {
        /// The node.
        node: usize,
        /// Its value.
        values: Vec<Value>,
    },
    /// Selection compares all children of a node.
    Weigh {
        /// The node.
        node: usize,
        /// Weights of the children.
        children: Vec<ChildWeight>,
    },
    /// Selection enters this node.
    Select {
        /// The node.
        node: usize,
    },
    /// The children of a node are added to the tree.
    Expand {
        /// The node.
        node: usize,
        /// The children.
        children: Vec<usize>,
    },
    /// A playout or evaluation from a node ended with this value.
    Simulate {
        /// The node.
        node: usize,
        /// The result.
        value: f64,
        /// Parts of the result, if it mixes an evaluation with a playout.
        mix: Option<Mixture>,
    },
    /// A node added the result to its total.
    BackUp {
        /// The node.
        node: usize,
        /// Visits of the node afterwards.
        visits: u64,
        /// Sum of the node's rewards afterwards.
        total: f64,
    },
}

impl Step {
    /// Returns the node of the step; `None` for the start of an iteration.
    pub fn node(&self) -> Option<usize> {
        match self {
            Self::Iteration(_) => None,
            Self::Enter { node, .. }
            | Self::Leaf { node, .. }
            | Self::Window { node, .. }
            | Self::Cut { node, .. }
            | Self::Leave { node, .. }
            | Self::Weigh { node, .. }
            | Self::Select { node }
            | Self::Expand { node, .. }
            | Self::Simulate { node, .. }
            | Self::BackUp { node, .. } => Some(*node),
        }
    }
}

/// Numbers by which a simulation compares a child with its siblings, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChildWeight {
    /// The child.
    pub node: usize,
    /// Visits of the child.
    pub visits: u64,
    /// Mean reward of the child.
    pub mean: f64,
    /// Exploration bonus; infinite for an unvisited child.
    pub bonus: f64,
}
