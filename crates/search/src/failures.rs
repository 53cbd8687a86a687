//! Tests of searches over rules that fail.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tussle_core::time::{now, since};
use tussle_core::{
    Fallible, FallibleState, Game, Limits, TryGame, TryZeroSum, Turn, evaluation_fn,
};

use crate::{
    Agent, AlphaBeta, AlphaBetaOptions, Expectimax, ExpectimaxOptions, Greedy, GreedyOptions, Maxn,
    MaxnOptions, Mcts, MctsOptions, Minimax, MinimaxOptions, OpponentModel, Paranoid, Priors,
    Query, Random, Rollout, SearchError, SelectionPolicy, TerminalValue, TreeFilter, WindowMode,
    heavy_playouts, perft, playouts,
};

/// A heap of counters. Each move takes one to three, written "1" to "3"; the player who takes the last one wins.
/// The connection is lost after `answers` answers.
struct Remote {
    heap: u32,
    /// True for a chance node before every move, whose outcomes change nothing.
    coins: bool,
    players: usize,
    answers: u64,
    asked: AtomicU64,
}

#[derive(Debug)]
struct ConnectionError(u64);

impl fmt::Display for ConnectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connection lost at question {}", self.0)
    }
}

impl std::error::Error for ConnectionError {}

impl Remote {
    fn new(heap: u32, answers: u64) -> Self {
        Self { heap, coins: false, players: 2, answers, asked: AtomicU64::new(0) }
    }

    fn answer<A>(&self, answer: A) -> Result<A, ConnectionError> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        if asked > self.answers { Err(ConnectionError(asked)) } else { Ok(answer) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Heap {
    left: u32,
    mover: usize,
    coin: bool,
}

impl TryGame for Remote {
    type State = Heap;
    type Move = String;
    type Error = ConnectionError;

    fn players(&self) -> usize {
        self.players
    }

    fn has_chance(&self) -> bool {
        self.coins
    }

    fn start(&self) -> Result<Heap, ConnectionError> {
        self.answer(Heap { left: self.heap, mover: 0, coin: false })
    }

    fn turn(&self, heap: &Heap) -> Result<Turn, ConnectionError> {
        self.answer(match heap {
            Heap { left: 0, .. } => Turn::Over,
            Heap { coin: true, .. } => Turn::Chance,
            Heap { mover, .. } => Turn::Player(*mover),
        })
    }

    fn moves(&self, heap: &Heap) -> Result<Vec<String>, ConnectionError> {
        let most = if heap.coin { 2 } else { heap.left.min(3) };
        self.answer((1..=most).map(|take| take.to_string()).collect())
    }

    fn play(&self, heap: &Heap, mv: &String) -> Result<Heap, ConnectionError> {
        let take: u32 = mv.parse().expect("a number");
        self.answer(if heap.coin {
            Heap { coin: false, ..heap.clone() }
        } else {
            let mover = (heap.mover + 1) % self.players;
            Heap { left: heap.left - take, mover, coin: self.coins }
        })
    }

    fn utility(&self, heap: &Heap, player: usize) -> Result<f64, ConnectionError> {
        let winner = (heap.mover + self.players - 1) % self.players;
        let loss = if self.players == 2 { -1.0 } else { 0.0 };
        self.answer(if player == winner { 1.0 } else { loss })
    }

    fn probability(&self, _: &Heap, _: &String) -> Result<f64, ConnectionError> {
        self.answer(0.5)
    }
}

impl TryZeroSum for Remote {}

type Remotely = Fallible<Remote>;

/// Returns every search, with all options that change its code path.
fn agents(game: &Remotely, threads: usize) -> Vec<(&'static str, Box<dyn Agent<Remotely>>)> {
    let size = || {
        let left = |state: &FallibleState<Heap>| state.get().map_or(0.0, |heap| heap.left.into());
        evaluation_fn(game, move |state, _| left(state))
    };
    let options = || AlphaBetaOptions { threads, ..Default::default() };
    let alphabeta = |options| AlphaBeta::new(options, size());
    let aspiration =
        AlphaBetaOptions { window: Some(WindowMode::Aspiration), shuffle: true, ..options() };
    let finished = TerminalValue::Evaluation;
    let mcts = MctsOptions { threads, seed: 1, keep_tree: true, ..Default::default() };
    let evaluated = MctsOptions { rollout: Rollout::Evaluation, ..mcts.clone() };
    let greedy = MctsOptions { rollout: Rollout::Greedy, ..mcts.clone() };
    let puct =
        MctsOptions { policy: SelectionPolicy::Puct, priors: Priors::Evaluator, ..mcts.clone() };
    let all = MctsOptions { expand_all: true, ..mcts.clone() };
    let epsilon = MctsOptions { policy: SelectionPolicy::Epsilon(0.5), ..mcts.clone() };
    let uniform =
        ExpectimaxOptions { opponent: Some(OpponentModel::Uniform), ..Default::default() };
    vec![
        ("random", Box::new(Random::new(1))),
        ("greedy", Box::new(Greedy::new(GreedyOptions::default(), size()))),
        ("minimax", Box::new(Minimax::new(MinimaxOptions::default(), size()))),
        (
            "minimax that evaluates ends",
            Box::new(Minimax::new(MinimaxOptions { finished, ..Default::default() }, size())),
        ),
        ("alphabeta", Box::new(alphabeta(options()))),
        ("alphabeta with a table", Box::new(alphabeta(options()).with_table())),
        ("alphabeta with aspiration windows", Box::new(alphabeta(aspiration).with_table())),
        ("paranoid with a table", Box::new(Paranoid::new(options(), size()).with_table())),
        ("expectimax", Box::new(Expectimax::new(ExpectimaxOptions::default(), size()))),
        ("expectimax against chance", Box::new(Expectimax::new(uniform, size()))),
        ("maxn", Box::new(Maxn::new(MaxnOptions::default(), size()))),
        ("mcts", Box::new(Mcts::new(mcts.clone()))),
        ("mcts with a table", Box::new(Mcts::new(mcts).with_table())),
        ("mcts with an evaluator", Box::new(Mcts::new(evaluated).with_evaluator(size()))),
        ("mcts with greedy rollouts", Box::new(Mcts::new(greedy).with_evaluator(size()))),
        ("mcts with a policy", Box::new(Mcts::new(puct).with_evaluator(size()))),
        ("mcts with all children", Box::new(Mcts::new(all))),
        ("mcts with random choices", Box::new(Mcts::new(epsilon))),
    ]
}

fn is_lost(error: &SearchError) -> bool {
    matches!(error, SearchError::Rules(error) if error.get().downcast_ref::<ConnectionError>().is_some())
}

/// Searches a game that fails at every number of answers, and checks every result.
fn fails_everywhere(game: impl Fn(u64) -> Remote, threads: usize) {
    // Searches stop at the error, long before these limits.
    let limits = Limits::nodes(1_000_000_000).or_depth(9);
    let names = agents(&Fallible::new(game(0)), threads);
    let is_for_two = |name: &str| name.starts_with("minimax") || name.starts_with("alphabeta");
    for (i, (name, _)) in names.iter().enumerate() {
        if game(0).players > 2 && is_for_two(name) {
            continue;
        }
        for answers in (0..64).chain([100, 150, 250, 400, 1000]) {
            let game = Fallible::new(game(answers)).with_max_positions(8);
            let (_, mut agent) = agents(&game, threads).swap_remove(i);
            if agent.check(&game).is_err() {
                continue; // the search does not support chance
            }
            let state = game.start();
            let began = now();
            let mut reports = 0;
            let mut live = |_: &tussle_core::Report<_>| reports += 1;
            let query = Query::new(&limits).on_progress(&mut live);
            let result = agent.run(&game, &state, query);
            assert!(since(began) < Duration::from_secs(20), "{name}, {answers} answers");
            match (result, game.failure()) {
                (Err(error), Some(first)) => {
                    assert!(is_lost(&error), "{name}, {answers} answers: {error}");
                    assert_eq!(error, SearchError::Rules(first), "{name}: the first error");
                    let tree = agent.tree(&TreeFilter { max_depth: 1, min_visits: 0 });
                    assert!(tree.is_none_or(|tree| tree.children.is_empty()), "{name}");
                }
                (Ok(report), None) => assert_ne!(report.best(), None, "{name}"),
                (result, failure) => panic!("{name}, {answers} answers: {result:?}, {failure:?}"),
            }
        }
    }
}

#[test]
fn every_search_returns_the_error_of_the_rules() {
    fails_everywhere(|answers| Remote::new(12, answers), 1);
}

#[test]
fn searches_with_two_threads_return_the_error_of_the_rules() {
    fails_everywhere(|answers| Remote::new(12, answers), 2);
}

#[test]
fn searches_of_games_with_chance_return_the_error_of_the_rules() {
    for threads in [1, 2] {
        fails_everywhere(|answers| Remote { coins: true, ..Remote::new(9, answers) }, threads);
    }
}

#[test]
fn searches_of_games_of_three_players_return_the_error_of_the_rules() {
    fails_everywhere(|answers| Remote { players: 3, ..Remote::new(10, answers) }, 1);
}

#[test]
fn perft_and_playouts_return_the_error_of_the_rules() {
    let limits = Limits::nodes(100_000_000);
    for answers in 0..60 {
        let game = Fallible::new(Remote::new(30, answers));
        let mut state = game.start();
        assert!(perft(&game, &mut state, 8).is_err_and(|error| is_lost(&error)));
        let game = Fallible::new(Remote { coins: true, ..Remote::new(30, answers) });
        let state = game.start();
        assert!(playouts(&game, &state, &limits, 1).is_err_and(|error| is_lost(&error)));
        assert!(heavy_playouts(&game, &state, &limits, 1).is_err_and(|error| is_lost(&error)));
    }
}

#[test]
fn a_recovered_game_is_searched_without_the_old_tree_and_table() {
    let limits = Limits::nodes(400);
    let sound = Fallible::new(Remote::new(10, u64::MAX));
    let count = agents(&sound, 1).len();
    for i in 0..count {
        for answers in [20, 30, 45] {
            let game = Fallible::new(Remote::new(10, u64::MAX));
            let state = game.start();
            let (name, mut agent) = agents(&game, 1).swap_remove(i);
            let (_, mut fresh) = agents(&game, 1).swap_remove(i);
            let fresh = fresh.search(&game, &state, &limits).expect("a report");

            let mut broken = Fallible::new(Remote::new(10, answers));
            let first = broken.start();
            if agent.search(&broken, &first, &limits).is_ok() {
                continue; // the search ended before the error
            }
            broken.rules_mut().answers = u64::MAX;
            assert!(broken.recover().is_some());
            let first = broken.start();
            let again = agent.search(&broken, &first, &limits).expect("a report");
            // Random choices continue their sequence; other searches repeat the first one exactly.
            if !name.starts_with("mcts") && name != "random" && !name.contains("aspiration") {
                let values = |report: &tussle_core::Report<_>| {
                    let lines = report.lines.iter();
                    lines.map(|line| (line.mv, line.value, line.visits)).collect::<Vec<_>>()
                };
                assert_eq!(values(&again), values(&fresh), "{name}");
                assert_eq!(again.stats, fresh.stats, "{name}");
            }
            if name.starts_with("mcts") {
                let visits: u64 = again.lines.iter().map(|line| line.visits).sum();
                assert!(visits <= 400, "{name}: {visits} visits of 400 simulations");
            }
        }
    }
}

#[test]
fn positions_of_another_game_do_not_match_a_kept_tree() {
    let limits = Limits::nodes(100);
    let mut mcts = Mcts::new(MctsOptions { keep_tree: true, ..Default::default() });
    for _ in 0..2 {
        let game = Fallible::new(Remote::new(10, u64::MAX));
        let report = mcts.search(&game, &game.start(), &limits).expect("a report");
        assert!(report.lines.iter().map(|line| line.visits).sum::<u64>() <= 100);
    }
}
