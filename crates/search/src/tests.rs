//! Tests that every search, under any limits, returns a legal move and finite values.

use std::time::{Duration, Instant};

use tussle_core::{
    Evaluator, Event, Game, Hashed, Limits, NoEvaluation, StopFlag, Turn, ZeroSum, evaluation_fn,
};

use crate::{
    Agent, AlphaBeta, AlphaBetaOptions, Deepening, Expectimax, ExpectimaxOptions, Greedy,
    GreedyOptions, Maxn, MaxnOptions, Mcts, MctsOptions, Minimax, MinimaxOptions, OpponentModel,
    Paranoid, Priors, Query, Random, Rollout, SearchError, SelectionPolicy, UnsupportedOption,
    agent_fn,
};

/// A heap of counters. Each move takes one to three; the player who takes the last one wins. A coin decides who
/// starts.
struct Heap(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    left: u32,
    mover: Option<usize>,
}

impl Game for Heap {
    type State = State;
    type Move = u32;

    fn start(&self) -> State {
        State { left: self.0, mover: None }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.mover {
            None => Turn::Chance,
            Some(_) if state.left == 0 => Turn::Over,
            Some(mover) => Turn::Player(mover),
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<u32>) {
        match state.mover {
            None => out.extend([0, 1]),
            Some(_) => out.extend(1..=state.left.min(3)),
        }
    }

    fn play(&self, state: &mut State, mv: u32) {
        *state = match state.mover {
            None => State { mover: Some(mv as usize), ..*state },
            Some(mover) => State { left: state.left - mv, mover: Some(1 - mover) },
        };
    }

    fn utility(&self, state: &State, player: usize) -> f64 {
        if state.mover == Some(player) { -1.0 } else { 1.0 }
    }

    fn probability(&self, _: &State, _: u32) -> f64 {
        0.5
    }
}

impl ZeroSum for Heap {}

impl Hashed for Heap {
    fn board_key(&self, state: &State) -> u64 {
        tussle_core::mix(u64::from(state.left) * 3 + state.mover.map_or(2, |mover| mover as u64))
    }
}

/// Returns every agent with its name.
fn agents(game: &Heap) -> Vec<(&'static str, Box<dyn Agent<Heap>>)> {
    let size = || evaluation_fn(game, |state, _| f64::from(state.left));
    let alphabeta = || AlphaBeta::new(AlphaBetaOptions::default(), size());
    let paranoid = || Paranoid::new(AlphaBetaOptions::default(), size());
    let mcts = MctsOptions { seed: 1, ..MctsOptions::default() };
    let evaluated = MctsOptions { rollout: Rollout::Evaluation, ..mcts.clone() };
    vec![
        ("random", Box::new(Random::new(1))),
        ("greedy", Box::new(Greedy::new(GreedyOptions::default(), size()))),
        ("minimax", Box::new(Minimax::new(MinimaxOptions::default(), size()))),
        ("alphabeta", Box::new(alphabeta())),
        ("alphabeta with a table", Box::new(alphabeta().with_table())),
        ("expectimax", Box::new(Expectimax::new(ExpectimaxOptions::default(), size()))),
        ("maxn", Box::new(Maxn::new(MaxnOptions::default(), size()))),
        ("paranoid", Box::new(paranoid())),
        ("paranoid with a table", Box::new(paranoid().with_table())),
        ("mcts", Box::new(Mcts::new(mcts.clone()))),
        ("mcts with a table", Box::new(Mcts::new(mcts).with_table())),
        ("mcts with an evaluator", Box::new(Mcts::new(evaluated).with_evaluator(size()))),
    ]
}

#[test]
fn a_position_without_a_player_to_move_is_an_error() {
    let game = Heap(9);
    let over = State { left: 0, mover: Some(1) };
    for (name, mut agent) in agents(&game) {
        let mut error = |state| agent.search(&game, state, &Limits::none()).err();
        assert_eq!(error(&over), Some(SearchError::GameOver), "{name}");
        assert_eq!(error(&game.start()), Some(SearchError::ChanceToMove), "{name}");
    }
}

#[test]
fn options_that_do_not_fit_the_game_are_errors() {
    let game = Heap(9);
    let state = State { left: 9, mover: Some(0) };
    let mcts = |options| Mcts::<Heap>::new(options).search(&game, &state, &Limits::none());
    let defaults = MctsOptions::default;
    for (options, what) in [
        (MctsOptions { memory: 1000, ..defaults() }, UnsupportedOption::Memory { least: 256_000 }),
        (MctsOptions { lambda: 0.5, ..defaults() }, UnsupportedOption::NoEvaluator),
        (MctsOptions { rollout: Rollout::Greedy, ..defaults() }, UnsupportedOption::NoEvaluator),
        (MctsOptions { rollout: Rollout::Heavy, ..defaults() }, UnsupportedOption::HeavyRollouts),
        (
            MctsOptions { policy: SelectionPolicy::Puct, priors: Priors::Evaluator, ..defaults() },
            UnsupportedOption::NoEvaluator,
        ),
    ] {
        assert_eq!(mcts(options).err(), Some(what.into()));
    }
    let quiescence = AlphaBetaOptions { quiescence: true, ..Default::default() };
    let alphabeta = AlphaBeta::<Heap>::new(quiescence.clone(), NoEvaluation).check(&game);
    assert_eq!(alphabeta, Err(UnsupportedOption::Quiescence));
    let paranoid = Paranoid::<Heap>::new(quiescence, NoEvaluation).check(&game);
    assert_eq!(paranoid, Err(UnsupportedOption::Quiescence));
    let star1 = ExpectimaxOptions { star1: true, ..Default::default() };
    let size = evaluation_fn(&game, |state, _| f64::from(state.left));
    assert_eq!(Expectimax::new(star1, size).check(&game), Err(UnsupportedOption::UnknownRange));
    let opponent = Some(OpponentModel::Weighted(vec![1.0]));
    let weighted = ExpectimaxOptions { opponent, ..Default::default() };
    let expectimax = Expectimax::<Heap>::new(weighted, NoEvaluation);
    let what = UnsupportedOption::MoveClasses { classes: 0, weights: 1 };
    assert_eq!(expectimax.check(&game), Err(what));
}

/// Compiles only if searches can be moved to and shared with other threads, and printed.
#[test]
fn searches_are_send_and_sync_and_debug() {
    fn check<T: Send + Sync + std::fmt::Debug>() {}
    check::<Mcts<Heap>>();
    check::<AlphaBeta<Heap>>();
    check::<Minimax<Heap>>();
    check::<Expectimax<Heap>>();
    check::<Maxn<Heap>>();
    check::<Paranoid<Heap>>();
    check::<Greedy<Heap>>();
    check::<Random>();
    check::<SearchError>();
}

#[test]
fn every_value_is_finite_and_every_answer_a_move_under_any_limits() {
    let game = Heap(40);
    let state = State { left: 40, mover: Some(0) };
    let flag = StopFlag::default();
    flag.stop();
    let second = Duration::from_secs(1);
    let late = Limits { started: Instant::now().checked_sub(2 * second), ..Limits::time(second) };
    let few = [0, 1, 2, 3, 5, 30].map(Limits::nodes);
    let others = [late, Limits::none().or_stop(&flag), Limits::nodes(9).or_depth(1)];
    for (name, mut agent) in agents(&game) {
        for limits in few.iter().chain(&others) {
            let report = agent.search(&game, &state, limits).expect("a report");
            assert_ne!(report.best(), None, "{name}, {limits:?}");
            for line in &report.lines {
                assert!(line.value.is_finite(), "{name}, {limits:?}: {line:?}");
                assert!(line.values.iter().all(|x| x.is_finite()), "{name}, {limits:?}: {line:?}");
                assert_eq!(line.known_value().is_some(), line.searched, "{name}, {limits:?}");
            }
        }
    }
}

#[test]
fn an_agent_that_does_not_value_moves_reports_no_value() {
    let game = Heap(9);
    let state = State { left: 9, mover: Some(0) };
    let first = agent_fn(|game: &Heap, state, _: &Limits| game.legal_moves(state)[0]);
    let agents: [Box<dyn Agent<Heap>>; 2] = [Box::new(Random::new(1)), Box::new(first)];
    for mut agent in agents {
        let report = agent.search(&game, &state, &Limits::none()).expect("a report");
        assert_eq!((report.lines.len(), report.lines[0].known_value()), (1, None));
    }
}

/// Returns the expected result for the root player, who chooses the best of his moves, against random moves; 0 at the
/// horizon.
fn expected_result(left: u32, is_root_player: bool, depth: u32) -> f64 {
    if left == 0 || depth == 0 {
        return if left > 0 {
            0.0
        } else if is_root_player {
            -1.0
        } else {
            1.0
        };
    }
    let values =
        (1..=left.min(3)).map(|take| expected_result(left - take, !is_root_player, depth - 1));
    if is_root_player {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.sum::<f64>() / f64::from(left.min(3))
    }
}

#[test]
fn a_mean_of_results_and_small_evaluations_has_the_expected_score_of_the_results() {
    let game = Heap(9);
    let state = State { left: 9, mover: Some(0) };
    let opponent = Some(OpponentModel::Uniform);
    for depth in 1..7 {
        let options = ExpectimaxOptions { opponent: opponent.clone(), ..Default::default() };
        let mut expectimax = Expectimax::new(options, evaluation_fn(&game, |_, _| 0.001));
        let report = expectimax.search(&game, &state, &Limits::depth(depth)).expect("a report");
        for line in report.lines {
            let expected = 0.5 + 0.5 * expected_result(9 - line.mv, false, depth - 1);
            let found = line.value.expected_score();
            assert!(
                (found - expected).abs() < 1e-4,
                "depth {depth}: {found} of {line:?}, not {expected}"
            );
        }
    }
}

/// Evaluator of a heap's size with a wrong range.
struct WrongRange((f64, f64));

impl Evaluator<Heap> for WrongRange {
    fn value(&self, _: &Heap, state: &State, player: usize) -> f64 {
        f64::from(state.left) * if player == 0 { 1.0 } else { -1.0 }
    }

    fn range(&self, _: &Heap) -> Option<(f64, f64)> {
        Some(self.0)
    }
}

#[test]
fn a_range_that_is_not_finite_counts_as_unknown() {
    let (game, state) = (Heap(20), State { left: 20, mover: Some(0) });
    for range in
        [(f64::NEG_INFINITY, f64::INFINITY), (0.0, f64::INFINITY), (f64::NAN, 1.0), (9.0, -9.0)]
    {
        let wrong = || WrongRange(range);
        let leaves = MctsOptions { rollout: Rollout::Evaluation, ..Default::default() };
        let agents: [Box<dyn Agent<Heap>>; 5] = [
            Box::new(Greedy::new(GreedyOptions::default(), wrong())),
            Box::new(AlphaBeta::new(AlphaBetaOptions::default(), wrong())),
            Box::new(Expectimax::new(ExpectimaxOptions::default(), wrong())),
            Box::new(Maxn::new(MaxnOptions::default(), wrong())),
            Box::new(Mcts::new(leaves).with_evaluator(wrong())),
        ];
        for mut agent in agents {
            let limits = Limits::depth(3).or_nodes(50);
            let report = agent.search(&game, &state, &limits).expect("a report");
            assert!(
                report.lines.iter().all(|line| line.value.is_finite()),
                "{range:?}: {report:?}"
            );
        }
        let star1 = ExpectimaxOptions { star1: true, ..Default::default() };
        let unknown = Err(UnsupportedOption::UnknownRange);
        assert_eq!(Expectimax::new(star1, wrong()).check(&game), unknown, "{range:?}");
    }
}

/// A game of three players that claims to be zero-sum.
struct Three;

impl Game for Three {
    type State = u32;
    type Move = u32;

    fn players(&self) -> usize {
        3
    }

    fn start(&self) -> u32 {
        9
    }

    fn turn(&self, &left: &u32) -> Turn {
        if left == 0 { Turn::Over } else { Turn::Player(left as usize % 3) }
    }

    fn moves(&self, _: &u32, out: &mut Vec<u32>) {
        out.push(1);
    }

    fn play(&self, left: &mut u32, take: u32) {
        *left -= take;
    }

    fn utility(&self, _: &u32, player: usize) -> f64 {
        if player == 0 { 1.0 } else { 0.0 }
    }
}

impl ZeroSum for Three {}

#[test]
fn a_game_of_three_players_is_not_zero_sum() {
    let players = UnsupportedOption::Players { players: 3 };
    let mut alphabeta = AlphaBeta::<Three>::new(AlphaBetaOptions::default(), NoEvaluation);
    let searched = alphabeta.search(&Three, &9, &Limits::depth(5));
    assert_eq!(searched.err(), Some(SearchError::Unsupported(players)));
    let minimax = Minimax::<Three>::new(MinimaxOptions::default(), NoEvaluation);
    assert_eq!(minimax.check(&Three), Err(players));
    let mut paranoid = Paranoid::<Three>::new(AlphaBetaOptions::default(), NoEvaluation);
    assert!(paranoid.search(&Three, &9, &Limits::depth(5)).is_ok());
}

#[test]
fn a_cleared_table_answers_nothing() {
    let state = State { left: 8, mover: Some(0) };
    let mut alphabeta = AlphaBeta::new(AlphaBetaOptions::default(), NoEvaluation).with_table();
    let fresh = alphabeta.search(&Heap(8), &state, &Limits::none()).expect("a report");
    let kept = alphabeta.search(&Heap(8), &state, &Limits::none()).expect("a report");
    assert!(kept.stats.nodes < fresh.stats.nodes);
    alphabeta.clear();
    let cleared = alphabeta.search(&Heap(8), &state, &Limits::none()).expect("a report");
    assert_eq!(cleared.stats, fresh.stats);
}

/// Values in events are those of the first player, and the second one is to move.
#[test]
fn the_events_of_greedy_are_the_moves_it_valued() {
    let game = Heap(5);
    let state = State { left: 5, mover: Some(1) };
    let mut valued = Vec::new();
    let mut last = None;
    let mut listen = |event: Event<'_, u32>| match event {
        Event::Enter { mv: Some(mv), .. } => valued.push((mv, None)),
        Event::Leaf { values, .. } => valued.last_mut().unwrap().1 = Some(values[0].number()),
        Event::Leave { values } => last = Some(values[0].number()),
        _ => {}
    };
    let size = evaluation_fn(&game, |state, _| f64::from(state.left));
    let mut greedy = Greedy::new(GreedyOptions::default(), size);
    let query = Query::new(&Limits::none()).on_event(&mut listen);
    let report = greedy.run(&game, &state, query).unwrap();
    assert_eq!(valued, [(1, Some(-4.0)), (2, Some(-3.0)), (3, Some(-2.0))]);
    assert_eq!(last, Some(-report.lines[0].value.number()));
    let mut lines: Vec<_> =
        report.lines.iter().map(|line| (line.mv, Some(-line.value.number()))).collect();
    lines.sort_by_key(|&(mv, _)| mv);
    assert_eq!(valued, lines);
}

#[test]
fn simulate_events_have_the_evaluation_and_the_playout_that_were_mixed() {
    let game = Heap(9);
    let state = State { left: 9, mover: Some(0) };
    for lambda in [0.0, 0.25, 1.0] {
        let (mut values, mut mixed, mut backed) = (Vec::new(), 0, Vec::new());
        let mut listen = |event: Event<'_, u32>| match event {
            Event::Simulate { value, mix } => {
                values.push(value);
                backed.clear();
                if let Some(mix) = mix {
                    mixed += 1;
                    assert_eq!((mix.lambda, mix.evaluation), (0.25, 0.75));
                    assert!([0.0, 1.0].contains(&mix.rollout), "{mix:?}");
                    assert_eq!(value, 0.75 * mix.evaluation + 0.25 * mix.rollout);
                }
            }
            Event::BackUp { total, .. } => backed.push(total),
            _ => {}
        };
        // Without a known range, an evaluation of 10 is a reward of 0.75.
        let ten = evaluation_fn(&game, |_, player| if player == 0 { 10.0 } else { -10.0 });
        let options = MctsOptions { lambda, seed: 1, ..MctsOptions::default() };
        let mut mcts = Mcts::new(options).with_evaluator(ten);
        let limits = Limits::nodes(50);
        mcts.run(&game, &state, Query::new(&limits).on_event(&mut listen)).unwrap();
        // The total of the root is the sum of all values.
        let total: f64 = values.iter().sum();
        assert!((backed.last().unwrap() - total).abs() < 1e-3, "{lambda}");
        assert_eq!(mixed > 10, lambda == 0.25, "{lambda}");
    }
}

#[test]
fn options_out_of_range_cause_no_panic() {
    let (game, state) = (Heap(9), State { left: 9, mover: Some(0) });
    for factor in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
        let deepening =
            Deepening { iterative: Some(true), contract: Some(factor), ..Deepening::default() };
        let options = AlphaBetaOptions { deepening, ..Default::default() };
        let mut alphabeta = AlphaBeta::new(options, NoEvaluation);
        let limits = Limits::time(Duration::from_secs(5)).or_depth(6);
        assert!(alphabeta.search(&game, &state, &limits).is_ok(), "{factor}");
    }
    let options = AlphaBetaOptions { threads: usize::MAX, ..Default::default() };
    let mut alphabeta = AlphaBeta::new(options, NoEvaluation).with_table();
    assert!(alphabeta.search(&game, &state, &Limits::depth(4)).is_ok());
    for options in [
        MctsOptions { c: f64::NAN, ..Default::default() },
        MctsOptions { c: -1.0, ..Default::default() },
        MctsOptions { lambda: 2.0, ..Default::default() },
        MctsOptions { draw: f64::NAN, ..Default::default() },
        MctsOptions { policy: SelectionPolicy::Epsilon(7.0), ..Default::default() },
    ] {
        let error = Mcts::new(options).search(&game, &state, &Limits::nodes(9)).err();
        let number =
            Some(SearchError::Unsupported(UnsupportedOption::Number { option: "", range: "" }));
        let kind = |error: &Option<SearchError>| error.as_ref().map(std::mem::discriminant);
        assert_eq!(kind(&error), kind(&number), "{error:?}");
    }
    let number = |agent: Result<(), UnsupportedOption>| {
        assert!(matches!(agent, Err(UnsupportedOption::Number { .. })), "{agent:?}");
    };
    for draw in [f64::NAN, f64::INFINITY] {
        let options = AlphaBetaOptions { draw, ..Default::default() };
        number(AlphaBeta::<Heap>::new(options.clone(), NoEvaluation).check(&game));
        number(Paranoid::<Heap>::new(options, NoEvaluation).check(&game));
        let options = MinimaxOptions { draw, ..Default::default() };
        number(Minimax::<Heap>::new(options, NoEvaluation).check(&game));
        let options = ExpectimaxOptions { draw, ..Default::default() };
        number(Expectimax::<Heap>::new(options, NoEvaluation).check(&game));
    }
    for weight in [f64::NAN, f64::INFINITY, -1.0] {
        let opponent = Some(OpponentModel::Weighted(vec![1.0, weight]));
        let options = ExpectimaxOptions { opponent, ..Default::default() };
        number(Expectimax::<Heap>::new(options, NoEvaluation).check(&game));
    }
    assert!(alphabeta.search(&game, &state, &Limits::depth(0)).is_ok());
    let mut mcts = Mcts::new(MctsOptions { threads: usize::MAX, ..Default::default() });
    assert!(mcts.search(&game, &state, &Limits::nodes(1000)).is_ok());
}
