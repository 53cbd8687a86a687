//! What a value says of the true one: that it is the same, or that it is no less, or no more.

use tussle_core::{Bound, LeafKind};

use super::Teller;
use super::frame::Frame;
use super::nature::Role;

impl Frame {
    /// What the window makes of a value, if nothing else is known: outside of it there are only bounds.
    pub(super) fn outside(&self, value: f64) -> Bound {
        match self.entry {
            (alpha, _) if value <= alpha => Bound::Upper,
            (_, beta) if value >= beta => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    /// What is known of a child.
    pub(super) fn bound_of(&self, child: usize) -> Bound {
        let known = self.bounds.iter().find(|(node, _)| *node == child);
        known.map_or(Bound::Exact, |(_, bound)| *bound)
    }
}

impl Teller<'_> {
    /// What a leaf's value is. The table may keep no more than was needed when it was filled.
    pub(super) fn leaf_bound(frame: &Frame, values: &[f64], kind: LeafKind) -> Bound {
        match (kind, values) {
            (LeafKind::Table, [value]) => frame.outside(*value),
            _ => Bound::Exact,
        }
    }

    /// What the value of a node is that was searched: what its children are, and what was left out, say it.
    pub(super) fn searched_bound(&self, frame: &Frame, values: &[f64]) -> Bound {
        let [value] = values else { return Bound::Exact };
        let (value, role) = (*value, self.nature.role(frame.node));
        let outside = frame.outside(value);
        if frame.done.is_empty() {
            return outside;
        }
        // A win by the very next move is the soonest there is.
        let next = self.nodes[frame.node].depth + 1;
        let is_soonest = self.wins.plies(value) == Some(next as f64);
        if is_soonest && (value > 0.0) == (role == Role::Max) && role != Role::Average {
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
            Role::Min => (f64::INFINITY, f64::INFINITY),
            Role::Average => (value, value),
            _ => (f64::NEG_INFINITY, f64::NEG_INFINITY),
        };
        for (child, values) in &frame.done {
            let known = values.first().copied().unwrap_or(0.0);
            let (low, high) = match frame.bound_of(*child) {
                Bound::Exact => (known, known),
                Bound::Lower => (known, f64::INFINITY),
                Bound::Upper => (f64::NEG_INFINITY, known),
            };
            match role {
                Role::Min => (least, most) = (least.min(low), most.min(high)),
                // The sum moves as far as its terms.
                Role::Average => {
                    (least, most) =
                        (least.min(low - known + value), most.max(high - known + value));
                }
                _ => (least, most) = (least.max(low), most.max(high)),
            }
        }
        match (least >= value, most <= value) {
            (true, true) => Bound::Exact,
            (true, false) => Bound::Lower,
            (false, true) if most == value => Bound::Upper,
            _ => outside,
        }
    }

    /// ` or more`, ` or less`; nothing of a value that is exact.
    pub(super) fn or(&self, value: f64, bound: Bound) -> &'static str {
        let is_won = self.wins.plies(value).map(|_| value > 0.0);
        match (bound, is_won) {
            (Bound::Exact, _) => "",
            (Bound::Lower, None) => " or more",
            (Bound::Upper, None) => " or less",
            (Bound::Lower, Some(true)) | (Bound::Upper, Some(false)) => " or sooner",
            // More than a loss may be a win.
            _ => " or later, if at all",
        }
    }
}
