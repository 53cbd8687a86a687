//! Recordings of searches: the nodes that a search knows and the steps it took, as plain data.
//!
//! [`Query::recording`](crate::Query::recording) asks an agent for one. The search is followed once, with the types of
//! its game; explanations, documents and pictures are made from the recording.
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

/// Steps of one search, and the tree they walk through.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Nodes that the search entered or knew of; empty if the agent does not search.
    pub tree: Tree,
    /// Steps in the order in which the search took them.
    pub steps: Vec<Step>,
    /// True if the search took more steps than were kept.
    pub is_cut_short: bool,
    /// Largest number of steps that are kept.
    max_steps: usize,
}

impl Recording {
    /// Creates an empty recording that keeps at most `max_steps` steps.
    pub fn new(max_steps: usize) -> Self {
        Self { tree: Tree::default(), steps: Vec::new(), is_cut_short: false, max_steps }
    }

    /// Returns the nodes that the search entered, in order, once for each time.
    pub fn entered(&self) -> impl Iterator<Item = &Node> {
        self.steps.iter().filter_map(|step| match step {
            Step::Enter { node, .. } => self.tree.nodes.get(*node),
            _ => None,
        })
    }
}

/// Player who decides at a node, or what else happens there.
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
    /// Number of the node before it; none for the root.
    pub parent: Option<usize>,
    /// Move that leads to it.
    pub mv: Option<String>,
    /// Name: that of the node in a tree from a file, elsewhere the move that leads to it.
    pub name: String,
    /// Player who decides.
    pub kind: NodeKind,
    /// Numbers of the nodes after it that the search knows of, in the search's order.
    pub children: Vec<usize>,
    /// Plies from the root.
    pub depth: usize,
    /// True if the search entered or selected it; false if the search only knew of it.
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

    /// Returns true if the game is a tree from a file, where every node has a name.
    pub fn has_names(&self) -> bool {
        self.has_names
    }

    /// Returns the number of players of the game.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Returns a node and all nodes below it, each before its children.
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
/// Values are those of the first player; a search for many players has one for each.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A new iteration of deepening, or a new simulation.
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
    /// A child moved the window of a node.
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
    /// A node is done.
    Leave {
        /// The node.
        node: usize,
        /// Its value.
        values: Vec<Value>,
    },
    /// All children of a node are weighed.
    Weigh {
        /// The node.
        node: usize,
        /// Weights of the children.
        children: Vec<ChildWeight>,
    },
    /// The simulation goes down to this node.
    Select {
        /// The node.
        node: usize,
    },
    /// The children of a node become known.
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
        /// Parts of the result, if it mixes an evaluation with a rollout.
        mix: Option<Mixture>,
    },
    /// A node added the result to its total.
    BackUp {
        /// The node.
        node: usize,
        /// Its visits afterwards.
        visits: u64,
        /// Its total afterwards.
        total: f64,
    },
}

impl Step {
    /// Returns the node of the step; none where an iteration begins.
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

/// Weight of a child in the selection of a simulation, for the player who chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChildWeight {
    /// The child.
    pub node: usize,
    /// Its visits.
    pub visits: u64,
    /// Its mean.
    pub mean: f64,
    /// Its exploration bonus; infinite for an unvisited child.
    pub bonus: f64,
}
