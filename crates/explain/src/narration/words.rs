//! Names, lists and windows.

use std::cmp::Ordering;

use tussle_catalog::recording::NodeKind;
use tussle_core::Value;

use super::Narrator;
use super::nature::Role;
use super::stack::Frame;
use crate::bound::NullWindowTest;
use crate::number::count;
use crate::words::list;

/// Maximum number of nodes that a list names; the others are counted.
pub(super) const NAMED: usize = 8;

impl Narrator<'_> {
    pub(super) fn number(&self, number: impl Into<Value>) -> String {
        self.wins.number(number)
    }

    pub(super) fn values(&self, values: &[Value]) -> String {
        self.wins.values(values)
    }

    /// Formats a window as an interval.
    pub(super) fn window_text(&self, (alpha, beta): (Value, Value)) -> String {
        format!("({}, {})", self.number(alpha), self.number(beta))
    }

    pub(super) fn name(&self, node: usize) -> &str {
        &self.nodes[node].name
    }

    /// Lists the names of the first nodes and the number of the others.
    pub(super) fn names(&self, nodes: &[usize]) -> String {
        let mut named: Vec<String> =
            nodes.iter().take(NAMED).map(|&node| self.name(node).to_owned()).collect();
        match nodes.len().saturating_sub(NAMED) {
            0 => {}
            more => named.push(format!("{more} more")),
        }
        list(&named)
    }

    /// Lists pruned nodes, in a tree file with all of their descendants.
    pub(super) fn left_out(&self, skipped: &[usize]) -> String {
        if !self.told.tree.has_names() {
            return self.names(skipped);
        }
        let whole = |node: usize| {
            let below = self.told.tree.below(node);
            match &below[1..] {
                [] => self.name(node).to_owned(),
                below if below.len() <= NAMED => {
                    format!("{} with {}", self.name(node), self.names(below))
                }
                below => {
                    format!("{} with {} below", self.name(node), count(below.len() as u64, "node"))
                }
            }
        };
        let mut texts: Vec<String> = skipped.iter().take(NAMED).map(|&node| whole(node)).collect();
        match skipped.len().saturating_sub(NAMED) {
            0 => {}
            more => texts.push(format!("{more} more")),
        }
        // `G with N and O and P` would be unclear.
        if texts.len() > 1 && texts.iter().any(|text| text.contains(' ')) {
            texts.join("; ")
        } else {
            list(&texts)
        }
    }

    /// Returns the name of a player.
    pub(super) fn player(&self, player: usize) -> String {
        match (self.told.tree.players(), player) {
            (2, 0) => "MAX".to_owned(),
            (2, _) => "MIN".to_owned(),
            _ => format!("player {}", player + 1),
        }
    }

    /// Returns the player to move at a node, or chance.
    pub(super) fn who(&self, node: usize) -> String {
        let who = match self.nodes[node].kind {
            NodeKind::Max => "MAX".to_owned(),
            NodeKind::Min => "MIN".to_owned(),
            NodeKind::Chance => return "chance".to_owned(),
            NodeKind::Player(player) => format!("player {}", player + 1),
            NodeKind::End => return "the end".to_owned(),
        };
        match (self.nature.role(node), self.nodes[0].kind, self.nodes[node].kind) {
            (Role::Average, ..) => format!("{who}, averaged over"),
            (Role::Min, NodeKind::Player(one), NodeKind::Player(_)) => {
                format!("{who}, against player {}", one + 1)
            }
            _ => who,
        }
    }

    /// Returns the line about entering a node.
    pub(super) fn entered(&self, frame: &Frame) -> String {
        let node = frame.node;
        let start = format!("{} ({}){}", self.name(node), self.who(node), self.likelihood(node));
        match frame.test {
            _ if !self.nature.has_windows => start,
            None => {
                let (alpha, beta) = frame.entry;
                let is_guess = node == 0 && (alpha.is_finite() || beta.is_finite());
                // An aspiration window: its ends are around the value of the last depth.
                let guess =
                    if is_guess && self.is_aspiring() { ", set around the last value" } else { "" };
                format!("{start}, window {}{guess}", self.window_text(frame.entry))
            }
            Some(NullWindowTest::Above(value)) => {
                format!("{start}, only a test: more than {}?", self.number(value))
            }
            Some(NullWindowTest::Below(value)) => {
                format!("{start}, only a test: less than {}?", self.number(value))
            }
        }
    }

    fn is_aspiring(&self) -> bool {
        self.told.settled.value("window") == Some("aspiration")
    }

    /// Returns the line about leaving a node that has children.
    pub(super) fn done(&self, node: usize, value: &[Value]) -> String {
        let name = self.name(node);
        let plain = format!("{name} = {}", self.values(value));
        let Some(frame) = self.frames.last().filter(|frame| frame.node == node) else {
            return plain;
        };
        let role = self.nature.role(node);
        if !frame.skipped.is_empty() {
            return plain + &self.bound(frame, role, value);
        }
        match role {
            Role::Average => self.average(frame, value),
            Role::Own(player) => match frame.best(role) {
                Some((child, _)) => {
                    let child = self.name(child);
                    format!("{plain}: {child} is best for {}", self.player(player))
                }
                None => plain,
            },
            Role::Max | Role::Min if self.nature.has_windows => {
                let bound = self.searched_bound(frame, value);
                let or = Self::or(value.first().copied().unwrap_or(Value::ZERO), bound);
                plain + or + &self.missed(frame, role, value)
            }
            Role::Max | Role::Min => self.extreme(frame, role, value),
        }
    }

    /// Returns the reason why a value is only a bound.
    fn bound(&self, frame: &Frame, role: Role, value: &[Value]) -> String {
        let value = value.first().copied().unwrap_or(Value::ZERO);
        let bound = match role {
            Role::Own(player) => return format!(", for {} at least", self.player(player)),
            Role::Max | Role::Min | Role::Average => {
                Self::or(value, self.searched_bound(frame, &[value]))
            }
        };
        match frame.skipped.as_slice() {
            _ if bound.is_empty() => String::new(),
            [one] if role != Role::Average => {
                format!("{bound}: {} was not searched", self.name(*one))
            }
            _ => bound.to_owned(),
        }
    }

    /// Returns a clause about a value outside the window; empty if it is inside.
    fn missed(&self, frame: &Frame, role: Role, value: &[Value]) -> String {
        let Some(&value) = value.first() else { return String::new() };
        match (role, frame.test) {
            (_, Some(NullWindowTest::Above(asked))) if value <= asked => {
                ": no more than that".to_owned()
            }
            (_, Some(NullWindowTest::Above(_))) => ": more than that".to_owned(),
            (_, Some(NullWindowTest::Below(asked))) if value >= asked => {
                ": no less than that".to_owned()
            }
            (_, Some(NullWindowTest::Below(_))) => ": less than that".to_owned(),
            (Role::Max, _) if value <= frame.entry.0 => {
                format!(", no more than alpha {}", self.number(frame.entry.0))
            }
            (Role::Min, _) if value >= frame.entry.1 => {
                format!(", no less than beta {}", self.number(frame.entry.1))
            }
            _ => String::new(),
        }
    }

    /// Returns the value of a node with those of its children: `D = max(H 4, I 8) = 8`.
    fn extreme(&self, frame: &Frame, role: Role, worth: &[Value]) -> String {
        let (name, value) = (self.name(frame.node), self.values(worth));
        let (what, word) = if role == Role::Min { ("min", "least") } else { ("max", "largest") };
        let many = frame.done.len();
        if many > NAMED {
            let equals = frame
                .done
                .iter()
                .filter(|(_, other)| other.as_slice().partial_cmp(worth) == Some(Ordering::Equal));
            let equals: Vec<usize> = equals.map(|(child, _)| *child).collect();
            // Among equally good moves, the search may take another one than the first.
            let chosen = (frame.node == 0).then(|| self.told.best_line());
            let chosen = chosen.and_then(|line| line.get(1).copied());
            let by = chosen.filter(|child| equals.contains(child)).or(equals.first().copied());
            let by = by.map_or(String::new(), |child| format!(", by {}", self.name(child)));
            let others = match equals.len() {
                0 | 1 => String::new(),
                n => format!(" ({n} are equally good)"),
            };
            return format!("{name} = {value}, the {word} of {many}{by}{others}");
        }
        let each = frame
            .done
            .iter()
            .map(|(child, value)| format!("{} {}", self.name(*child), self.values(value)));
        format!("{name} = {what}({}) = {value}", each.collect::<Vec<_>>().join(", "))
    }
}
