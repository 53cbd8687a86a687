//! Maximum matching: how many agents can be paired if some pairs are not allowed.

use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};

/// Returns the maximum number of disjoint pairs of agents. Only pairs for which `allowed` returns true are used.
pub(super) fn most_pairs(agents: &[usize], allowed: impl Fn(usize, usize) -> bool) -> usize {
    let mut graph: UnGraph<(), (), usize> = UnGraph::default();
    for _ in agents {
        graph.add_node(());
    }
    for (i, &a) in agents.iter().enumerate() {
        for (j, &b) in agents.iter().enumerate().skip(i + 1) {
            if allowed(a, b) {
                graph.add_edge(NodeIndex::new(i), NodeIndex::new(j), ());
            }
        }
    }
    maximum_matching(&graph).len()
}

/// Returns true if all agents can be paired; of an odd number, one is left over.
pub(super) fn can_all_meet(agents: &[usize], allowed: impl Fn(usize, usize) -> bool) -> bool {
    most_pairs(agents, allowed) == agents.len() / 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Like [`most_pairs`], by trying all possibilities.
    fn most_by_trial(agents: &[usize], allowed: &dyn Fn(usize, usize) -> bool) -> usize {
        let Some((&first, rest)) = agents.split_first() else { return 0 };
        let without = |b: usize| rest.iter().copied().filter(|&c| c != b).collect::<Vec<_>>();
        let with = rest.iter().filter(|&&b| allowed(first, b));
        let met = with.map(|&b| 1 + most_by_trial(&without(b), allowed)).max();
        met.unwrap_or(0).max(most_by_trial(rest, allowed))
    }

    #[test]
    fn two_triangles_can_be_paired_only_over_a_bridge() {
        let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)];
        let triangles = |a, b| edges.contains(&(a, b));
        let agents: Vec<usize> = (0..6).collect();
        assert!(!can_all_meet(&agents, triangles));
        assert!(can_all_meet(&agents, |a, b| triangles(a, b) || (a, b) == (2, 3)));
    }

    #[test]
    fn the_matching_of_every_graph_of_six_agrees_with_exhaustive_search() {
        let agents: Vec<usize> = (0..6).collect();
        for edges in 0u32..1 << 15 {
            let allowed = |a: usize, b: usize| edges >> (b * (b - 1) / 2 + a) & 1 == 1;
            let trial = most_by_trial(&agents, &allowed);
            assert_eq!(most_pairs(&agents, allowed), trial, "{edges:b}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Sparse graphs have odd cycles, which make matching difficult.
        #[test]
        fn the_maximum_matching_agrees_with_exhaustive_search(
            n in 7usize..=8,
            draws in prop::collection::vec(0u32..100, 28),
            density in 10u32..60,
        ) {
            let agents: Vec<usize> = (0..n).collect();
            let allowed = |a: usize, b: usize| draws[b * (b - 1) / 2 + a] < density;
            prop_assert_eq!(most_pairs(&agents, allowed), most_by_trial(&agents, &allowed));
        }
    }
}
