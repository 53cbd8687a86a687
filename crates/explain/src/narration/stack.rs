//! Nodes between entering and leaving.

use tussle_core::{Bound, Value};

use super::nature::{Nature, Role};
use crate::bound::{NullWindowTest, is_null_window};

/// Node between entering and leaving it.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) node: usize,
    /// Window with which the node was entered.
    pub(super) entry: (Value, Value),
    /// Current window, as narrowed by the children.
    pub(super) window: (Value, Value),
    /// Test of a null window, which only tells on which side of it the value lies.
    pub(super) test: Option<NullWindowTest>,
    /// Finished children with their values; a child that is searched again keeps its position.
    pub(super) done: Vec<(usize, Vec<Value>)>,
    /// Finished children whose values are only bounds.
    pub(super) bounds: Vec<(usize, Bound)>,
    /// Finished children that were cut off because the player to move here prefers another move.
    pub(super) spurned: Vec<usize>,
    /// Pruned children.
    pub(super) skipped: Vec<usize>,
}

impl Frame {
    pub(super) fn new(
        node: usize,
        window: (Value, Value),
        above: Option<&Self>,
        nature: &Nature,
    ) -> Self {
        let (alpha, beta) = window;
        let is_test = is_null_window(alpha, beta);
        let test = is_test.then(|| match above {
            Some(Self { test: Some(test), .. }) => *test,
            Some(above) if nature.role(above.node) == Role::Min => NullWindowTest::Below(beta),
            _ => NullWindowTest::Above(alpha),
        });
        Self {
            node,
            entry: window,
            window,
            test,
            done: Vec::new(),
            bounds: Vec::new(),
            spurned: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// Adds a finished child.
    pub(super) fn take(&mut self, child: usize, values: &[Value], is_spurned: bool, bound: Bound) {
        self.bounds.retain(|&(node, _)| node != child);
        if bound != Bound::Exact {
            self.bounds.push((child, bound));
        }
        self.spurned.retain(|&node| node != child);
        if is_spurned {
            self.spurned.push(child);
        }
        match self.done.iter_mut().find(|(node, _)| *node == child) {
            Some((_, known)) => *known = values.to_vec(),
            None => self.done.push((child, values.to_vec())),
        }
    }

    /// Returns the value of a finished child.
    pub(super) fn value(&self, child: usize) -> Option<Value> {
        let (_, values) = self.done.iter().find(|(node, _)| *node == child)?;
        values.first().copied()
    }

    /// Returns the best child for the player to move, the first among equals, with its values.
    pub(super) fn best(&self, role: Role) -> Option<(usize, &[Value])> {
        let worth = |values: &[Value]| match role {
            Role::Min => values.first().map(|value| value.for_opponent()),
            Role::Own(player) => values.get(player).copied(),
            _ => values.first().copied(),
        };
        let mut best: Option<(usize, &[Value])> = None;
        for (child, values) in &self.done {
            let is_better = best.is_none_or(|(_, known)| worth(values) > worth(known));
            if is_better && !self.spurned.contains(child) {
                best = Some((*child, values));
            }
        }
        best
    }

    /// Returns true if max^n cut this node off because the player one ply above prefers another move: the upper end
    /// of the window is the score at which that is certain.
    pub(super) fn is_spurned(&self, nature: &Nature) -> bool {
        let role = nature.role(self.node);
        let Role::Own(player) = role else { return false };
        let own = self.best(role).and_then(|(_, values)| values.get(player).copied());
        !self.skipped.is_empty() && own.is_some_and(|own| own >= self.entry.1)
    }
}
