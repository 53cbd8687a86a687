//! Lines about iterations: their depth, result, and changes since the last one.

use std::cmp::Ordering;

use tussle_catalog::recording::Step;
use tussle_core::format::grouped;
use tussle_core::{LeafKind, Value};

use super::stack::Frame;
use super::words::NAMED;
use super::{NarrationLine, Narrator};
use crate::Explanation;
use crate::words::stop_reason;

/// Maximum depth of searches; a search to this depth is one to the end of the game.
const MAX_DEPTH: u32 = 2048;

/// Returns the maximum depth, if a search to the end had to stop there.
pub(crate) fn deepest(told: &Explanation) -> Option<usize> {
    let nodes = told.tree.nodes();
    let is_horizon = |step: &Step| match step {
        Step::Leaf { node, kind: LeafKind::Evaluation, .. } => {
            nodes[*node].depth >= MAX_DEPTH as usize
        }
        _ => false,
    };
    told.steps.iter().any(is_horizon).then_some(MAX_DEPTH as usize)
}

/// Result of one iteration.
#[derive(Clone, Debug, PartialEq)]
struct IterationResult {
    best: Option<usize>,
    values: Vec<Value>,
}

/// The current iteration, and the result of the last one.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    /// Order of the root's moves in each iteration.
    orders: Vec<Vec<usize>>,
    /// Number of iterations that have started.
    begun: usize,
    /// Depth or simulation of the current iteration.
    number: Option<u32>,
    last: Option<IterationResult>,
    now: Option<(Frame, Vec<Value>)>,
}

impl Rounds {
    pub(super) fn new(told: &Explanation) -> Self {
        let mut orders: Vec<Vec<usize>> = Vec::new();
        for step in &told.steps {
            match step {
                Step::Iteration(_) => orders.push(Vec::new()),
                Step::Enter { node, .. } if told.tree.nodes()[*node].depth == 1 => {
                    if let Some(order) = orders.last_mut()
                        && !order.contains(node)
                    {
                        order.push(*node);
                    }
                }
                _ => {}
            }
        }
        Self { orders, begun: 0, number: None, last: None, now: None }
    }

    pub(super) fn number(&self) -> Option<u32> {
        self.number
    }

    /// Enters the root. Returns true if it was already searched in this iteration, with another window.
    pub(super) fn begin_again(&mut self) -> bool {
        self.now.take().is_some()
    }

    pub(super) fn leave_root(&mut self, frame: &Frame, values: &[Value]) {
        self.now = Some((frame.clone(), values.to_vec()));
    }

    fn is_deepening(&self) -> bool {
        self.orders.len() > 1
    }
}

impl Narrator<'_> {
    /// Starts a new depth or simulation.
    pub(super) fn begin_round(&mut self, round: u32) {
        self.at -= 1; // the line about the last iteration belongs to its steps
        self.close_round();
        self.at += 1;
        self.rounds.begun += 1;
        self.rounds.number = Some(round);
        let text = if self.nature.is_sampling {
            format!("simulation {round}")
        } else if round >= MAX_DEPTH {
            let what = if self.told.tree.has_names() { "tree" } else { "game" };
            match deepest(self.told) {
                Some(ply) => format!("to ply {}, the maximum depth", grouped(ply as u64)),
                None => format!("to the end of the {what}"),
            }
        } else {
            format!("depth {round}")
        };
        self.lines.push(NarrationLine {
            text,
            steps: self.at,
            node: None,
            depth: 0,
            is_leaf: false,
        });
    }

    /// Adds a line about an interrupted depth. If its finished moves are used, the other moves have no value.
    fn leave_unfinished(&mut self, depth: u32, root: Option<&Frame>) {
        if self.told.is_cut_short {
            return; // it may have been finished
        }
        let report = &self.told.report;
        let what =
            if depth >= MAX_DEPTH { "the search".to_owned() } else { format!("depth {depth}") };
        let mut text = format!("{what} is left unfinished: {}", stop_reason(report.stopped));
        let finished = root.map_or(&[][..], |root| &root.done);
        let finished: Vec<usize> = finished.iter().map(|(child, _)| *child).collect();
        let is_used = report.lines.first().is_some_and(|line| line.known_value().is_some())
            && report.lines.iter().any(|line| line.known_value().is_none());
        if is_used && !finished.is_empty() {
            let which = if finished.len() == 1 { "move" } else { "moves" };
            text += &format!("; its results for the {which} {} are used", self.names(&finished));
        }
        self.tell(0, text);
    }

    /// Adds a line about a finished depth: its result, and the changes since the last depth.
    pub(super) fn close_round(&mut self) {
        let root = (!self.frames.is_empty()).then(|| self.frames.swap_remove(0));
        self.frames.clear();
        if self.nature.is_sampling {
            return;
        }
        let Some(depth) = self.rounds.number else { return };
        let Some((frame, value)) = self.rounds.now.take() else {
            self.leave_unfinished(depth, root.as_ref());
            return;
        };
        if !self.rounds.is_deepening() {
            return;
        }
        let best = frame.best(self.nature.role(0)).map(|(child, _)| child);
        let name = |best: Option<usize>| best.map_or("none", |best| self.name(best));
        let mut text =
            format!("depth {depth} is done: value {}, best {}", self.values(&value), name(best));
        if let Some(last) = &self.rounds.last {
            let changed =
                match (last.values.partial_cmp(&value) == Some(Ordering::Equal), last.best == best)
                {
                    (true, true) => "nothing changed".to_owned(),
                    (false, true) => format!("the value was {}", self.values(&last.values)),
                    (true, false) => format!("the best was {}", name(last.best)),
                    (false, false) => {
                        format!("it was {}, by {}", self.values(&last.values), name(last.best))
                    }
                };
            text += &format!("; {changed}");
        }
        let order = self.rounds.begun.checked_sub(1).and_then(|at| self.rounds.orders.get(at));
        let next = self.rounds.orders.get(self.rounds.begun);
        if let (Some(order), Some(next)) = (order, next) {
            let known = next.len().min(order.len());
            if known > 1 && next[..known] != order[..known] {
                let shown = next.len().min(NAMED);
                let more = if next.len() > shown { ", …" } else { "" };
                let names: Vec<&str> = next[..shown].iter().map(|&node| self.name(node)).collect();
                text += &format!("; the next depth begins with {}{more}", names.join(", "));
            } else if known > 1 {
                text += "; the order of the moves is unchanged";
            }
        }
        self.rounds.last = Some(IterationResult { best, values: value });
        self.tell(0, text);
    }
}
