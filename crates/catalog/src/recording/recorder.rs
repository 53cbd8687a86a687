//! The recorder: converts the events of a typed search to nodes and steps.

use std::collections::HashMap;

use tussle_core::{Event, EventSink, Game, Turn};

use super::{ChildWeight, Node, NodeKind, Recording, Step};
use crate::erased::Rules;

/// Maximum number of recorded nodes, per step that may be kept. Monte Carlo tree search lists far more nodes than it
/// visits in a game with hundreds of moves.
const MAX_NODES_PER_STEP: usize = 5;
/// Maximum number of recorded weights of children, per step that may be kept.
const MAX_WEIGHTS_PER_STEP: usize = 10;

/// Node on the path from the root to the current node.
struct Frame<G: Game + 'static> {
    node: usize,
    state: G::State,
    /// Probabilities of the moves by an opponent model; empty without one.
    odds: Vec<(G::Move, f64)>,
}

/// Observer that converts events to nodes and steps.
pub(crate) struct Recorder<'a, G: Game + 'static> {
    rules: &'a Rules<G>,
    root: &'a G::State,
    recording: &'a mut Recording,
    /// Path from the root to the current node; empty before the search enters the root.
    path: Vec<Frame<G>>,
    /// Numbers of children, by parent and move.
    numbers: HashMap<(usize, G::Move), usize>,
    /// Children of the current node that selection has compared so far.
    weighed: Vec<ChildWeight>,
    /// Number of weights in all steps.
    weights: usize,
    /// Number of nodes of the path to which the result of the simulation is not yet backed up.
    to_back_up: usize,
}

impl<'a, G: Game + 'static> Recorder<'a, G> {
    /// Creates a recorder of a search from this root. Clears the recording.
    pub(crate) fn new(
        rules: &'a Rules<G>,
        root: &'a G::State,
        recording: &'a mut Recording,
    ) -> Self {
        *recording = Recording::new(recording.max_steps);
        recording.tree.players = rules.game.players();
        recording.tree.has_names = rules.capabilities.tree_file.is_some();
        let recorder = Self {
            rules,
            root,
            recording,
            path: Vec::new(),
            numbers: HashMap::new(),
            weighed: Vec::new(),
            weights: 0,
            to_back_up: 0,
        };
        let node = recorder.node(root, None);
        recorder.recording.tree.nodes.push(node);
        recorder
    }

    /// Returns the number and the state of the current node.
    fn here(&self) -> (usize, &G::State) {
        self.path.last().map_or((0, self.root), |frame| (frame.node, &frame.state))
    }

    /// Creates the node of a state, without parent and children.
    fn node(&self, state: &G::State, mv: Option<String>) -> Node {
        let game = &self.rules.game;
        let tree = &self.recording.tree;
        let turn = game.turn(state);
        let kind = match turn {
            Turn::Over => NodeKind::End,
            Turn::Chance => NodeKind::Chance,
            Turn::Player(player) if tree.players > 2 => NodeKind::Player(player),
            Turn::Player(0) => NodeKind::Max,
            Turn::Player(_) => NodeKind::Min,
        };
        let name = match &mv {
            _ if tree.has_names => self.rules.position_text(state),
            Some(mv) => mv.clone(),
            None => "the root".to_owned(),
        };
        let utility = |player| game.utility(state, player);
        Node {
            parent: None,
            mv,
            name,
            kind,
            children: Vec::new(),
            depth: 0,
            is_seen: false,
            probability: None,
            utilities: (turn == Turn::Over).then(|| (0..tree.players).map(utility).collect()),
        }
    }

    /// Returns the child of the current node by this move; adds the child if it is not in the tree.
    fn child(&mut self, mv: G::Move) -> usize {
        let (parent, state) = self.here();
        if let Some(&child) = self.numbers.get(&(parent, mv)) {
            return child;
        }
        let (child, _) = self.new_child(parent, state, mv);
        let odds = self.path.last().map_or(&[][..], |frame| &frame.odds);
        // An opponent model has a probability for each of its moves.
        let by_model = odds.iter().find(|(other, _)| *other == mv).map_or(0.0, |(_, p)| *p);
        let by_model = (!odds.is_empty()).then_some(by_model);
        self.add(parent, mv, Node { probability: child.probability.or(by_model), ..child })
    }

    /// Creates a child of a node in this state; returns it with the state after the move.
    fn new_child(&self, parent: usize, state: &G::State, mv: G::Move) -> (Node, G::State) {
        let game = &self.rules.game;
        let above = &self.recording.tree.nodes[parent];
        let is_chance = above.kind == NodeKind::Chance;
        let probability = is_chance.then(|| game.probability(state, mv));
        let text = self.rules.move_text(state, mv);
        let mut state = state.clone();
        game.play(&mut state, mv);
        let (parent, depth) = (Some(parent), above.depth + 1);
        (Node { parent, depth, probability, ..self.node(&state, Some(text)) }, state)
    }

    fn add(&mut self, parent: usize, mv: G::Move, child: Node) -> usize {
        let nodes = &mut self.recording.tree.nodes;
        let number = nodes.len();
        nodes.push(child);
        nodes[parent].children.push(number);
        self.numbers.insert((parent, mv), number);
        number
    }

    fn children(&mut self, moves: &[G::Move]) -> Vec<usize> {
        moves.iter().map(|&mv| self.child(mv)).collect()
    }

    /// Enters the child after a move, or the root.
    fn go_down(&mut self, mv: Option<G::Move>) {
        let (node, state) = match mv {
            Some(mv) => {
                let node = self.child(mv);
                let mut state = self.here().1.clone();
                self.rules.game.play(&mut state, mv);
                (node, state)
            }
            None => (0, self.root.clone()),
        };
        self.recording.tree.nodes[node].is_seen = true;
        self.path.push(Frame { node, state, odds: Vec::new() });
    }

    /// Returns the pruned children. In a tree file all nodes below them have names and are recorded too.
    fn pruned(&mut self, moves: &[G::Move]) -> Vec<usize> {
        let pruned = self.children(moves);
        if self.recording.tree.has_names {
            for (&node, &mv) in pruned.iter().zip(moves) {
                let mut state = self.here().1.clone();
                self.rules.game.play(&mut state, mv);
                self.grow(node, state);
            }
        }
        pruned
    }

    /// Adds all nodes below a node, up to the maximum number of nodes.
    fn grow(&mut self, node: usize, state: G::State) {
        let game = &self.rules.game;
        let max_nodes = self.recording.max_steps.saturating_mul(MAX_NODES_PER_STEP);
        // Without recursion, because a tree may be as deep as its number of nodes.
        let moves = game.legal_moves(&state).into_iter();
        let mut todo = vec![(node, state, moves)];
        while let Some((node, state, moves)) = todo.last_mut() {
            let next = moves.next();
            let has_room = self.recording.tree.nodes.len() < max_nodes;
            let Some(mv) = next.filter(|_| has_room) else {
                todo.pop();
                continue;
            };
            let node = *node;
            let (number, below) = if let Some(&number) = self.numbers.get(&(node, mv)) {
                let mut below = state.clone();
                game.play(&mut below, mv);
                (number, below)
            } else {
                let (child, below) = self.new_child(node, state, mv);
                (self.add(node, mv, child), below)
            };
            let moves = game.legal_moves(&below).into_iter();
            todo.push((number, below, moves));
        }
    }

    fn has_room(&self) -> bool {
        let Recording { tree, steps, max_steps, .. } = &*self.recording;
        steps.len() < *max_steps
            && self.weights < max_steps.saturating_mul(MAX_WEIGHTS_PER_STEP)
            && tree.nodes.len() < max_steps.saturating_mul(MAX_NODES_PER_STEP)
    }

    /// Completes the list of children that selection compared.
    fn close_weights(&mut self) {
        let children = std::mem::take(&mut self.weighed);
        if !children.is_empty() {
            self.weights += children.len();
            let (node, _) = self.here();
            self.recording.steps.push(Step::Weigh { node, children });
        }
    }

    /// Sets the probabilities of an opponent model for existing and future children.
    fn take_odds(&mut self, moves: &[G::Move], probabilities: &[f64]) {
        let odds: Vec<_> = moves.iter().copied().zip(probabilities.iter().copied()).collect();
        let (parent, _) = self.here();
        for &(mv, probability) in &odds {
            if let Some(&child) = self.numbers.get(&(parent, mv)) {
                self.recording.tree.nodes[child].probability = Some(probability);
            }
        }
        if let Some(frame) = self.path.last_mut() {
            frame.odds = odds;
        }
    }

    /// Processes an event. Returns the step to record, if there is one.
    fn follow(&mut self, event: Event<'_, G::Move>) -> Option<Step> {
        let (node, _) = self.here();
        Some(match event {
            Event::Iteration(number) => {
                self.path.clear();
                Step::Iteration(number)
            }
            Event::Enter { mv, alpha, beta } => {
                self.go_down(mv);
                Step::Enter { node: self.here().0, alpha, beta }
            }
            Event::Leaf { values, kind } => Step::Leaf { node, values: values.to_vec(), kind },
            Event::Window { by, alpha, beta } => {
                let by = self.child(by);
                if alpha >= beta {
                    return None; // the window is empty: a cutoff or the end of the node follows
                }
                Step::Window { node, by, alpha, beta }
            }
            Event::Odds { moves, probabilities } => {
                self.take_odds(moves, probabilities);
                return None;
            }
            Event::Cut { reason, skipped } => {
                Step::Cut { node, reason, skipped: self.pruned(skipped) }
            }
            Event::Leave { values } => {
                self.path.pop();
                Step::Leave { node, values: values.to_vec() }
            }
            Event::Weigh { mv, visits, mean, bonus } => {
                let node = self.child(mv);
                self.weighed.push(ChildWeight { node, visits, mean, bonus });
                return None;
            }
            Event::Select(mv) => {
                self.enter_root();
                self.go_down(Some(mv));
                Step::Select { node: self.here().0 }
            }
            Event::Expand(moves) => Step::Expand { node, children: self.children(moves) },
            Event::Simulate { value, mix } => {
                self.enter_root();
                self.to_back_up = self.path.len();
                Step::Simulate { node, value, mix }
            }
            Event::BackUp { visits, total } => {
                self.to_back_up = self.to_back_up.saturating_sub(1);
                let node = self.path.get(self.to_back_up).map_or(0, |frame| frame.node);
                Step::BackUp { node, visits, total }
            }
            _ => return None,
        })
    }

    /// Enters the root, for which Monte Carlo tree search sends no event.
    fn enter_root(&mut self) {
        if self.path.is_empty() {
            self.go_down(None);
        }
    }
}

impl<G: Game + 'static> EventSink<G::Move> for Recorder<'_, G> {
    fn take(&mut self, event: Event<'_, G::Move>) {
        self.recording.is_cut_short |= !self.has_room();
        if self.recording.is_cut_short {
            return;
        }
        if !matches!(event, Event::Weigh { .. }) {
            self.close_weights();
        }
        if let Some(step) = self.follow(event) {
            self.recording.steps.push(step);
        }
    }
}
