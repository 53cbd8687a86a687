//! The steps of a search in words.

use tussle_core::{CutReason, LeafKind};

use super::number::{number, values};
use super::{Explanation, Kind, Node, Step, Weighed};

/// So many are named, the others are counted.
const NAMED: usize = 8;

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
}

/// One line for each thing that happened.
pub fn story(told: &Explanation) -> Vec<Beat> {
    let teller = Teller { told, nodes: told.tree.nodes() };
    let mut beats = Vec::new();
    let mut steps = told.steps.iter().enumerate().peekable();
    while let Some((at, step)) = steps.next() {
        // A leaf is entered, valued and left at once: one line tells it.
        if let Step::Enter { node, .. } = step
            && let Some((_, Step::Leaf { node: leaf, values, kind })) = steps.peek()
            && leaf == node
        {
            let text = teller.leaf(*node, values, *kind);
            steps.next();
            let is_left = |(_, step): &(usize, &Step)| matches!(step, Step::Leave { node: left, .. } if left == node);
            let end = if steps.next_if(is_left).is_some() { at + 3 } else { at + 2 };
            beats.push(teller.beat(Some(*node), text, end));
            continue;
        }
        beats.push(teller.beat(step.node(), teller.step(step), at + 1));
    }
    beats
}

struct Teller<'a> {
    told: &'a Explanation,
    nodes: &'a [Node],
}

impl Teller<'_> {
    fn name(&self, node: usize) -> &str {
        &self.nodes[node].name
    }

    fn beat(&self, node: Option<usize>, text: String, steps: usize) -> Beat {
        let depth = node.map_or(0, |node| self.nodes[node].depth);
        Beat { text, steps, node, depth }
    }

    /// Some names, and how many more there are.
    fn names(&self, nodes: &[usize]) -> String {
        let named: Vec<&str> = nodes.iter().take(NAMED).map(|&node| self.name(node)).collect();
        match nodes.len().saturating_sub(NAMED) {
            0 => named.join(", "),
            more => format!("{} and {more} more", named.join(", ")),
        }
    }

    fn leaf(&self, node: usize, value: &[f64], kind: LeafKind) -> String {
        let source = match kind {
            LeafKind::Evaluation => ", by evaluation",
            LeafKind::Table => ", from the table",
            LeafKind::Book => ", from the opening library",
            _ => "",
        };
        format!("{} = {}{source}", self.name(node), values(value))
    }

    fn step(&self, step: &Step) -> String {
        let window = |alpha: f64, beta: f64| format!("({}, {})", number(alpha), number(beta));
        match step {
            Step::Iteration(n) if self.is_sampling() => format!("simulation {n}"),
            Step::Iteration(n) => format!("depth {n}"),
            Step::Enter { node, alpha, beta } => {
                let who = match self.nodes[*node].kind {
                    Kind::Max => "MAX",
                    Kind::Min => "MIN",
                    Kind::Chance => "chance",
                    Kind::Player(player) => {
                        return format!("{}, player {} to move", self.name(*node), player + 1);
                    }
                    Kind::End => "the end",
                };
                format!("{} ({who}) {}", self.name(*node), window(*alpha, *beta))
            }
            Step::Leaf { node, values, kind } => self.leaf(*node, values, *kind),
            Step::Window { node, by, alpha, beta } => {
                let which = match self.nodes[*node].kind {
                    Kind::Min => format!("beta {}", number(*beta)),
                    _ => format!("alpha {}", number(*alpha)),
                };
                let by = self.name(*by);
                format!("{}: {which} by {by}, now {}", self.name(*node), window(*alpha, *beta))
            }
            Step::Cut { node, reason, skipped } => {
                let why = match reason {
                    CutReason::Beta => "beta is reached, MIN has better above",
                    CutReason::Alpha => "alpha is reached, MAX has better above",
                    CutReason::Chance => "whatever chance still brings, it leaves the window",
                    CutReason::Table => "the table knows enough",
                    CutReason::Shallow => "nothing is left to gain for the player above",
                    _ => "nothing below matters",
                };
                format!("{}: {} pruned: {why}", self.name(*node), self.names(skipped))
            }
            Step::Leave { node, values: value } => {
                format!("{} = {}", self.name(*node), values(value))
            }
            Step::Weigh { node, children } => self.weights(*node, children),
            Step::Select { node } => format!("to {}", self.name(*node)),
            Step::Expand { node, children } => {
                format!("{} is expanded: {}", self.name(*node), self.names(children))
            }
            Step::Simulate { node, value } => {
                format!("{} is simulated: {}", self.name(*node), number(*value))
            }
            Step::BackUp { node, visits, total } => {
                format!("{}: total {}, {visits} visits", self.name(*node), number(*total))
            }
        }
    }

    fn is_sampling(&self) -> bool {
        self.told.steps.iter().any(|step| matches!(step, Step::Simulate { .. }))
    }

    /// Both terms of every child, the heaviest first where there are many.
    fn weights(&self, node: usize, children: &[Weighed]) -> String {
        let mut sorted: Vec<&Weighed> = children.iter().collect();
        if children.len() > NAMED {
            let weight = |child: &Weighed| child.mean + child.bonus;
            sorted.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        }
        let each = sorted.iter().take(NAMED).map(|child| {
            let name = self.name(child.node);
            if child.bonus == f64::INFINITY {
                format!("{name} unvisited")
            } else {
                let (mean, bonus) = (child.mean, child.bonus);
                format!("{name} {} + {} = {}", number(mean), number(bonus), number(mean + bonus))
            }
        });
        let each: Vec<String> = each.collect();
        let more = match children.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{} weighs {}{more}", self.name(node), each.join("; "))
    }
}
