//! Reports and trees as plain data agree with each other.

use tussle_core::{Bound, Game, Limits, Report, StopReason, Turn, Value};
use tussle_search::{
    Agent, FinalMove, Mcts, MctsOptions, Query, SelectionPolicy, TreeFilter, TreeNode,
};

use super::{listed, rounded};
use crate::graph::Graph;

/// Returns the sort key of a node in the final move choice.
fn worth(node: &TreeNode<u16>, options: &MctsOptions) -> [f64; 2] {
    let mean = node.total / node.visits as f64;
    let worth = match options.final_move {
        FinalMove::Visits => node.visits as f64,
        FinalMove::Mean => mean,
        FinalMove::Total => node.total,
        FinalMove::Secure => mean - options.c / (node.visits as f64).sqrt(),
    };
    [worth, mean]
}

#[test]
fn reports_agree_with_the_tree() {
    for seed in 0..40 {
        let game = Graph {
            points: seed % 4 == 1,
            chance: seed % 5 == 2,
            branching: if seed % 3 == 0 { 12 } else { 4 },
            ..Graph::new(seed)
        };
        let finals = [FinalMove::Visits, FinalMove::Mean, FinalMove::Total, FinalMove::Secure];
        for final_move in finals {
            for (nodes, policy) in [
                (2, SelectionPolicy::Ucb1),
                (9, SelectionPolicy::Ucb1),
                (500, SelectionPolicy::Ucb1),
                (200, SelectionPolicy::Puct),
                (200, SelectionPolicy::Epsilon(0.3)),
            ] {
                let what = format!("{game:?} {final_move:?} {nodes} {policy:?}");
                let options = MctsOptions {
                    final_move,
                    policy,
                    seed,
                    memory: 4_000_000,
                    ..Default::default()
                };
                let mut mcts = Mcts::new(options.clone());
                let limits = Limits::nodes(nodes);
                let query = Query::new(&limits).keep_tree();
                let report = mcts.run(&game, &game.start(), query).expect("a report");
                let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
                check_report(&game, &options, &report, &tree, &what);
                assert_eq!(
                    (report.stats.nodes, report.stopped),
                    (nodes, StopReason::Nodes),
                    "{what}"
                );
                assert_eq!((report.stats.leaves, report.stats.playouts), (nodes, nodes), "{what}");
                assert_eq!(report.stats.evaluations, 0, "{what}");
                assert_eq!(tree.visits, nodes, "{what}");
            }
        }
    }
}

fn check_report(
    game: &Graph,
    options: &MctsOptions,
    report: &Report<u16>,
    tree: &TreeNode<u16>,
    what: &str,
) {
    let payoffs = game.payoffs();
    let moves = game.list(&game.start(), true);
    assert_eq!(report.lines.len(), moves.len(), "{what}");
    let visited = report.lines.iter().take_while(|line| line.visits > 0).count();
    assert_eq!((visited, tree.hidden), (tree.children.len(), moves.len() - visited), "{what}");
    let of = |mv: u16| tree.children.iter().find(|child| child.mv == Some(mv));
    let longest = report.lines.iter().map(|line| line.pv.len()).max().unwrap();
    assert_eq!(report.stats.depth as usize, longest, "{what}");
    let ranks: Vec<[f64; 2]> =
        report.lines[..visited].iter().map(|line| worth(of(line.mv).unwrap(), options)).collect();
    assert!(ranks.is_sorted_by(|a, b| a >= b), "{what}: {ranks:?}");
    for line in &report.lines {
        let sampled = line.sampled.expect("numbers of a sampled move");
        let Some(node) = of(line.mv) else {
            assert_eq!((line.visits, line.bound), (0, Bound::Lower), "{what}");
            assert_eq!(line.value, Value::result(payoffs.least, &payoffs), "{what}");
            assert_eq!(sampled.mean, None, "{what}");
            assert_eq!(line.pv, [line.mv], "{what}");
            if options.policy == SelectionPolicy::Ucb1 {
                assert!(sampled.bonus.is_infinite(), "{what}");
            }
            continue;
        };
        let (n, mean) = (node.visits as f64, node.total / node.visits as f64);
        assert_eq!((line.visits, sampled.mean), (node.visits, Some(mean)), "{what}");
        let parent = tree.visits as f64;
        let prior = match options.policy {
            SelectionPolicy::Puct => f64::from(rounded(1.0 / moves.len() as f32)),
            _ => 1.0 / moves.len() as f64,
        };
        let bonus = match options.policy {
            SelectionPolicy::Ucb1 => options.c * (parent.ln() / n).sqrt(),
            SelectionPolicy::Puct => options.c * prior * parent.sqrt() / (1.0 + n),
            SelectionPolicy::Epsilon(_) => 0.0,
        };
        assert!((sampled.bonus - bonus).abs() < 1e-9, "{what}: {sampled:?} {bonus}");
        assert!((node.bonus - bonus).abs() < 1e-9, "{what}: {node:?} {bonus}");
        assert_eq!((sampled.prior, node.prior), (prior, prior), "{what}");
        let child = game.after(&game.start(), line.mv);
        if game.turn(&child) == Turn::Over && !game.points {
            let utility = game.utility(&child, game.first);
            assert_eq!(line.value.number(), utility, "{what}");
            assert_eq!(line.distance(), (utility != 0.0).then_some(1), "{what}");
            assert!(line.outcome().is_some(), "{what}");
        } else {
            let expected = if game.points { mean } else { 2.0 * mean - 1.0 };
            assert!((line.value.number() - expected).abs() < 1e-12, "{what}: {line:?}");
            assert_eq!(line.outcome(), None, "{what}");
        }
        assert_eq!(line.bound, Bound::Exact, "{what}");
        // The principal variation follows the final move choice at every node.
        let (mut at, mut pv) = (node, vec![line.mv]);
        while let Some(first) = at.children.first() {
            let mut best = first;
            for child in &at.children[1..] {
                if worth(child, options) > worth(best, options) {
                    best = child;
                }
            }
            let ties = |child: &&TreeNode<u16>| worth(child, options) == worth(best, options);
            if at.children.iter().filter(ties).count() > 1 {
                break; // equal children: the choice depends on the order of trying
            }
            pv.push(best.mv.expect("a move"));
            at = best;
        }
        assert!(line.pv.starts_with(&pv), "{what}: {:?} {pv:?}", line.pv);
    }
}

#[test]
fn a_filter_hides_nodes_that_are_too_deep_or_rarely_visited() {
    fn depth(node: &TreeNode<u16>) -> u32 {
        node.children.iter().map(|child| 1 + depth(child)).max().unwrap_or(0)
    }
    fn fewest(node: &TreeNode<u16>) -> u64 {
        node.children.iter().map(fewest).min().unwrap_or(u64::MAX).min(node.visits)
    }
    let game = Graph::new(7);
    let mut mcts = Mcts::new(listed());
    assert_eq!(mcts.tree(&TreeFilter::default()), Some(TreeNode::default()));
    let limits = Limits::nodes(1000);
    mcts.run(&game, &game.start(), Query::new(&limits).keep_tree()).expect("a report");
    let tree =
        |max_depth, min_visits| mcts.tree(&TreeFilter { max_depth, min_visits }).expect("a tree");
    assert!(depth(&tree(u32::MAX, 1)) > 3);
    for limit in 0..4 {
        assert_eq!(depth(&tree(limit, 1)), limit);
    }
    let (whole, often) = (tree(u32::MAX, 0), tree(u32::MAX, 20));
    assert_eq!(whole, tree(u32::MAX, 1));
    assert!(fewest(&often) >= 20 && fewest(&whole) == 1);
    let shown = whole.children.iter().filter(|child| child.visits >= 20).count();
    assert_eq!(often.children.len(), shown);
    assert_eq!((tree(0, 1).hidden, tree(0, 1).visits), (4, 1000));
    assert_eq!((whole.prior, whole.bonus, whole.mv), (1.0, 0.0, None));
    // Without `keep_tree`, only the root remains.
    mcts.search(&game, &game.start(), &limits).expect("a report");
    assert_eq!(mcts.tree(&TreeFilter::default()).map(|tree| tree.children.len()), Some(0));
}
