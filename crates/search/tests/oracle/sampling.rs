//! Monte Carlo tree search against a naive one, and its reports against its tree.

use std::collections::HashMap;

use tussle_core::{
    Bound, Evaluator, Event, Game, Limits, Outcome, Report, StopFlag, StopReason, Turn, Value,
};
use tussle_search::{
    Agent, FinalMove, Mcts, MctsOptions, Query, Rollout, SelectionPolicy, TreeFilter, TreeNode,
    UnsupportedOption,
};

use crate::graph::{Graph, Judge, MAX_EVALUATION, Place};
use crate::naive::{Naive, WIN};

/// Options without chance: moves are tried as listed.
fn listed() -> MctsOptions {
    MctsOptions { shuffle_untried: false, memory: 4_000_000, seed: 3, ..Default::default() }
}

fn scripted(seed: u64) -> Graph {
    Graph { scripted: true, plies: 5, ..Graph::new(seed) }
}

/// Node of the naive search.
#[derive(Debug, Default)]
struct Node {
    mv: Option<u16>,
    visits: u32,
    total: f64,
    children: Vec<Node>,
}

/// The algorithm of the textbook, for games of two whose results are scripted.
struct Naively<'a> {
    game: &'a Graph,
    c: f64,
    policy: SelectionPolicy,
    expand_all: bool,
    simulations: u64,
}

/// An upper half of an `f32`, rounded: priors are kept so.
fn rounded(prior: f32) -> f32 {
    f32::from_bits(prior.to_bits().saturating_add(1 << 15) >> 16 << 16)
}

impl Naively<'_> {
    /// Weight of a child, in the precision of the search.
    fn weight(&self, child: &Node, siblings: usize, visits: u32) -> f32 {
        let n = f64::from(child.visits);
        let mean = (child.total / n) as f32;
        let many = f64::from(visits.max(1));
        match self.policy {
            SelectionPolicy::Puct => {
                let bonus = self.c as f32 * many.sqrt() as f32;
                let prior = rounded(1.0 / siblings as f32);
                let share = prior / (1.0 + n) as f32;
                let mean = if child.visits == 0 { 0.5 } else { mean };
                mean + bonus * share
            }
            _ if child.visits == 0 => f32::INFINITY,
            SelectionPolicy::Ucb1 => {
                let bonus = self.c as f32 * many.ln().sqrt() as f32;
                mean + bonus * (1.0 / (n as f32).sqrt())
            }
            SelectionPolicy::Epsilon(_) => mean,
        }
    }

    fn expand(&self, node: &mut Node, at: &Place) {
        let child = |mv| Node { mv: Some(mv), ..Node::default() };
        node.children = self.game.list(at, true).into_iter().map(child).collect();
    }

    fn simulate(&mut self, node: &Node, at: &Place) -> f64 {
        self.simulations += 1;
        self.game.scripted(at, u64::from(node.visits) - 1).expect("a script")
    }

    /// One walk from this node down, all of whose results are returned, for the first player.
    fn walk(&mut self, node: &mut Node, at: &Place, into: usize, is_root: bool) -> Vec<f64> {
        node.visits += 1;
        let sign = if into == 0 { 1.0 } else { -1.0 };
        let is_new = node.children.is_empty();
        let is_over = self.game.turn(at) == Turn::Over;
        if is_over || is_new && !self.expand_all && node.visits == 1 {
            let result = self.simulate(node, at);
            node.total += sign * result;
            return vec![result];
        }
        if is_new {
            self.expand(node, at);
        }
        let Turn::Player(mover) = self.game.turn(at) else { unreachable!() };
        if is_new && self.expand_all {
            // Every child once, and this node for each of them.
            let own = if mover == 0 { 1.0 } else { -1.0 };
            let mut results = Vec::new();
            node.visits -= 1;
            let mut children = std::mem::take(&mut node.children);
            for child in &mut children {
                child.visits += 1;
                let result = self.simulate(child, &self.game.after(at, child.mv.unwrap()));
                child.total += own * result;
                node.visits += 1;
                node.total += sign * result;
                results.push(result);
            }
            node.children = children;
            return results;
        }
        let visits = node.visits - 1;
        let siblings = node.children.len();
        let mut best = 0;
        for i in 1..siblings {
            let weight = |i: usize| self.weight(&node.children[i], siblings, visits);
            if weight(i) > weight(best) {
                best = i;
            }
        }
        let child = &mut node.children[best];
        let next = self.game.after(at, child.mv.unwrap());
        let results = if is_new && !is_root {
            // The first child of a new node is a leaf, whatever is known of it.
            child.visits += 1;
            let result = self.simulate(child, &next);
            child.total += if mover == 0 { result } else { -result };
            vec![result]
        } else {
            self.walk(child, &next, mover, false)
        };
        node.visits += results.len() as u32 - 1;
        node.total += sign * results.iter().sum::<f64>();
        results
    }
}

fn assert_same(found: &TreeNode<u16>, expected: &Node, what: &str) {
    assert_eq!(found.mv, expected.mv, "{what}");
    assert_eq!(found.visits, u64::from(expected.visits), "{what}");
    assert!((found.total - expected.total).abs() < 1e-9, "{what}: {found:?} {expected:?}");
    let visited: Vec<&Node> = expected.children.iter().filter(|child| child.visits > 0).collect();
    assert_eq!(found.children.len(), visited.len(), "{what}");
    assert_eq!(found.hidden, expected.children.len() - visited.len(), "{what}");
    for (found, expected) in found.children.iter().zip(visited) {
        assert_same(found, expected, what);
    }
}

#[test]
fn the_tree_is_that_of_the_textbook() {
    for seed in 0..40 {
        let game = Graph {
            branching: if seed % 5 == 0 { 11 } else { 4 },
            twins: seed % 4 == 1,
            ..scripted(seed)
        };
        for policy in [SelectionPolicy::Ucb1, SelectionPolicy::Puct, SelectionPolicy::Epsilon(0.0)]
        {
            for (c, expand_all) in [(0.3, false), (1.4, false), (1.4, true), (0.0, false)] {
                let what = format!("seed {seed}, {policy:?}, c {c}, all {expand_all}");
                let options = MctsOptions { policy, c, expand_all, ..listed() };
                let mut mcts = Mcts::new(options);
                let mut naive = Naively { game: &game, c, policy, expand_all, simulations: 0 };
                let (start, mut root) = (game.start(), Node::default());
                if !expand_all {
                    naive.expand(&mut root, &start);
                }
                while naive.simulations < 300 {
                    naive.walk(&mut root, &start, game.first, true);
                }
                let limits = Limits::nodes(naive.simulations);
                let query = Query::new(&limits).keep_tree();
                let report = mcts.run(&game, &start, query).expect("a report");
                assert_eq!(report.stats.nodes, naive.simulations, "{what}");
                let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
                assert_same(&tree, &root, &what);
            }
        }
    }
}

/// Counts made of the events of a search.
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
                // Who watches changes nothing.
                let mut alone = Mcts::new(options).with_evaluator(Judge::NEW);
                let again = alone.search(&game, &game.start(), &limits).expect("a report");
                assert_eq!((again.lines, again.stats), (report.lines, report.stats));
            }
        }
    }
}

/// Returns the rewards of a finished game.
fn reward(game: &Graph, at: &Place, player: usize, draw: f64) -> f64 {
    match game.utility(at, player) {
        utility if game.points => utility,
        0.0 if game.players == 2 => draw,
        utility if game.players == 2 => f64::midpoint(utility, 1.0),
        utility => utility,
    }
}

/// Returns the mean reward of random play.
fn random_play(game: &Graph, at: &Place, player: usize, draw: f64) -> f64 {
    let turn = game.turn(at);
    if turn == Turn::Over {
        return reward(game, at, player, draw);
    }
    let moves = game.legal_moves(at);
    let of = |&mv: &u16| {
        let probability = match turn {
            Turn::Chance => game.probability(at, mv),
            _ => 1.0 / moves.len() as f64,
        };
        probability * random_play(game, &game.after(at, mv), player, draw)
    };
    moves.iter().map(of).sum()
}

/// With few simulations per move nearly all of them are random games.
#[test]
fn rollouts_are_random_games() {
    for seed in 0..8 {
        let game = Graph {
            chance: seed % 2 == 0,
            players: if seed % 4 == 3 { 3 } else { 2 },
            points: seed % 4 == 2,
            plies: 4,
            ..Graph::new(seed)
        };
        let start = game.start();
        let mut sums: HashMap<u16, (f64, f64)> = HashMap::new();
        for seed in 0..1500 {
            let options = MctsOptions { seed, draw: 0.7, memory: 300_000, ..Default::default() };
            let report = Mcts::new(options).search(&game, &start, &Limits::nodes(4)).unwrap();
            for line in &report.lines {
                assert_eq!(line.visits, 1);
                let sum = sums.entry(line.mv).or_default();
                sum.0 += line.sampled.and_then(|sampled| sampled.mean).expect("a mean");
                sum.1 += 1.0;
            }
        }
        for (mv, (sum, count)) in sums {
            let expected = random_play(&game, &game.after(&start, mv), game.first, 0.7);
            let scale = if game.points { 20.0 } else { 1.0 };
            let found = sum / count;
            assert!((found - expected).abs() < 0.05 * scale, "{seed} {mv}: {found} {expected}");
        }
    }
}

#[test]
fn outcomes_of_chance_come_as_often_as_they_are_likely() {
    for seed in 0..40 {
        let game = Graph { chance: true, plies: 5, ..Graph::new(seed) };
        let mut mcts = Mcts::new(MctsOptions { seed, ..Default::default() });
        let limits = Limits::nodes(4000);
        mcts.run(&game, &game.start(), Query::new(&limits).keep_tree()).expect("a report");
        let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
        for child in &tree.children {
            let at = game.after(&game.start(), child.mv.expect("a move"));
            if game.turn(&at) != Turn::Chance || child.visits < 1000 {
                continue;
            }
            let below: u64 = child.children.iter().map(|child| child.visits).sum();
            assert_eq!(below + 1, child.visits);
            for outcome in &child.children {
                let probability = game.probability(&at, outcome.mv.expect("a move"));
                let share = outcome.visits as f64 / below as f64;
                assert!((share - probability).abs() < 0.05, "{seed}: {share} {probability}");
            }
        }
    }
}

/// Leaves are worth their evaluation, or a mixture with a rollout.
#[test]
fn evaluations_are_scaled_to_rewards() {
    let game = Graph { full_length: true, ..Graph::new(4) };
    let start = game.start();
    for lambda in [0.0, 1.0] {
        let rollout = if lambda == 0.0 { Rollout::Random } else { Rollout::Evaluation };
        let options = MctsOptions { rollout, lambda, ..listed() };
        let mut mcts = Mcts::new(options).with_evaluator(Judge::NEW);
        let report = mcts.search(&game, &start, &Limits::nodes(4)).expect("a report");
        for line in &report.lines {
            let value = Judge::NEW.value(&game, &game.after(&start, line.mv), game.first);
            let share = (value + MAX_EVALUATION) / (2.0 * MAX_EVALUATION);
            let mean = line.sampled.and_then(|sampled| sampled.mean).expect("a mean");
            assert!((mean - share).abs() < 1e-12, "{lambda}: {mean} {share}");
        }
        assert_eq!((report.stats.playouts, report.stats.evaluations), (0, 4));
    }
    let options = MctsOptions { lambda: 0.5, ..listed() };
    let mut mcts = Mcts::new(options).with_evaluator(Judge::NEW);
    let report = mcts.search(&game, &start, &Limits::nodes(4)).expect("a report");
    assert_eq!((report.stats.playouts, report.stats.evaluations), (4, 4));
    for line in &report.lines {
        let value = Judge::NEW.value(&game, &game.after(&start, line.mv), game.first);
        let share = (value + MAX_EVALUATION) / (2.0 * MAX_EVALUATION);
        let mean = line.sampled.and_then(|sampled| sampled.mean).expect("a mean");
        // The rollout is a loss, a draw or a win.
        let rollout = (mean - 0.5 * share) / 0.5;
        assert!([0.0, 0.5, 1.0].iter().any(|x| (x - rollout).abs() < 1e-9), "{rollout}");
    }
}

/// In greedy playouts every player moves to where its evaluation is best.
#[test]
fn greedy_rollouts_follow_the_evaluation() {
    for seed in 0..30 {
        let game = Graph { plies: 6, width: 1 << 30, ..Graph::new(seed) };
        let start = game.start();
        let options = MctsOptions { rollout: Rollout::Greedy, ..listed() };
        let mut mcts = Mcts::new(options).with_evaluator(Judge::NEW);
        let report = mcts.search(&game, &start, &Limits::nodes(4)).expect("a report");
        for line in &report.lines {
            let mut at = game.after(&start, line.mv);
            let mut has_ties = false;
            while let Turn::Player(mover) = game.turn(&at) {
                let value = |mv: u16| game.evaluation(&game.after(&at, mv), mover);
                let moves = game.list(&at, true);
                let best = moves.iter().copied().max_by(|&a, &b| value(a).total_cmp(&value(b)));
                let best = best.expect("a move");
                has_ties |= moves.iter().filter(|&&mv| value(mv) == value(best)).count() > 1;
                at = game.after(&at, best);
            }
            let mean = line.sampled.and_then(|sampled| sampled.mean).expect("a mean");
            assert!(has_ties || mean == reward(&game, &at, game.first, 0.5), "{seed} {line:?}");
        }
    }
}

/// Returns the order in which a choice prefers the children of a node.
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
fn reports_say_what_the_tree_says() {
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
        // The expected play: from each node on the child that would be chosen.
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
                break; // any of them, by the order in which they were tried
            }
            pv.push(best.mv.expect("a move"));
            at = best;
        }
        assert!(line.pv.starts_with(&pv), "{what}: {:?} {pv:?}", line.pv);
    }
}

#[test]
fn a_filter_leaves_out_what_is_too_deep_or_seldom() {
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
    // Without the wish to keep it, there is only a root.
    mcts.search(&game, &game.start(), &limits).expect("a report");
    assert_eq!(mcts.tree(&TreeFilter::default()).map(|tree| tree.children.len()), Some(0));
}

/// Returns the outcome of best play for the root player.
fn truth(game: &Graph, mv: Option<u16>) -> Outcome {
    let naive = Naive::new(game);
    let value = match mv {
        Some(mv) => naive.score(&game.after(&game.start(), mv), 99, 1),
        None => naive.score(&game.start(), 99, 0),
    };
    match value {
        x if x > WIN / 2.0 => Outcome::Win,
        x if x < -WIN / 2.0 => Outcome::Loss,
        _ => Outcome::Draw,
    }
}

#[test]
fn the_solver_proves_what_is_true() {
    for seed in 0..60 {
        let game = Graph { branching: 3 + seed % 4, ..Graph::new(seed) };
        for (expand_all, table) in [(false, false), (true, false), (false, true)] {
            let options = MctsOptions { solver: true, expand_all, seed, ..listed() };
            for nodes in [5, 30, 100, 1 << 17] {
                let what = format!("seed {seed}, {nodes} nodes, all {expand_all}, table {table}");
                let mcts = Mcts::new(options.clone());
                let mut mcts = if table { mcts.with_table() } else { mcts };
                let limits = Limits::nodes(nodes);
                let query = Query::new(&limits).keep_tree();
                let report = mcts.run(&game, &game.start(), query).expect("a report");
                let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
                for line in &report.lines {
                    if let Some(outcome) = line.outcome() {
                        assert_eq!(outcome, truth(&game, Some(line.mv)), "{what}: {line:?}");
                        let utility = match outcome {
                            Outcome::Win => 1.0,
                            Outcome::Draw => 0.0,
                            Outcome::Loss => -1.0,
                        };
                        assert_eq!((line.value.number(), line.bound), (utility, Bound::Exact));
                    }
                }
                if nodes > 1000 {
                    let outcome = truth(&game, None);
                    assert_eq!(report.stopped, StopReason::Proven, "{what}");
                    assert_eq!(report.outcome(), Some(outcome), "{what}");
                    assert_eq!(tree.outcome, Some(outcome), "{what}");
                    assert!(report.stats.nodes < 5000, "{what}: {}", report.stats.nodes);
                } else if report.stopped == StopReason::Proven {
                    assert!(report.stats.nodes <= nodes, "{what}");
                    assert_eq!(report.outcome(), Some(truth(&game, None)), "{what}");
                }
            }
        }
    }
}

#[test]
fn the_solver_is_for_results_of_two_players() {
    let solver = MctsOptions { solver: true, ..Default::default() };
    for (game, error) in [
        (Graph::new(1), None),
        (Graph { chance: true, ..Graph::new(1) }, Some(UnsupportedOption::Solver)),
        (Graph { points: true, ..Graph::new(1) }, Some(UnsupportedOption::Solver)),
        (Graph { players: 3, ..Graph::new(1) }, Some(UnsupportedOption::Solver)),
    ] {
        let mcts: Mcts<Graph> = Mcts::new(solver.clone());
        assert_eq!(mcts.check(&game).err(), error);
        assert!(mcts.is_deterministic());
        let mcts: Mcts<Graph> = Mcts::new(MctsOptions { threads: 2, ..Default::default() });
        assert!(mcts.check(&game).is_ok() && !mcts.is_deterministic());
    }
}

#[test]
fn numbers_out_of_range_are_errors() {
    let game = Graph::new(1);
    let ok = MctsOptions::default;
    for (options, option) in [
        (MctsOptions { c: -0.1, ..ok() }, "c"),
        (MctsOptions { c: f64::INFINITY, ..ok() }, "c"),
        (MctsOptions { lambda: -0.1, ..ok() }, "lambda"),
        (MctsOptions { lambda: 1.1, ..ok() }, "lambda"),
        (MctsOptions { draw: f64::NAN, ..ok() }, "draw"),
        (MctsOptions { policy: SelectionPolicy::Epsilon(-0.5), ..ok() }, "epsilon"),
        (MctsOptions { policy: SelectionPolicy::Epsilon(1.5), ..ok() }, "epsilon"),
    ] {
        let error = Mcts::<Graph>::new(options).check(&game).err();
        let is_this =
            matches!(error, Some(UnsupportedOption::Number { option: o, .. }) if o == option);
        assert!(is_this, "{option}: {error:?}");
    }
    for options in [
        MctsOptions { c: 0.0, ..ok() },
        MctsOptions { policy: SelectionPolicy::Epsilon(0.0), ..ok() },
        MctsOptions { policy: SelectionPolicy::Epsilon(1.0), ..ok() },
        MctsOptions { memory: 256_000, ..ok() },
        MctsOptions { use_policy: true, ..ok() },
        MctsOptions { policy: SelectionPolicy::Puct, ..ok() },
    ] {
        assert_eq!(Mcts::<Graph>::new(options).check(&game), Ok(()));
    }
    for options in [
        MctsOptions { lambda: 0.0, ..ok() },
        MctsOptions { rollout: Rollout::Evaluation, ..ok() },
        MctsOptions { rollout: Rollout::Greedy, ..ok() },
        MctsOptions { policy: SelectionPolicy::Puct, use_policy: true, ..ok() },
    ] {
        let error = Some(UnsupportedOption::NoEvaluator);
        assert_eq!(Mcts::<Graph>::new(options.clone()).check(&game).err(), error);
        assert!(Mcts::new(options).with_evaluator(Judge::NEW).check(&game).is_ok());
    }
    let memory = MctsOptions { memory: 255_999, ..ok() };
    let least = Some(UnsupportedOption::Memory { least: 256_000 });
    assert_eq!(Mcts::<Graph>::new(memory).check(&game).err(), least);
}

/// Along a game the subtree of the position is kept, whatever the rival plays.
#[test]
fn a_kept_tree_is_searched_on() {
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
            // The root's numbers are those of its children.
            let visits: u64 = tree.children.iter().map(|child| child.visits).sum();
            let total: f64 = tree.children.iter().map(|child| child.total).sum();
            assert_eq!(visits, tree.visits, "seed {seed}");
            assert!((tree.total - total).abs() < 1e-6, "seed {seed}");
            // Play on to where the same player is to move, by moves that were tried.
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
fn without_the_option_every_search_begins_anew() {
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

/// A tree that has become crowded is moved to a new one, with what was visited most.
#[test]
fn a_crowded_tree_keeps_its_most_visited_part() {
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
fn little_memory_ends_growth_and_not_the_search() {
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
        // The limit of the query counts, too.
        let mut mcts = Mcts::new(MctsOptions { threads, ..Default::default() });
        let report = mcts.search(&game, &game.start(), &limits.or_memory(300_000)).unwrap();
        assert!(report.stats.bytes <= 300_000, "{}", report.stats.bytes);
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

#[test]
fn many_players_get_their_shares_and_paranoids_play_against_one() {
    for seed in 0..12 {
        let game = Graph { players: 3, takes_turns: true, ..Graph::new(seed) };
        for paranoid in [false, true] {
            let options = MctsOptions { paranoid, seed, ..Default::default() };
            let mut mcts = Mcts::new(options);
            let limits = Limits::nodes(3000);
            let query = Query::new(&limits).keep_tree();
            let report = mcts.run(&game, &game.start(), query).expect("a report");
            let tree = mcts.tree(&TreeFilter::default()).expect("a tree");
            for line in report.lines.iter().filter(|line| line.visits > 0) {
                assert_eq!(line.values.len(), 3);
                assert!((line.values.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{line:?}");
                assert!((line.values[game.first] - line.value.number()).abs() < 1e-9, "{line:?}");
                let node = tree.children.iter().find(|child| child.mv == Some(line.mv)).unwrap();
                let below: f64 = node.children.iter().map(|child| child.total).sum();
                let visits: f64 = node.children.iter().map(|child| child.visits as f64).sum();
                let at = game.after(&game.start(), line.mv);
                if let Turn::Player(mover) = game.turn(&at)
                    && visits > 100.0
                {
                    let own =
                        if paranoid { 1.0 - line.values[game.first] } else { line.values[mover] };
                    assert!((below / visits - own).abs() < 0.05, "{seed} {paranoid}: {line:?}");
                }
            }
        }
    }
}

/// With so many simulations the best move has a value near that of best play.
#[test]
fn many_simulations_find_the_best_move() {
    let mut found = 0;
    for seed in 0..20 {
        let game = Graph { plies: 4, ..Graph::new(seed) };
        for threads in [1, 3] {
            let options = MctsOptions { seed, threads, ..Default::default() };
            let mut mcts = Mcts::new(options);
            let report = mcts.search(&game, &game.start(), &Limits::nodes(20_000)).unwrap();
            let best = report.lines[0].mv;
            found += u32::from(truth(&game, Some(best)) == truth(&game, None));
        }
    }
    assert!(found >= 38, "{found} of 40");
}

#[test]
fn equivalent_moves_are_tried_once_unless_told_otherwise() {
    let game = Graph { twins: true, ..Graph::new(5) };
    for (dedupe, moves) in [(true, 4), (false, 8)] {
        let mut mcts = Mcts::new(MctsOptions { dedupe, ..listed() });
        let report = mcts.search(&game, &game.start(), &Limits::nodes(100)).expect("a report");
        assert_eq!(report.lines.len(), moves);
    }
}

#[test]
fn the_order_of_untried_moves_follows_from_the_seed() {
    let game = Graph { branching: 20, ..Graph::new(5) };
    let first = |options: MctsOptions| {
        let report = Mcts::new(options).search(&game, &game.start(), &Limits::nodes(1)).unwrap();
        report.lines[0].mv
    };
    let mut seen: Vec<u16> =
        (0..60).map(|seed| first(MctsOptions { seed, ..Default::default() })).collect();
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 12, "{seen:?}");
    assert_eq!(first(MctsOptions { seed: 8, ..listed() }), 0);
}

#[test]
fn limits_end_a_search_and_one_simulation_there_is_always() {
    let game = Graph { plies: 40, full_length: true, ..Graph::new(6) };
    let run = |limits: &Limits, options: MctsOptions| {
        Mcts::new(options).search(&game, &game.start(), limits).expect("a report")
    };
    let flag = StopFlag::default();
    flag.stop();
    let report = run(&Limits::none().or_stop(&flag), listed());
    assert_eq!(report.stopped, StopReason::StopFlag);
    // The clock is read after every few simulations.
    assert!((1..9).contains(&report.stats.nodes), "{:?}", report.stats);
    let millis = std::time::Duration::from_millis;
    for limits in [
        Limits { soft: Some(millis(20)), ..Limits::none() },
        Limits { hard: Some(millis(20)), ..Limits::none() },
        Limits { soft: Some(millis(20)), hard: Some(millis(600_000)), ..Limits::none() },
    ] {
        for threads in [1, 2] {
            let report = run(&limits, MctsOptions { threads, ..listed() });
            assert_eq!(report.stopped, StopReason::Time);
            assert!(
                report.stats.nodes > 1 && report.elapsed < millis(5000),
                "{:?}",
                report.elapsed
            );
        }
    }
    let report = run(&Limits::nodes(0), listed());
    assert_eq!((report.stopped, report.stats.nodes), (StopReason::Nodes, 0));
    assert_eq!(report.lines.len(), 4);
    assert!(report.lines.iter().all(|line| line.bound == Bound::Lower && line.visits == 0));
    // Nothing to choose, and a clock that runs.
    let single = Graph { branching: 1, ..game.clone() };
    let limits = Limits::time(millis(600_000));
    let report = Mcts::new(listed()).search(&single, &single.start(), &limits).expect("a report");
    assert_eq!((report.stopped, report.stats.nodes), (StopReason::Finished, 1));
    let report =
        Mcts::new(listed()).search(&single, &single.start(), &Limits::nodes(50)).expect("a report");
    assert_eq!(report.stats.nodes, 50);
}

#[test]
fn progress_is_told_while_it_searches() {
    let game = Graph { plies: 40, full_length: true, ..Graph::new(6) };
    let mut reports = Vec::new();
    let mut live = |report: &Report<u16>| reports.push(report.clone());
    let limits = Limits::time(std::time::Duration::from_millis(600));
    let mut mcts = Mcts::new(MctsOptions { threads: 2, ..listed() });
    let query = Query::new(&limits).on_progress(&mut live);
    let report = mcts.run(&game, &game.start(), query).expect("a report");
    assert!((1..=2).contains(&reports.len()), "{}", reports.len());
    assert!(reports[0].elapsed.as_millis() >= 250, "{:?}", reports[0].elapsed);
    assert!(reports[0].stats.nodes < report.stats.nodes);
}
