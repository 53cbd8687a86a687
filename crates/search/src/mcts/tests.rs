//! Tests on a heap of counters: several threads (small enough for Miri), exploration bonuses, and the memory of
//! trees.

use tussle_core::{Evaluations, Evaluator, Game, Hashed, Leaf, Limits, Outcome, StopReason, Turn};

use super::edge::Edge;
use super::options::{MctsOptions, Priors, Rollout};
use super::order::Order;
use super::policy::SelectionPolicy;
use super::tree::{MoveList, Region, Tree};
use super::{Mcts, TreeFilter, TreeNode};
use crate::{Agent, Query};

/// A heap of counters. Each move takes one to three; the player who takes the last one wins.
#[derive(Debug)]
pub(super) struct Nim(pub(super) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heap {
    pub(super) left: u32,
    mover: usize,
}

impl Game for Nim {
    type State = Heap;
    type Move = u8;

    fn start(&self) -> Heap {
        Heap { left: self.0, mover: 0 }
    }

    fn turn(&self, heap: &Heap) -> Turn {
        if heap.left == 0 { Turn::Over } else { Turn::Player(heap.mover) }
    }

    fn moves(&self, heap: &Heap, out: &mut Vec<u8>) {
        out.extend((1..=3).filter(|&n| u32::from(n) <= heap.left));
    }

    fn play(&self, heap: &mut Heap, taken: u8) {
        *heap = Heap { left: heap.left - u32::from(taken), mover: 1 - heap.mover };
    }

    fn utility(&self, heap: &Heap, player: usize) -> f64 {
        if heap.mover == player { -1.0 } else { 1.0 }
    }
}

impl Hashed for Nim {
    fn board_key(&self, heap: &Heap) -> u64 {
        tussle_core::mix(u64::from(heap.left) * 2 + heap.mover as u64)
    }
}

/// Returns the defaults with little memory.
pub(super) fn small() -> MctsOptions {
    MctsOptions { memory: 256_000, seed: 1, ..MctsOptions::default() }
}

fn visits_below(node: &TreeNode<u8>) -> u64 {
    node.children.iter().map(|child| child.visits).sum()
}

#[test]
fn threads_count_every_visit() {
    let nodes = if cfg!(miri) { 40 } else { 20_000 };
    for table in [false, true] {
        let game = Nim(20);
        let mut agent = Mcts::new(MctsOptions { threads: 3, ..small() });
        if table {
            agent = agent.with_table();
        }
        let query = Query { keep_tree: true, ..Query::new(&Limits::nodes(nodes)) };
        let report = agent.run(&game, &game.start(), query).expect("a report");
        let tree = agent.tree(&TreeFilter { max_depth: 9, min_visits: 1 }).expect("it keeps one");
        assert_eq!(report.stats.nodes, nodes);
        assert_eq!((tree.visits, visits_below(&tree)), (nodes, nodes));
        let total: f64 = tree.children.iter().map(|child| child.total).sum();
        assert_eq!(tree.total, total);
    }
}

#[test]
fn threads_prove_only_true_outcomes() {
    let heaps = if cfg!(miri) { 3..5 } else { 1..13 };
    for left in heaps {
        let game = Nim(left);
        let mut agent = Mcts::new(MctsOptions { threads: 3, solver: true, ..small() });
        let report = agent.search(&game, &game.start(), &Limits::nodes(1 << 20)).expect("a report");
        let expected = if left % 4 == 0 { Outcome::Loss } else { Outcome::Win };
        assert_eq!(
            (report.stopped, report.outcome()),
            (StopReason::Proven, Some(expected)),
            "{left}"
        );
        if expected == Outcome::Win {
            assert_eq!(u32::from(report.lines[0].mv), left % 4);
        }
    }
}

/// Evaluator that knows the theory: a heap that is a multiple of four is lost.
pub(super) struct Expert;

impl Evaluator<Nim> for Expert {
    fn value(&self, _: &Nim, heap: &Heap, player: usize) -> f64 {
        let is_won = heap.left.is_multiple_of(4) != (heap.mover == player);
        f64::from(u8::from(is_won))
    }

    fn evaluate(&self, game: &Nim, leaves: &[Leaf<'_, Nim>], out: &mut Evaluations) {
        out.clear();
        for Leaf { state, moves } in leaves {
            out.values.extend([0, 1].map(|player| self.value(game, state, player)));
            let best = |&&mv: &&u8| (state.left - u32::from(mv)).is_multiple_of(4);
            let sure = moves.iter().filter(best).count() == 1;
            out.policy.extend(moves.iter().map(|mv| match (sure, best(&mv)) {
                (true, true) => 1.0,
                (true, false) => 0.0,
                _ => 1.0 / moves.len() as f32,
            }));
        }
    }
}

#[test]
fn an_evaluator_gives_values_and_priors() {
    for left in [5, 6, 7, 22, 41] {
        let game = Nim(left);
        let options = MctsOptions {
            policy: SelectionPolicy::Puct,
            rollout: Rollout::Evaluation,
            priors: Priors::Evaluator,
            ..small()
        };
        let mut agent = Mcts::new(options).with_evaluator(Expert);
        let limits = Limits::nodes(10);
        let report = agent.search(&game, &game.start(), &limits).expect("a report");
        let best = &report.lines[0];
        assert_eq!((u32::from(best.mv), best.visits, best.value.number()), (left % 4, 10, 1.0));
        assert_eq!((report.stats.playouts, report.stats.evaluations), (0, 10));
    }
}

#[test]
fn ucb1_gives_the_numbers_of_the_exercise() {
    // Wins, visits and visits of the parent, and the bound with three decimals.
    for (wins, visits, parent, bound) in [
        (33, 39, 50, "1.294"),
        (1, 6, 50, "1.309"),
        (1, 5, 50, "1.451"),
        (1, 30, 39, "0.528"),
        (5, 9, 39, "1.458"),
        (1, 3, 6, "1.426"),
        (0, 3, 6, "1.093"),
    ] {
        let tree: Tree<u8> = Tree::new(0);
        let edge: Edge<'_, u8> = tree.edge(0);
        (0..visits).for_each(|_| edge.visit(true));
        for _ in 0..wins {
            edge.reward(1.0, true);
        }
        let c = std::f64::consts::SQRT_2;
        let (mean, bonus) = SelectionPolicy::Ucb1.parts(edge, c, parent, 0.5);
        assert_eq!(format!("{:.3}", mean + bonus), bound);
        let weighed =
            SelectionPolicy::Ucb1.weight(edge, 0.5).under(SelectionPolicy::Ucb1.bonus(c, parent));
        assert_eq!(format!("{weighed:.3}"), bound);
    }
}

#[test]
fn two_player_nodes_are_small() {
    assert_eq!(size_of::<super::edge::Four<u16>>(), 4 * 32);
    assert!(size_of::<super::edge::Four<u64>>() <= 4 * 40);
}

#[test]
fn children_get_their_slots_step_by_step() {
    let tree: Tree<u16> = Tree::new(1 << 20);
    let moves: Vec<u16> = (0..300).collect();
    let mut region = Region::default();
    let move_list = MoveList { moves: &moves, priors: &[], order: Order::Listed };
    let block = tree.add(move_list, false, &mut region).expect("there is room");
    let places = || tree.children(block).map(|(_, edge)| edge.mv()).collect::<Vec<_>>();
    let mut placed = places().len();
    let mut sizes = vec![placed];
    while placed < moves.len() {
        let next =
            tree.extend(block, move_list, placed, placed, &mut region).expect("there is room");
        assert_eq!(next.mv(), Some(moves[placed]));
        assert_eq!(tree.child(block, placed).and_then(Edge::mv), Some(moves[placed]));
        for nth in 0..moves.len() {
            let (before, child) = tree.neighbours(block, nth);
            let slots = places().len();
            let mv = |nth: usize| (nth < slots).then(|| moves[nth]);
            // Unused lanes of the last four repeat a move.
            if nth < slots || nth >= slots.next_multiple_of(4) {
                assert_eq!(child.and_then(Edge::mv), mv(nth), "{nth} of {slots}");
            }
            if nth > 0 && nth <= slots {
                assert_eq!(before.and_then(Edge::mv), mv(nth - 1), "{nth} of {slots}");
            }
        }
        placed = places().len();
        sizes.push(placed);
    }
    assert_eq!(sizes, [4, 8, 16, 32, 64, 128, 256, 300]);
    assert!(places().into_iter().eq(moves.iter().map(|&mv| Some(mv))));
}

#[test]
fn a_copy_has_the_most_visited_nodes() {
    let tree: Tree<u16> = Tree::new(1 << 22);
    let moves: Vec<u16> = (0..10).collect();
    let grow = |edge: Edge<'_, u16>, times: u32| {
        let move_list = MoveList { moves: &moves, priors: &[], order: Order::Listed };
        let block = tree.add(move_list, true, &mut Region::default()).expect("there is room");
        edge.set_children(block, true);
        (0..times).for_each(|_| edge.visit(true));
        block
    };
    let root = grow(tree.edge(0), 100);
    for (i, (_, child)) in tree.children(root).enumerate() {
        grow(child, 10 * i as u32);
    }
    // Room for the root's children and about two of its grandchildren's families.
    let copy = tree.copy_below(0, 10 * tree.used_bytes() / 34);
    let root = copy.edge(0).block().expect("the root is expanded");
    assert_eq!(copy.edge(0).visits(), 100);
    let expanded: Vec<_> = copy
        .children(root)
        .filter(|(_, edge)| edge.block().is_some())
        .map(|(_, e)| e.mv())
        .collect();
    assert_eq!(expanded, [Some(7), Some(8), Some(9)]);
    assert!(copy.children(root).enumerate().all(|(i, (_, e))| e.visits() == 10 * i as u32));
}
