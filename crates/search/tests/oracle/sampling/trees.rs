//! Tree reuse, memory limits and transpositions.

use std::collections::HashMap;

use tussle_core::{Game, Limits, StopReason, Turn};
use tussle_search::{Agent, Mcts, MctsOptions, Query, TreeFilter, TreeNode};

use super::listed;
use crate::graph::Graph;

/// During a game, the subtree of the current position is kept after every reply of the opponent.
#[test]
fn the_next_search_continues_a_kept_tree() {
    for seed in 0..30 {
        let game = Graph {
            plies: 9,
            full_length: true,
            players: if seed % 3 == 2 { 3 } else { 2 },
            chance: seed % 4 == 3,
            width: 1 << 40,
            ..Graph::new(seed)
        };
        let options = MctsOptions { keep_tree: true, seed, ..Default::default() };
        let mut mcts = Mcts::new(options);
        let mut at = game.start();
        let mut expected = 0;
        while let Turn::Player(mover) = game.turn(&at) {
            let kept = mcts.advance(&game, &at);
            assert_eq!(kept, expected, "seed {seed}, ply {}", at.ply);
            let limits = Limits::nodes(300);
            let report = mcts.run(&game, &at, Query::new(&limits)).expect("a report");
            assert_eq!(report.stats.nodes, 300);
            let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
            assert_eq!(tree.visits, kept + 300, "seed {seed}");
            // The numbers of the root are the sums of those of its children.
            let visits: u64 = tree.children.iter().map(|child| child.visits).sum();
            let total: f64 = tree.children.iter().map(|child| child.total).sum();
            assert_eq!(visits, tree.visits, "seed {seed}");
            assert!((tree.total - total).abs() < 1e-6, "seed {seed}");
            // Play visited moves until the same player is to move again.
            let mut node = &tree;
            expected = 0;
            let mut nth = seed;
            loop {
                let moves: Vec<&TreeNode<u16>> = node.children.iter().collect();
                let Some(&child) = moves.get(nth as usize % moves.len().max(1)) else { break };
                nth = nth / 2 + 1;
                at = game.after(&at, child.mv.expect("a move"));
                node = child;
                if game.turn(&at) == Turn::Player(mover) || game.turn(&at) == Turn::Over {
                    expected = node.children.iter().map(|child| child.visits).sum();
                    break;
                }
            }
            if game.turn(&at) != Turn::Player(mover) {
                break;
            }
        }
        mcts.clear();
        assert_eq!(mcts.tree(&TreeFilter::default()), Some(TreeNode::default()));
    }
}

#[test]
fn without_tree_reuse_every_search_starts_with_a_new_tree() {
    let game = Graph::new(3);
    let mut mcts = Mcts::new(listed());
    let limits = Limits::nodes(100);
    for _ in 0..3 {
        mcts.run(&game, &game.start(), Query::new(&limits).keep_tree()).expect("a report");
        let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
        assert_eq!(tree.visits, 100);
    }
    assert_eq!(mcts.advance(&game, &game.start()), 0);
}

/// From a tree that has used half of its memory, the most visited part is copied to a new tree.
#[test]
fn a_large_tree_is_copied_with_its_most_visited_part() {
    for seed in 0..2 {
        let game = Graph {
            plies: 60,
            full_length: true,
            width: 1 << 40,
            branching: 6,
            takes_turns: true,
            ..Graph::new(seed)
        };
        let options = MctsOptions { keep_tree: true, memory: 400_000, ..Default::default() };
        let mut mcts = Mcts::new(options);
        let mut at = game.start();
        for _ in 0..6 {
            let limits = Limits::nodes(5000);
            let report = mcts.search(&game, &at, &limits).expect("a report");
            assert!(report.stats.bytes <= 400_000, "{}", report.stats.bytes);
            let filter = TreeFilter { max_depth: 3, min_visits: 1 };
            let tree = mcts.tree(&filter).expect("a tree");
            let mut node = &tree;
            for _ in 0..2 {
                node = node.children.iter().max_by_key(|child| child.visits).expect("a child");
                at = game.after(&at, node.mv.expect("a move"));
            }
            let below: u64 = node.children.iter().map(|child| child.visits).sum();
            assert_eq!(mcts.advance(&game, &at), below, "seed {seed}");
            let kept = mcts.tree(&filter).expect("a tree");
            for (kept, old) in kept.children.iter().zip(&node.children) {
                assert_eq!((kept.mv, kept.visits, kept.total), (old.mv, old.visits, old.total));
            }
            assert!(kept.children.iter().any(|child| !child.children.is_empty()));
        }
    }
}

#[test]
fn a_full_tree_is_searched_without_growth() {
    let game = Graph { plies: 50, width: 1 << 40, branching: 7, ..Graph::new(1) };
    for threads in [1, 3] {
        let options = MctsOptions { memory: 256_000, threads, ..Default::default() };
        let mut mcts = Mcts::new(options);
        let limits = Limits::nodes(30_000);
        let report = mcts.run(&game, &game.start(), Query::new(&limits).keep_tree()).unwrap();
        assert_eq!((report.stats.nodes, report.stopped), (30_000, StopReason::Nodes));
        assert!(report.stats.bytes <= 256_000, "{}", report.stats.bytes);
        let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
        let visits: u64 = tree.children.iter().map(|child| child.visits).sum();
        assert_eq!(visits, 30_000);
        // The memory limit of the query applies too.
        let mut mcts = Mcts::new(MctsOptions { threads, ..Default::default() });
        let report = mcts.search(&game, &game.start(), &limits.or_memory(300_000)).unwrap();
        assert!(report.stats.bytes <= 300_000, "{}", report.stats.bytes);
    }
}

#[test]
fn a_tree_and_its_transposition_table_share_one_memory_limit() {
    let game = Graph { plies: 50, width: 1 << 40, branching: 7, ..Graph::new(1) };
    for keep_tree in [false, true] {
        let options = MctsOptions { memory: 1_000_000, keep_tree, ..Default::default() };
        let mut mcts = Mcts::new(options).with_table();
        let report = mcts.search(&game, &game.start(), &Limits::nodes(60_000)).expect("a report");
        assert!(report.stats.bytes <= 1_000_000, "{}", report.stats.bytes);
        // Chunks of the tree are large; a kept tree leaves an eighth of the memory for its copy.
        let least = if keep_tree { 700_000 } else { 850_000 };
        assert!(report.stats.bytes >= least, "{}", report.stats.bytes);
    }
}

#[test]
fn transpositions_share_their_children() {
    let mut hits = 0;
    for seed in 0..10 {
        let game = Graph { width: 3, full_length: true, plies: 7, ..Graph::new(seed) };
        let limits = Limits::nodes(3000);
        let mut mcts = Mcts::new(MctsOptions { seed, ..Default::default() }).with_table();
        let report = mcts.run(&game, &game.start(), Query::new(&limits).keep_tree()).unwrap();
        hits += report.stats.table_hits;
        let tree = mcts.tree(&TreeFilter { max_depth: 4, min_visits: 1 }).expect("a tree");
        // Equal positions have equal children.
        let mut known: HashMap<(u32, u64), TreeNode<u16>> = HashMap::new();
        let mut open = vec![(game.start(), tree)];
        let mut merged = 0;
        while let Some((at, node)) = open.pop() {
            if at.ply < 3 && !node.children.is_empty() {
                let counts = |node: &TreeNode<u16>| -> Vec<(u64, f64)> {
                    node.children.iter().map(|child| (child.visits, child.total)).collect()
                };
                if let Some(other) = known.get(&(at.ply, at.place)) {
                    assert_eq!(counts(other), counts(&node), "{seed}");
                    merged += 1;
                }
                known.insert((at.ply, at.place), node.clone());
            }
            for child in node.children {
                open.push((game.after(&at, child.mv.expect("a move")), child));
            }
        }
        assert!(merged > 0, "{seed}");
        let plain = Mcts::new(MctsOptions { seed, ..Default::default() })
            .search(&game, &game.start(), &limits)
            .expect("a report");
        assert_eq!(plain.stats.table_hits, 0);
        assert!(plain.stats.bytes > 0 && plain.stats.bytes < report.stats.bytes);
    }
    assert!(hits > 150, "{hits}");
}
