//! The answer to an exercise as text.

use super::{Exercise, ExerciseNode, weigh};
use crate::number::number;

/// Names, wins and visits of the nodes from a new child up to the root, after a lost simulation of the child.
type LossPath = Vec<(String, f64, u64)>;

impl Exercise {
    /// Returns the name of a node.
    pub(crate) fn name(&self, node: usize) -> &str {
        &self.nodes[node].name
    }

    /// Returns the updated numbers after one simulation of a new child of this leaf, which the player who moved into
    /// the child loses: those of the child and of all nodes above it, from below. An unvisited leaf is simulated itself.
    pub fn after_loss(&self, leaf: usize) -> LossPath {
        let (nodes, tried) = self.updated(leaf);
        let path = std::iter::successors(Some(tried), |&node| nodes[node].parent);
        path.map(|node| (nodes[node].name.clone(), nodes[node].wins, nodes[node].visits)).collect()
    }

    /// Returns all nodes after the loss of [`after_loss`](Self::after_loss), and the node that was simulated. A new
    /// child is the last node.
    pub(super) fn updated(&self, leaf: usize) -> (Vec<ExerciseNode>, usize) {
        let mut nodes = self.nodes.clone();
        let mut tried = leaf;
        if nodes[leaf].visits > 0 {
            tried = nodes.len();
            nodes[leaf].children.push(tried);
            nodes.push(ExerciseNode {
                name: "new child".to_owned(),
                parent: Some(leaf),
                children: Vec::new(),
                by: 1 - nodes[leaf].by,
                wins: 0.0,
                visits: 0,
                weight: None,
            });
        }
        let loser = nodes[tried].by;
        let mut here = Some(tried);
        while let Some(node) = here {
            let ExerciseNode { by, wins, visits, parent, .. } = &mut nodes[node];
            *wins += if *by == loser { 0.0 } else { 1.0 };
            *visits += 1;
            here = *parent;
        }
        weigh(&mut nodes, self.c);
        (nodes, tried)
    }

    /// Returns the possible choices: the leaf with the largest bound, and the leaf that UCT selects.
    pub(super) fn choices(&self) -> Vec<usize> {
        let mut leaves = vec![self.largest];
        if self.top_down != self.largest {
            leaves.push(self.top_down);
        }
        leaves
    }

    /// Returns the solution as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(asked) = self.asked {
            text += &format!("The numbers of {} are missing.\n", self.name(asked));
            for line in &self.derivation {
                text += &format!("  {line}\n");
            }
            text.push('\n');
        }
        text += &format!(
            "UCB1 = wins / visits + {} * sqrt(ln(visits of the parent) / visits)\n",
            self.c_text()
        );
        text += &self.table();
        if !self.contradictions.is_empty() {
            text.push('\n');
            for line in &self.contradictions {
                text += &format!("Contradiction: {line}\n");
            }
        }
        text.push('\n');
        text += &self.answer();
        for leaf in self.choices() {
            let (tried, numbers) = self.loss_parts(leaf);
            text += &format!("\n{tried}:\n  {numbers}\n");
        }
        let is_turned =
            |node: &ExerciseNode| node.parent.is_none_or(|above| self.nodes[above].by != node.by);
        let whose = if self.nodes.iter().all(is_turned) {
            "every other node of the path"
        } else {
            "the nodes of the path that the winner moved into"
        };
        text + &format!(
            "\nWins belong to the player who moved into a node, so this one goes to {whose}.\n"
        )
    }

    /// Returns a sentence about the lost simulation below a leaf, and the updated numbers.
    fn loss_parts(&self, leaf: usize) -> (String, String) {
        let name = self.name(leaf);
        let tried = match self.nodes[leaf].visits {
            0 => format!("{name} is tried for the first time"),
            _ => format!("A new child below {name} is tried"),
        };
        let numbers: Vec<String> = self
            .after_loss(leaf)
            .iter()
            .map(|(name, wins, visits)| format!("{name} {}/{visits}", number(*wins)))
            .collect();
        (format!("{tried}, and the player who moved there loses"), numbers.join(", "))
    }

    /// Returns one sentence about the update after a loss below a leaf.
    pub(super) fn loss(&self, leaf: usize) -> String {
        let (tried, numbers) = self.loss_parts(leaf);
        format!("{tried}: {numbers}.")
    }

    pub(super) fn c_text(&self) -> String {
        if self.c == std::f64::consts::SQRT_2 { "sqrt(2)".to_owned() } else { number(self.c) }
    }

    fn table(&self) -> String {
        let width = self.nodes.iter().map(|node| node.name.chars().count()).max().unwrap_or(1);
        let mut text = String::new();
        let mut todo = vec![(0, 0)];
        while let Some((node, depth)) = todo.pop() {
            let ExerciseNode { name, wins, visits, weight, parent, children, .. } =
                &self.nodes[node];
            let indent = "  ".repeat(depth + 1);
            let share = format!("{}/{visits}", number(*wins));
            match (weight, parent) {
                (Some(_), _) if *visits == 0 => {
                    text += &format!("{indent}{name:<width$}  {share:<6} never visited: +inf\n");
                }
                (Some((mean, bonus)), Some(parent)) => {
                    let above = self.nodes[*parent].visits;
                    text += &format!(
                        "{indent}{name:<width$}  {share:<6} {mean:.3} + {} * sqrt(ln {above} / {visits}) = {mean:.4} + {bonus:.4} = {:.3}\n",
                        self.c_text(),
                        mean + bonus
                    );
                }
                _ => text += &format!("{indent}{name:<width$}  {share}\n"),
            }
            todo.extend(children.iter().rev().map(|&child| (child, depth + 1)));
        }
        text
    }

    /// Returns the other leaves with the largest bound, as text.
    fn ties(&self) -> String {
        let most = self.nodes[self.largest].bound();
        let is_tie = |&node: &usize| {
            let ExerciseNode { children, .. } = &self.nodes[node];
            children.is_empty() && node != self.largest && self.nodes[node].bound() == most
        };
        let names: Vec<&str> =
            (1..self.nodes.len()).filter(is_tie).map(|node| self.name(node)).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(" (with {})", names.join(", ")),
        }
    }

    fn bound_text(&self, node: usize) -> String {
        match self.nodes[node].bound().unwrap_or(0.0) {
            f64::INFINITY => "+inf".to_owned(),
            bound => format!("{bound:.3}"),
        }
    }

    /// Returns the path from the root to the leaf that UCT selects, each step with the compared bounds.
    fn way(&self) -> String {
        let mut way = Vec::new();
        let mut here = self.top_down;
        while let Some(parent) = self.nodes[here].parent {
            let siblings = self.nodes[parent].children.iter().filter(|&&child| child != here);
            let others: Vec<String> = siblings
                .map(|&child| format!("{} {}", self.name(child), self.bound_text(child)))
                .collect();
            let others = others.join(", ");
            way.push(format!("{} {} before {others}", self.name(here), self.bound_text(here)));
            here = parent;
        }
        way.reverse();
        way.join(", then ")
    }

    /// Returns the answer: the leaf to expand, or the two possible leaves.
    pub(crate) fn answer(&self) -> String {
        if self.largest == self.top_down {
            return format!("{}\n", self.choice(self.largest));
        }
        let (largest, top_down) = (self.name(self.largest), self.name(self.top_down));
        format!(
            "There are two possible choices:\n  \
             {largest}, the largest leaf anywhere{}: {}\n  \
             {top_down}, the one that UCT takes, strictly from the top down: {}\n",
            self.ties(),
            self.bound_text(self.largest),
            self.way()
        )
    }

    /// Returns a sentence with the reason why a leaf is chosen.
    pub(super) fn choice(&self, leaf: usize) -> String {
        let (name, bound) = (self.name(leaf), self.bound_text(leaf));
        if self.largest == self.top_down {
            return format!(
                "Expand {name}: its {bound} is the largest of all leaves{}, and selection from {} ends there too.",
                self.ties(),
                self.name(0)
            );
        }
        if leaf == self.largest {
            format!("Expand {name}, the largest leaf anywhere{}: {bound}.", self.ties())
        } else {
            format!("Expand {name}, as UCT does, strictly from the top down: {}.", self.way())
        }
    }
}
