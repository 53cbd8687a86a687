//! The answer to an exercise in words.

use serde_json::{Value, json};

use super::super::number::number;
use super::{Exercise, Standing};

/// Wins and visits of the nodes on the way to a leaf, from a new child up, once it was tried and lost.
type Lost = Vec<(String, f64, u64)>;

impl Exercise {
    /// The name of a node.
    fn name(&self, node: usize) -> &str {
        &self.nodes[node].name
    }

    /// After a new child below this leaf was tried once, and the player who moved into it lost: the child
    /// and everybody above it, from below. A leaf that was never visited is tried itself.
    pub fn after_loss(&self, leaf: usize) -> Lost {
        let is_new = self.nodes[leaf].visits == 0;
        let loser = if is_new { self.nodes[leaf].by } else { 1 - self.nodes[leaf].by };
        let mut changed = Vec::new();
        if !is_new {
            changed.push(("new child".to_owned(), 0.0, 1));
        }
        let mut here = Some(leaf);
        while let Some(node) = here {
            let Standing { name, by, wins, visits, parent, .. } = &self.nodes[node];
            let won = if *by == loser { 0.0 } else { 1.0 };
            changed.push((name.clone(), wins + won, visits + 1));
            here = *parent;
        }
        changed
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
        text += &self.choices();
        let mut leaves = vec![self.largest];
        if self.top_down != self.largest {
            leaves.push(self.top_down);
        }
        for leaf in leaves {
            let name = self.name(leaf);
            let tried = match self.nodes[leaf].visits {
                0 => format!("{name} is tried for the first time"),
                _ => format!("A new child below {name} is tried"),
            };
            text += &format!("\n{tried}, and the player who moved there loses:\n");
            let each: Vec<String> = self
                .after_loss(leaf)
                .iter()
                .map(|(name, wins, visits)| format!("{name} {}/{visits}", number(*wins)))
                .collect();
            text += &format!("  {}\n", each.join(", "));
        }
        let is_turned =
            |node: &Standing| node.parent.is_none_or(|above| self.nodes[above].by != node.by);
        let whose = if self.nodes.iter().all(is_turned) {
            "every other node on the way"
        } else {
            "the nodes on the way that the winner moved into"
        };
        text + &format!(
            "\nWins belong to the player who moved into a node, so this one goes to {whose}.\n"
        )
    }

    fn c_text(&self) -> String {
        if self.c == std::f64::consts::SQRT_2 { "sqrt(2)".to_owned() } else { number(self.c) }
    }

    fn table(&self) -> String {
        let width = self.nodes.iter().map(|node| node.name.chars().count()).max().unwrap_or(1);
        let mut text = String::new();
        let mut todo = vec![(0, 0)];
        while let Some((node, depth)) = todo.pop() {
            let Standing { name, wins, visits, weight, parent, children, .. } = &self.nodes[node];
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
            let Standing { children, .. } = &self.nodes[node];
            children.is_empty() && node != self.largest && self.nodes[node].bound() == most
        };
        let names: Vec<&str> =
            (1..self.nodes.len()).filter(is_tie).map(|node| self.name(node)).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(" (with {})", names.join(", ")),
        }
    }

    /// The two answers there may be.
    fn choices(&self) -> String {
        let (largest, top_down) = (self.name(self.largest), self.name(self.top_down));
        let bound = |node: usize| match self.nodes[node].bound().unwrap_or(0.0) {
            f64::INFINITY => "+inf".to_owned(),
            bound => format!("{bound:.3}"),
        };
        let ties = self.ties();
        if self.largest == self.top_down {
            return format!(
                "Expand {largest}: its {} is the largest of all leaves{ties}, and the way down from {} leads to it.\n",
                bound(self.largest),
                self.name(0)
            );
        }
        let mut way = Vec::new();
        let mut here = self.top_down;
        while let Some(parent) = self.nodes[here].parent {
            let siblings = self.nodes[parent].children.iter().filter(|&&child| child != here);
            let others: Vec<String> =
                siblings.map(|&child| format!("{} {}", self.name(child), bound(child))).collect();
            way.push(format!("{} {} before {}", self.name(here), bound(here), others.join(", ")));
            here = parent;
        }
        way.reverse();
        format!(
            "There are two possible choices:\n  \
             {largest}, the largest leaf anywhere{ties}: {}\n  \
             {top_down}, the one that UCT takes, strictly from the top down: {}\n",
            bound(self.largest),
            way.join(", then ")
        )
    }

    /// Everything, as JSON.
    pub fn document(&self) -> Value {
        let node = |node: &Standing| {
            json!({
                "name": node.name,
                "parent": node.parent.map(|parent| self.name(parent)),
                "wins": node.wins,
                "visits": node.visits,
                "mean": node.weight.filter(|_| node.visits > 0).map(|(mean, _)| mean),
                "bonus": node.weight.map(|(_, bonus)| bonus),
                "ucb": node.bound(),
            })
        };
        let lost = |leaf: usize| {
            let each = self.after_loss(leaf);
            let each = each
                .iter()
                .map(|(name, wins, visits)| json!({"name": name, "wins": wins, "visits": visits}));
            each.collect::<Vec<_>>()
        };
        json!({
            "c": self.c,
            "nodes": self.nodes.iter().map(node).collect::<Vec<_>>(),
            "asked": self.asked.map(|asked| self.name(asked)),
            "derivation": self.derivation,
            "contradictions": self.contradictions,
            "largest_leaf": self.name(self.largest),
            "top_down": self.name(self.top_down),
            "after_loss": {"largest_leaf": lost(self.largest), "top_down": lost(self.top_down)},
        })
    }
}
