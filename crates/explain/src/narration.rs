//! Narration: sentences about the steps of a search.

mod average;
mod bounds;
mod cuts;
mod leaves;
mod nature;
mod rounds;
mod sampling;
mod stack;
mod summary;
mod text;
mod words;

use std::iter::Peekable;
use std::slice::Iter;

use tussle_catalog::recording::{Node, Step};
use tussle_core::{Bound, LeafKind, Value};

use crate::Explanation;
use crate::number::Wins;
use nature::{Nature, Role};
use rounds::Rounds;
use stack::Frame;
pub use text::MAX_TEXT_LINES;

/// Sentence about one step of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NarrationLine {
    /// Text, without indentation.
    pub text: String,
    /// Number of steps before the line.
    pub steps: usize,
    /// Node of the line; `None` at the start of an iteration.
    pub node: Option<usize>,
    /// Plies from the root.
    pub depth: usize,
    /// True for the value of a leaf: a name, ` = `, and the rest.
    pub is_leaf: bool,
}

impl Explanation {
    /// Returns the narration, one line per event of the search.
    ///
    /// Values are those of the first player, MAX; max^n has one value per player. Only the weights in a selection
    /// belong to the player to move.
    pub fn narration(&self) -> Vec<NarrationLine> {
        let mut narrator = Narrator {
            told: self,
            nodes: self.tree.nodes(),
            wins: Wins::of(self),
            nature: Nature::new(self),
            rounds: Rounds::new(self),
            frames: Vec::new(),
            lines: Vec::new(),
            at: 0,
        };
        let mut steps = self.steps.iter().peekable();
        while let Some(step) = steps.next() {
            narrator.at += 1;
            narrator.step(step, &mut steps);
        }
        narrator.close_round();
        narrator.lines
    }
}

/// Steps that follow the current one.
type NextSteps<'a, 'b> = &'b mut Peekable<Iter<'a, Step>>;

struct Narrator<'a> {
    told: &'a Explanation,
    nodes: &'a [Node],
    wins: Wins,
    nature: Nature,
    rounds: Rounds,
    /// Nodes that the search has entered and not left.
    frames: Vec<Frame>,
    lines: Vec<NarrationLine>,
    /// Number of steps so far.
    at: usize,
}

impl<'a> Narrator<'a> {
    /// Adds a line about a node.
    fn tell(&mut self, node: usize, text: String) {
        let depth = self.nodes[node].depth;
        self.lines.push(NarrationLine {
            text,
            steps: self.at,
            node: Some(node),
            depth,
            is_leaf: false,
        });
    }

    fn step(&mut self, step: &'a Step, ahead: NextSteps<'a, '_>) {
        match step {
            Step::Iteration(round) => self.begin_round(*round),
            Step::Enter { node, alpha, beta } => self.enter(*node, (*alpha, *beta), ahead),
            Step::Leaf { node, values, kind } => {
                let frame = self.frames.last().filter(|frame| frame.node == *node);
                let bound =
                    frame.map_or(Bound::Exact, |frame| Self::leaf_bound(frame, values, *kind));
                let text = self.leaf(*node, values, bound, *kind);
                self.tell(*node, text);
            }
            Step::Window { node, by, alpha, beta } => {
                // If the window is empty, the line about the cutoff says so.
                let is_cut =
                    matches!(ahead.peek(), Some(Step::Cut { node: cut, .. }) if cut == node);
                self.window(*node, *by, (*alpha, *beta), !is_cut);
            }
            Step::Cut { node, reason, skipped } => {
                let text = self.cut(*node, *reason, skipped);
                self.tell(*node, text);
                if let Some(frame) = self.frames.last_mut() {
                    frame.skipped.clone_from(skipped);
                }
            }
            Step::Leave { node, values } => {
                let text = self.done(*node, values);
                self.tell(*node, text);
                let frame = self.frames.last().filter(|frame| frame.node == *node);
                let bound = frame.map_or(Bound::Exact, |frame| self.searched_bound(frame, values));
                self.leave(*node, values, bound, ahead);
            }
            Step::Weigh { node, children } => {
                let text = self.weights(*node, children);
                self.tell(*node, text);
            }
            Step::Select { node } => {
                let text = self.selected(*node);
                self.tell(*node, text);
            }
            Step::Expand { node, children } => {
                let text = self.expanded(*node, children);
                self.tell(*node, text);
            }
            Step::Simulate { node, value, mix } => {
                let text = self.simulated(*node, *value, *mix);
                self.tell(*node, text);
            }
            Step::BackUp { node, visits, total } => {
                self.back_up((*node, *visits, *total), ahead);
            }
        }
    }

    fn enter(&mut self, node: usize, window: (Value, Value), ahead: NextSteps<'a, '_>) {
        let frame = Frame::new(node, window, self.frames.last(), &self.nature);
        // A child with a value beyond its null window is searched again.
        let is_again = match self.frames.last() {
            Some(above) => above.value(node).is_some(),
            None => self.rounds.begin_again(),
        };
        let again = match (is_again, node) {
            (false, _) => "",
            (true, 0) => "searched again, because the value was outside the window: ",
            (true, _) => "searched again: ",
        };
        // One line for the three steps of a leaf: enter, value, leave.
        if let Some(Step::Leaf { node: leaf, values, kind }) = ahead.peek()
            && *leaf == node
            && is_left_after_leaf(node, ahead)
        {
            let bound = Self::leaf_bound(&frame, values, *kind);
            let text = format!("{again}{}", self.leaf(node, values, bound, *kind));
            ahead.next();
            ahead.next();
            self.at += 2;
            self.tell(node, text);
            if let Some(line) = self.lines.last_mut() {
                line.is_leaf = !is_again;
            }
            self.frames.push(frame);
            self.leave(node, values, bound, ahead);
            return;
        }
        if let Some(Step::Leave { node: left, values }) = ahead.peek()
            && *left == node
        {
            let value = values.first().copied().unwrap_or(Value::ZERO);
            let bound = frame.outside(value);
            let (name, or, value) = (self.name(node), Self::or(value, bound), self.number(value));
            let text = format!(
                "{name} = {value}{or}: no line through here ends sooner than one that is known"
            );
            ahead.next();
            self.at += 1;
            self.tell(node, text);
            self.frames.push(frame);
            self.leave(node, values, bound, ahead);
            return;
        }
        let text = format!("{again}{}", self.entered(&frame));
        self.tell(node, text);
        self.frames.push(frame);
    }

    /// Leaves a node, which becomes a finished child of the node above.
    fn leave(&mut self, node: usize, values: &[Value], bound: Bound, ahead: NextSteps<'a, '_>) {
        let Some(frame) = self.frames.pop_if(|frame| frame.node == node) else { return };
        if node == 0 {
            self.rounds.leave_root(&frame, values);
        }
        let Some(above) = self.frames.last_mut() else { return };
        above.take(node, values, frame.is_spurned(&self.nature), bound);
        let above = above.node;
        let is_cut = matches!(ahead.peek(), Some(Step::Cut { node, .. }) if *node == above);
        if !is_cut && let Some(text) = self.seen_so_far(above) {
            self.tell(above, text);
        }
    }

    fn window(&mut self, node: usize, by: usize, window: (Value, Value), is_told: bool) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.window = window;
        if !is_told {
            return;
        }
        // Both ends may have changed; limits by the soonest win or loss have no line.
        let (what, to) = match self.nature.role(node) {
            Role::Min => ("lowers beta to", window.1),
            _ => ("raises alpha to", window.0),
        };
        let value = frame.value(by);
        let value = value.map_or(String::new(), |value| format!(" = {}", self.number(value)));
        let (name, by) = (self.name(node), self.name(by));
        let text = format!(
            "{name}: {by}{value} {what} {}, window {}",
            self.number(to),
            self.window_text(window)
        );
        self.tell(node, text);
    }

    fn leaf(&self, node: usize, values: &[Value], bound: Bound, kind: LeafKind) -> String {
        let or = Self::or(values.first().copied().unwrap_or(Value::ZERO), bound);
        leaves::text(self.told, &self.nodes[node], (values, or), kind) + &self.likelihood(node)
    }
}

/// Returns true if the step after the next one leaves this node.
fn is_left_after_leaf(node: usize, ahead: NextSteps<'_, '_>) -> bool {
    matches!(ahead.clone().nth(1), Some(Step::Leave { node: left, .. }) if *left == node)
}
