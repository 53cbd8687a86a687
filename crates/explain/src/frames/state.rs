//! State of every node after a number of steps.

use tussle_catalog::recording::{NodeKind, Step};
use tussle_core::{Bound, LeafKind, Outcome, Value};
use tussle_view::tree::NodeStatus;

use crate::bound::{NullWindowTest, Rule, bound_outside, is_null_window};
use crate::number::Wins;
use crate::{Explanation, NarrationLine};

/// State of a node.
#[derive(Clone, Debug, Default)]
struct NodeState {
    status: NodeStatus,
    /// Window with which the node was entered.
    entry: Option<(Value, Value)>,
    /// Test of this window, if it is a null window.
    test: Option<NullWindowTest>,
    /// Current window, as narrowed by the children, while the node is searched.
    window: Option<(Value, Value)>,
    /// True if children were pruned.
    is_cut: bool,
    /// Value of the position itself, without its children.
    own: Option<(Value, Bound)>,
    value: Option<Vec<Value>>,
    bound: Bound,
    sampled: Option<(u64, f64)>,
    simulated: Option<f64>,
}

/// State of a search after some of its steps.
#[derive(Clone, Debug)]
pub(crate) struct State<'a> {
    told: &'a Explanation,
    known: Vec<NodeState>,
    steps: usize,
    current: Option<usize>,
    /// Nodes that changed since the last call of [`changed`](Self::changed), with repetitions.
    changed: Vec<usize>,
    is_sampling: bool,
    /// True if any step changes a window.
    has_windows: bool,
    wins: Wins,
}

/// Returns true if a search runs simulations. Its tree grows, and nodes are unknown until the search adds them.
pub(crate) fn is_sampling(told: &Explanation) -> bool {
    told.steps.iter().any(|step| matches!(step, Step::Simulate { .. }))
}

impl<'a> State<'a> {
    /// Returns the state before the first step.
    pub(crate) fn new(told: &'a Explanation) -> Self {
        let is_sampling = is_sampling(told);
        let has_windows = told.steps.iter().any(|step| matches!(step, Step::Window { .. }));
        let status = if is_sampling { NodeStatus::Unknown } else { NodeStatus::Unseen };
        let mut known = vec![NodeState { status, ..NodeState::default() }; told.tree.nodes().len()];
        if let Some(root) = known.first_mut() {
            root.status = NodeStatus::Unseen;
        }
        Self {
            told,
            known,
            steps: 0,
            current: None,
            changed: Vec::new(),
            is_sampling,
            has_windows,
            wins: Wins::of(told),
        }
    }

    /// Returns the current node.
    pub(crate) fn current(&self) -> Option<usize> {
        self.current
    }

    /// Returns the status of a node.
    pub(crate) fn status(&self, node: usize) -> NodeStatus {
        self.known[node].status
    }

    /// Returns the texts below a node: its window, its value, its visits.
    pub(crate) fn notes(&self, node: usize) -> Vec<String> {
        let NodeState { window, test, value, bound, sampled, simulated, .. } = &self.known[node];
        let mut notes = Vec::new();
        notes.extend(window.map(|(alpha, beta)| match test {
            Some(NullWindowTest::Above(asked)) => format!("> {}?", self.wins.number(*asked)),
            Some(NullWindowTest::Below(asked)) => format!("< {}?", self.wins.number(*asked)),
            None => format!("({}, {})", self.end(alpha), self.end(beta)),
        }));
        notes.extend(value.as_ref().map(|value| self.worth(node, value, *bound)));
        // Chance outcomes have no total, because they belong to no player.
        let is_drawn = self.is_drawn(node);
        match (simulated, sampled) {
            (Some(result), _) => notes.push(format!("→ {}", self.wins.number(*result))),
            (None, Some((1, _))) if is_drawn => notes.push("1 visit".to_owned()),
            (None, Some((visits, _))) if is_drawn => notes.push(format!("{visits} visits")),
            (None, Some((visits, total))) => {
                notes.push(format!("{} / {visits}", self.wins.number(*total)));
            }
            (None, None) => {}
        }
        notes
    }

    /// Returns true if a node is an outcome of chance.
    fn is_drawn(&self, node: usize) -> bool {
        let nodes = self.told.tree.nodes();
        nodes[node].parent.is_some_and(|parent| nodes[parent].kind == NodeKind::Chance)
    }

    /// Formats a value for the picture.
    fn worth(&self, node: usize, value: &[Value], bound: Bound) -> String {
        let text = self.wins.values(value);
        let is_won = value.first().is_some_and(|value| value.outcome() == Some(Outcome::Win));
        match (bound, text.split_once(" in ")) {
            (Bound::Exact, None) => format!("= {text}"),
            (Bound::Lower, None) => format!("≥ {text}"),
            (Bound::Upper, None) => format!("≤ {text}"),
            (Bound::Exact, Some(_)) => text,
            // The win may be sooner, but not sooner than by the next move.
            (_, Some((who, plies))) if (bound == Bound::Lower) == is_won => {
                let soonest = self.told.tree.nodes()[node].depth + 1;
                let at_most = if plies == soonest.to_string() { "" } else { "≤ " };
                format!("{who} in {at_most}{plies}")
            }
            (_, Some((who, plies))) => format!("{who} in ≥ {plies}"),
        }
    }

    /// Returns the nodes that changed since the last call, in order.
    pub(crate) fn changed(&mut self) -> Vec<usize> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Advances to this number of steps. After the last one the principal variation is marked.
    pub(crate) fn advance(&mut self, steps: usize) {
        let told = self.told;
        while self.steps < steps.min(told.steps.len()) {
            self.take(&told.steps[self.steps]);
            self.steps += 1;
            if self.steps == told.steps.len() {
                self.mark_best_line();
            }
        }
    }

    /// Advances to a narration line and its node, which may differ from the node of its last step.
    pub(crate) fn advance_to(&mut self, line: &NarrationLine) {
        self.advance(line.steps);
        if let Some(node) = line.node.filter(|_| self.current != line.node) {
            self.go_to(node, |_| {});
            if self.steps == self.told.steps.len() {
                self.mark_best_line();
            }
        }
    }

    fn mark_best_line(&mut self) {
        for node in self.told.best_line() {
            self.set(node, |known| known.status = NodeStatus::Best);
        }
    }

    fn set(&mut self, node: usize, change: impl FnOnce(&mut NodeState)) {
        change(&mut self.known[node]);
        self.changed.push(node);
    }

    fn go_to(&mut self, node: usize, change: impl FnOnce(&mut NodeState)) {
        if let Some(before) = self.current.replace(node) {
            self.set(before, |known| {
                known.status =
                    if known.value.is_some() { NodeStatus::Done } else { NodeStatus::Open };
            });
        }
        self.set(node, |known| {
            known.status = NodeStatus::Current;
            change(known);
        });
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Enter { node, alpha, beta } => self.enter(*node, (*alpha, *beta)),
            Step::Window { node, alpha, beta, .. } => {
                self.go_to(*node, |known| {
                    known.window = Some((*alpha, *beta));
                    known.value = None;
                });
            }
            Step::Leaf { node, values, kind } => {
                let value = values.first().copied().unwrap_or(Value::ZERO);
                self.go_to(*node, |known| {
                    // A value from the table may be only a bound.
                    known.bound = match kind {
                        LeafKind::Table => bound_outside(value, known.entry),
                        _ => Bound::Exact,
                    };
                    known.own = Some((value, known.bound));
                    known.value = Some(values.clone());
                    known.window = None;
                });
            }
            Step::Leave { node, values } => {
                let bound = self.bound(*node, values);
                self.go_to(*node, |known| {
                    known.value = Some(values.clone());
                    known.bound = bound;
                    known.window = None;
                });
            }
            Step::Cut { node, skipped, .. } => {
                self.go_to(*node, |known| known.is_cut = true);
                for &child in skipped {
                    self.prune(child);
                }
            }
            Step::Select { node } => self.go_to(*node, |_| {}),
            Step::Simulate { node, value, .. } => {
                self.go_to(*node, |known| known.simulated = Some(*value));
            }
            Step::BackUp { node, visits, total } => self.go_to(*node, |known| {
                known.simulated = None;
                known.sampled = Some((*visits, *total));
            }),
            Step::Expand { node, children } => {
                self.go_to(*node, |_| {});
                for &child in children {
                    self.discover(child);
                }
            }
            Step::Weigh { node, children } => {
                self.go_to(*node, |_| {});
                for child in children {
                    self.discover(child.node);
                }
            }
            Step::Iteration(_) => self.begin_again(),
        }
    }

    /// Enters a node; the results of an earlier search of it are cleared.
    fn enter(&mut self, node: usize, (alpha, beta): (Value, Value)) {
        let told = self.told;
        let has_windows = self.has_windows;
        let test = is_null_window(alpha, beta).then(|| {
            let above = told.tree.nodes()[node].parent;
            match above.map(|above| (self.known[above].test, Rule::at(told, above))) {
                Some((Some(test), _)) => test,
                Some((None, Rule::Least)) => NullWindowTest::Below(beta),
                _ => NullWindowTest::Above(alpha),
            }
        });
        self.go_to(node, |known| {
            let entry = Some((alpha, beta));
            let window = entry.filter(|_| has_windows);
            *known = NodeState {
                status: NodeStatus::Current,
                entry,
                test,
                window,
                ..NodeState::default()
            };
        });
        let mut below = told.tree.nodes()[node].children.clone();
        while let Some(node) = below.pop() {
            // Unseen nodes have no visited descendants.
            if self.known[node].status != NodeStatus::Unseen {
                self.set(node, |known| *known = NodeState::default());
                below.extend(&told.tree.nodes()[node].children);
            }
        }
    }

    /// Returns the bound of the value of a node when the search leaves it.
    fn bound(&self, node: usize, values: &[Value]) -> Bound {
        let [value] = values else { return Bound::Exact };
        let worth = |&child: &usize| {
            let known = &self.known[child];
            Some((*known.value.as_ref()?.first()?, known.bound))
        };
        let known = &self.known[node];
        let children = &self.told.tree.nodes()[node].children;
        let from: Vec<_> = children.iter().filter_map(worth).chain(known.own).collect();
        Rule::at(self.told, node).bound(*value, &from, known.is_cut, known.entry)
    }

    fn discover(&mut self, node: usize) {
        if self.known[node].status == NodeStatus::Unknown {
            self.set(node, |known| known.status = NodeStatus::Unseen);
        }
    }

    /// Marks a node and all nodes below it as pruned.
    fn prune(&mut self, node: usize) {
        let told = self.told;
        let mut below = vec![node];
        while let Some(node) = below.pop() {
            self.set(node, |known| {
                *known = NodeState { status: NodeStatus::Pruned, ..NodeState::default() }
            });
            below.extend(&told.tree.nodes()[node].children);
        }
    }

    /// Starts an iteration at the root. A new depth clears all values; a simulation keeps the tree.
    fn begin_again(&mut self) {
        if let Some(before) = self.current.take() {
            self.set(before, |known| known.status = NodeStatus::Open);
        }
        if self.is_sampling {
            return;
        }
        for node in 0..self.known.len() {
            if self.known[node].status != NodeStatus::Unseen {
                self.set(node, |known| *known = NodeState::default());
            }
        }
    }

    /// Formats an end of a window for the picture.
    fn end(&self, bound: Value) -> String {
        if bound.is_finite() {
            self.wins.number(bound)
        } else if bound > Value::ZERO {
            "+∞".to_owned()
        } else {
            "−∞".to_owned()
        }
    }
}
