//! What is known of every node after some steps.

use tussle_view::tree::Fate;

use super::best_line;
use super::number::{number, values};
use super::{Explanation, Step};

/// What is known of a node.
#[derive(Clone, Debug, Default)]
struct Known {
    fate: Fate,
    window: Option<(f64, f64)>,
    value: Option<Vec<f64>>,
    sampled: Option<(u64, f64)>,
    simulated: Option<f64>,
}

/// A search after some of its steps.
#[derive(Clone, Debug)]
pub(super) struct State<'a> {
    told: &'a Explanation,
    known: Vec<Known>,
    steps: usize,
    current: Option<usize>,
    /// Nodes about which something changed since somebody asked; some of them more than once.
    changed: Vec<usize>,
    is_sampling: bool,
    /// Whether windows mean anything here: somewhere one is moved.
    has_windows: bool,
}

/// Whether a search plays games out: then its tree grows, and nodes are unknown until it gets to know them.
pub(super) fn is_sampling(told: &Explanation) -> bool {
    told.steps.iter().any(|step| matches!(step, Step::Simulate { .. }))
}

impl<'a> State<'a> {
    /// Before the first step.
    pub(super) fn new(told: &'a Explanation) -> Self {
        let is_sampling = is_sampling(told);
        let has_windows = told.steps.iter().any(|step| matches!(step, Step::Window { .. }));
        let fate = if is_sampling { Fate::Unknown } else { Fate::Unseen };
        let mut known = vec![Known { fate, ..Known::default() }; told.tree.nodes().len()];
        if let Some(root) = known.first_mut() {
            root.fate = Fate::Unseen;
        }
        Self { told, known, steps: 0, current: None, changed: Vec::new(), is_sampling, has_windows }
    }

    /// Where the search is.
    pub(super) fn current(&self) -> Option<usize> {
        self.current
    }

    /// What has become of a node.
    pub(super) fn fate(&self, node: usize) -> Fate {
        self.known[node].fate
    }

    /// What stands below a node: its window, its value, its visits.
    pub(super) fn notes(&self, node: usize) -> Vec<String> {
        let Known { window, value, sampled, simulated, .. } = &self.known[node];
        let mut notes = Vec::new();
        notes.extend(window.map(|(alpha, beta)| format!("({}, {})", end(alpha), end(beta))));
        notes.extend(value.as_ref().map(|value| format!("= {}", values(value))));
        match (simulated, sampled) {
            (Some(result), _) => notes.push(format!("→ {}", number(*result))),
            (None, Some((visits, total))) => notes.push(format!("{} / {visits}", number(*total))),
            (None, None) => {}
        }
        notes
    }

    /// The nodes about which something changed since this was asked the last time, in order.
    pub(super) fn changed(&mut self) -> Vec<usize> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Goes on until so many steps are done. After the last the best line is marked.
    pub(super) fn advance(&mut self, steps: usize) {
        let told = self.told;
        while self.steps < steps.min(told.steps.len()) {
            self.take(&told.steps[self.steps]);
            self.steps += 1;
            if self.steps == told.steps.len() {
                for node in best_line(told) {
                    self.set(node, |known| known.fate = Fate::Best);
                }
            }
        }
    }

    fn set(&mut self, node: usize, change: impl FnOnce(&mut Known)) {
        change(&mut self.known[node]);
        self.changed.push(node);
    }

    fn go_to(&mut self, node: usize, change: impl FnOnce(&mut Known)) {
        if let Some(before) = self.current.replace(node) {
            self.set(before, |known| {
                known.fate = if known.value.is_some() { Fate::Done } else { Fate::Open };
            });
        }
        self.set(node, |known| {
            known.fate = Fate::Current;
            change(known);
        });
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Enter { node, alpha, beta } | Step::Window { node, alpha, beta, .. } => {
                let has_windows = self.has_windows;
                self.go_to(*node, |known| {
                    known.window = has_windows.then_some((*alpha, *beta));
                    known.value = None;
                });
            }
            Step::Leaf { node, values, .. } | Step::Leave { node, values } => {
                self.go_to(*node, |known| {
                    known.value = Some(values.clone());
                    known.window = None;
                });
            }
            Step::Cut { node, skipped, .. } => {
                self.go_to(*node, |_| {});
                for &child in skipped {
                    self.prune(child);
                }
            }
            Step::Select { node } => self.go_to(*node, |_| {}),
            Step::Simulate { node, value } => {
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

    fn discover(&mut self, node: usize) {
        if self.known[node].fate == Fate::Unknown {
            self.set(node, |known| known.fate = Fate::Unseen);
        }
    }

    /// Nobody will look at a node nor below it.
    fn prune(&mut self, node: usize) {
        let told = self.told;
        let mut below = vec![node];
        while let Some(node) = below.pop() {
            self.set(node, |known| *known = Known { fate: Fate::Pruned, ..Known::default() });
            below.extend(&told.tree.nodes()[node].children);
        }
    }

    /// A deeper search begins at the root and knows no values; a simulation goes on with what there is.
    fn begin_again(&mut self) {
        if let Some(before) = self.current.take() {
            self.set(before, |known| known.fate = Fate::Open);
        }
        if self.is_sampling {
            return;
        }
        for node in 0..self.known.len() {
            if self.known[node].fate != Fate::Unseen {
                self.set(node, |known| *known = Known::default());
            }
        }
    }
}

/// An end of a window as it is drawn.
fn end(bound: f64) -> String {
    match bound {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        bound => number(bound),
    }
}
