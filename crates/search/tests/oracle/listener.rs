//! Checks of the events of a classical search.

use tussle_core::{CutReason, Event, EventSink, LeafKind, Value};

/// Node that was entered and not left yet.
#[derive(Clone, Debug)]
struct Open {
    /// Values of the children for the first player.
    children: Vec<f64>,
    window: [f64; 2],
    leaf: Option<f64>,
    is_cut: bool,
}

/// Observer that counts events and checks that they are nested and consistent.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    open: Vec<Open>,
    pub(crate) iterations: Vec<u32>,
    pub(crate) nodes: u64,
    pub(crate) ends: u64,
    pub(crate) evaluations: u64,
    pub(crate) table_hits: u64,
    pub(crate) cuts: u64,
    pub(crate) pruned: u64,
    pub(crate) reasons: Vec<CutReason>,
    /// Root moves in the order in which they were entered, in the latest iteration.
    pub(crate) entered: Vec<u16>,
    /// Value of the root, once it was left.
    pub(crate) root: Option<f64>,
    /// Number of inner nodes whose window is not full.
    pub(crate) windows: u64,
    /// True if a node may be worth its own evaluation instead of a child's value.
    pub(crate) stands_pat: bool,
}

impl EventSink<u16> for Listener {
    fn take(&mut self, event: Event<'_, u16>) {
        match event {
            Event::Iteration(depth) => {
                assert!(self.open.is_empty());
                self.iterations.push(depth);
                self.entered.clear();
            }
            Event::Enter { mv, alpha, beta } => {
                assert_eq!(mv.is_none(), self.open.is_empty());
                if self.open.len() == 1 {
                    self.entered.extend(mv);
                }
                self.nodes += 1;
                let window = [number(alpha), number(beta)];
                assert!(window[0] < window[1], "{alpha:?} {beta:?}");
                let is_full = window == [f64::NEG_INFINITY, f64::INFINITY];
                self.windows += u64::from(!is_full && self.open.len() > 1);
                let children = Vec::new();
                self.open.push(Open { children, window, leaf: None, is_cut: false });
            }
            Event::Leaf { values, kind } => {
                match kind {
                    LeafKind::End => self.ends += 1,
                    LeafKind::Table => self.table_hits += 1,
                    _ => self.evaluations += 1,
                }
                let node = self.open.last_mut().expect("an open node");
                assert!(node.children.is_empty() && node.leaf.is_none());
                node.leaf = Some(number(values[0]));
            }
            Event::Window { alpha, beta, .. } => {
                let node = self.open.last_mut().expect("an open node");
                let window = [number(alpha), number(beta)];
                // A window only shrinks, by the value of the latest child.
                assert!(window[0] >= node.window[0] && window[1] <= node.window[1]);
                assert_ne!(window, node.window);
                let is_a_child = node.children.iter().any(|child| window.contains(child));
                assert!(is_a_child, "{window:?} of {:?}", node.children);
                node.window = window;
            }
            Event::Cut { reason, skipped } => {
                let node = self.open.last_mut().expect("an open node");
                assert!(!skipped.is_empty() && !node.is_cut);
                node.is_cut = true;
                self.cuts += 1;
                self.pruned += skipped.len() as u64;
                if !self.reasons.contains(&reason) {
                    self.reasons.push(reason);
                }
                let last = *node.children.last().expect("a child");
                // The window is also limited by the soonest possible win and loss.
                let is_over = match reason {
                    CutReason::Beta => last >= node.window[1],
                    CutReason::Alpha => last <= node.window[0],
                    _ => true,
                };
                assert!(is_over || last.abs() > 5e5, "{last} {node:?}");
            }
            Event::Leave { values } => {
                let node = self.open.pop().expect("an open node");
                let value = number(values[0]);
                match self.open.last_mut() {
                    Some(above) => above.children.push(value),
                    None => self.root = Some(value),
                }
                if let Some(leaf) = node.leaf {
                    assert_eq!(leaf, value);
                } else if node.children.is_empty() {
                    // The node was left because no line through it wins or loses sooner than another line.
                    assert!(value.abs() > 5e5, "{value}");
                } else if !self.is_averaging() && !self.stands_pat {
                    assert!(node.children.contains(&value), "{value} of {:?}", node.children);
                }
            }
            _ => {}
        }
    }
}

impl Listener {
    /// True while the values of nodes need not be those of children.
    fn is_averaging(&self) -> bool {
        self.reasons.contains(&CutReason::Chance) || self.reasons.contains(&CutReason::Shallow)
    }

    /// Asserts that all nodes were left, and that the counts are those of a report.
    pub(crate) fn assert_counts(&self, stats: &tussle_core::SearchStats, what: &str) {
        assert!(self.open.is_empty(), "{what}");
        assert_eq!(self.nodes, stats.nodes, "{what}: nodes");
        assert_eq!(self.ends + self.evaluations, stats.leaves, "{what}: leaves");
        assert_eq!(self.table_hits, stats.table_hits, "{what}: table hits");
        assert_eq!((self.cuts, self.pruned), (stats.cutoffs, stats.pruned), "{what}: cuts");
    }
}

/// Returns a number that orders values as the search does, with wins above all evaluations.
pub(crate) fn number(value: Value) -> f64 {
    use tussle_core::Outcome::{Loss, Win};
    if value.unit() == tussle_core::Unit::Points {
        return value.number();
    }
    match (value.outcome(), value.distance()) {
        (Some(Win), Some(plies)) => 1e6 - f64::from(plies) + (value.number() - 1.0) * 1e9,
        (Some(Loss), Some(plies)) => f64::from(plies) - 1e6 + (value.number() + 1.0) * 1e9,
        _ => value.number(),
    }
}
