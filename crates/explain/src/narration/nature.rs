//! Properties of a search, as far as its steps show them.

use tussle_catalog::recording::{NodeKind, Step};
use tussle_core::{Bound, Value};

use super::stack::Frame;
use crate::Explanation;

/// Rule by which a node gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Largest value of the children.
    Max,
    /// Least value of the children.
    Min,
    /// Mean of the children.
    Average,
    /// Values of the child that is best for this player.
    Own(usize),
}

/// Properties of a search as a whole.
#[derive(Clone, Debug)]
pub(super) struct Nature {
    roles: Vec<Role>,
    /// True for Monte Carlo tree search.
    pub(super) is_sampling: bool,
    /// True if only the first player moves, so that all values are those of this player.
    pub(super) is_alone: bool,
    /// True if any window has a finite end.
    pub(super) has_windows: bool,
    /// Least and largest value of any position, if the search prunes chance nodes by them.
    pub(super) limits: (Option<f64>, Option<f64>),
}

impl Nature {
    pub(super) fn new(told: &Explanation) -> Self {
        let is_vector = |step: &Step| match step {
            Step::Leaf { values, .. } | Step::Leave { values, .. } => values.len() > 1,
            _ => false,
        };
        let has_end = |step: &Step| match step {
            Step::Enter { alpha, beta, .. } | Step::Window { alpha, beta, .. } => {
                alpha.is_finite() || beta.is_finite()
            }
            _ => false,
        };
        let are_many = told.steps.iter().any(is_vector);
        let mut nature =
            Self {
                roles: roles(told, are_many),
                is_sampling: told.steps.iter().any(|step| matches!(step, Step::Simulate { .. })),
                is_alone: told.tree.nodes().iter().all(|node| {
                    matches!(node.kind, NodeKind::Max | NodeKind::Chance | NodeKind::End)
                }),
                has_windows: !are_many && told.steps.iter().any(has_end),
                limits: (None, None),
            };
        if told.settled.name == "expectimax" {
            nature.average_opponents(told);
            nature.look_for_averages(told);
        }
        nature
    }

    pub(super) fn role(&self, node: usize) -> Role {
        self.roles[node]
    }

    /// Sets the role of opponents to the mean, if the agent has such an opponent model: by its spec, or by default in
    /// games without chance.
    fn average_opponents(&mut self, told: &Explanation) {
        let nodes = told.tree.nodes();
        let is_averaged = match told.settled.value("opponent") {
            Some(model) => model != "best",
            None => nodes.iter().all(|node| node.kind != NodeKind::Chance),
        };
        if is_averaged {
            for (role, node) in self.roles.iter_mut().zip(nodes) {
                if node.kind != nodes[0].kind {
                    *role = Role::Average;
                }
            }
        }
    }

    /// Derives the limits by which Star1 prunes from the windows of the steps.
    fn look_for_averages(&mut self, told: &Explanation) {
        let nodes = told.tree.nodes();
        let mut frames: Vec<Frame> = Vec::new();
        for step in &told.steps {
            match step {
                Step::Iteration(_) => frames.clear(),
                Step::Enter { node, alpha, beta } => {
                    if let (Some(above), Some(p)) = (frames.last(), nodes[*node].probability) {
                        self.look_for_limits(told, above, p, (*alpha, *beta));
                    }
                    frames.push(Frame::new(*node, (*alpha, *beta), frames.last(), self));
                }
                Step::Leave { node, values } => {
                    if frames.pop_if(|frame| frame.node == *node).is_none() {
                        continue;
                    }
                    if let Some(above) = frames.last_mut() {
                        above.take(*node, values, false, Bound::Exact);
                    }
                }
                _ => {}
            }
        }
    }

    /// Derives the limits from the window of one outcome. Outside this window, the mean lies outside the window of the
    /// node for all values of the rest: `alpha = sum + p * inner alpha + most * rest`, and likewise for beta and `least`.
    fn look_for_limits(
        &mut self,
        told: &Explanation,
        above: &Frame,
        p: f64,
        inner: (Value, Value),
    ) {
        let probability = |node: usize| told.tree.nodes()[node].probability.unwrap_or(0.0);
        let seen: f64 = above.done.iter().map(|(node, _)| probability(*node)).sum();
        let sum: f64 = above
            .done
            .iter()
            .map(|(node, values)| {
                probability(*node) * values.first().map_or(0.0, |value| value.number())
            })
            .sum();
        let rest = 1.0 - seen - p;
        if rest < 1e-9 {
            return;
        }
        let limit = |end: Value, inner: Value| {
            let (end, inner) = (end.number(), inner.number());
            (end.is_finite() && inner.is_finite()).then(|| (end - sum - p * inner) / rest)
        };
        let (least, most) = &mut self.limits;
        *most = most.or(limit(above.entry.0, inner.0));
        *least = least.or(limit(above.entry.1, inner.1));
    }
}

fn roles(told: &Explanation, are_many: bool) -> Vec<Role> {
    let own = told.tree.nodes()[0].kind;
    let role = |kind: NodeKind| match kind {
        NodeKind::Chance => Role::Average,
        NodeKind::Player(player) if are_many => Role::Own(player),
        NodeKind::Max if are_many => Role::Own(0),
        NodeKind::Min if are_many => Role::Own(1),
        // A single value in a game of more than two players is that of the root player.
        NodeKind::Player(_) if kind != own => Role::Min,
        NodeKind::Min => Role::Min,
        _ => Role::Max,
    };
    told.tree.nodes().iter().map(|node| role(node.kind)).collect()
}
