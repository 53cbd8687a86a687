//! Which nodes of a tree are shown, and who stands for the others.
//!
//! The choice is made once for a whole search, so that pictures of its steps do not jump. What is not shown is
//! behind a fold: "…and 83 more" beside the siblings that are shown, "↓ 412 nodes" where nothing below a node is.
//! While the search is behind a fold, the fold says where.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::best_line;
use super::{Explanation, Step};

/// What one place of a folded tree shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// A node.
    Node(usize),
    /// So many children of the parent, of whom some are shown.
    More(usize),
    /// So many that are pruned in the end.
    Pruned(usize),
    /// So many nodes below the parent, of whom none is shown.
    Below(usize),
}

/// One place.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) shows: Shows,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
}

/// A tree, folded.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    /// The places, each after its parent.
    pub(super) slots: Vec<Slot>,
    /// For every node the place that shows it or stands for it.
    pub(super) slot_of: Vec<usize>,
}

/// How much less each next sibling matters, and each layer.
const SIBLING: f64 = 0.72;
const LAYER: f64 = 0.5;
/// Where not all children are shown, no more than this.
const WIDEST: usize = 9;
/// How much less those matter that the search never entered, and those it pruned.
const UNSEEN: f64 = 0.2;
const PRUNED: f64 = 0.05;

impl Fold {
    /// Folds a tree until no more than about `leaves` of what is shown have nothing below them.
    pub(super) fn new(told: &Explanation, leaves: usize) -> Self {
        let mut is_shown = shown(told, leaves);
        let nodes = told.tree.nodes();
        let sizes = sizes(told);
        let pruned = Interest::of(told).pruned;
        let mut slots = vec![Slot { shows: Shows::Node(0), parent: None, children: Vec::new() }];
        let mut slot_of = vec![0; nodes.len()];
        let mut next = 0;
        while let Some(slot) = slots.get(next) {
            let Shows::Node(node) = slot.shows else {
                next += 1;
                continue;
            };
            let add = |shows: Shows, slots: &mut Vec<Slot>| {
                slots.push(Slot { shows, parent: Some(next), children: Vec::new() });
                let number = slots.len() - 1;
                slots[next].children.push(number);
                number
            };
            let mut hidden = Vec::new();
            for &child in &nodes[node].children {
                if is_shown[child] {
                    slot_of[child] = add(Shows::Node(child), &mut slots);
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
                // A fold for one alone takes the room of that one.
                if let [alone] = behind.as_slice()
                    && (!is_bare || sizes[*alone] == 1)
                {
                    is_shown[*alone] = true;
                    slot_of[*alone] = add(Shows::Node(*alone), &mut slots);
                    continue;
                }
                let shows = match () {
                    () if is_bare => Shows::Below(sizes[node] - 1),
                    () if is_cut => Shows::Pruned(behind.len()),
                    () => Shows::More(behind.len()),
                };
                let slot = add(shows, &mut slots);
                for child in behind {
                    slot_of[child] = slot;
                }
            }
            next += 1;
        }
        // Who is below a hidden node is behind the same fold; parents come before children.
        for node in 1..nodes.len() {
            if let Some(parent) = nodes[node].parent
                && !is_shown[parent]
            {
                slot_of[node] = slot_of[parent];
            }
        }
        Self { slots, slot_of }
    }

    /// Whether a node is shown itself.
    pub(super) fn is_shown(&self, node: usize) -> bool {
        self.slots[self.slot_of[node]].shows == Shows::Node(node)
    }
}

/// How many nodes there are at and below each.
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

/// What the steps say about who matters.
struct Interest {
    /// How often the search was there.
    visits: Vec<u64>,
    /// How often it moved its parent's window.
    moved: Vec<u64>,
    /// Whether it was pruned, and never entered.
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
        // A cut in one iteration is not the last word.
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

/// The nodes to show: the best line, and then whoever matters most among the children of those shown.
fn shown(told: &Explanation, leaves: usize) -> Vec<bool> {
    let nodes = told.tree.nodes();
    let mut is_shown = vec![false; nodes.len()];
    let all = nodes.iter().filter(|node| node.children.is_empty()).count();
    if all <= leaves {
        return vec![true; nodes.len()];
    }
    let interest = Interest::of(told);
    let line = best_line(told);
    let mut heap = BinaryHeap::from([Candidate { on_line: true, weight: 1.0, node: 0 }]);
    // Every node that is opened leaves a fold behind, unless all its children are shown.
    let (mut count, mut unseen) = (0, vec![0; nodes.len()]);
    while let Some(Candidate { on_line, weight, node }) = heap.pop() {
        if count >= leaves && !on_line {
            continue;
        }
        is_shown[node] = true;
        count += 1; // itself, or the fold below it
        if let Some(parent) = nodes[node].parent {
            unseen[parent] -= 1;
            if unseen[parent] == 0 {
                count -= 1; // no fold any more
            }
        }
        unseen[node] = nodes[node].children.len();
        let mut children: Vec<usize> = nodes[node].children.clone();
        let rank = |&child: &usize| {
            let (visits, moved) = (interest.visits[child], interest.moved[child]);
            (!line.contains(&child), u64::MAX - moved.min(1), u64::MAX - visits)
        };
        children.sort_by_key(rank);
        let mut weight = LAYER * weight;
        for child in children.into_iter().take(WIDEST) {
            let part = match () {
                () if interest.pruned[child] => PRUNED,
                () if interest.visits[child] == 0 => UNSEEN,
                () => 1.0,
            };
            let on_line = line.contains(&child);
            heap.push(Candidate { on_line, weight: part * weight, node: child });
            weight *= SIBLING;
        }
    }
    is_shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::explain;
    use tussle_core::Limits;

    fn told(game: &str, agent: &str, budget: &Limits) -> Explanation {
        let game = tussle_catalog::game(game).unwrap();
        explain(game.as_ref(), game.start().as_ref(), agent, budget, 1).unwrap()
    }

    fn shown(fold: &Fold) -> Vec<usize> {
        let node = |slot: &Slot| match slot.shows {
            Shows::Node(node) => Some(node),
            _ => None,
        };
        fold.slots.iter().filter_map(node).collect()
    }

    /// Everybody is shown or stood for exactly once, and the counts are right.
    fn check(told: &Explanation, leaves: usize) -> Fold {
        let fold = Fold::new(told, leaves);
        let nodes = told.tree.nodes();
        let mut behind = vec![0; fold.slots.len()];
        let mut children = vec![0; fold.slots.len()];
        for (node, &slot) in fold.slot_of.iter().enumerate() {
            behind[slot] += 1;
            let parent = nodes[node].parent;
            if let Shows::Node(shown) = fold.slots[slot].shows {
                assert_eq!(shown, node);
            } else {
                let above = fold.slot_of[parent.unwrap()];
                assert!(above == slot || fold.slots[slot].parent == Some(above));
                children[slot] += usize::from(above != slot);
            }
        }
        for (slot, own) in fold.slots.iter().enumerate() {
            match own.shows {
                Shows::Node(_) => assert_eq!(behind[slot], 1),
                Shows::More(count) | Shows::Pruned(count) => assert_eq!(children[slot], count),
                Shows::Below(count) => assert_eq!(behind[slot], count),
            }
        }
        for node in best_line(told) {
            assert!(fold.is_shown(node), "the best line is always there");
        }
        fold
    }

    #[test]
    fn a_small_tree_is_not_folded() {
        let told = told("tictactoe", "mcts", &Limits::nodes(3));
        assert_eq!(check(&told, 36).slots.len(), told.tree.nodes().len());
    }

    #[test]
    fn a_wide_tree_stays_readable() {
        let told = told("pentago-twist", "mcts", &Limits::nodes(60));
        assert!(told.tree.nodes().len() > 1000);
        let fold = check(&told, 36);
        assert!((20..90).contains(&fold.slots.len()), "{}", fold.slots.len());
        let more = &fold.slots[*fold.slots[0].children.last().unwrap()].shows;
        let root = fold.slots[0].children.len() - 1;
        assert!(root <= WIDEST + 1);
        assert_eq!(*more, Shows::More(told.tree.nodes()[0].children.len() - root));
    }

    #[test]
    fn who_is_visited_most_is_shown() {
        let told = told("connect4", "mcts", &Limits::nodes(300));
        let fold = check(&told, 20);
        let visits = Interest::of(&told).visits;
        let root = &told.tree.nodes()[0].children;
        let favourite = root.iter().max_by_key(|&&child| visits[child]).unwrap();
        assert!(shown(&fold).contains(favourite));
    }

    #[test]
    fn those_who_are_pruned_are_counted() {
        let told = told("tictactoe", "alphabeta:depth=3", &Limits::none());
        let fold = check(&told, 20);
        assert!(fold.slots.iter().any(|slot| matches!(slot.shows, Shows::Pruned(_))));
        assert!(fold.slots.iter().any(|slot| matches!(slot.shows, Shows::Below(_))));
    }

    #[test]
    fn nobody_is_hidden_alone() {
        for (game, agent, budget) in [
            ("connect4", "mcts", Limits::nodes(300)),
            ("tictactoe", "alphabeta:depth=3", Limits::none()),
            ("gobblet", "alphabeta:depth=2", Limits::none()),
        ] {
            let fold = check(&told(game, agent, &budget), 20);
            let is_alone = |slot: &Slot| {
                matches!(slot.shows, Shows::More(1) | Shows::Pruned(1) | Shows::Below(1))
            };
            assert!(!fold.slots.iter().any(is_alone), "{game}");
        }
    }
}
