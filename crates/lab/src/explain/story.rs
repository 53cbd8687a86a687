//! The steps of a search in words.

mod average;
mod cuts;
mod frame;
mod leaves;
mod nature;
mod rounds;
mod sampling;
mod words;

use std::iter::Peekable;
use std::slice::Iter;

use tussle_core::LeafKind;

use super::number::number;
use super::{Explanation, Node, Step};
use frame::Frame;
use nature::{Nature, Role};
use rounds::Rounds;

pub(super) use words::stopped;

/// One line of a story, and what it tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// The line, without what shows how deep the search was.
    pub text: String,
    /// How many of the steps are behind when it is told.
    pub steps: usize,
    /// The node it is about; none where a round begins.
    pub node: Option<usize>,
    /// Plies from the root.
    pub depth: usize,
    /// Whether it says what a position is worth that was not searched: a name, ` = `, and the rest.
    pub is_leaf: bool,
}

/// One line for each thing that happened. Values are those of the first player, MAX; in a search for many
/// players there is one for each. Only what a simulation weighs belongs to the player who chooses.
pub fn story(told: &Explanation) -> Vec<Beat> {
    let mut teller = Teller {
        told,
        nodes: told.tree.nodes(),
        nature: Nature::new(told),
        rounds: Rounds::new(told),
        frames: Vec::new(),
        beats: Vec::new(),
        at: 0,
    };
    let mut steps = told.steps.iter().peekable();
    while let Some(step) = steps.next() {
        teller.at += 1;
        teller.step(step, &mut steps);
    }
    teller.close_round();
    teller.beats
}

/// The steps that are still to be told.
type Ahead<'a, 'b> = &'b mut Peekable<Iter<'a, Step>>;

struct Teller<'a> {
    told: &'a Explanation,
    nodes: &'a [Node],
    nature: Nature,
    rounds: Rounds,
    /// The nodes the search has entered and not left.
    frames: Vec<Frame>,
    beats: Vec<Beat>,
    /// The steps taken so far.
    at: usize,
}

impl<'a> Teller<'a> {
    /// A line about a node.
    fn tell(&mut self, node: usize, text: String) {
        let depth = self.nodes[node].depth;
        self.beats.push(Beat { text, steps: self.at, node: Some(node), depth, is_leaf: false });
    }

    fn step(&mut self, step: &'a Step, ahead: Ahead<'a, '_>) {
        match step {
            Step::Iteration(round) => self.begin_round(*round),
            Step::Enter { node, alpha, beta } => self.enter(*node, (*alpha, *beta), ahead),
            Step::Leaf { node, values, kind } => {
                let text = self.leaf(*node, values, *kind);
                self.tell(*node, text);
            }
            Step::Window { node, by, alpha, beta } => {
                // Where it closes the window, the cut says so.
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
                self.leave(*node, values, ahead);
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
            Step::Simulate { node, value } => {
                let text = self.simulated(*node, *value);
                self.tell(*node, text);
            }
            Step::BackUp { node, visits, total } => {
                self.back_up((*node, *visits, *total), ahead);
            }
        }
    }

    fn enter(&mut self, node: usize, window: (f64, f64), ahead: Ahead<'a, '_>) {
        let frame = Frame::new(node, window, self.frames.last(), &self.nature);
        // After a test that a child has passed, it is searched again.
        let is_again = match self.frames.last() {
            Some(above) => above.value(node).is_some(),
            None => self.rounds.begin_again(),
        };
        let again = if is_again { "once more: " } else { "" };
        // A leaf is entered, valued and left at once: one line tells it.
        if let Some(Step::Leaf { node: leaf, values, kind }) = ahead.peek()
            && *leaf == node
            && is_left_after_leaf(node, ahead)
        {
            let text = format!("{again}{}", self.leaf(node, values, *kind));
            ahead.next();
            ahead.next();
            self.at += 2;
            self.tell(node, text);
            if let Some(beat) = self.beats.last_mut() {
                beat.is_leaf = !is_again;
            }
            self.frames.push(frame);
            self.leave(node, values, ahead);
            return;
        }
        if let Some(Step::Leave { node: left, values }) = ahead.peek()
            && *left == node
        {
            let value = number(values.first().copied().unwrap_or(0.0));
            let name = self.name(node);
            let text = format!(
                "{name} = {value}: no line through here ends sooner than one that is known"
            );
            ahead.next();
            self.at += 1;
            self.tell(node, text);
            self.frames.push(frame);
            self.leave(node, values, ahead);
            return;
        }
        let text = format!("{again}{}", self.entered(&frame));
        self.tell(node, text);
        self.frames.push(frame);
    }

    /// Back to the node above, which has one more child that is done.
    fn leave(&mut self, node: usize, values: &[f64], ahead: Ahead<'a, '_>) {
        let Some(frame) = self.frames.pop_if(|frame| frame.node == node) else { return };
        if node == 0 {
            self.rounds.leave_root(&frame, values);
        }
        let Some(above) = self.frames.last_mut() else { return };
        above.take(node, values, frame.is_spurned(&self.nature));
        let above = above.node;
        let is_cut = matches!(ahead.peek(), Some(Step::Cut { node, .. }) if *node == above);
        if !is_cut && let Some(text) = self.seen_so_far(above) {
            self.tell(above, text);
        }
    }

    fn window(&mut self, node: usize, by: usize, window: (f64, f64), is_told: bool) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.window = window;
        if !is_told {
            return;
        }
        // Both ends may have moved: what cannot be won or lost sooner than this is never told.
        let (what, to) = match self.nature.role(node) {
            Role::Min => ("lowers beta to", window.1),
            _ => ("raises alpha to", window.0),
        };
        let value = frame.value(by).map_or(String::new(), |value| format!(" = {}", number(value)));
        let (name, by) = (self.name(node), self.name(by));
        let text =
            format!("{name}: {by}{value} {what} {}, window {}", number(to), words::window(window));
        self.tell(node, text);
    }

    fn leaf(&self, node: usize, values: &[f64], kind: LeafKind) -> String {
        leaves::text(self.told, &self.nodes[node], values, kind)
    }
}

/// Whether the step after the next one leaves this node.
fn is_left_after_leaf(node: usize, ahead: Ahead<'_, '_>) -> bool {
    matches!(ahead.clone().nth(1), Some(Step::Leave { node: left, .. }) if *left == node)
}
