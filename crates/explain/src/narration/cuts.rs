//! Lines about cutoffs: the pruned children and the reason.

use tussle_core::{Bound, CutReason, Value};

use super::Narrator;
use super::bounds::winner;
use super::nature::Role;
use super::stack::Frame;
use crate::bound::NullWindowTest;

impl Narrator<'_> {
    /// Returns the line about a cutoff: the value that caused it, the reason, and the pruned children.
    pub(super) fn cut(&self, node: usize, reason: CutReason, skipped: &[usize]) -> String {
        let name = self.name(node);
        let why = match (reason, self.frames.last()) {
            (CutReason::Beta | CutReason::Alpha, Some(frame)) => {
                self.why_outside(frame, reason == CutReason::Beta)
            }
            (CutReason::Chance, Some(frame)) => self.why_average_is_outside(frame),
            (CutReason::Shallow, Some(frame)) => self.why_spurned(frame),
            (CutReason::Table, _) => "the value in the table is sufficient".to_owned(),
            _ => "no further move can change the value".to_owned(),
        };
        format!("{name}: {why}: {} pruned", self.left_out(skipped))
    }

    /// Returns the reason for a cutoff at an end of the window: beta at a MAX node, alpha at a MIN node.
    fn why_outside(&self, frame: &Frame, is_beta: bool) -> String {
        let Some((child, values)) = frame.done.last() else {
            return "the window is closed".to_owned();
        };
        let value = values.first().copied().unwrap_or(Value::ZERO);
        let known = frame.bound_of(*child);
        let (child, (alpha, beta)) = (self.name(*child), frame.window);
        let (sign, end, bound) =
            if is_beta { (">=", "beta", beta) } else { ("<=", "alpha", alpha) };
        let is_decided = winner(value).is_some();
        let found = match known {
            // A win is written with its player instead of a number.
            _ if is_decided => {
                format!("by {child} {}{}", self.number(value), Self::or(value, known))
            }
            Bound::Exact => format!("{child} = {}", self.number(value)),
            Bound::Lower => format!("{child} >= {}", self.number(value)),
            Bound::Upper => format!("{child} <= {}", self.number(value)),
        };
        if if is_beta { value < bound } else { value > bound } {
            return format!("{found}, and nothing is better than that");
        }
        if let Some(test) = frame.test {
            if is_decided {
                return format!("{found}, which answers the test");
            }
            let (compared, asked) = match (test, is_beta) {
                (NullWindowTest::Above(asked), true) => ("more", asked),
                (NullWindowTest::Below(asked), false) => ("less", asked),
                (NullWindowTest::Above(asked), false) => ("no more", asked),
                (NullWindowTest::Below(asked), true) => ("no less", asked),
            };
            let asked = self.number(asked);
            return format!("{found} is {compared} than {asked}, which answers the test");
        }
        let compared = if is_decided {
            format!("{found}, beyond {end} {}", self.number(bound))
        } else {
            format!("{found} {sign} {end} {}", self.number(bound))
        };
        match self.who_set(bound, is_beta) {
            None if is_decided => format!("{found}, and nothing is better here"),
            Some(above) => format!("{compared}, so {above} would never come here"),
            None => format!("{compared}, which is outside of the window"),
        }
    }

    /// Returns the node above that set this end of the window, with its player.
    fn who_set(&self, bound: Value, is_beta: bool) -> Option<String> {
        let (_, above) = self.frames.split_last()?;
        let gave = |frame: &&Frame| {
            let (entry, now, role) = if is_beta {
                (frame.entry.1, frame.window.1, Role::Min)
            } else {
                (frame.entry.0, frame.window.0, Role::Max)
            };
            now == bound && entry != now && self.nature.role(frame.node) == role
        };
        let frame = above.iter().rev().find(gave)?;
        Some(self.at_node(frame.node))
    }

    /// Returns a node with its player: `MIN at B`.
    pub(super) fn at_node(&self, node: usize) -> String {
        let who = self.who(node);
        let who = who.split(',').next().unwrap_or_default();
        format!("{who} at {}", self.name(node))
    }

    /// Returns the reason for a cutoff in max^n: the player one ply above prefers another move.
    fn why_spurned(&self, frame: &Frame) -> String {
        let role = self.nature.role(frame.node);
        let Role::Own(player) = role else {
            return "no further move can change the value".to_owned();
        };
        let Some((child, values)) = frame.best(role) else {
            return "no further move can change the value".to_owned();
        };
        let own = values.get(player).copied().unwrap_or(Value::ZERO);
        let found =
            format!("{} gives {} {}", self.name(child), self.player(player), self.number(own));
        let above = self.frames.len().checked_sub(2).map(|at| &self.frames[at]);
        let above = above.filter(|_| own >= frame.entry.1).and_then(|above| {
            let role = self.nature.role(above.node);
            let Role::Own(player) = role else { return None };
            let (child, values) = above.best(role)?;
            Some((player, self.name(child), values.get(player).copied()?))
        });
        match above {
            Some((player, child, has)) => format!(
                "{found}, {} or more, which leaves {} no more than the {} it has by {child}",
                self.number(frame.entry.1),
                self.player(player),
                self.number(has),
            ),
            None => format!("{found}, and no player can get more"),
        }
    }
}
