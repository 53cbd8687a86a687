//! Expectimax against a naive search: choices, chance and opponent models, with pruning and without.

use tussle_core::{Bound, CutReason, Event, Game, Limits, Outcome, StopReason, Turn, Unit};
use tussle_search::{
    Agent, Expectimax, ExpectimaxOptions, OpponentModel, Query, SearchError, TerminalValue,
    UnsupportedOption,
};

use crate::graph::{Graph, Judge, MAX_EVALUATION, Place, all_lines};
use crate::listener::Listener;

/// Score of a win: the largest evaluation, rounded up to a power of two.
const WIN: f64 = 64.0;

struct Naive<'a> {
    game: &'a Graph,
    opponent: OpponentModel,
    draw: f64,
    eval_ends: bool,
    has_range: bool,
    nodes: u64,
    evaluations: u64,
}

impl<'a> Naive<'a> {
    fn new(game: &'a Graph, opponent: OpponentModel) -> Self {
        let (nodes, evaluations) = (0, 0);
        let (draw, eval_ends, has_range) = (0.0, false, true);
        Self { game, opponent, draw, eval_ends, has_range, nodes, evaluations }
    }

    /// Returns the score and the expected utility for the root player.
    fn value(&mut self, at: &Place, depth: u32) -> [f64; 2] {
        self.nodes += 1;
        let (game, root) = (self.game, self.game.first);
        let turn = game.turn(at);
        if depth == 0 || turn == Turn::Over {
            if turn != Turn::Over || self.eval_ends {
                self.evaluations += 1;
                return [game.evaluation(at, root), f64::NAN];
            }
            let utility = game.utility(at, root);
            let win = if self.has_range { WIN } else { 1_048_576.0 };
            return if game.points {
                [utility, utility]
            } else if game.players == 2 && utility == 0.0 {
                [self.draw, 0.0]
            } else if game.players == 2 {
                [utility * win, utility]
            } else {
                [(utility - 0.5) * 2.0 * win, utility]
            };
        }
        let choice = match turn {
            Turn::Player(mover) if mover == root => Some(1.0),
            Turn::Player(_) if self.opponent == OpponentModel::Best => Some(-1.0),
            _ => None,
        };
        if let Some(sign) = choice {
            let mut best = [f64::NAN; 2];
            for mv in game.list(at, true) {
                let found = self.value(&game.after(at, mv), depth - 1);
                if best[0].is_nan() || sign * found[0] > sign * best[0] {
                    best = found;
                }
            }
            return best;
        }
        let moves = game.list(at, false);
        let weight = |mv: u16| match &self.opponent {
            _ if turn == Turn::Chance => game.probability(at, mv),
            OpponentModel::Weighted(weights) => weights[game.move_class(at, mv)],
            _ => 1.0,
        };
        let mut weights: Vec<f64> = moves.iter().map(|&mv| weight(mv)).collect();
        if weights.iter().all(|&weight| weight == 0.0) {
            weights.fill(1.0);
        }
        let total: f64 = weights.iter().sum();
        let mut sum = [0.0; 2];
        for (mv, weight) in moves.into_iter().zip(weights) {
            if weight > 0.0 {
                let found = self.value(&game.after(at, mv), depth - 1);
                sum[0] += weight * found[0];
                sum[1] += weight * found[1];
            }
        }
        sum.map(|sum| sum / total)
    }
}

fn models() -> [(Option<OpponentModel>, OpponentModel); 4] {
    let weighted = OpponentModel::Weighted(vec![1.0, 0.0, 2.5]);
    [
        (None, OpponentModel::Uniform),
        (Some(OpponentModel::Best), OpponentModel::Best),
        (Some(OpponentModel::Uniform), OpponentModel::Uniform),
        (Some(weighted.clone()), weighted),
    ]
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + b.abs())
}

fn games() -> impl Iterator<Item = Graph> {
    (0..24).map(|seed| Graph {
        chance: seed % 3 != 1,
        points: seed % 4 == 3,
        players: if seed % 8 == 6 { 3 } else { 2 },
        plies: 5,
        twins: seed % 5 == 0,
        ..Graph::new(seed)
    })
}

#[test]
fn values_are_those_of_the_definition() {
    for game in games() {
        for (opponent, expected) in models() {
            let expected = match &opponent {
                None if game.chance => OpponentModel::Best,
                _ => expected,
            };
            for eval_ends in [false, true] {
                let finished =
                    if eval_ends { TerminalValue::Evaluation } else { TerminalValue::Result };
                let draw = if game.seed.is_multiple_of(2) { 7.0 } else { 0.0 };
                let options = ExpectimaxOptions {
                    opponent: opponent.clone(),
                    draw,
                    finished,
                    ..Default::default()
                };
                for depth in [1, 2, 3, 9] {
                    let what = format!("{game:?} {options:?} {depth}");
                    let mut naive = Naive::new(&game, expected.clone());
                    (naive.draw, naive.eval_ends, naive.nodes) = (draw, eval_ends, 1);
                    let mut listener = Listener::default();
                    let limits = Limits::depth(depth);
                    let mut odds = 0;
                    let mut sink = |event: Event<'_, u16>| {
                        if let Event::Odds { moves, probabilities } = event {
                            odds += 1;
                            assert_eq!(moves.len(), probabilities.len());
                            assert!(is_close(probabilities.iter().sum(), 1.0));
                        }
                    };
                    let query = Query::new(&limits).lines(9).on_event(&mut sink);
                    let mut agent = Expectimax::new(options.clone(), Judge::NEW);
                    let report = agent.run(&game, &game.start(), query).expect("a report");
                    if depth > 1 && expected != OpponentModel::Best {
                        assert!(odds > 0 || game.chance || !game.takes_turns, "{what}");
                    }
                    listener.entered.clear();
                    for line in &report.lines {
                        let before = naive.evaluations;
                        let [score, utility] =
                            naive.value(&game.after(&game.start(), line.mv), depth - 1);
                        let is_proven = naive.evaluations == before;
                        let value = line.value.number();
                        assert_eq!(
                            (line.bound, line.searched),
                            (Bound::Exact, true),
                            "{what}: {line:?}"
                        );
                        if !is_proven {
                            assert!(is_close(value, score), "{what}: {value} {score}");
                            assert_eq!(line.outcome(), None, "{what}");
                        } else if line.outcome() == Some(Outcome::Draw)
                            && game.players == 2
                            && !game.points
                        {
                            assert_eq!((value, utility), (draw, 0.0), "{what}");
                        } else {
                            assert!(is_close(value, utility), "{what}: {value} {utility}");
                            assert!(line.outcome().is_some() || utility.abs() < 20.0);
                        }
                    }
                    assert_eq!(report.stats.nodes, naive.nodes, "{what}");
                    assert_eq!(report.stats.evaluations, naive.evaluations, "{what}");
                    let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
                    assert_eq!(visits + 1, naive.nodes, "{what}");
                    for pair in report.lines.windows(2) {
                        assert!(
                            pair[0].value >= pair[1].value
                                || pair[0].outcome() != pair[1].outcome()
                        );
                    }
                }
            }
        }
    }
}

/// If the evaluator declares no range, a win outweighs all evaluations.
#[test]
fn a_win_outweighs_evaluations_of_unknown_range() {
    for seed in 0..20 {
        let game = Graph { chance: true, plies: 5, ..Graph::new(seed) };
        let judge = Judge { has_range: false, ..Judge::NEW };
        let mut agent = Expectimax::new(ExpectimaxOptions::default(), judge);
        let report = all_lines(&mut agent, &game, &Limits::depth(3));
        for line in report.lines.iter().filter(|line| line.value.unit() == Unit::Evaluation) {
            let mut naive = Naive::new(&game, OpponentModel::Best);
            naive.has_range = false;
            let [score, _] = naive.value(&game.after(&game.start(), line.mv), 2);
            assert!(is_close(line.value.number(), score), "{seed}: {line:?} {score}");
        }
    }
}

#[test]
fn star1_changes_no_value_and_saves_nodes() {
    let (mut nodes, mut full, mut chance_cuts) = (0, 0, 0);
    for game in games() {
        for (opponent, _) in models() {
            for (lines, depth) in [(1, 3), (1, 4), (2, 3), (1, 9)] {
                for finished in [TerminalValue::Result, TerminalValue::Evaluation] {
                    let options = ExpectimaxOptions {
                        opponent: opponent.clone(),
                        star1: true,
                        draw: 3.0,
                        finished,
                        ..Default::default()
                    };
                    let plain = ExpectimaxOptions { star1: false, ..options.clone() };
                    let what = format!("{game:?} {options:?} {depth}");
                    let limits = Limits::depth(depth);
                    let mut listener = Listener::default();
                    listener.stands_pat = true;
                    let query = Query::new(&limits).lines(lines).on_event(&mut listener);
                    let mut agent = Expectimax::new(options, Judge::NEW);
                    let cut = agent.run(&game, &game.start(), query).expect("a report");
                    let mut agent = Expectimax::new(plain, Judge::NEW);
                    let whole = all_lines(&mut agent, &game, &limits);
                    nodes += cut.stats.nodes;
                    full += whole.stats.nodes;
                    assert_eq!(listener.nodes, cut.stats.nodes, "{what}");
                    assert_eq!(
                        (listener.cuts, listener.pruned),
                        (cut.stats.cutoffs, cut.stats.pruned)
                    );
                    chance_cuts += u32::from(listener.reasons.contains(&CutReason::Chance));
                    for (i, line) in cut.lines.iter().enumerate() {
                        let other = whole.lines.iter().find(|other| other.mv == line.mv).unwrap();
                        let [a, b] = [line, other].map(|line| line.value.number());
                        if line.bound == Bound::Exact {
                            assert!(is_close(a, b), "{what}: {line:?} {other:?}");
                            assert_eq!(line.outcome(), other.outcome(), "{what}");
                        } else if line.value.unit() == other.value.unit()
                            && other.outcome() != Some(Outcome::Draw)
                        {
                            assert!(a >= b - 1e-9, "{what}: {line:?} {other:?}");
                        }
                        if i < lines {
                            assert_eq!(line.bound, Bound::Exact, "{what}");
                        }
                    }
                }
            }
        }
    }
    assert!(nodes < full * 7 / 10, "{nodes} of {full}");
    assert!(chance_cuts > 20, "{chance_cuts}");
}

/// Principal variations have the best moves up to the first node whose value is a mean.
#[test]
fn principal_variations_end_at_the_first_averaged_node() {
    for game in games() {
        let options =
            ExpectimaxOptions { opponent: Some(OpponentModel::Best), ..Default::default() };
        let report = all_lines(&mut Expectimax::new(options, Judge::NEW), &game, &Limits::depth(4));
        for line in &report.lines {
            let mut at = game.start();
            for (ply, &mv) in line.pv.iter().enumerate() {
                assert!(matches!(game.turn(&at), Turn::Player(_)), "{ply} {line:?}");
                assert!(game.list(&at, true).contains(&mv));
                at = game.after(&at, mv);
            }
            let is_end = line.pv.len() == 4 || !matches!(game.turn(&at), Turn::Player(_));
            assert!(is_end, "{game:?} {line:?}");
        }
    }
}

#[test]
fn a_proven_root_ends_deepening() {
    for game in games() {
        let options =
            ExpectimaxOptions { opponent: Some(OpponentModel::Best), ..Default::default() };
        let mut agent = Expectimax::new(options, Judge::NEW);
        let limits = Limits::nodes(1_000_000);
        let report = agent.search(&game, &game.start(), &limits).expect("a report");
        assert_eq!(report.stopped, StopReason::Proven, "{game:?}");
        assert!(report.stats.depth <= game.plies);
        let best = &report.lines[0];
        assert!(best.outcome().is_some() || best.value.unit() != Unit::Evaluation, "{best:?}");
    }
}

#[test]
fn a_weight_for_every_class_is_needed() {
    let game = Graph::new(1);
    for weights in [vec![], vec![1.0], vec![1.0; 4]] {
        let given = weights.len();
        let opponent = Some(OpponentModel::Weighted(weights));
        let agent =
            Expectimax::new(ExpectimaxOptions { opponent, ..Default::default() }, Judge::NEW);
        let error = UnsupportedOption::MoveClasses { classes: 3, weights: given };
        assert_eq!(agent.check(&game), Err(error));
    }
    let star1 = ExpectimaxOptions { star1: true, ..Default::default() };
    let unknown = Judge { has_range: false, ..Judge::NEW };
    let error = Expectimax::new(star1, unknown).search(&game, &game.start(), &Limits::depth(1));
    assert_eq!(error.err(), Some(SearchError::Unsupported(UnsupportedOption::UnknownRange)));
    assert_eq!(MAX_EVALUATION, 50.0);
}
