//! An explanation as JSON.

use serde_json::{Value, json};
use tussle_catalog::recording::{Node, NodeKind, Step};
use tussle_core::Mixture;

use crate::{Analysis, Explanation};

impl Explanation {
    /// Returns the search, its tree, its steps and its narration. An infinite end of a window is null.
    pub(crate) fn recorded_document(&self) -> Value {
        let lines: Vec<Value> = self.narration()
            .into_iter()
            .map(|line| {
                json!({"text": line.text, "steps": line.steps, "node": line.node, "depth": line.depth})
            })
            .collect();
        json!({
            "game": self.game,
            "agent": self.agent,
            "position": self.position,
            "nodes": self.tree.nodes().iter().map(node).collect::<Vec<_>>(),
            "steps": self.steps.iter().map(|step| self::step(self, step)).collect::<Vec<_>>(),
            "story": lines,
            "summary": self.summary(),
            "best_line": self.best_line(),
            "saving": self.saving.as_ref().map(|saving| json!({
                "seen": saving.seen, "whole": saving.whole, "depth": saving.depth, "unseen": saving.unseen,
            })),
            "missed_win": self.missed_win,
            "cut_short": self.is_cut_short,
        })
    }

    /// Returns the search, its tree, its steps and its narration as JSON, with the analysis as its `report`.
    ///
    /// # Errors
    /// If the analysis cannot be written as JSON.
    pub fn document(&self, analysis: &Analysis<'_>) -> serde_json::Result<Value> {
        let mut document = self.recorded_document();
        document["report"] = serde_json::to_value(analysis.document())?;
        Ok(document)
    }
}

fn node(node: &Node) -> Value {
    let (kind, player) = match node.kind {
        NodeKind::Max => ("max", Some(1)),
        NodeKind::Min => ("min", Some(2)),
        NodeKind::Chance => ("chance", None),
        NodeKind::Player(player) => ("player", Some(player + 1)),
        NodeKind::End => ("end", None),
    };
    json!({
        "name": node.name, "move": node.mv, "parent": node.parent, "kind": kind, "player": player,
        "depth": node.depth, "seen": node.is_seen, "probability": node.probability,
    })
}

/// Adds the numbers of values; of a single value also the outcome and the distance, if it has them.
fn with_values(mut step: Value, values: &[tussle_core::Value]) -> Value {
    step["values"] = values.iter().map(|value| value.number()).collect();
    if let [value] = values {
        add_result(&mut step, "", *value);
    }
    step
}

/// Adds the ends of a window; null if there is none.
fn with_window(mut step: Value, alpha: tussle_core::Value, beta: tussle_core::Value) -> Value {
    for (name, end) in [("alpha", alpha), ("beta", beta)] {
        step[name] = json!(end.number());
        add_result(&mut step, &format!("{name}_"), end);
    }
    step
}

fn add_result(step: &mut Value, prefix: &str, value: tussle_core::Value) {
    if let Some(outcome) = value.outcome() {
        step[format!("{prefix}outcome")] = json!(outcome.as_str());
    }
    if let Some(plies) = value.distance() {
        step[format!("{prefix}distance")] = json!(plies);
    }
}

fn step(told: &Explanation, step: &Step) -> Value {
    match step {
        Step::Iteration(number) => json!({"step": "iteration", "number": number}),
        Step::Enter { node, alpha, beta } => {
            let step = json!({"step": "enter", "node": node});
            with_window(step, *alpha, *beta)
        }
        Step::Leaf { node, values, kind } => {
            let numbers: Vec<f64> = values.iter().map(|value| value.number()).collect();
            let kind = kind.as_str();
            let step = json!({"step": "leaf", "node": node, "values": numbers, "kind": kind});
            with_values(step, values)
        }
        Step::Window { node, by, alpha, beta } => {
            let step = json!({"step": "window", "node": node, "by": by});
            with_window(step, *alpha, *beta)
        }
        Step::Cut { node, reason, skipped } => {
            json!({"step": "cut", "node": node, "reason": reason.as_str(), "skipped": skipped})
        }
        Step::Leave { node, values } => with_values(json!({"step": "leave", "node": node}), values),
        Step::Weigh { node, children } => {
            let children: Vec<Value> = children
                .iter()
                .map(|child| {
                    json!({
                        "node": child.node, "visits": child.visits, "mean": child.mean,
                        "bonus": child.bonus,
                    })
                })
                .collect();
            json!({"step": "weigh", "node": node, "children": children})
        }
        Step::Select { node } => json!({"step": "select", "node": node}),
        Step::Expand { node, children } => {
            json!({"step": "expand", "node": node, "children": children})
        }
        Step::Simulate { node, value, mix: None } => {
            json!({"step": "simulate", "node": node, "value": value})
        }
        Step::Simulate { node, value, mix: Some(Mixture { lambda, evaluation, rollout }) } => {
            json!({
                "step": "simulate", "node": node, "value": value,
                "lambda": lambda, "evaluation": evaluation, "rollout": rollout,
            })
        }
        Step::BackUp { node, visits, total } => {
            // Where chance moved, only visits are counted.
            let nodes = told.tree.nodes();
            let is_chance =
                nodes[*node].parent.is_some_and(|parent| nodes[parent].kind == NodeKind::Chance);
            let total = (!is_chance).then_some(total);
            json!({"step": "back-up", "node": node, "visits": visits, "total": total})
        }
    }
}
