//! Depth after depth: what each one changed.

use std::cmp::Ordering;

use tussle_catalog::recording::Step;
use tussle_core::format::grouped;
use tussle_core::{LeafKind, Value};

use super::stack::Frame;
use super::words::NAMED;
use super::{NarrationLine, Narrator};
use crate::Explanation;
use crate::words::stop_reason;

/// No search looks further: one that is asked to look as far looks to the end.
const TO_THE_END: u32 = 2048;

/// The ply at which a search to the end had to stop, if it did.
pub(crate) fn deepest(told: &Explanation) -> Option<usize> {
    let nodes = told.tree.nodes();
    let is_horizon = |step: &Step| match step {
        Step::Leaf { node, kind: LeafKind::Evaluation, .. } => {
            nodes[*node].depth >= TO_THE_END as usize
        }
        _ => false,
    };
    told.steps.iter().any(is_horizon).then_some(TO_THE_END as usize)
}

/// Result of one iteration.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    best: Option<usize>,
    values: Vec<Value>,
}

/// The round being told, and what the last one found.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    /// The order in which each round looks at the root's moves.
    orders: Vec<Vec<usize>>,
    /// Number of rounds that have begun, and the number of the latest.
    begun: usize,
    number: Option<u32>,
    last: Option<Found>,
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

    /// The root is entered; whether it was in this round before, with another window.
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
    /// A new depth or simulation.
    pub(super) fn begin_round(&mut self, round: u32) {
        self.at -= 1; // what is told of the last round belongs to its steps
        self.close_round();
        self.at += 1;
        self.rounds.begun += 1;
        self.rounds.number = Some(round);
        let text = if self.nature.is_sampling {
            format!("simulation {round}")
        } else if round >= TO_THE_END {
            let what = if self.told.tree.has_names() { "tree" } else { "game" };
            match deepest(self.told) {
                Some(ply) => format!("to ply {}, the deepest there is", grouped(ply as u64)),
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

    /// A depth that has no end. The moves it has finished may count all the same: then the others have no value.
    fn leave_unfinished(&mut self, depth: u32, root: Option<&Frame>) {
        if self.told.is_cut_short {
            return; // it may have been finished
        }
        let report = &self.told.report;
        let what =
            if depth >= TO_THE_END { "the search".to_owned() } else { format!("depth {depth}") };
        let mut text = format!("{what} is left unfinished: {}", stop_reason(report.stopped));
        let finished = root.map_or(&[][..], |root| &root.done);
        let finished: Vec<usize> = finished.iter().map(|(child, _)| *child).collect();
        let is_used = report.lines.first().is_some_and(|line| line.known_value().is_some())
            && report.lines.iter().any(|line| line.known_value().is_none());
        if is_used && !finished.is_empty() {
            let which = if finished.len() == 1 { "move" } else { "moves" };
            text += &format!("; what it found for the {which} {} counts", self.names(&finished));
        }
        self.tell(0, text);
    }

    /// The end of a depth: what it found, and what is different from the last one.
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
                text += "; the order of the moves stays";
            }
        }
        self.rounds.last = Some(Found { best, values: value });
        self.tell(0, text);
    }
}
