//! Which part of a tree is shown, and the outline of it for the terminal.

use tussle_core::format::decimal;
use tussle_core::{Ink, Row};

use super::check::Flat;
use super::{Kind, NodeStats};

/// A tree of at most this many nodes is shown whole.
const WHOLE: usize = 200;
/// A node with more children than this shows nothing below them.
const MANY: usize = 50;
/// How many nodes are shown right above the current one, besides the root.
const ABOVE: usize = 4;
/// How many children of each child of the current node are shown.
const BELOW: usize = 3;

/// Something shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Node(u32),
    /// So many nodes side by side are left out.
    More(usize),
    /// So many levels are left out.
    Gap(usize),
}

#[derive(Debug)]
pub(super) struct Item {
    pub(super) what: What,
    pub(super) kids: Vec<usize>,
}

/// The shown part of a tree, itself a tree of items. Item 0 is the root; parents stand before
/// their kids.
#[derive(Debug)]
pub(super) struct View {
    pub(super) items: Vec<Item>,
    /// The item of the current node.
    pub(super) current: usize,
}

pub(super) fn is_whole(flat: &Flat) -> bool {
    flat.vertices.len() <= WHOLE
}

impl View {
    /// The whole tree if it is small, with item i for node i. Otherwise the way from the root
    /// to the current node, at most `limit` of its children, and what is below those.
    pub(super) fn new(flat: &Flat, current: u32, limit: usize) -> Self {
        if is_whole(flat) { Self::whole(flat, current) } else { Self::around(flat, current, limit) }
    }

    fn whole(flat: &Flat, current: u32) -> Self {
        let item = |node: u32| Item {
            what: What::Node(node),
            kids: flat.children(node).map(|child| child as usize).collect(),
        };
        let items = (0..flat.vertices.len() as u32).map(item).collect();
        Self { items, current: current as usize }
    }

    fn around(flat: &Flat, current: u32, limit: usize) -> Self {
        let mut view = Self { items: Vec::new(), current: 0 };
        view.items.push(Item { what: What::Node(0), kids: Vec::new() });
        let (mut path, gap) = way_down(flat, current);
        if gap > 0 {
            view.current = view.add(0, What::Gap(gap));
            // The siblings of the first node after the gap belong to what is left out.
            view.current = view.add(view.current, What::Node(path.remove(0)));
        }
        for node in path {
            let above = view.current;
            let siblings = flat.children(flat.vertices[node as usize].parent);
            view.add_more(above, (node - siblings.start) as usize);
            view.current = view.add(above, What::Node(node));
            view.add_more(above, (siblings.end - node - 1) as usize);
        }
        view.add_below(flat, current, limit);
        view
    }

    fn add_below(&mut self, flat: &Flat, current: u32, limit: usize) {
        let children = flat.children(current);
        let below = if children.len() > MANY { 0 } else { BELOW };
        for child in children.clone().take(limit) {
            let item = self.add(self.current, What::Node(child));
            let grandchildren = flat.children(child);
            for node in grandchildren.clone().take(below) {
                let item = self.add(item, What::Node(node));
                self.add_more(item, flat.children(node).len());
            }
            self.add_more(item, grandchildren.len().saturating_sub(below));
        }
        self.add_more(self.current, children.len().saturating_sub(limit));
    }

    fn add(&mut self, parent: usize, what: What) -> usize {
        let item = self.items.len();
        self.items.push(Item { what, kids: Vec::new() });
        self.items[parent].kids.push(item);
        item
    }

    fn add_more(&mut self, parent: usize, hidden: usize) {
        if hidden > 0 {
            self.add(parent, What::More(hidden));
        }
    }
}

/// The shown nodes on the way from below the root down to this node, and how many levels
/// before the first of them are left out.
fn way_down(flat: &Flat, node: u32) -> (Vec<u32>, usize) {
    let up = |&node: &u32| Some(flat.vertices[node as usize].parent);
    let mut path: Vec<u32> =
        std::iter::successors(Some(node), up).take_while(|&node| node != 0).collect();
    let gap = path.len().saturating_sub(ABOVE + 1);
    path.truncate(ABOVE + 1);
    path.reverse();
    (path, gap)
}

/// The outline of the tree around a node, a row for each item.
pub(super) fn rows(flat: &Flat, current: u32) -> Vec<Row> {
    let view = View::new(flat, current, MANY);
    let mut rows = Vec::with_capacity(view.items.len());
    // Items to be written, the next one last, each with the branches that stand before it and
    // those that stand before its kids.
    let mut todo = vec![(0, String::new(), String::new())];
    while let Some((item, lead, indent)) = todo.pop() {
        rows.push(row(flat, &view, item, lead));
        let kids = &view.items[item].kids;
        for (i, &kid) in kids.iter().enumerate().rev() {
            let last = i + 1 == kids.len();
            let (fork, bar) = if last { ("└── ", "    ") } else { ("├── ", "│   ") };
            todo.push((kid, format!("{indent}{fork}"), format!("{indent}{bar}")));
        }
    }
    rows
}

fn row(flat: &Flat, view: &View, item: usize, lead: String) -> Row {
    let mut row = Row::default();
    row.push(Ink::Faint, lead);
    let node = match view.items[item].what {
        What::Node(node) => node,
        What::More(hidden) => {
            row.push(Ink::Faint, format!("… {hidden} more"));
            return row;
        }
        What::Gap(levels) => {
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
        let texts: Vec<String> = rollouts.iter().take(BELOW).map(|&x| number(x)).collect();
        let rest = if rollouts.len() > BELOW { ", …" } else { "" };
        row.push(Ink::Faint, format!("  rollouts {}{rest}", texts.join(", ")));
    }
    if here {
        row.push(Ink::Accent, "  ◀");
    }
    row
}

/// The colour of those who decide at a node.
pub(super) fn ink(kind: Kind) -> Ink {
    match kind {
        Kind::Max => Ink::Player(0),
        Kind::Min => Ink::Player(1),
        Kind::Player(k) => Ink::Player(k as u8 - 1),
        Kind::Chance | Kind::Leaf => Ink::Text,
    }
}

/// What is worth saying about the move into a node: its text, if it is not the node's name,
/// and how likely it is.
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

/// The values that are written at a node.
pub(super) fn values_text(flat: &Flat, node: u32) -> Option<String> {
    let node = node as usize;
    let values = &flat.worths[node * flat.width..][..flat.width];
    let texts: Vec<String> = values.iter().map(|&x| number(x)).collect();
    flat.valued[node].then(|| texts.join(", "))
}

/// The wins and visits that are written at a node.
pub(super) fn stats_text(flat: &Flat, node: u32) -> Option<String> {
    Some(match flat.stats.get(&node)? {
        NodeStats::Known { wins, visits } => format!("{}/{visits}", number(*wins)),
        NodeStats::Asked => "?/?".to_owned(),
    })
}

/// A number with at most three decimals, short even if it is huge or tiny.
fn number(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e7).contains(&x.abs()) {
        return format!("{x:.2e}");
    }
    decimal(x, 3)
}
