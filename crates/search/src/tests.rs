//! What every search promises, on a heap of counters: no panic and no NaN, whatever the budget.

use std::time::{Duration, Instant};

use tussle_core::{
    Args, Budget, Evaluation, Evaluations, Game, Hashed, Kind, Param, Setting, StopFlag, Stopped,
    Turn, ZeroSum, parse_bytes,
};

use crate::{
    ALPHABETA, Agent, AlphaBeta, EXPECTIMAX, Expectimax, GREEDY, Greedy, MAXN, MCTS, MINIMAX, Maxn,
    Mcts, Minimax, PARANOID, Paranoid, Random,
};

/// Take one to three from a heap; who takes the last one wins. A coin decides who begins.
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

impl Evaluations for Heap {
    type Eval = ();
    const EVALUATIONS: &'static [Evaluation] =
        &[Evaluation { name: "size", summary: "", params: &[], antisymmetric: false }];

    fn evaluation(&self, _: usize, _: &Args) {}

    fn evaluate(&self, (): &(), state: &State, _: usize) -> f64 {
        f64::from(state.left)
    }
}

/// The parameters of an agent with their defaults.
fn defaults(params: &[Param]) -> Args {
    let setting = |param: &Param| match (param.kind, param.default) {
        (Kind::Evaluation, _) => Setting::Evaluation(0, Args::default()),
        (_, "") => Setting::Unset,
        (Kind::Switch, text) => Setting::Switch(text == "on"),
        (Kind::Choice(_), text) => Setting::Choice(text),
        (Kind::Bytes, text) => Setting::Int(parse_bytes(text).expect("a size") as i64),
        (Kind::IntOr(_, _, word) | Kind::FloatOr(_, _, word), text) if text == word => {
            Setting::Choice(word)
        }
        (Kind::Int(..) | Kind::IntOr(..), text) => Setting::Int(text.parse().expect("a number")),
        (Kind::Float(..) | Kind::FloatOr(..), text) => {
            Setting::Float(text.parse().expect("a number"))
        }
        (kind, text) => panic!("{kind:?} {text}"),
    };
    Args::new(params.iter().map(|param| (param.key, setting(param))).collect())
}

/// Every agent there is.
fn agents(game: &Heap) -> Vec<(&'static str, Box<dyn Agent<Heap>>)> {
    let alphabeta = AlphaBeta::from_args(game, &defaults(ALPHABETA.params), 1);
    let minimax = Minimax::from_args(game, &defaults(MINIMAX.params), 1);
    let expectimax = Expectimax::from_args(game, &defaults(EXPECTIMAX.params));
    let paranoid = Paranoid::from_args(game, &defaults(PARANOID.params), 1);
    let mcts = Mcts::from_args(game, &defaults(MCTS.params), 1);
    vec![
        ("random", Box::new(Random::new(1))),
        ("greedy", Box::new(Greedy::from_args(game, &defaults(GREEDY.params), 1))),
        ("minimax", Box::new(minimax.expect("right"))),
        ("alphabeta", Box::new(alphabeta.expect("right"))),
        ("expectimax", Box::new(expectimax.expect("right"))),
        ("maxn", Box::new(Maxn::from_args(game, &defaults(MAXN.params)))),
        ("paranoid", Box::new(paranoid.expect("right"))),
        ("mcts", Box::new(mcts.expect("right"))),
        ("mcts of a library user", Box::new(Mcts::new(1))),
    ]
}

#[test]
fn no_agent_panics_where_no_player_is_to_move() {
    let game = Heap(9);
    let silent = [game.start(), State { left: 0, mover: Some(1) }];
    for (name, mut agent) in agents(&game) {
        for state in &silent {
            let report = agent.choose(&game, state, &Budget::unlimited());
            assert_eq!((report.best(), report.lines.len()), (None, 0), "{name}");
            assert_eq!((report.stopped, report.outcome()), (Stopped::Finished, None), "{name}");
        }
    }
}

#[test]
fn every_value_is_finite_and_every_answer_a_move_under_any_budget() {
    let game = Heap(40);
    let state = State { left: 40, mover: Some(0) };
    let flag = StopFlag::default();
    flag.stop();
    let second = Duration::from_secs(1);
    let late = Budget {
        started: Instant::now().checked_sub(2 * second),
        ..Budget::default().time(second)
    };
    let few = [0, 1, 2, 3, 5, 30].map(|nodes| Budget::default().nodes(nodes));
    let others = [late, Budget::unlimited().stop_flag(flag), Budget::default().nodes(9).depth(1)];
    for (name, mut agent) in agents(&game) {
        for budget in few.iter().chain(&others) {
            let report = agent.choose(&game, &state, budget);
            assert_ne!(report.best(), None, "{name}, {budget:?}");
            for line in &report.lines {
                assert!(line.value.is_finite(), "{name}, {budget:?}: {line:?}");
                assert!(line.values.iter().all(|x| x.is_finite()), "{name}, {budget:?}: {line:?}");
                assert_eq!(line.known_value().is_some(), line.searched, "{name}, {budget:?}");
            }
        }
    }
}
