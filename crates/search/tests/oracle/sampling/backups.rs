//! Backups: a tree that is counted again from the events has the same numbers.

use std::collections::HashMap;

use tussle_core::{Event, Game, Limits, Turn};
use tussle_search::{Agent, Mcts, MctsOptions, Query, Rollout, TreeFilter, TreeNode};

use crate::graph::{Graph, Judge, Place};

/// Numbers of a tree, counted from the events of its search.
#[derive(Default)]
struct Recount {
    game: Option<Graph>,
    at: Option<Place>,
    /// Moves from the root to the leaf of this simulation.
    path: Vec<u16>,
    /// Players who made them; the root player first.
    players: Vec<Option<usize>>,
    nodes: HashMap<Vec<u16>, (u64, f64)>,
    value: f64,
    backed: usize,
    simulations: u64,
    weighed: Vec<(u16, u64, f64, f64)>,
    c: f64,
}

impl Recount {
    fn new(game: &Graph, c: f64) -> Self {
        Self { game: Some(game.clone()), c, ..Self::default() }
    }

    fn take(&mut self, event: Event<'_, u16>) {
        let game = self.game.clone().expect("a game");
        match event {
            Event::Iteration(nth) => {
                self.simulations += 1;
                assert_eq!(u64::from(nth), self.simulations);
                self.path.clear();
                self.at = Some(game.start());
                self.players = vec![Some(game.first)];
            }
            Event::Weigh { mv, visits, mean, bonus } => {
                self.weighed.push((mv, visits, mean, bonus));
            }
            Event::Select(mv) => {
                let at = self.at.expect("a position");
                let mover = match game.turn(&at) {
                    Turn::Player(player) => Some(player),
                    _ => None,
                };
                let here = self.nodes.get(&self.path).map_or(0, |node| node.0);
                for (mv, visits, mean, bonus) in std::mem::take(&mut self.weighed) {
                    let mut path = self.path.clone();
                    path.push(mv);
                    let known = self.nodes.get(&path).copied().unwrap_or_default();
                    assert_eq!(visits, known.0);
                    if visits > 0 {
                        let n = visits as f64;
                        assert!(game.players > 2 || (mean - known.1 / n).abs() < 1e-9);
                        let expected = self.c * ((here.max(1) as f64).ln() / n).sqrt();
                        assert!((bonus - expected).abs() < 1e-9, "{bonus} {expected}");
                    } else {
                        assert!(bonus.is_infinite());
                    }
                }
                self.players.push(mover);
                self.path.push(mv);
                self.at = Some(game.after(&at, mv));
            }
            Event::Simulate { value, .. } => (self.value, self.backed) = (value, 0),
            Event::BackUp { visits, total } => {
                let length = self.path.len() - self.backed;
                let first = if game.points { -self.value } else { 1.0 - self.value };
                let reward = match self.players[length] {
                    None => 0.0,
                    Some(0) => self.value,
                    Some(_) => first,
                };
                let node = self.nodes.entry(self.path[..length].to_vec()).or_default();
                node.0 += 1;
                node.1 += reward;
                assert_eq!(node.0, visits, "{:?}", &self.path[..length]);
                if game.players == 2 {
                    assert!((node.1 - total).abs() < 1e-6, "{} {total}", node.1);
                }
                self.backed += 1;
            }
            _ => {}
        }
    }

    fn assert_tree(&self, node: &TreeNode<u16>, path: &mut Vec<u16>) {
        let known = self.nodes.get(path).copied().unwrap_or_default();
        assert_eq!(node.visits, known.0, "{path:?}");
        for child in &node.children {
            path.push(child.mv.expect("a move"));
            self.assert_tree(child, path);
            path.pop();
        }
    }
}

#[test]
fn every_result_is_backed_up_along_the_moves_selected() {
    for seed in 0..24 {
        let game = Graph {
            players: if seed % 6 == 5 { 3 } else { 2 },
            chance: seed % 3 == 0,
            points: seed % 4 == 1 && seed % 6 != 5,
            branching: 4 + seed % 5,
            ..Graph::new(seed)
        };
        for expand_all in [false, true] {
            for rollout in [Rollout::Random, Rollout::Greedy, Rollout::Evaluation] {
                let options =
                    MctsOptions { expand_all, rollout, c: 0.7, seed, ..Default::default() };
                let mut recount = Recount::new(&game, 0.7);
                let mut sink = |event: Event<'_, u16>| recount.take(event);
                let mut mcts = Mcts::new(options.clone()).with_evaluator(Judge::NEW);
                let limits = Limits::nodes(200);
                let query = Query::new(&limits).on_event(&mut sink).keep_tree();
                let report = mcts.run(&game, &game.start(), query).expect("a report");
                assert_eq!((report.stats.nodes, recount.simulations), (200, 200));
                let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
                recount.assert_tree(&tree, &mut Vec::new());
                // An observer does not change the search.
                let mut alone = Mcts::new(options).with_evaluator(Judge::NEW);
                let again = alone.search(&game, &game.start(), &limits).expect("a report");
                assert_eq!((again.lines, again.stats), (report.lines, report.stats));
            }
        }
    }
}
