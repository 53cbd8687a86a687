//! Max^n and paranoid search against naive ones, in games of more than two players.

use tussle_core::{Bound, CutReason, Game, Limits, Outcome, StopReason, Turn, Unit};
use tussle_search::{
    Agent, AlphaBetaOptions, Maxn, MaxnOptions, MoveOrder, Paranoid, Query, TerminalValue,
};

use crate::graph::{Graph, Judge, Place, all_lines};
use crate::listener::Listener;

/// Score of a win: the largest evaluation, rounded up to a power of two.
const WIN: f64 = 64.0;

fn games() -> impl Iterator<Item = Graph> {
    (0..30).map(|seed| Graph {
        players: 2 + (seed % 3) as usize,
        chance: seed % 4 == 1,
        plies: 5,
        twins: seed % 5 == 0,
        points: seed % 3 == 0 && seed % 2 == 0,
        ..Graph::new(seed)
    })
}

/// Scores and utilities of all players; utilities are NaN if the values depend on an evaluation.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    scores: Vec<f64>,
    utilities: Vec<f64>,
}

struct Naive<'a> {
    game: &'a Graph,
    eval_ends: bool,
    nodes: u64,
    evaluations: u64,
}

impl Naive<'_> {
    fn leaf(&mut self, at: &Place, is_over: bool) -> Row {
        let game = self.game;
        let players = 0..game.players;
        if !is_over || self.eval_ends {
            self.evaluations += 1;
            let scores: Vec<f64> = players.map(|player| game.evaluation(at, player)).collect();
            return Row { utilities: vec![f64::NAN; scores.len()], scores };
        }
        let utilities: Vec<f64> = players.map(|player| game.utility(at, player)).collect();
        let score = |&utility: &f64| match game.players {
            _ if game.points => utility,
            2 => utility * WIN,
            _ => (utility - 0.5) * 2.0 * WIN,
        };
        Row { scores: utilities.iter().map(score).collect(), utilities }
    }

    fn value(&mut self, at: &Place, depth: u32) -> Row {
        self.nodes += 1;
        let game = self.game;
        let turn = game.turn(at);
        if depth == 0 {
            return self.leaf(at, turn == Turn::Over);
        }
        match turn {
            Turn::Over => self.leaf(at, true),
            Turn::Player(mover) => {
                let mut best: Option<Row> = None;
                for mv in game.list(at, true) {
                    let row = self.value(&game.after(at, mv), depth - 1);
                    if best.as_ref().is_none_or(|best| row.scores[mover] > best.scores[mover]) {
                        best = Some(row);
                    }
                }
                best.expect("a move")
            }
            Turn::Chance => {
                let zeros = || vec![0.0; game.players];
                let mut sum = Row { scores: zeros(), utilities: zeros() };
                for mv in game.list(at, false) {
                    let row = self.value(&game.after(at, mv), depth - 1);
                    let probability = game.probability(at, mv);
                    for player in 0..game.players {
                        sum.scores[player] += probability * row.scores[player];
                        sum.utilities[player] += probability * row.utilities[player];
                    }
                }
                sum
            }
        }
    }
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + b.abs())
}

#[test]
fn every_player_takes_its_own_best_move() {
    for game in games() {
        for eval_ends in [false, true] {
            let finished =
                if eval_ends { TerminalValue::Evaluation } else { TerminalValue::Result };
            let options = MaxnOptions { shallow_pruning: false, finished, ..Default::default() };
            for depth in [1, 2, 4, 9] {
                let what = format!("{game:?}, depth {depth}, {eval_ends}");
                let mut listener = Listener::default();
                listener.stands_pat = game.chance;
                let limits = Limits::depth(depth);
                let query = Query::new(&limits).on_event(&mut listener);
                let mut agent = Maxn::new(options.clone(), Judge::NEW);
                let report = agent.run(&game, &game.start(), query).expect("a report");
                let mut naive = Naive { game: &game, eval_ends, nodes: 1, evaluations: 0 };
                for line in &report.lines {
                    let before = naive.evaluations;
                    let row = naive.value(&game.after(&game.start(), line.mv), depth - 1);
                    let is_proven = naive.evaluations == before;
                    let expected = if is_proven { &row.utilities } else { &row.scores };
                    assert_eq!(line.values.len(), game.players, "{what}");
                    for (found, expected) in line.values.iter().zip(expected) {
                        assert!(is_close(*found, *expected), "{what}: {line:?} {row:?}");
                    }
                    assert!(
                        is_close(line.value.number(), expected[game.first]),
                        "{what}: {line:?}"
                    );
                    assert_eq!(line.bound, Bound::Exact);
                    let is_result = line.value.unit() != Unit::Evaluation;
                    assert_eq!(is_result, is_proven || game.points, "{what}: {line:?}");
                    if is_proven && !game.chance {
                        let own = expected[game.first];
                        let outcome = match game.players {
                            2 if own > 0.0 => Some(Outcome::Win),
                            2 if own < 0.0 => Some(Outcome::Loss),
                            2 => Some(Outcome::Draw),
                            _ if game.points => None,
                            _ if own == 1.0 => Some(Outcome::Win),
                            _ if own == 0.0 => Some(Outcome::Loss),
                            _ => Some(Outcome::Draw),
                        };
                        assert_eq!(line.outcome(), outcome, "{what}: {line:?}");
                    } else if !is_proven {
                        assert_eq!(line.outcome(), None, "{what}");
                    }
                }
                listener.assert_counts(&report.stats, &what);
                assert_eq!(report.stats.nodes, naive.nodes, "{what}");
                assert_eq!(report.stats.evaluations, naive.evaluations, "{what}");
                let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
                assert_eq!(visits + 1, naive.nodes, "{what}");
                if depth < 9 {
                    assert_eq!(report.stats.depth, depth, "{what}");
                }
            }
        }
    }
}

#[test]
fn shallow_pruning_changes_no_value_of_the_root() {
    let (mut cuts, mut bounds) = (0, 0);
    for game in games() {
        for judge in [
            Judge::NEW,
            Judge { is_antisymmetric: false, ..Judge::NEW },
            Judge { has_range: false, ..Judge::NEW },
        ] {
            for finished in [TerminalValue::Result, TerminalValue::Evaluation] {
                for (depth, lines) in [(2, 1), (4, 1), (4, 2), (9999, 1)] {
                    let what = format!("{game:?}, {judge:?}, depth {depth}, {finished:?}");
                    let new = |shallow_pruning| {
                        let options =
                            MaxnOptions { shallow_pruning, finished, ..Default::default() };
                        Maxn::new(options, judge)
                    };
                    let limits = Limits::depth(depth);
                    let mut listener = Listener::default();
                    listener.stands_pat = true;
                    let query = Query::new(&limits).lines(lines).on_event(&mut listener);
                    let cut = new(true).run(&game, &game.start(), query).expect("a report");
                    let whole = all_lines(&mut new(false), &game, &limits);
                    assert_eq!(listener.nodes, cut.stats.nodes, "{what}");
                    assert_eq!(
                        (listener.cuts, listener.pruned),
                        (cut.stats.cutoffs, cut.stats.pruned)
                    );
                    assert!(listener.reasons.iter().all(|&reason| reason == CutReason::Shallow));
                    assert!(cut.stats.nodes <= whole.stats.nodes, "{what}");
                    assert_eq!(cut.stats.nodes < whole.stats.nodes, cut.stats.pruned > 0, "{what}");
                    assert_eq!(cut.lines[0].mv, whole.lines[0].mv, "{what}");
                    cuts += cut.stats.cutoffs;
                    for (i, line) in cut.lines.iter().enumerate() {
                        let other = whole.lines.iter().find(|other| other.mv == line.mv).unwrap();
                        if line.bound == Bound::Exact && line.value.unit() != other.value.unit() {
                            // Pruning can skip all evaluations, so that the value is proven.
                            assert_eq!(line.value.unit(), Unit::Result, "{what}");
                            continue;
                        }
                        if line.bound == Bound::Exact {
                            assert_eq!(line.values, other.values, "{what}");
                            assert_eq!(line.value, other.value, "{what}");
                            assert_eq!(line.pv, other.pv, "{what}");
                            continue;
                        }
                        bounds += 1;
                        assert!(i >= lines && line.bound == Bound::Upper, "{what}: {line:?}");
                        assert!(line.values.is_empty(), "{what}");
                        if line.value.unit() == other.value.unit() {
                            let [a, b] = [line, other].map(|line| line.value.number());
                            assert!(a >= b, "{what}: {line:?} {other:?}");
                        }
                    }
                }
            }
        }
    }
    assert!(cuts > 100 && bounds > 20, "{cuts} {bounds}");
}

/// With two players and an antisymmetric evaluation, the sum of all scores is zero, which prunes most.
#[test]
fn a_tighter_bound_on_the_sum_of_scores_prunes_more() {
    let nodes = |judge: Judge| -> u64 {
        let count = |seed| {
            let game = Graph { plies: 6, ..Graph::new(seed) };
            let mut agent = Maxn::new(MaxnOptions::default(), judge);
            agent.search(&game, &game.start(), &Limits::depth(5)).expect("a report").stats.nodes
        };
        (0..20).map(count).sum()
    };
    let zero_sum = nodes(Judge::NEW);
    let any_sum = nodes(Judge { is_antisymmetric: false, ..Judge::NEW });
    let unknown = nodes(Judge { has_range: false, ..Judge::NEW });
    assert!(zero_sum < any_sum && any_sum <= unknown, "{zero_sum} {any_sum} {unknown}");
}

/// Returns the score for the root player if all opponents minimise it.
fn against_all(game: &Graph, at: &Place, depth: u32) -> (f64, bool) {
    let turn = game.turn(at);
    if turn == Turn::Over {
        let utility = game.utility(at, game.first);
        let score = match game.players {
            _ if game.points => utility,
            2 => utility * 1_048_576.0,
            _ => ((utility - 0.5) * 2.0 * 1_048_576.0).round(),
        };
        return (score, true);
    }
    if depth == 0 {
        return (game.evaluation(at, game.first), false);
    }
    let Turn::Player(mover) = turn else { unreachable!("no chance") };
    let sign = if mover == game.first { 1.0 } else { -1.0 };
    let mut best = (f64::NAN, true);
    for mv in game.list(at, true) {
        let (score, is_proven) = against_all(game, &game.after(at, mv), depth - 1);
        let is_better = best.0.is_nan() || sign * score > sign * best.0;
        best = (if is_better { score } else { best.0 }, best.1 && is_proven);
    }
    best
}

#[test]
fn paranoid_values_assume_one_coalition_of_opponents() {
    for game in games().filter(|game| !game.chance) {
        for order in [MoveOrder::AsListed, MoveOrder::Full] {
            for table in [false, true] {
                for depth in [1, 3, 4, 9] {
                    let what = format!("{game:?}, {order:?}, table {table}, depth {depth}");
                    let options =
                        AlphaBetaOptions { order, table_bytes: 1 << 16, ..Default::default() };
                    let paranoid = Paranoid::new(options, Judge::NEW);
                    let mut agent = if table { paranoid.with_table() } else { paranoid };
                    assert!(Agent::<Graph>::is_deterministic(&agent));
                    let report = all_lines(&mut agent, &game, &Limits::depth(depth));
                    for line in &report.lines {
                        let child = game.after(&game.start(), line.mv);
                        let (score, is_proven) = against_all(&game, &child, depth - 1);
                        let utility = match game.players {
                            _ if game.points => score,
                            2 => score / 1_048_576.0,
                            _ => score / 2_097_152.0 + 0.5,
                        };
                        let best_is_proven = report.lines[0].outcome().is_some();
                        let value = line.value.number();
                        if line.outcome().is_some() {
                            assert!((value - utility).abs() < 1e-6, "{what}: {line:?} {utility}");
                            let outcome = match () {
                                () if game.points || game.players == 2 => match utility {
                                    x if x > 0.0 => Outcome::Win,
                                    x if x < 0.0 => Outcome::Loss,
                                    _ => Outcome::Draw,
                                },
                                () if utility > 0.999 => Outcome::Win,
                                () if utility < 0.001 => Outcome::Loss,
                                () => Outcome::Draw,
                            };
                            assert_eq!(line.outcome(), Some(outcome), "{what}: {line:?}");
                        } else if !best_is_proven {
                            assert_eq!(value, score, "{what}: {line:?}");
                            let unit = if game.points { Unit::Points } else { Unit::Evaluation };
                            assert_eq!(line.value.unit(), unit, "{what}");
                        }
                        if is_proven && !table && !game.points {
                            assert!(line.outcome().is_some(), "{what}: {line:?}");
                        }
                        // A win shared by three is exactly 1/3.
                        if line.outcome().is_some() && game.players > 2 && !game.points {
                            let shares = [0.0, 0.25, 1.0 / 3.0, 0.5, 1.0];
                            assert!(shares.contains(&value), "{what}: {value}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn paranoid_reports_progress_and_events_in_the_values_of_the_game() {
    let game = games().find(|game| game.players == 3 && !game.chance && !game.points).unwrap();
    let mut reports = Vec::new();
    let mut live = |report: &tussle_core::Report<u16>| reports.push(report.clone());
    let mut listener = Listener::default();
    let limits = Limits::nodes(1_000_000);
    let query = Query::new(&limits).on_progress(&mut live).on_event(&mut listener);
    let mut agent = Paranoid::new(AlphaBetaOptions::default(), Judge::NEW);
    let report = agent.run(&game, &game.start(), query).expect("a report");
    assert_eq!(report.stopped, StopReason::Proven);
    assert_eq!(reports.last(), Some(&report));
    assert!(reports.len() > 1 && listener.nodes == report.stats.nodes);
    for report in &reports {
        for line in report.lines.iter().filter(|line| line.outcome().is_some()) {
            assert!((0.0..=1.0).contains(&line.value.number()), "{line:?}");
        }
    }
    let threads = AlphaBetaOptions { threads: 2, ..Default::default() };
    assert!(!Agent::<Graph>::is_deterministic(&Paranoid::new(threads, Judge::NEW)));
}

/// With a known utility of the game, the best move has this utility.
#[test]
fn paranoid_uses_a_known_value() {
    for game in games().filter(|game| !game.chance) {
        let mut agent = Paranoid::new(AlphaBetaOptions::default(), Judge::NEW);
        let full = all_lines(&mut agent, &game, &Limits::depth(9));
        let best = full.lines[0].value.number();
        let mut agent = Paranoid::new(AlphaBetaOptions::default(), Judge::NEW);
        let limits = Limits::depth(9);
        let query = Query::new(&limits).known_value(best);
        let report = agent.run(&game, &game.start(), query).expect("a report");
        let chosen = full.lines.iter().find(|line| line.mv == report.lines[0].mv).unwrap();
        assert_eq!(chosen.value.number(), best, "{game:?}");
        assert!(report.stats.nodes <= full.stats.nodes, "{game:?}");
    }
}
