//! How much the value of a node says: what it is worth, or only a bound.

use tussle_core::Value;

use tussle_catalog::recording::NodeKind;

use crate::Explanation;
use crate::explanation::base;

/// On which side of a value the truth may lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The value is what the node is worth.
    #[default]
    Exact,
    /// It is worth this or more.
    AtLeast,
    /// It is worth this or less.
    AtMost,
}

impl Bound {
    /// What a value says that nothing below explains: outside of the window it is only a bound.
    pub(crate) fn outside(value: Value, window: Option<(Value, Value)>) -> Self {
        match window {
            Some((alpha, _)) if value <= alpha => Self::AtMost,
            Some((_, beta)) if value >= beta => Self::AtLeast,
            _ => Self::Exact,
        }
    }
}

/// Returns true if no value lies between the ends of a window.
pub(crate) fn is_null_window(alpha: Value, beta: Value) -> bool {
    let is_beside = beta.number() == alpha.number().next_up();
    alpha.is_finite() && is_beside && alpha.distance() == beta.distance()
}

/// How a node's value comes from those of its children.
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
    /// What the player at a node does in this search.
    pub(crate) fn at(told: &Explanation, node: usize) -> Self {
        let own = told.tree.nodes()[0].kind;
        match told.tree.nodes()[node].kind {
            NodeKind::Chance => Self::Mean,
            // Rivals may be averaged over, as if they were chance.
            kind if kind != own && base(&told.agent) == "expectimax" => Self::Unsure,
            NodeKind::Player(_) if told.tree.nodes()[node].kind != own => Self::Least,
            NodeKind::Min => Self::Least,
            _ => Self::Largest,
        }
    }

    /// What a value says that comes from these, not from all there are if `is_cut`.
    pub(crate) fn bound(
        self,
        value: Value,
        from: &[(Value, Bound)],
        is_cut: bool,
        window: Option<(Value, Value)>,
    ) -> Bound {
        let is_all = !is_cut && !from.is_empty();
        let all_least = is_all && from.iter().all(|(_, bound)| *bound != Bound::AtMost);
        let all_most = is_all && from.iter().all(|(_, bound)| *bound != Bound::AtLeast);
        // One child is enough to say that the largest is no less, and the least no more.
        let has_least = from.iter().any(|&(own, bound)| own >= value && bound != Bound::AtMost);
        let has_most = from.iter().any(|&(own, bound)| own <= value && bound != Bound::AtLeast);
        let (at_least, at_most) = match self {
            Self::Largest => (has_least, all_most),
            Self::Least => (all_least, has_most),
            Self::Mean => (all_least, all_most),
            Self::Unsure => (all_least && all_most, all_least && all_most),
        };
        match (at_least, at_most) {
            (true, true) => Bound::Exact,
            (true, false) => Bound::AtLeast,
            (false, true) => Bound::AtMost,
            (false, false) => Bound::outside(value, window),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::AtLeast, Bound::AtMost];

    /// All that a child may be worth of which this is known.
    fn may_be((value, bound): (f64, Bound)) -> Vec<f64> {
        let fits = |&worth: &f64| match bound {
            Bound::Exact => worth == value,
            Bound::AtLeast => worth >= value,
            Bound::AtMost => worth <= value,
        };
        (-3..=3).map(f64::from).filter(fits).collect()
    }

    #[test]
    fn no_bound_says_more_than_the_children_do() {
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
                    // Where nothing can be said, the window decides, and there is none here.
                    let worths: Vec<f64> = (may_be(a).iter())
                        .flat_map(|&x| may_be(b).into_iter().map(move |y| worth(x, y)))
                        .collect();
                    let (least, most) = (
                        worths.iter().all(|&worth| worth >= value),
                        worths.iter().all(|&worth| worth <= value),
                    );
                    match bound {
                        Bound::Exact if least == most => exact += usize::from(least),
                        Bound::AtLeast => assert!(least, "{rule:?} of {a:?} and {b:?}"),
                        Bound::AtMost => assert!(most, "{rule:?} of {a:?} and {b:?}"),
                        Bound::Exact => panic!("{rule:?} of {a:?} and {b:?}"),
                    }
                }
            }
        }
        assert!(exact > 30, "{exact}");
    }

    #[test]
    fn who_is_left_out_could_be_anything() {
        let nine = [(Value::from(9.0), Bound::Exact)];
        let window = Some((Value::from(4.0), Value::from(8.0)));
        assert_eq!(Rule::Largest.bound(Value::from(9.0), &nine, true, window), Bound::AtLeast);
        assert_eq!(Rule::Largest.bound(Value::from(9.0), &nine, false, window), Bound::Exact);
        let two = [(Value::from(2.0), Bound::Exact)];
        assert_eq!(Rule::Least.bound(Value::from(2.0), &two, true, window), Bound::AtMost);
        assert_eq!(Rule::Mean.bound(Value::from(3.0), &two, true, window), Bound::AtMost);
        assert_eq!(Rule::Mean.bound(Value::from(8.5), &nine, true, window), Bound::AtLeast);
        assert_eq!(Rule::Least.bound(Value::from(5.0), &[], true, window), Bound::Exact);
    }
}
