//! The tree of a search as it stands after some of its steps.

use tussle_core::Scene;
use tussle_view::tree::{Fate, Outline, Vertex, scene};

use super::number::{number, values};
use super::{Explanation, Kind, Step};

/// What is known of a node after some steps.
#[derive(Clone, Debug, Default)]
struct Known {
    fate: Fate,
    window: Option<(f64, f64)>,
    value: Option<Vec<f64>>,
    sampled: Option<(u64, f64)>,
}

impl Explanation {
    /// Draws the tree after the first `steps` steps.
    pub fn picture(&self, steps: usize) -> Scene {
        let nodes = self.tree.nodes();
        let mut known = vec![Known::default(); nodes.len()];
        for step in self.steps.iter().take(steps) {
            take(&mut known, step);
        }
        let vertex = |(at, node): (usize, &super::Node)| {
            let Known { fate, window, value, sampled } = &known[at];
            let mut notes = Vec::new();
            notes.extend(
                window.map(|(alpha, beta)| format!("({}, {})", number(alpha), number(beta))),
            );
            notes.extend(value.as_ref().map(|value| format!("= {}", values(value))));
            notes.extend(sampled.map(|(visits, total)| format!("{} / {visits}", number(total))));
            let outline = match node.kind {
                Kind::Max => Outline::Max,
                Kind::Min => Outline::Min,
                Kind::Chance => Outline::Chance,
                Kind::Player(player) => Outline::Player(player as u8),
                Kind::End => Outline::Leaf,
            };
            let is_named = node.mv.as_deref() != Some(node.name.as_str());
            Vertex {
                outline,
                fate: *fate,
                label: if node.parent.is_none() && !is_named {
                    String::new()
                } else {
                    node.name.clone()
                },
                notes,
                edge: String::new(),
                children: node.children.clone(),
            }
        };
        scene(&nodes.iter().enumerate().map(vertex).collect::<Vec<_>>())
    }
}

fn take(known: &mut [Known], step: &Step) {
    for node in known.iter_mut().filter(|node| node.fate == Fate::Current) {
        node.fate = if node.value.is_some() { Fate::Done } else { Fate::Open };
    }
    match step {
        Step::Enter { node, alpha, beta } | Step::Window { node, alpha, beta, .. } => {
            known[*node].fate = Fate::Current;
            known[*node].window = Some((*alpha, *beta));
        }
        Step::Leaf { node, values, .. } | Step::Leave { node, values } => {
            known[*node].fate = Fate::Current;
            known[*node].value = Some(values.clone());
            known[*node].window = None;
        }
        Step::Cut { skipped, .. } => {
            for &child in skipped {
                known[child].fate = Fate::Pruned;
            }
        }
        Step::Select { node } | Step::Simulate { node, .. } => known[*node].fate = Fate::Current,
        Step::BackUp { node, visits, total } => {
            known[*node].fate = Fate::Current;
            known[*node].sampled = Some((*visits, *total));
        }
        Step::Iteration(_) | Step::Weigh { .. } | Step::Expand { .. } => {}
    }
}
