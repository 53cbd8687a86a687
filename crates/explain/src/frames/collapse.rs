//! Collapsed subtrees: the choice of the nodes that are shown, and placeholders for the others.
//!
//! The choice is made once for a whole search, so that nodes keep their positions in all pictures. The placeholder of
//! hidden siblings is "…and 83 more", that of a hidden subtree "↓ 412 nodes". While the search is in a collapsed
//! subtree, its placeholder shows the current node.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use tussle_catalog::recording::Step;

use crate::Explanation;

/// Content of a slot in the picture: a node, or the placeholder of a collapsed subtree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SlotContent {
    /// A node of the tree.
    Node(usize),
    /// Number of hidden children of the parent, if it also has shown ones.
    More(usize),
    /// Number of hidden children that the search pruned.
    Pruned(usize),
    /// Number of nodes below the parent, if all of them are hidden.
    Below(usize),
}

/// Position in the picture that holds a node or a placeholder.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) content: SlotContent,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
}

/// A tree with collapsed subtrees.
#[derive(Clone, Debug)]
pub(crate) struct CollapsedTree {
    /// Slots, each after its parent.
    pub(crate) slots: Vec<Slot>,
    /// Slot of every node, or of its placeholder.
    pub(crate) slot_of: Vec<usize>,
}

/// Factor of the weight from one sibling to the next.
const SIBLING_WEIGHT: f64 = 0.72;
/// Factor of the weight from one layer to the next.
const LAYER_WEIGHT: f64 = 0.5;
/// Maximum number of shown children of a node, unless all are shown.
const MAX_SHOWN_CHILDREN: usize = 9;
/// Factor of the weight of nodes that the search never entered.
const UNSEEN_WEIGHT: f64 = 0.2;
/// Factor of the weight of pruned nodes.
const PRUNED_WEIGHT: f64 = 0.05;

impl CollapsedTree {
    /// Collapses subtrees until the picture has about `leaves` leaves at most.
    pub(crate) fn new(told: &Explanation, leaves: usize) -> Self {
        let mut is_shown = shown(told, leaves);
        let nodes = told.tree.nodes();
        let sizes = sizes(told);
        let pruned = Interest::of(told).pruned;
        let mut slots =
            vec![Slot { content: SlotContent::Node(0), parent: None, children: Vec::new() }];
        let mut slot_of = vec![0; nodes.len()];
        let mut next = 0;
        while let Some(slot) = slots.get(next) {
            let SlotContent::Node(node) = slot.content else {
                next += 1;
                continue;
            };
            let add = |content: SlotContent, slots: &mut Vec<Slot>| {
                slots.push(Slot { content, parent: Some(next), children: Vec::new() });
                let number = slots.len() - 1;
                slots[next].children.push(number);
                number
            };
            let mut hidden = Vec::new();
            for &child in &nodes[node].children {
                if is_shown[child] {
                    slot_of[child] = add(SlotContent::Node(child), &mut slots);
                } else {
                    hidden.push(child);
                }
            }
            let is_bare = hidden.len() == nodes[node].children.len();
            let (cut, more): (Vec<usize>, Vec<usize>) =
                hidden.into_iter().partition(|&child| pruned[child] && !is_bare);
            for (behind, is_cut) in [(more, false), (cut, true)] {
                if behind.is_empty() {
                    continue;
                }
                // A single hidden node is shown instead of a placeholder, which would need as much room.
                if let [alone] = behind.as_slice()
                    && (!is_bare || sizes[*alone] == 1)
                {
                    is_shown[*alone] = true;
                    slot_of[*alone] = add(SlotContent::Node(*alone), &mut slots);
                    continue;
                }
                let content = match () {
                    () if is_bare => SlotContent::Below(sizes[node] - 1),
                    () if is_cut => SlotContent::Pruned(behind.len()),
                    () => SlotContent::More(behind.len()),
                };
                let slot = add(content, &mut slots);
                for child in behind {
                    slot_of[child] = slot;
                }
            }
            next += 1;
        }
        // Nodes below a hidden node share its placeholder; parents come before children.
        for node in 1..nodes.len() {
            if let Some(parent) = nodes[node].parent
                && !is_shown[parent]
            {
                slot_of[node] = slot_of[parent];
            }
        }
        Self { slots, slot_of }
    }

    /// Returns true if a node is shown.
    pub(crate) fn is_shown(&self, node: usize) -> bool {
        self.slots[self.slot_of[node]].content == SlotContent::Node(node)
    }
}

/// Returns the size of the subtree of each node.
fn sizes(told: &Explanation) -> Vec<usize> {
    let nodes = told.tree.nodes();
    let mut sizes = vec![1; nodes.len()];
    for node in (1..nodes.len()).rev() {
        if let Some(parent) = nodes[node].parent {
            sizes[parent] += sizes[node];
        }
    }
    sizes
}

/// Numbers by which nodes are chosen, counted from the steps.
struct Interest {
    /// Visits of each node.
    visits: Vec<u64>,
    /// Number of times each node changed its parent's window.
    moved: Vec<u64>,
    /// True for nodes that were pruned and never entered.
    pruned: Vec<bool>,
}

impl Interest {
    fn of(told: &Explanation) -> Self {
        let count = told.tree.nodes().len();
        let mut own =
            Self { visits: vec![0; count], moved: vec![0; count], pruned: vec![false; count] };
        for step in &told.steps {
            match step {
                Step::Enter { node, .. } | Step::Select { node } => own.visits[*node] += 1,
                Step::Window { by, .. } => own.moved[*by] += 1,
                Step::Cut { skipped, .. } => {
                    for &child in skipped {
                        own.pruned[child] = true;
                    }
                }
                _ => {}
            }
        }
        // A node that was pruned in one iteration may be visited in another.
        for (pruned, visits) in own.pruned.iter_mut().zip(&own.visits) {
            *pruned &= *visits == 0;
        }
        own
    }
}

/// A node that could be shown next.
struct Candidate {
    on_line: bool,
    weight: f64,
    node: usize,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.on_line.cmp(&other.on_line))
            .then(self.weight.total_cmp(&other.weight))
            .then(other.node.cmp(&self.node))
    }
}

/// Returns the nodes to show: the principal variation, then the children of shown nodes with the largest weights.
fn shown(told: &Explanation, leaves: usize) -> Vec<bool> {
    let nodes = told.tree.nodes();
    let mut is_shown = vec![false; nodes.len()];
    let all = nodes.iter().filter(|node| node.children.is_empty()).count();
    if all <= leaves {
        return vec![true; nodes.len()];
    }
    let interest = Interest::of(told);
    let line = told.best_line();
    let mut heap = BinaryHeap::from([Candidate { on_line: true, weight: 1.0, node: 0 }]);
    // Every shown node needs a placeholder for its children, unless all of them are shown.
    let (mut count, mut unseen) = (0, vec![0; nodes.len()]);
    while let Some(Candidate { on_line, weight, node }) = heap.pop() {
        if count >= leaves && !on_line {
            continue;
        }
        is_shown[node] = true;
        count += 1; // itself, or the placeholder below it
        if let Some(parent) = nodes[node].parent {
            unseen[parent] -= 1;
            if unseen[parent] == 0 {
                count -= 1; // the placeholder is not needed any more
            }
        }
        unseen[node] = nodes[node].children.len();
        let mut children: Vec<usize> = nodes[node].children.clone();
        let rank = |&child: &usize| {
            let (visits, moved) = (interest.visits[child], interest.moved[child]);
            (!line.contains(&child), u64::MAX - moved.min(1), u64::MAX - visits)
        };
        children.sort_by_key(rank);
        let mut weight = LAYER_WEIGHT * weight;
        for child in children.into_iter().take(MAX_SHOWN_CHILDREN) {
            let part = match () {
                () if interest.pruned[child] => PRUNED_WEIGHT,
                () if interest.visits[child] == 0 => UNSEEN_WEIGHT,
                () => 1.0,
            };
            let on_line = line.contains(&child);
            heap.push(Candidate { on_line, weight: part * weight, node: child });
            weight *= SIBLING_WEIGHT;
        }
    }
    is_shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain;
    use tussle_core::Limits;

    fn told(game: &str, agent: &str, limits: &Limits) -> Explanation {
        let game = tussle_catalog::game(game).unwrap();
        explain(game.as_ref(), game.start().as_ref(), agent, limits, 1).unwrap()
    }

    fn shown(tree: &CollapsedTree) -> Vec<usize> {
        let node = |slot: &Slot| match slot.content {
            SlotContent::Node(node) => Some(node),
            _ => None,
        };
        tree.slots.iter().filter_map(node).collect()
    }

    /// Asserts that every node has exactly one slot, and that the counts are correct.
    fn check(told: &Explanation, leaves: usize) -> CollapsedTree {
        let tree = CollapsedTree::new(told, leaves);
        let nodes = told.tree.nodes();
        let mut behind = vec![0; tree.slots.len()];
        let mut children = vec![0; tree.slots.len()];
        for (node, &slot) in tree.slot_of.iter().enumerate() {
            behind[slot] += 1;
            let parent = nodes[node].parent;
            if let SlotContent::Node(shown) = tree.slots[slot].content {
                assert_eq!(shown, node);
            } else {
                let above = tree.slot_of[parent.unwrap()];
                assert!(above == slot || tree.slots[slot].parent == Some(above));
                children[slot] += usize::from(above != slot);
            }
        }
        for (slot, own) in tree.slots.iter().enumerate() {
            match own.content {
                SlotContent::Node(_) => assert_eq!(behind[slot], 1),
                SlotContent::More(count) | SlotContent::Pruned(count) => {
                    assert_eq!(children[slot], count);
                }
                SlotContent::Below(count) => assert_eq!(behind[slot], count),
            }
        }
        for node in told.best_line() {
            assert!(tree.is_shown(node), "the best line is always there");
        }
        tree
    }

    #[test]
    fn a_small_tree_is_not_collapsed() {
        let told = told("tictactoe", "mcts-textbook", &Limits::nodes(3));
        assert_eq!(check(&told, 36).slots.len(), told.tree.nodes().len());
    }

    #[test]
    fn a_wide_tree_stays_readable() {
        let told = told("pentago-twist", "mcts-textbook", &Limits::nodes(60));
        assert!(told.tree.nodes().len() > 1000);
        let tree = check(&told, 36);
        assert!((20..90).contains(&tree.slots.len()), "{}", tree.slots.len());
        let more = &tree.slots[*tree.slots[0].children.last().unwrap()].content;
        let root = tree.slots[0].children.len() - 1;
        assert!(root <= MAX_SHOWN_CHILDREN + 1);
        assert_eq!(*more, SlotContent::More(told.tree.nodes()[0].children.len() - root));
    }

    #[test]
    fn the_most_visited_nodes_are_shown() {
        let told = told("connect4", "mcts-textbook", &Limits::nodes(300));
        let tree = check(&told, 20);
        let visits = Interest::of(&told).visits;
        let root = &told.tree.nodes()[0].children;
        let favourite = root.iter().max_by_key(|&&child| visits[child]).unwrap();
        assert!(shown(&tree).contains(favourite));
    }

    #[test]
    fn placeholders_count_pruned_children() {
        let told = told("tictactoe", "alphabeta-textbook:depth=3", &Limits::none());
        let tree = check(&told, 20);
        assert!(tree.slots.iter().any(|slot| matches!(slot.content, SlotContent::Pruned(_))));
        assert!(tree.slots.iter().any(|slot| matches!(slot.content, SlotContent::Below(_))));
    }

    #[test]
    fn no_placeholder_hides_a_single_node() {
        for (game, agent, limits) in [
            ("connect4", "mcts-textbook", Limits::nodes(300)),
            ("tictactoe", "alphabeta-textbook:depth=3", Limits::none()),
            ("gobblet", "alphabeta-textbook:depth=2", Limits::none()),
        ] {
            let tree = check(&told(game, agent, &limits), 20);
            let is_alone = |slot: &Slot| {
                matches!(
                    slot.content,
                    SlotContent::More(1) | SlotContent::Pruned(1) | SlotContent::Below(1)
                )
            };
            assert!(!tree.slots.iter().any(is_alone), "{game}");
        }
    }
}
