//! Recorded node counts, which only change if a search visits other nodes.
//!
//! Move ordering, tables and windows change no value, so no other test notices if one of them stops working.

use tussle_core::Limits;
use tussle_search::{
    Agent, AlphaBeta, AlphaBetaOptions, Deepening, Expectimax, ExpectimaxOptions, Maxn,
    MaxnOptions, Mcts, MctsOptions, MoveOrder, Paranoid, Priors, SelectionPolicy, WindowMode,
};

use crate::graph::{Graph, Judge};

/// Nodes, cutoffs, pruned moves and table hits in ten games.
type Counts = [u64; 4];

fn counts(
    depth: u32,
    new: impl Fn() -> Box<dyn Agent<Graph>>,
    change: impl Fn(Graph) -> Graph,
) -> Counts {
    let mut sum = [0; 4];
    for seed in 0..10 {
        let game =
            Graph { plies: 11, full_length: true, width: 400, branching: 7, ..Graph::new(seed) };
        let game = change(game);
        let limits = Limits::depth(depth);
        let stats = new().search(&game, &tussle_core::Game::start(&game), &limits).unwrap().stats;
        let found = [stats.nodes, stats.cutoffs, stats.pruned, stats.table_hits];
        sum.iter_mut().zip(found).for_each(|(sum, count)| *sum += count);
    }
    sum
}

fn alphabeta(order: MoveOrder, window: WindowMode, table: bool, more: &AlphaBetaOptions) -> Counts {
    let deepening = Deepening { iterative: Some(true), ..Deepening::default() };
    let options = AlphaBetaOptions {
        order,
        window: Some(window),
        deepening,
        table_bytes: 1 << 16,
        ..more.clone()
    };
    let new = || -> Box<dyn Agent<Graph>> {
        let agent = AlphaBeta::new(options.clone(), Judge::NEW);
        Box::new(if table { agent.with_table() } else { agent })
    };
    counts(7, new, |game| game)
}

#[test]
fn alphabeta_visits_the_recorded_number_of_nodes() {
    let plain = &AlphaBetaOptions::default();
    let quiescence = &AlphaBetaOptions { quiescence: true, ..Default::default() };
    let (listed, root, full) = (MoveOrder::AsListed, MoveOrder::Root, MoveOrder::Full);
    let found = [
        alphabeta(listed, WindowMode::Full, false, plain),
        alphabeta(listed, WindowMode::Full, true, plain),
        alphabeta(root, WindowMode::Full, false, plain),
        alphabeta(root, WindowMode::Aspiration, true, plain),
        alphabeta(full, WindowMode::Full, false, plain),
        alphabeta(full, WindowMode::Pvs, false, plain),
        alphabeta(full, WindowMode::Pvs, true, plain),
        alphabeta(full, WindowMode::Aspiration, true, plain),
        alphabeta(full, WindowMode::Pvs, true, quiescence),
    ];
    let expected = [
        [57577, 9594, 30906, 0],
        [43746, 7196, 23155, 1134],
        [47481, 7896, 25443, 0],
        [34686, 6251, 20064, 942],
        [44876, 7459, 24123, 0],
        [48226, 9535, 30250, 0],
        [27585, 5299, 17018, 709],
        [26756, 4904, 15886, 587],
        [44988, 5900, 17024, 575],
    ];
    assert_eq!(found, expected);
}

#[test]
fn searches_for_many_players_visit_the_recorded_number_of_nodes() {
    let three = |game| Graph { players: 3, plies: 6, ..game };
    let chance = |game| Graph { chance: true, plies: 6, ..game };
    let paranoid = || -> Box<dyn Agent<Graph>> {
        Box::new(Paranoid::new(AlphaBetaOptions::default(), Judge::NEW).with_table())
    };
    let maxn =
        || -> Box<dyn Agent<Graph>> { Box::new(Maxn::new(MaxnOptions::default(), Judge::NEW)) };
    let star1 = || -> Box<dyn Agent<Graph>> {
        let options = ExpectimaxOptions { star1: true, ..Default::default() };
        Box::new(Expectimax::new(options, Judge::NEW))
    };
    let found = [
        counts(5, paranoid, three),
        // Searches to the end of the game prune more.
        counts(9999, maxn, three),
        counts(6, maxn, |game| game),
        counts(5, star1, chance),
    ];
    let expected = [
        [4561, 803, 2683, 93],
        [23032, 3059, 9266, 0],
        [22995, 2325, 7586, 0],
        [9008, 822, 2334, 0],
    ];
    assert_eq!(found, expected);
}

/// Compares visits of the best moves, lengths of principal variations, and table hits.
#[test]
fn mcts_distributes_its_visits_as_recorded() {
    let visits = |options: MctsOptions, table: bool| -> [u64; 3] {
        let mut sum = [0; 3];
        for seed in 0..10 {
            let plies = if options.solver { 5 } else { 10 };
            let game = Graph { plies, width: 200, branching: 15, ..Graph::new(seed) };
            let game = Graph { full_length: !options.solver, ..game };
            let options = MctsOptions { seed, memory: 2_000_000, ..options.clone() };
            let mcts = Mcts::new(options).with_evaluator(Judge::NEW);
            let mut mcts = if table { mcts.with_table() } else { mcts };
            let limits = Limits::nodes(2000);
            let report = mcts.search(&game, &tussle_core::Game::start(&game), &limits).unwrap();
            sum[0] += (seed + 1) * report.lines[0].visits;
            sum[1] += report.lines.iter().map(|line| line.pv.len() as u64).sum::<u64>();
            sum[2] += report.stats.table_hits;
        }
        sum
    };
    let plain = MctsOptions::default;
    let found = [
        visits(plain(), false),
        visits(plain(), true),
        visits(MctsOptions { expand_all: true, ..plain() }, false),
        visits(
            MctsOptions { policy: SelectionPolicy::Puct, priors: Priors::Evaluator, ..plain() },
            false,
        ),
        visits(MctsOptions { policy: SelectionPolicy::Epsilon(0.2), ..plain() }, false),
        visits(MctsOptions { solver: true, ..plain() }, false),
        visits(MctsOptions { lambda: 0.5, ..plain() }, false),
    ];
    let expected = [
        [10039, 658, 0],
        [11273, 729, 2902],
        [10372, 597, 0],
        [42791, 813, 0],
        [55097, 787, 0],
        [4633, 378, 0],
        [9146, 652, 0],
    ];
    assert_eq!(found, expected);
}
