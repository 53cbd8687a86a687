//! Writes down what a search tells.

use tussle_catalog::AnyPosition;
use tussle_core::{CutReason, Event, Events, LeafKind, Value};

use super::tree::Tree;

/// One thing a search did, with numbers of nodes. Values are those of the first player, and in a search for
/// many players there is one for each.
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
        /// Where that came from.
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
    /// The other children of a node are skipped.
    Cut {
        /// The node.
        node: usize,
        /// Why.
        reason: CutReason,
        /// The children.
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
        /// What each of them weighs.
        children: Vec<Weighed>,
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
    },
    /// A node took the result in.
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
    /// The node it is about; none where a round begins.
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

/// What a child weighs in the choice of a simulation. Its mean is for the player who chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// The child.
    pub node: usize,
    /// Its visits.
    pub visits: u64,
    /// Its mean.
    pub mean: f64,
    /// What is added for having been visited little; infinite if never.
    pub bonus: f64,
}

/// No more positions than this are kept, and no more weights of children, for each step that may be
/// kept: a sampling search of a game with hundreds of moves knows of far more than it visits.
const NODES_A_STEP: usize = 5;
const WEIGHTS_A_STEP: usize = 10;

/// Follows a search through the game.
pub(super) struct Trace {
    tree: Tree,
    steps: Vec<Step>,
    most: usize,
    is_full: bool,
    /// Where the search is: the nodes from the root on, and the position at the last of them.
    path: Vec<usize>,
    position: Box<dyn AnyPosition>,
    /// Children weighed so far at the current node, and in all steps.
    weighed: Vec<Weighed>,
    weights: usize,
    /// How many nodes of the path have not taken the result in yet.
    to_back_up: usize,
}

impl Trace {
    /// For a game of so many players; no more than `most` steps are kept.
    pub(super) fn new(position: &dyn AnyPosition, players: usize, most: usize) -> Self {
        Self {
            tree: Tree::new(position, players),
            steps: Vec::new(),
            most,
            is_full: false,
            path: Vec::new(),
            position: position.without_history(),
            weighed: Vec::new(),
            weights: 0,
            to_back_up: 0,
        }
    }

    /// The tree, the steps, and whether there were more of them.
    pub(super) fn finish(self) -> (Tree, Vec<Step>, bool) {
        (self.tree, self.steps, self.is_full)
    }

    /// Whether nothing was told yet.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    fn here(&self) -> usize {
        self.path.last().copied().unwrap_or(0)
    }

    fn child(&mut self, mv: &str) -> usize {
        let node = self.here();
        self.tree.child(node, mv, self.position.as_mut())
    }

    fn go_down(&mut self, mv: Option<&str>) {
        let node = match mv {
            Some(mv) => {
                let child = self.child(mv);
                let _ = self.position.play(mv); // the search plays legal moves only
                child
            }
            None => 0,
        };
        self.tree.see(node);
        self.path.push(node);
    }

    fn go_up(&mut self) {
        if self.path.pop().is_some_and(|node| node != 0) {
            self.position.undo();
        }
    }

    fn go_to_root(&mut self) {
        while !self.path.is_empty() {
            self.go_up();
        }
    }

    /// The children that are left out. In a tree from a file everything below them has a name, which is worth
    /// knowing where it is left out, too.
    fn skipped(&mut self, moves: &[String]) -> Vec<usize> {
        let skipped = moves.iter().map(|mv| self.child(mv)).collect::<Vec<_>>();
        if self.tree.has_names() {
            for (&node, mv) in skipped.iter().zip(moves) {
                if self.position.play(mv).is_ok() {
                    self.tree.grow(node, self.position.as_mut(), self.most * NODES_A_STEP);
                    self.position.undo();
                }
            }
        }
        skipped
    }

    /// Whether there is room for more.
    fn has_room(&self) -> bool {
        self.steps.len() < self.most
            && self.weights < self.most * WEIGHTS_A_STEP
            && self.tree.nodes().len() < self.most * NODES_A_STEP
    }

    /// The children whose weights were told, now that the choice is made.
    fn close_weights(&mut self) {
        let children = std::mem::take(&mut self.weighed);
        if !children.is_empty() {
            self.weights += children.len();
            let node = self.here();
            self.steps.push(Step::Weigh { node, children });
        }
    }
}

impl Events<String> for Trace {
    fn take(&mut self, event: Event<'_, String>) {
        // Where it is full, nothing is followed any more: nothing will be told.
        self.is_full |= !self.has_room();
        if self.is_full {
            return;
        }
        if !matches!(event, Event::Weigh { .. }) {
            self.close_weights();
        }
        let step = match event {
            Event::Iteration(number) => {
                self.go_to_root();
                Step::Iteration(number)
            }
            Event::Enter { mv, alpha, beta } => {
                self.go_down(mv.as_deref());
                Step::Enter { node: self.here(), alpha, beta }
            }
            Event::Leaf { values, kind } => {
                Step::Leaf { node: self.here(), values: values.to_vec(), kind }
            }
            Event::Window { by, alpha, beta } => {
                let by = self.child(&by);
                if alpha >= beta {
                    return; // nothing is left of it, and a cut says so, or the end of the node
                }
                Step::Window { node: self.here(), by, alpha, beta }
            }
            Event::Odds { moves, probabilities } => {
                self.tree.model(self.here(), moves, probabilities);
                return;
            }
            Event::Cut { reason, skipped } => {
                let skipped = self.skipped(skipped);
                Step::Cut { node: self.here(), reason, skipped }
            }
            Event::Leave { values } => {
                let step = Step::Leave { node: self.here(), values: values.to_vec() };
                self.tree.forget_model(self.here());
                self.go_up();
                step
            }
            Event::Weigh { mv, visits, mean, bonus } => {
                let node = self.child(&mv);
                self.weighed.push(Weighed { node, visits, mean, bonus });
                return;
            }
            Event::Select(mv) => {
                if self.path.is_empty() {
                    self.go_down(None);
                }
                self.go_down(Some(&mv));
                Step::Select { node: self.here() }
            }
            Event::Expand(moves) => {
                let children = moves.iter().map(|mv| self.child(mv)).collect();
                Step::Expand { node: self.here(), children }
            }
            Event::Simulate { value } => {
                if self.path.is_empty() {
                    self.go_down(None);
                }
                self.to_back_up = self.path.len();
                Step::Simulate { node: self.here(), value }
            }
            Event::BackUp { visits, total } => {
                self.to_back_up = self.to_back_up.saturating_sub(1);
                let node = self.path.get(self.to_back_up).copied().unwrap_or(0);
                Step::BackUp { node, visits, total }
            }
            _ => return,
        };
        self.steps.push(step);
    }
}
