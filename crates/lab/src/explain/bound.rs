//! How much the value of a node says: what it is worth, or only a bound.

use super::{Explanation, Kind, base};

/// On which side of a value the truth may lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Bound {
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
    pub(super) fn outside(value: f64, window: Option<(f64, f64)>) -> Self {
        match window {
            Some((alpha, _)) if value <= alpha => Self::AtMost,
            Some((_, beta)) if value >= beta => Self::AtLeast,
            _ => Self::Exact,
        }
    }
}

/// How a node's value comes from those of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
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
    pub(super) fn at(told: &Explanation, node: usize) -> Self {
        let own = told.tree.nodes()[0].kind;
        match told.tree.nodes()[node].kind {
            Kind::Chance => Self::Mean,
            // Rivals may be averaged over, as if they were chance.
            kind if kind != own && base(&told.agent) == "expectimax" => Self::Unsure,
            Kind::Player(_) if told.tree.nodes()[node].kind != own => Self::Least,
            Kind::Min => Self::Least,
            _ => Self::Largest,
        }
    }

    /// What a value says that comes from these, not from all there are if `is_cut`.
    pub(super) fn bound(
        self,
        value: f64,
        from: &[(f64, Bound)],
        is_cut: bool,
        window: Option<(f64, f64)>,
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
                    let bound = rule.bound(value, &[a, b], false, None);
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
        let nine = [(9.0, Bound::Exact)];
        let window = Some((4.0, 8.0));
        assert_eq!(Rule::Largest.bound(9.0, &nine, true, window), Bound::AtLeast);
        assert_eq!(Rule::Largest.bound(9.0, &nine, false, window), Bound::Exact);
        let two = [(2.0, Bound::Exact)];
        assert_eq!(Rule::Least.bound(2.0, &two, true, window), Bound::AtMost);
        assert_eq!(Rule::Mean.bound(3.0, &two, true, window), Bound::AtMost);
        assert_eq!(Rule::Mean.bound(8.5, &nine, true, window), Bound::AtLeast);
        assert_eq!(Rule::Least.bound(5.0, &[], true, window), Bound::Exact);
    }
}
