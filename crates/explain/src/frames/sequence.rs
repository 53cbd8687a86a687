//! Frame sequence of a search: a fixed layout with room for the longest texts, and its contents after every step.

use tussle_catalog::recording::NodeKind;
use tussle_core::Scene;
use tussle_view::tree::{NodeStatus, Outline, Plan, Vertex};

use super::collapse::{CollapsedTree, SlotContent};
use super::state::{State, is_sampling};
use crate::{Explanation, NarrationLine};

/// Maximum number of leaves of a readable picture.
pub(crate) const LEAVES: usize = 36;

/// Maximum number of letters of a name in a placeholder.
const MAX_PLACEHOLDER_LETTERS: usize = 9;
/// Maximum number of letters of other names.
const MAX_NAME_LETTERS: usize = 18;

/// Frames of one search with a fixed layout.
pub(crate) struct FrameSequence<'a> {
    pub(crate) told: &'a Explanation,
    pub(crate) collapsed: CollapsedTree,
    pub(crate) plan: Plan,
    is_sampling: bool,
}

impl<'a> FrameSequence<'a> {
    /// Creates the layout for the states after each of these lines.
    pub(crate) fn new(told: &'a Explanation, lines: &[NarrationLine], leaves: usize) -> Self {
        let collapsed = CollapsedTree::new(told, leaves);
        let plan = Plan { nodes: Vec::new(), width: 0.0, height: 0.0 };
        let mut sequence = Self { told, collapsed, plan, is_sampling: is_sampling(told) };
        let mut state = State::new(told);
        let mut fullest: Vec<Vertex> = sequence.vertices(&state);
        for line in lines {
            state.advance_to(line);
            for slot in sequence.changed_slots(&mut state) {
                widen(&mut fullest[slot], &sequence.vertex(&state, slot));
            }
        }
        sequence.plan = Plan::new(&fullest);
        sequence
    }

    /// Draws a state.
    pub(crate) fn scene(&self, state: &State<'_>) -> Scene {
        self.plan.scene(&self.vertices(state))
    }

    fn vertices(&self, state: &State<'_>) -> Vec<Vertex> {
        (0..self.collapsed.slots.len()).map(|slot| self.vertex(state, slot)).collect()
    }

    /// Returns the slots whose contents may have changed since the last call.
    pub(crate) fn changed_slots(&self, state: &mut State<'_>) -> Vec<usize> {
        let mut slots: Vec<usize> =
            state.changed().into_iter().map(|node| self.collapsed.slot_of[node]).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Returns the vertex of a slot.
    pub(crate) fn vertex(&self, state: &State<'_>, slot: usize) -> Vertex {
        let own = &self.collapsed.slots[slot];
        let children = own.children.clone();
        let SlotContent::Node(node) = own.content else {
            let (status, label, notes) = self.placeholder(state, slot);
            let (outline, edge) = (Outline::Collapsed, String::new());
            return Vertex { outline, status, label, notes, edge, children };
        };
        let of_tree = &self.told.tree.nodes()[node];
        let outline = match of_tree.kind {
            NodeKind::Max => Outline::Max,
            NodeKind::Min => Outline::Min,
            NodeKind::Chance => Outline::Chance,
            NodeKind::Player(player) => Outline::Player(player as u8),
            NodeKind::End => Outline::Leaf,
        };
        let (label, edge) = match &of_tree.mv {
            // Only tree files have a name for the root.
            None if of_tree.name == "the root" => (String::new(), String::new()),
            Some(mv) if *mv != of_tree.name => {
                (short(&of_tree.name, MAX_NAME_LETTERS), short(mv, MAX_NAME_LETTERS))
            }
            _ => (short(&of_tree.name, MAX_NAME_LETTERS), String::new()),
        };
        let (status, notes) = (state.status(node), state.notes(node));
        Vertex { outline, status, label, notes, edge, children }
    }

    /// Returns the status and the texts of a placeholder. While the search is in its subtree, they show the current node.
    fn placeholder(&self, state: &State<'_>, slot: usize) -> (NodeStatus, String, Vec<String>) {
        if let Some(node) = state.current()
            && self.collapsed.slot_of[node] == slot
            && state.status(node) == NodeStatus::Current
        {
            let (first, name) = (self.guest(self.first_behind(node)), self.guest(node));
            let note = state.notes(node).pop();
            let steps = self.told.tree.nodes()[node].depth
                - self.told.tree.nodes()[self.first_behind(node)].depth;
            // There is room for two short lines below the parent.
            let (label, notes) = match (&self.collapsed.slots[slot].content, steps) {
                (SlotContent::Below(_), _) => (format!("→ {name}"), note.into_iter().collect()),
                (_, 0) => (format!("→ {name} {}", note.unwrap_or_default()), Vec::new()),
                (_, 1) => (format!("→ {first} {name}"), Vec::new()),
                _ => (format!("→ {first} … {name}"), Vec::new()),
            };
            return (NodeStatus::Current, label.trim_end().to_owned(), notes);
        }
        let status = self.collapsed_status(state, slot);
        let (label, notes) = match self.collapsed.slots[slot].content {
            SlotContent::Pruned(count) if status == NodeStatus::Pruned => {
                (format!("…and {count} pruned"), vec![])
            }
            SlotContent::More(count) | SlotContent::Pruned(count) => {
                (format!("…and {count} more"), vec![])
            }
            SlotContent::Below(1) => ("↓ 1".to_owned(), vec!["node".to_owned()]),
            SlotContent::Below(count) => (format!("↓ {count}"), vec!["nodes".to_owned()]),
            SlotContent::Node(_) => (String::new(), vec![]),
        };
        (status, label, notes)
    }

    /// Returns the first node on the path to this one that has the same placeholder.
    fn first_behind(&self, mut node: usize) -> usize {
        let slot = self.collapsed.slot_of[node];
        while let Some(parent) = self.told.tree.nodes()[node].parent
            && self.collapsed.slot_of[parent] == slot
        {
            node = parent;
        }
        node
    }

    /// Returns the name of a node in a collapsed subtree.
    fn guest(&self, node: usize) -> String {
        short(&self.told.tree.nodes()[node].name, MAX_PLACEHOLDER_LETTERS)
    }

    /// Returns the status of a placeholder: pruned if all of its nodes are, open if the search has visited one.
    fn collapsed_status(&self, state: &State<'_>, slot: usize) -> NodeStatus {
        let own = &self.collapsed.slots[slot];
        let Some(SlotContent::Node(parent)) =
            own.parent.map(|parent| self.collapsed.slots[parent].content.clone())
        else {
            return NodeStatus::Unseen;
        };
        let nodes = self.told.tree.nodes();
        let behind =
            nodes[parent].children.iter().filter(|&&child| self.collapsed.slot_of[child] == slot);
        let (mut is_known, mut is_open, mut all_pruned) = (!self.is_sampling, false, true);
        for &child in behind {
            let status = state.status(child);
            is_known |= status != NodeStatus::Unknown;
            is_open |=
                !matches!(status, NodeStatus::Unknown | NodeStatus::Unseen | NodeStatus::Pruned);
            all_pruned &= status == NodeStatus::Pruned;
        }
        match () {
            () if all_pruned => NodeStatus::Pruned,
            () if is_open => NodeStatus::Open,
            () if is_known => NodeStatus::Unseen,
            () => NodeStatus::Unknown,
        }
    }
}

/// Shortens a text to `most` letters.
fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// Enlarges a vertex so that it has room for the texts of another one.
pub(crate) fn widen(room: &mut Vertex, other: &Vertex) {
    let is_longer = |new: &str, old: &str| new.chars().count() > old.chars().count();
    if is_longer(&other.label, &room.label) {
        room.label.clone_from(&other.label);
    }
    for (i, note) in other.notes.iter().enumerate() {
        match room.notes.get_mut(i) {
            None => room.notes.push(note.clone()),
            Some(old) if is_longer(note, old) => old.clone_from(note),
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain;
    use tussle_core::Limits;

    #[test]
    fn the_current_node_is_always_visible() {
        let game = tussle_catalog::game("pentago-twist").unwrap();
        let limits = Limits::nodes(60);
        let told =
            explain(game.as_ref(), game.start().as_ref(), "mcts-textbook", &limits, 1).unwrap();
        let lines = told.narration();
        let sequence = FrameSequence::new(&told, &lines, LEAVES);
        let mut state = State::new(&told);
        let mut behind = 0;
        for line in &lines[..lines.len() - 1] {
            state.advance_to(line);
            let Some(node) = line.node else { continue };
            assert_eq!(state.current(), Some(node), "{}", line.text);
            let current: Vec<Vertex> = (sequence.vertices(&state).into_iter())
                .filter(|vertex| vertex.status == NodeStatus::Current)
                .collect();
            let [vertex] = current.as_slice() else { panic!("{} are current", current.len()) };
            if !sequence.collapsed.is_shown(node) {
                behind += 1;
                let name = &told.tree.nodes()[node].name;
                assert!(vertex.label.starts_with('→') && vertex.label.contains(name.as_str()));
            }
        }
        assert!(behind > 50, "most of the search is in collapsed subtrees");
    }

    #[test]
    fn a_name_of_any_length_fits() {
        assert_eq!(short("abcd", 4), "abcd");
        assert_eq!(short("abcde", 4), "abc…");
        let long = "ü".repeat(300);
        let text =
            format!(r#"{{"root": "{long}", "nodes": {{"{long}": {{"max": ["b"]}}, "b": 1}}}}"#);
        let game = tussle_catalog::game_from_text("tree", "file", &text).unwrap();
        let start = game.start();
        let told = explain(game.as_ref(), start.as_ref(), "minimax", &Limits::none(), 1).unwrap();
        let sequence = FrameSequence::new(&told, &told.narration(), LEAVES);
        assert!(sequence.plan.width < 6.0, "{}", sequence.plan.width);
    }

    #[test]
    fn placeholders_are_pruned_only_after_the_cutoff() {
        let game = tussle_catalog::game("tictactoe").unwrap();
        let (agent, limits) = ("alphabeta-textbook:depth=3", Limits::none());
        let told = explain(game.as_ref(), game.start().as_ref(), agent, &limits, 1).unwrap();
        let lines = told.narration();
        let sequence = FrameSequence::new(&told, &lines, 20);
        let mut state = State::new(&told);
        let mut before = 0;
        for line in &lines {
            state.advance_to(line);
            for vertex in sequence.vertices(&state) {
                let is_said = vertex.label.ends_with(" pruned");
                assert!(!is_said || vertex.status == NodeStatus::Pruned, "{}", line.text);
                before += usize::from(vertex.label.ends_with(" more"));
            }
        }
        let last = sequence.vertices(&state);
        assert!(last.iter().any(|vertex| vertex.label.ends_with(" pruned")) && before > 0);
    }
}
