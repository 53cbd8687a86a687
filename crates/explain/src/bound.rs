//! Bounds: relation of the value of a node to its true value.

use tussle_catalog::recording::NodeKind;
use tussle_core::{Bound, Value};

use crate::Explanation;

/// Returns the bound of a value that nothing below explains: exact inside the window it was searched with.
pub(crate) fn bound_outside(value: Value, window: Option<(Value, Value)>) -> Bound {
    match window {
        Some((alpha, _)) if value <= alpha => Bound::Upper,
        Some((_, beta)) if value >= beta => Bound::Lower,
        _ => Bound::Exact,
    }
}

/// Returns true if no value lies between the ends of a window.
pub(crate) fn is_null_window(alpha: Value, beta: Value) -> bool {
    let is_beside = beta.number() == alpha.number().next_up();
    alpha.is_finite() && is_beside && alpha.distance() == beta.distance()
}

/// Question of a null window, the only one it answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NullWindowTest {
    /// Is the value above this one?
    Above(Value),
    /// Is the value below this one?
    Below(Value),
}

/// Rule by which the value of a node follows from those of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The largest.
    Largest,
    /// The least.
    Least,
    /// The mean.
    Mean,
    /// The largest, the least or the mean: the steps do not say which.
    Unsure,
}

impl Rule {
    /// Returns the rule of a node in this search.
    pub(crate) fn at(told: &Explanation, node: usize) -> Self {
        let own = told.tree.nodes()[0].kind;
        match told.tree.nodes()[node].kind {
            NodeKind::Chance => Self::Mean,
            // Expectimax may average over opponents.
            kind if kind != own && told.settled.name == "expectimax" => Self::Unsure,
            NodeKind::Player(_) if told.tree.nodes()[node].kind != own => Self::Least,
            NodeKind::Min => Self::Least,
            _ => Self::Largest,
        }
    }

    /// Returns the bound of a value that follows from these children; `is_cut` means that other children were pruned.
    pub(crate) fn bound(
        self,
        value: Value,
        from: &[(Value, Bound)],
        is_cut: bool,
        window: Option<(Value, Value)>,
    ) -> Bound {
        let is_all = !is_cut && !from.is_empty();
        let all_least = is_all && from.iter().all(|(_, bound)| *bound != Bound::Upper);
        let all_most = is_all && from.iter().all(|(_, bound)| *bound != Bound::Lower);
        // One child is enough to bound the largest value from below and the least value from above.
        let has_least = from.iter().any(|&(own, bound)| own >= value && bound != Bound::Upper);
        let has_most = from.iter().any(|&(own, bound)| own <= value && bound != Bound::Lower);
        let (at_least, at_most) = match self {
            Self::Largest => (has_least, all_most),
            Self::Least => (all_least, has_most),
            Self::Mean => (all_least, all_most),
            Self::Unsure => (all_least && all_most, all_least && all_most),
        };
        match (at_least, at_most) {
            (true, true) => Bound::Exact,
            (true, false) => Bound::Lower,
            (false, true) => Bound::Upper,
            (false, false) => bound_outside(value, window),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

    /// Returns the possible values of a child with this value and bound.
    fn may_be((value, bound): (f64, Bound)) -> Vec<f64> {
        let fits = |&worth: &f64| match bound {
            Bound::Exact => worth == value,
            Bound::Lower => worth >= value,
            Bound::Upper => worth <= value,
        };
        (-3..=3).map(f64::from).filter(fits).collect()
    }

    #[test]
    fn a_bound_holds_for_all_possible_values_of_the_children() {
        let known: Vec<(f64, Bound)> =
            (-1..=1).flat_map(|value| BOUNDS.map(|bound| (f64::from(value), bound))).collect();
        let mut exact = 0;
        for &a in &known {
            for &b in &known {
                for (rule, worth) in [
                    (Rule::Largest, f64::max as fn(f64, f64) -> f64),
                    (Rule::Least, f64::min),
                    (Rule::Mean, f64::midpoint),
                ] {
                    let value = worth(a.0, b.0);
                    let bound = rule.bound(
                        value.into(),
                        &[a, b].map(|(value, bound)| (value.into(), bound)),
                        false,
                        None,
                    );
                    // Without a bound from the children, the window decides; this test has none.
                    let worths: Vec<f64> = (may_be(a).iter())
                        .flat_map(|&x| may_be(b).into_iter().map(move |y| worth(x, y)))
                        .collect();
                    let (least, most) = (
                        worths.iter().all(|&worth| worth >= value),
                        worths.iter().all(|&worth| worth <= value),
                    );
                    match bound {
                        Bound::Exact if least == most => exact += usize::from(least),
                        Bound::Lower => assert!(least, "{rule:?} of {a:?} and {b:?}"),
                        Bound::Upper => assert!(most, "{rule:?} of {a:?} and {b:?}"),
                        Bound::Exact => panic!("{rule:?} of {a:?} and {b:?}"),
                    }
                }
            }
        }
        assert!(exact > 30, "{exact}");
    }

    #[test]
    fn a_pruned_child_may_have_any_value() {
        let nine = [(Value::from(9.0), Bound::Exact)];
        let window = Some((Value::from(4.0), Value::from(8.0)));
        assert_eq!(Rule::Largest.bound(Value::from(9.0), &nine, true, window), Bound::Lower);
        assert_eq!(Rule::Largest.bound(Value::from(9.0), &nine, false, window), Bound::Exact);
        let two = [(Value::from(2.0), Bound::Exact)];
        assert_eq!(Rule::Least.bound(Value::from(2.0), &two, true, window), Bound::Upper);
        assert_eq!(Rule::Mean.bound(Value::from(3.0), &two, true, window), Bound::Upper);
        assert_eq!(Rule::Mean.bound(Value::from(8.5), &nine, true, window), Bound::Lower);
        assert_eq!(Rule::Least.bound(Value::from(5.0), &[], true, window), Bound::Exact);
    }
}
