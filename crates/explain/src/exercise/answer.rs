//! The answer to an exercise in words.

use super::{Exercise, ExerciseNode, weigh};
use crate::number::number;

/// Wins and visits of the nodes on the way to a leaf, from a new child up, once it was tried and lost.
type Lost = Vec<(String, f64, u64)>;

impl Exercise {
    /// Returns the name of a node.
    pub(crate) fn name(&self, node: usize) -> &str {
        &self.nodes[node].name
    }

    /// Returns the new numbers after a new child below this leaf was tried once and the player who moved into it
    /// lost: those of the child and of all nodes above it, from below. An unvisited leaf is tried itself.
    pub fn after_loss(&self, leaf: usize) -> Lost {
        let (nodes, tried) = self.updated(leaf);
        let path = std::iter::successors(Some(tried), |&node| nodes[node].parent);
        path.map(|node| (nodes[node].name.clone(), nodes[node].wins, nodes[node].visits)).collect()
    }

    /// Returns the nodes after the loss that [`after_loss`](Self::after_loss) lists, and the node that was tried. A
    /// new child is the last node.
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

    /// Returns the leaves that may be chosen: the largest anywhere, and the one that UCT takes.
    pub(super) fn choices(&self) -> Vec<usize> {
        let mut leaves = vec![self.largest];
        if self.top_down != self.largest {
            leaves.push(self.top_down);
        }
        leaves
    }

    /// Everything, for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(asked) = self.asked {
            text += &format!("{} is asked for.\n", self.name(asked));
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
            "every other node on the way"
        } else {
            "the nodes on the way that the winner moved into"
        };
        text + &format!(
            "\nWins belong to the player who moved into a node, so this one goes to {whose}.\n"
        )
    }

    /// Returns what is tried below a leaf, and the numbers after it was lost.
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

    /// Other leaves with as large a bound.
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

    /// Returns the steps from the root to the leaf that UCT takes, each with the bounds it was chosen by.
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

    /// Returns the answer: which leaf is expanded, or which two may be.
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

    /// Returns one sentence that says why a leaf is chosen.
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
