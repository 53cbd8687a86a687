//! Bounds of values in the narration.

use tussle_core::{Bound, LeafKind, Outcome, Value};

use super::Narrator;
use super::nature::Role;
use super::stack::Frame;
use crate::bound::bound_outside;

impl Frame {
    /// Returns the bound of a value that follows from the window alone.
    pub(super) fn outside(&self, value: Value) -> Bound {
        bound_outside(value, Some(self.entry))
    }

    /// Returns the bound of the value of a child.
    pub(super) fn bound_of(&self, child: usize) -> Bound {
        let known = self.bounds.iter().find(|(node, _)| *node == child);
        known.map_or(Bound::Exact, |(_, bound)| *bound)
    }
}

/// Returns true for a win of MAX, false for a win of MIN, `None` for any other value.
pub(super) fn winner(value: Value) -> Option<bool> {
    match value.outcome()? {
        Outcome::Win => Some(true),
        Outcome::Draw => None,
        Outcome::Loss => Some(false),
    }
}

fn min(a: Value, b: Value) -> Value {
    if b < a { b } else { a }
}

fn max(a: Value, b: Value) -> Value {
    if b > a { b } else { a }
}

impl Narrator<'_> {
    /// Returns the bound of a leaf's value. A value from the table may be only a bound.
    pub(super) fn leaf_bound(frame: &Frame, values: &[Value], kind: LeafKind) -> Bound {
        match (kind, values) {
            (LeafKind::Table, [value]) => frame.outside(*value),
            _ => Bound::Exact,
        }
    }

    /// Returns the bound of the value of a searched node, by its finished and its pruned children.
    pub(super) fn searched_bound(&self, frame: &Frame, values: &[Value]) -> Bound {
        let [value] = values else { return Bound::Exact };
        let (value, role) = (*value, self.nature.role(frame.node));
        let outside = frame.outside(value);
        if frame.done.is_empty() {
            return outside;
        }
        // No win is sooner than one by the next move.
        let next = self.nodes[frame.node].depth + 1;
        let is_soonest = value.distance() == u32::try_from(next).ok();
        if is_soonest && winner(value) == Some(role == Role::Max) && role != Role::Average {
            return Bound::Exact;
        }
        match role {
            Role::Own(_) => return Bound::Exact,
            Role::Max if !frame.skipped.is_empty() => return Bound::Lower,
            Role::Min if !frame.skipped.is_empty() => return Bound::Upper,
            Role::Average if !frame.skipped.is_empty() => {
                let is_low = outside == Bound::Upper;
                return if is_low { Bound::Upper } else { Bound::Lower };
            }
            _ => {}
        }
        let (mut least, mut most) = match role {
            Role::Min => (Value::ABOVE_ALL, Value::ABOVE_ALL),
            Role::Average => (value, value),
            _ => (Value::BELOW_ALL, Value::BELOW_ALL),
        };
        for (child, values) in &frame.done {
            let known = values.first().copied().unwrap_or(Value::ZERO);
            let (low, high) = match frame.bound_of(*child) {
                Bound::Exact => (known, known),
                Bound::Lower => (known, Value::ABOVE_ALL),
                Bound::Upper => (Value::BELOW_ALL, known),
            };
            match role {
                Role::Min => (least, most) = (min(least, low), min(most, high)),
                // The sum changes by as much as its terms.
                Role::Average => {
                    let moved =
                        |end: Value| Value::from(end.number() - known.number() + value.number());
                    (least, most) = (min(least, moved(low)), max(most, moved(high)));
                }
                _ => (least, most) = (max(least, low), max(most, high)),
            }
        }
        match (least >= value, most <= value) {
            (true, true) => Bound::Exact,
            (true, false) => Bound::Lower,
            (false, true) if most == value => Bound::Upper,
            _ => outside,
        }
    }

    /// Returns ` or more` or the like for a bound; empty for an exact value.
    pub(super) fn or(value: Value, bound: Bound) -> &'static str {
        let is_won = winner(value);
        match (bound, is_won) {
            (Bound::Exact, _) => "",
            (Bound::Lower, None) => " or more",
            (Bound::Upper, None) => " or less",
            (Bound::Lower, Some(true)) | (Bound::Upper, Some(false)) => " or sooner",
            // A value above a loss may be a win.
            _ => " or later, if at all",
        }
    }
}
