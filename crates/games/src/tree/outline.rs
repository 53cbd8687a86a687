//! Choice of the part of a tree that is shown, and its outline for the terminal.

use tussle_core::format::decimal;
use tussle_core::{Ink, Row};

use super::check::Flat;
use super::{Kind, NodeStats};

/// Maximum number of nodes of a tree that is shown completely.
const MAX_WHOLE_TREE_NODES: usize = 200;
/// Maximum number of children of the current node for which grandchildren are shown, and maximum
/// number of children in the outline.
const MAX_EXPANDED_CHILDREN: usize = 50;
/// Maximum number of ancestors shown directly above the current node, besides the root.
const MAX_SHOWN_ANCESTORS: usize = 4;
/// Maximum number of children shown for each child of the current node, and of rollouts shown for a
/// node.
const MAX_SHOWN_GRANDCHILDREN: usize = 3;

/// Content of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Node(u32),
    /// Placeholder for this many siblings.
    More(usize),
    /// Placeholder for this many levels.
    Gap(usize),
}

/// Node or placeholder of the shown part of a tree.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) content: Content,
    pub(super) children: Vec<usize>,
}

/// Shown part of a tree, as a tree of items. Item 0 is the root; parents come before their
/// children.
#[derive(Debug)]
pub(super) struct View {
    pub(super) items: Vec<Item>,
    /// Item of the current node.
    pub(super) current: usize,
}

pub(super) fn is_whole(flat: &Flat) -> bool {
    flat.vertices.len() <= MAX_WHOLE_TREE_NODES
}

impl View {
    /// Creates the view of a small tree with item i for node i. The view of a larger tree has the
    /// path from the root to the current node, at most `limit` of its children, and some of their
    /// children.
    pub(super) fn new(flat: &Flat, current: u32, limit: usize) -> Self {
        if is_whole(flat) { Self::whole(flat, current) } else { Self::around(flat, current, limit) }
    }

    fn whole(flat: &Flat, current: u32) -> Self {
        let item = |node: u32| Item {
            content: Content::Node(node),
            children: flat.children(node).map(|child| child as usize).collect(),
        };
        let items = (0..flat.vertices.len() as u32).map(item).collect();
        Self { items, current: current as usize }
    }

    fn around(flat: &Flat, current: u32, limit: usize) -> Self {
        let mut view = Self { items: Vec::new(), current: 0 };
        view.items.push(Item { content: Content::Node(0), children: Vec::new() });
        let (mut path, gap) = shown_path(flat, current);
        if gap > 0 {
            view.current = view.add(0, Content::Gap(gap));
            // The siblings of the first node after the gap are part of the gap.
            view.current = view.add(view.current, Content::Node(path.remove(0)));
        }
        for node in path {
            let above = view.current;
            let siblings = flat.children(flat.vertices[node as usize].parent);
            view.add_more(above, (node - siblings.start) as usize);
            view.current = view.add(above, Content::Node(node));
            view.add_more(above, (siblings.end - node - 1) as usize);
        }
        view.add_below(flat, current, limit);
        view
    }

    fn add_below(&mut self, flat: &Flat, current: u32, limit: usize) {
        let children = flat.children(current);
        let below =
            if children.len() > MAX_EXPANDED_CHILDREN { 0 } else { MAX_SHOWN_GRANDCHILDREN };
        for child in children.clone().take(limit) {
            let item = self.add(self.current, Content::Node(child));
            let grandchildren = flat.children(child);
            for node in grandchildren.clone().take(below) {
                let item = self.add(item, Content::Node(node));
                self.add_more(item, flat.children(node).len());
            }
            self.add_more(item, grandchildren.len().saturating_sub(below));
        }
        self.add_more(self.current, children.len().saturating_sub(limit));
    }

    fn add(&mut self, parent: usize, content: Content) -> usize {
        let item = self.items.len();
        self.items.push(Item { content, children: Vec::new() });
        self.items[parent].children.push(item);
        item
    }

    fn add_more(&mut self, parent: usize, hidden: usize) {
        if hidden > 0 {
            self.add(parent, Content::More(hidden));
        }
    }
}

/// Returns the shown nodes on the path from the root (excluded) to a node, and the number of levels
/// left out before the first of them.
fn shown_path(flat: &Flat, node: u32) -> (Vec<u32>, usize) {
    let up = |&node: &u32| Some(flat.vertices[node as usize].parent);
    let mut path: Vec<u32> =
        std::iter::successors(Some(node), up).take_while(|&node| node != 0).collect();
    let gap = path.len().saturating_sub(MAX_SHOWN_ANCESTORS + 1);
    path.truncate(MAX_SHOWN_ANCESTORS + 1);
    path.reverse();
    (path, gap)
}

/// Returns the outline of the tree around a node, with one row per item.
pub(super) fn rows(flat: &Flat, current: u32) -> Vec<Row> {
    let view = View::new(flat, current, MAX_EXPANDED_CHILDREN);
    let mut rows = Vec::with_capacity(view.items.len());
    // Stack of items to write, each with the branch characters before it and before its children.
    let mut todo = vec![(0, String::new(), String::new())];
    while let Some((item, lead, indent)) = todo.pop() {
        rows.push(row(flat, &view, item, lead));
        let children = &view.items[item].children;
        for (i, &child) in children.iter().enumerate().rev() {
            let last = i + 1 == children.len();
            let (fork, bar) = if last { ("└── ", "    ") } else { ("├── ", "│   ") };
            todo.push((child, format!("{indent}{fork}"), format!("{indent}{bar}")));
        }
    }
    rows
}

fn row(flat: &Flat, view: &View, item: usize, lead: String) -> Row {
    let mut row = Row::default();
    row.push(Ink::Faint, lead);
    let node = match view.items[item].content {
        Content::Node(node) => node,
        Content::More(hidden) => {
            row.push(Ink::Faint, format!("… {hidden} more"));
            return row;
        }
        Content::Gap(levels) => {
            row.push(Ink::Faint, format!("… {levels} levels"));
            return row;
        }
    };
    let here = item == view.current;
    if let Some(edge) = edge_text(flat, node) {
        row.push(Ink::Text, format!("{edge}: "));
    }
    let ink = if here { Ink::Accent } else { ink(flat.vertices[node as usize].kind) };
    row.push(ink, &*flat.names[node as usize]);
    match flat.vertices[node as usize].kind {
        Kind::Max => row.push(Ink::Faint, "  max"),
        Kind::Min => row.push(Ink::Faint, "  min"),
        Kind::Player(k) => row.push(Ink::Faint, format!("  player {k}")),
        Kind::Chance => row.push(Ink::Faint, "  chance"),
        Kind::Leaf => {}
    }
    if let Some(values) = values_text(flat, node) {
        row.push(Ink::Text, format!("  {values}"));
    }
    if let Some(stats) = stats_text(flat, node) {
        row.push(Ink::Text, format!("  {stats}"));
    }
    if let Some(rollouts) = flat.rollouts.get(&node) {
        let texts: Vec<String> =
            rollouts.iter().take(MAX_SHOWN_GRANDCHILDREN).map(|&x| number(x)).collect();
        let rest = if rollouts.len() > MAX_SHOWN_GRANDCHILDREN { ", …" } else { "" };
        row.push(Ink::Faint, format!("  rollouts {}{rest}", texts.join(", ")));
    }
    if here {
        row.push(Ink::Accent, "  ◀");
    }
    row
}

/// Returns the colour of the player who moves at a node.
pub(super) fn ink(kind: Kind) -> Ink {
    match kind {
        Kind::Max => Ink::Player(0),
        Kind::Min => Ink::Player(1),
        Kind::Player(k) => Ink::Player(k as u8 - 1),
        Kind::Chance | Kind::Leaf => Ink::Text,
    }
}

/// Returns the text of the edge into a node: the text of the move, if it is not the name of the
/// node, and its probability.
pub(super) fn edge_text(flat: &Flat, node: u32) -> Option<String> {
    let vertex = &flat.vertices[node as usize];
    let by_chance = node != 0 && flat.vertices[vertex.parent as usize].kind == Kind::Chance;
    let chance = by_chance.then(|| number(vertex.probability));
    match (flat.own_label(node), chance) {
        (None, None) => None,
        (None, Some(p)) => Some(p),
        (Some(label), None) => Some(label.to_owned()),
        (Some(label), Some(p)) => Some(format!("{label} {p}")),
    }
}

/// Returns the values in the definition of a node.
pub(super) fn values_text(flat: &Flat, node: u32) -> Option<String> {
    let node = node as usize;
    let values = &flat.values[node * flat.width..][..flat.width];
    let texts: Vec<String> = values.iter().map(|&x| number(x)).collect();
    flat.valued[node].then(|| texts.join(", "))
}

/// Returns the wins and visits in the definition of a node.
pub(super) fn stats_text(flat: &Flat, node: u32) -> Option<String> {
    Some(match flat.stats.get(&node)? {
        NodeStats::Known { wins, visits } => format!("{}/{visits}", number(*wins)),
        NodeStats::Asked => "?/?".to_owned(),
    })
}

/// Formats a number with at most three decimals, or in scientific notation if it is huge or tiny.
fn number(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e7).contains(&x.abs()) {
        return format!("{x:.2e}");
    }
    decimal(x, 3)
}
