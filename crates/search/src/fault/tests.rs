use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tussle_core::{Evaluations, Evaluator, Game, Leaf, Limits, Turn, ZeroSum};

use crate::{
    Agent, AlphaBeta, AlphaBetaOptions, EvaluatorFault, Expectimax, ExpectimaxOptions, Greedy,
    GreedyOptions, Maxn, MaxnOptions, Mcts, MctsOptions, Minimax, MinimaxOptions, OpponentModel,
    Paranoid, Priors, Query, Rollout, SearchError, SelectionPolicy, TerminalValue,
};

/// A heap of counters. Each move takes one to three; the player who takes the last one wins.
struct Heap(u32);

impl Game for Heap {
    type State = (u32, usize);
    type Move = u32;

    fn start(&self) -> (u32, usize) {
        (self.0, 0)
    }

    fn turn(&self, &(left, mover): &(u32, usize)) -> Turn {
        if left == 0 { Turn::Over } else { Turn::Player(mover) }
    }

    fn moves(&self, &(left, _): &(u32, usize), out: &mut Vec<u32>) {
        out.extend(1..=left.min(3));
    }

    fn play(&self, state: &mut (u32, usize), take: u32) {
        *state = (state.0 - take, 1 - state.1);
    }

    fn utility(&self, &(_, mover): &(u32, usize), who: usize) -> f64 {
        if who == mover { -1.0 } else { 1.0 }
    }
}

impl ZeroSum for Heap {}

/// Evaluator that returns a wrong value after some right ones.
#[derive(Clone)]
struct Faulty {
    right: u64,
    wrong: f64,
    asked: Arc<AtomicU64>,
}

impl Faulty {
    fn new(right: u64, wrong: f64) -> Self {
        Self { right, wrong, asked: Arc::default() }
    }

    fn has_failed(&self) -> bool {
        self.asked.load(Ordering::Relaxed) > self.right
    }
}

impl Evaluator<Heap> for Faulty {
    fn value(&self, _: &Heap, &(left, _): &(u32, usize), _: usize) -> f64 {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        if asked > self.right { self.wrong } else { f64::from(left % 4) }
    }
}

type NamedAgent = (&'static str, Box<dyn Agent<Heap>>);

/// Returns every search that has an evaluator, with all options that change its code path.
fn agents(evaluator: &Faulty, threads: usize) -> Vec<NamedAgent> {
    let e = || evaluator.clone();
    let options = || AlphaBetaOptions { threads, ..Default::default() };
    let finished = TerminalValue::Evaluation;
    let uniform =
        ExpectimaxOptions { opponent: Some(OpponentModel::Uniform), ..Default::default() };
    let mcts = MctsOptions { threads, seed: 1, keep_tree: true, ..Default::default() };
    let leaves = MctsOptions { rollout: Rollout::Evaluation, ..mcts.clone() };
    let all = MctsOptions { expand_all: true, ..leaves.clone() };
    let mixed = MctsOptions { lambda: 0.5, ..mcts.clone() };
    let greedy = MctsOptions { rollout: Rollout::Greedy, ..mcts.clone() };
    let puct = MctsOptions { policy: SelectionPolicy::Puct, priors: Priors::Evaluator, ..mcts };
    let mut agents: Vec<NamedAgent> = vec![
        ("greedy", Box::new(Greedy::new(GreedyOptions::default(), e()))),
        ("minimax", Box::new(Minimax::new(MinimaxOptions::default(), e()))),
        ("alphabeta", Box::new(AlphaBeta::new(options(), e()))),
        (
            "alphabeta that evaluates ends",
            Box::new(AlphaBeta::new(AlphaBetaOptions { finished, ..options() }, e())),
        ),
        ("paranoid", Box::new(Paranoid::new(options(), e()))),
        ("expectimax", Box::new(Expectimax::new(uniform, e()))),
        ("maxn", Box::new(Maxn::new(MaxnOptions::default(), e()))),
    ];
    for (name, options) in [
        ("mcts that evaluates leaves", leaves),
        ("mcts with all children", all),
        ("mcts with half a rollout", mixed),
        ("mcts with greedy rollouts", greedy),
        ("mcts with a policy", puct),
    ] {
        agents.push((name, Box::new(Mcts::new(options).with_evaluator(e()))));
    }
    agents
}

/// Searches with an evaluator that fails after each number of values, and checks every result and every report
/// on the way.
fn fails_everywhere(threads: usize) {
    let game = Heap(40);
    // Searches stop at the fault, long before these limits.
    let limits = Limits::nodes(1_000_000_000).or_depth(6);
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for right in [0, 1, 2, 3, 10, 50] {
            for i in 0..agents(&Faulty::new(0, 0.0), threads).len() {
                let evaluator = Faulty::new(right, wrong);
                let (name, mut agent) = agents(&evaluator, threads).swap_remove(i);
                if wrong.is_infinite() && name.starts_with("mcts") && !name.contains("greedy") {
                    continue; // the default of `evaluate` maps it to a reward of 0 or 1
                }
                let mut live = |report: &tussle_core::Report<u32>| {
                    for line in &report.lines {
                        assert!(line.value.number().is_finite(), "{name}: {line:?}");
                    }
                };
                let query = Query::new(&limits).on_progress(&mut live);
                let result = agent.run(&game, &game.start(), query);
                if !evaluator.has_failed() {
                    assert!(result.is_ok(), "{name} asked for fewer values: {result:?}");
                    continue;
                }
                let fault = match result {
                    Err(SearchError::Evaluator(fault)) => fault,
                    other => panic!("{name}, {wrong} after {right} values: {other:?}"),
                };
                let is_of_policy = name == "mcts with a policy";
                assert!(
                    matches!(fault, EvaluatorFault::Value { .. })
                        || is_of_policy && fault == EvaluatorFault::Policy,
                    "{name}: {fault}"
                );
            }
        }
    }
}

#[test]
fn every_search_returns_the_fault_of_the_evaluator() {
    fails_everywhere(1);
}

#[test]
fn searches_with_two_threads_return_the_fault_of_the_evaluator() {
    fails_everywhere(2);
}

/// Evaluator that always returns these values and probabilities.
struct FixedAnswer(Vec<f64>, Vec<f32>);

impl Evaluator<Heap> for FixedAnswer {
    fn value(&self, _: &Heap, _: &(u32, usize), _: usize) -> f64 {
        0.0
    }

    fn evaluate(&self, _: &Heap, leaves: &[Leaf<'_, Heap>], out: &mut Evaluations) {
        out.clear();
        out.values.clone_from(&self.0);
        if leaves.iter().any(|leaf| !leaf.moves.is_empty()) {
            out.policy.clone_from(&self.1);
        }
    }
}

#[test]
fn an_answer_of_the_wrong_shape_is_a_fault() {
    let game = Heap(40);
    let even = vec![1.0 / 3.0; 3];
    for (values, policy, fault) in [
        (vec![0.5], even.clone(), EvaluatorFault::Count),
        (vec![0.5; 3], even.clone(), EvaluatorFault::Count),
        (vec![0.5; 2], vec![0.5; 2], EvaluatorFault::Count),
        (vec![0.5; 2], Vec::new(), EvaluatorFault::Count),
        (vec![0.5; 2], vec![0.5, f32::NAN, 0.5], EvaluatorFault::Policy),
        (vec![0.5; 2], vec![1.5, -0.5, 0.0], EvaluatorFault::Policy),
        (vec![0.5, f64::NAN], even.clone(), EvaluatorFault::Value { player: 1 }),
    ] {
        let options = MctsOptions {
            policy: SelectionPolicy::Puct,
            priors: Priors::Evaluator,
            rollout: Rollout::Evaluation,
            ..Default::default()
        };
        let mut mcts = Mcts::new(options).with_evaluator(FixedAnswer(values, policy));
        let result = mcts.search(&game, &game.start(), &Limits::nodes(100));
        assert_eq!(result, Err(SearchError::Evaluator(fault)));
    }
}

#[test]
fn a_fault_says_what_was_expected() {
    let error = SearchError::Evaluator(EvaluatorFault::Value { player: 1 });
    let text = "evaluator: expected a finite value for player 1, found NaN or infinity";
    assert_eq!(error.to_string(), text);
}
