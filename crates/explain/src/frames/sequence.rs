//! A search as pictures that do not jump: one plan, made for the longest texts, and its contents after any step.

use tussle_catalog::recording::NodeKind;
use tussle_core::Scene;
use tussle_view::tree::{NodeStatus, Outline, Plan, Vertex};

use super::collapse::{CollapsedTree, SlotContent};
use super::state::{State, is_sampling};
use crate::{Explanation, NarrationLine};

/// So many nodes without others below them are readable beside each other.
pub(crate) const LEAVES: usize = 36;

/// Names behind a fold are no longer than this, and others.
const GUEST: usize = 9;
const NAME: usize = 18;

/// All pictures of a search.
pub(crate) struct FrameSequence<'a> {
    pub(crate) told: &'a Explanation,
    pub(crate) collapsed: CollapsedTree,
    pub(crate) plan: Plan,
    is_sampling: bool,
}

impl<'a> FrameSequence<'a> {
    /// Plans for the states after each of these beats.
    pub(crate) fn new(told: &'a Explanation, beats: &[NarrationLine], leaves: usize) -> Self {
        let fold = CollapsedTree::new(told, leaves);
        let plan = Plan { seats: Vec::new(), width: 0.0, height: 0.0 };
        let mut film = Self { told, collapsed: fold, plan, is_sampling: is_sampling(told) };
        let mut state = State::new(told);
        let mut fullest: Vec<Vertex> = film.vertices(&state);
        for beat in beats {
            state.advance_to(beat);
            for slot in film.changed_slots(&mut state) {
                widen(&mut fullest[slot], &film.vertex(&state, slot));
            }
        }
        film.plan = Plan::new(&fullest);
        film
    }

    /// The drawing of a state.
    pub(crate) fn scene(&self, state: &State<'_>) -> Scene {
        self.plan.scene(&self.vertices(state))
    }

    fn vertices(&self, state: &State<'_>) -> Vec<Vertex> {
        (0..self.collapsed.slots.len()).map(|slot| self.vertex(state, slot)).collect()
    }

    /// The places whose contents may have changed since this was asked the last time.
    pub(crate) fn changed_slots(&self, state: &mut State<'_>) -> Vec<usize> {
        let mut slots: Vec<usize> =
            state.changed().into_iter().map(|node| self.collapsed.slot_of[node]).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// What a place shows.
    pub(crate) fn vertex(&self, state: &State<'_>, slot: usize) -> Vertex {
        let own = &self.collapsed.slots[slot];
        let children = own.children.clone();
        let SlotContent::Node(node) = own.content else {
            let (fate, label, notes) = self.folded(state, slot);
            let (outline, edge) = (Outline::Collapsed, String::new());
            return Vertex { outline, status: fate, label, notes, edge, children };
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
            // Only trees from files have a name for the root.
            None if of_tree.name == "the root" => (String::new(), String::new()),
            Some(mv) if *mv != of_tree.name => (short(&of_tree.name, NAME), short(mv, NAME)),
            _ => (short(&of_tree.name, NAME), String::new()),
        };
        let (fate, notes) = (state.status(node), state.notes(node));
        Vertex { outline, status: fate, label, notes, edge, children }
    }

    /// What a fold says: who is behind it or, while the search is there, where.
    fn folded(&self, state: &State<'_>, slot: usize) -> (NodeStatus, String, Vec<String>) {
        if let Some(node) = state.current()
            && self.collapsed.slot_of[node] == slot
            && state.status(node) == NodeStatus::Current
        {
            let (first, name) = (self.guest(self.first_behind(node)), self.guest(node));
            let note = state.notes(node).pop();
            let steps = self.told.tree.nodes()[node].depth
                - self.told.tree.nodes()[self.first_behind(node)].depth;
            // Below its parent there is room for two lines, but not for a long one.
            let (label, notes) = match (&self.collapsed.slots[slot].content, steps) {
                (SlotContent::Below(_), _) => (format!("→ {name}"), note.into_iter().collect()),
                (_, 0) => (format!("→ {name} {}", note.unwrap_or_default()), Vec::new()),
                (_, 1) => (format!("→ {first} {name}"), Vec::new()),
                _ => (format!("→ {first} … {name}"), Vec::new()),
            };
            return (NodeStatus::Current, label.trim_end().to_owned(), notes);
        }
        let fate = self.fold_fate(state, slot);
        let (label, notes) = match self.collapsed.slots[slot].content {
            SlotContent::Pruned(count) if fate == NodeStatus::Pruned => {
                (format!("…and {count} pruned"), vec![])
            }
            SlotContent::More(count) | SlotContent::Pruned(count) => {
                (format!("…and {count} more"), vec![])
            }
            SlotContent::Below(1) => ("↓ 1".to_owned(), vec!["node".to_owned()]),
            SlotContent::Below(count) => (format!("↓ {count}"), vec!["nodes".to_owned()]),
            SlotContent::Node(_) => (String::new(), vec![]),
        };
        (fate, label, notes)
    }

    /// The first on the way to a node that is behind the same fold.
    fn first_behind(&self, mut node: usize) -> usize {
        let slot = self.collapsed.slot_of[node];
        while let Some(parent) = self.told.tree.nodes()[node].parent
            && self.collapsed.slot_of[parent] == slot
        {
            node = parent;
        }
        node
    }

    /// The name of a node behind a fold.
    fn guest(&self, node: usize) -> String {
        short(&self.told.tree.nodes()[node].name, GUEST)
    }

    /// A fold is pruned where all it was made for are, open where the search has been.
    fn fold_fate(&self, state: &State<'_>, slot: usize) -> NodeStatus {
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
            let fate = state.status(child);
            is_known |= fate != NodeStatus::Unknown;
            is_open |=
                !matches!(fate, NodeStatus::Unknown | NodeStatus::Unseen | NodeStatus::Pruned);
            all_pruned &= fate == NodeStatus::Pruned;
        }
        match () {
            () if all_pruned => NodeStatus::Pruned,
            () if is_open => NodeStatus::Open,
            () if is_known => NodeStatus::Unseen,
            () => NodeStatus::Unknown,
        }
    }
}

/// A text of at most so many letters.
fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// Makes room for what a vertex says at another time.
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
    fn where_the_search_is_can_always_be_seen() {
        let game = tussle_catalog::game("pentago-twist").unwrap();
        let budget = Limits::nodes(60);
        let told = explain(game.as_ref(), game.start().as_ref(), "mcts", &budget, 1).unwrap();
        let beats = told.narration();
        let film = FrameSequence::new(&told, &beats, LEAVES);
        let mut state = State::new(&told);
        let mut behind = 0;
        for beat in &beats[..beats.len() - 1] {
            state.advance_to(beat);
            let Some(node) = beat.node else { continue };
            assert_eq!(state.current(), Some(node), "{}", beat.text);
            let current: Vec<Vertex> = (film.vertices(&state).into_iter())
                .filter(|vertex| vertex.status == NodeStatus::Current)
                .collect();
            let [vertex] = current.as_slice() else { panic!("{} are current", current.len()) };
            if !film.collapsed.is_shown(node) {
                behind += 1;
                let name = &told.tree.nodes()[node].name;
                assert!(vertex.label.starts_with('→') && vertex.label.contains(name.as_str()));
            }
        }
        assert!(behind > 50, "most of the search is behind folds");
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
        let film = FrameSequence::new(&told, &told.narration(), LEAVES);
        assert!(film.plan.width < 6.0, "{}", film.plan.width);
    }

    #[test]
    fn nobody_is_called_pruned_before_that_is_so() {
        let game = tussle_catalog::game("tictactoe").unwrap();
        let (agent, budget) = ("alphabeta:depth=3", Limits::none());
        let told = explain(game.as_ref(), game.start().as_ref(), agent, &budget, 1).unwrap();
        let beats = told.narration();
        let film = FrameSequence::new(&told, &beats, 20);
        let mut state = State::new(&told);
        let mut before = 0;
        for beat in &beats {
            state.advance_to(beat);
            for vertex in film.vertices(&state) {
                let is_said = vertex.label.ends_with(" pruned");
                assert!(!is_said || vertex.status == NodeStatus::Pruned, "{}", beat.text);
                before += usize::from(vertex.label.ends_with(" more"));
            }
        }
        let last = film.vertices(&state);
        assert!(last.iter().any(|vertex| vertex.label.ends_with(" pruned")) && before > 0);
    }
}
