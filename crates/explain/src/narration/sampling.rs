//! Lines about simulations: select, expand, simulate, back up.

use tussle_catalog::recording::{ChildWeight, NodeKind, Step};
use tussle_core::Mixture;

use super::words::NAMED;
use super::{Narrator, NextSteps};
use crate::number::count;

impl<'a> Narrator<'a> {
    /// Returns the line about a selection, with mean and bonus of every child, in a long list the largest first.
    /// Unvisited children are listed together.
    pub(super) fn weights(&self, node: usize, children: &[ChildWeight]) -> String {
        let weight = |child: &ChildWeight| child.mean + child.bonus;
        let (untried, mut sorted): (Vec<&ChildWeight>, Vec<&ChildWeight>) =
            children.iter().partition(|child| child.bonus == f64::INFINITY);
        if children.len() > NAMED {
            sorted.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        }
        let one = |child: &&ChildWeight| {
            let (name, mean, bonus) = (self.name(child.node), child.mean, child.bonus);
            let never = if child.visits == 0 { " (never visited)" } else { "" };
            let (mean, bonus, sum) =
                (self.number(mean), self.number(bonus), self.number(mean + bonus));
            format!("{name} {mean} + {bonus} = {sum}{never}")
        };
        let mut texts: Vec<String> = sorted.iter().take(NAMED).map(one).collect();
        match sorted.len().saturating_sub(NAMED) {
            0 => {}
            more => texts.push(format!("{more} more")),
        }
        if !untried.is_empty() {
            let untried: Vec<usize> = untried.iter().map(|child| child.node).collect();
            let many = untried.len() > NAMED;
            let who =
                if many { count(untried.len() as u64, "child") } else { self.names(&untried) };
            let who = who.replace("childs", "children");
            texts.push(format!("{who} never visited: +inf"));
        }
        let who =
            if self.nature.is_alone { String::new() } else { format!(" ({})", self.who(node)) };
        format!("{}{who} compares mean + bonus: {}", self.name(node), texts.join("; "))
    }

    /// Returns the player to whom the total of a node belongs: the player who moved into it, or at the root the
    /// player to move. `None` for a chance outcome.
    fn owner(&self, node: usize) -> Option<String> {
        let mover = self.nodes[node].parent.unwrap_or(0);
        match self.nodes[mover].kind {
            NodeKind::Chance | NodeKind::End => None,
            _ => Some(self.who(mover)),
        }
    }

    pub(super) fn selected(&self, node: usize) -> String {
        let name = self.name(node);
        let parent = self.nodes[node].parent;
        if parent.is_some_and(|parent| self.nodes[parent].kind == NodeKind::Chance) {
            return format!("select: chance outcome {name}");
        }
        // The step before has the weights, unless the selected path is that of the last simulation.
        let weighed = self.told.steps[..self.at - 1].last();
        if let Some(Step::Weigh { children, .. }) = weighed
            && let Some(child) = children.iter().find(|child| child.node == node)
        {
            if child.bonus == f64::INFINITY {
                return format!("select {name}, never visited");
            }
            return format!("select {name}, {}", self.number(child.mean + child.bonus));
        }
        format!("select {name}")
    }

    pub(super) fn expanded(&self, node: usize, children: &[usize]) -> String {
        let (name, children) = (self.name(node), self.names(children));
        if self.rounds.number().is_none() {
            format!("expand {name} before the first simulation: {children}")
        } else {
            format!("expand {name}: {children}")
        }
    }

    pub(super) fn simulated(&self, node: usize, value: f64, mix: Option<Mixture>) -> String {
        let name = self.name(node);
        let is_over = self.nodes[node].kind == NodeKind::End;
        let how =
            if is_over && !self.told.tree.has_names() { "the game is over" } else { "simulate" };
        let whose = match self.told.tree.players() {
            _ if self.told.tree.has_names() && self.nature.is_alone => "",
            2 => " for MAX",
            _ => " for player 1",
        };
        if let Some(Mixture { lambda, evaluation, rollout }) = mix {
            let [rest, v, lambda, z, value] =
                [1.0 - lambda, evaluation, lambda, rollout, value].map(|x| self.number(x));
            format!(
                "simulate {name}: evaluation v = {v}, rollout z = {z}, {rest} * v + {lambda} * z = {value}{whose}"
            )
        } else if how == "simulate" {
            format!("simulate {name}: {}{whose}", self.number(value))
        } else {
            format!("{name}, {how}: {}{whose}", self.number(value))
        }
    }

    /// Adds one line about the backup along the whole path.
    pub(super) fn back_up(&mut self, first: (usize, u64, f64), ahead: NextSteps<'a, '_>) {
        let mut taken = vec![first];
        while let Some(Step::BackUp { node, visits, total }) = ahead.peek() {
            taken.push((*node, *visits, *total));
            ahead.next();
            self.at += 1;
        }
        let is_alone = self.nature.is_alone;
        let one = |&(node, visits, total): &(usize, u64, f64)| {
            let name = self.name(node);
            match self.owner(node) {
                None => format!("{name} ({visits})"), // only visits are counted there
                Some(_) if is_alone => format!("{name} {} ({visits})", self.number(total)),
                Some(owner) => format!("{name} {} for {owner} ({visits})", self.number(total)),
            }
        };
        let each: Vec<String> = taken.iter().map(one).collect();
        let text = format!("back up, total (visits): {}", each.join(", "));
        self.tell(first.0, text);
    }
}
