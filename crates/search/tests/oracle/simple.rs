//! Greedy play, random play, perft and playouts.

use tussle_core::{Bound, Event, Game, Limits, Outcome, StopReason, Turn, Unit};
use tussle_search::{
    Agent, FnAgent, Greedy, GreedyOptions, Query, Random, SearchError, TieBreak, TreeFilter,
    UnsupportedOption, agent_fn, heavy_playouts, perft, playouts,
};

use crate::graph::{Graph, Judge, Place};

#[test]
fn greedy_takes_the_largest_evaluation_and_breaks_ties_by_its_option() {
    for seed in 0..200 {
        let players = 2 + (seed % 2) as usize;
        let game = Graph { players, width: 3, points: seed % 5 == 0, ..Graph::new(seed) };
        let start = game.start();
        let value = |mv: u16| game.evaluation(&game.after(&start, mv), game.first);
        let moves = game.legal_moves(&start);
        let best = moves.iter().map(|&mv| value(mv)).fold(f64::MIN, f64::max);
        let equals: Vec<u16> = moves.iter().copied().filter(|&mv| value(mv) == best).collect();
        for ties in [TieBreak::First, TieBreak::Last, TieBreak::Random] {
            let mut chosen = Vec::new();
            for seed in 0..20 {
                let mut agent = Greedy::new(GreedyOptions { ties, seed }, Judge::NEW);
                let report = agent.search(&game, &start, &Limits::none()).expect("a report");
                chosen.push(report.lines[0].mv);
                assert_eq!(report.stopped, StopReason::Finished);
                let stats = &report.stats;
                let count = moves.len() as u64;
                assert_eq!((stats.depth, stats.nodes), (1, count + 1));
                assert_eq!((stats.leaves, stats.evaluations), (count, count));
                let numbers: Vec<f64> = report.lines.iter().map(|l| l.value.number()).collect();
                assert!(numbers.is_sorted_by(|a, b| a >= b), "{numbers:?}");
                for pair in report.lines[1..].windows(2) {
                    let is_stable =
                        value(pair[0].mv) > value(pair[1].mv) || pair[0].mv < pair[1].mv;
                    assert!(is_stable, "{seed}");
                }
                for line in &report.lines {
                    assert_eq!(line.value.number(), value(line.mv));
                    let unit = if game.points { Unit::Points } else { Unit::Evaluation };
                    assert_eq!((line.value.unit(), line.bound), (unit, Bound::Exact));
                }
            }
            chosen.sort_unstable();
            chosen.dedup();
            let expected = match ties {
                TieBreak::First => &equals[..1],
                TieBreak::Last => &equals[equals.len() - 1..],
                TieBreak::Random => &equals[..],
            };
            assert_eq!(chosen, expected, "{seed} {ties:?}");
        }
    }
}

#[test]
fn greedy_knows_the_result_of_a_finished_game() {
    for seed in 0..60 {
        let players = 2 + (seed % 2) as usize;
        let game = Graph { plies: 1, players, ..Graph::new(seed) };
        let mut agent = Greedy::new(GreedyOptions::default(), Judge::NEW);
        let report = agent.search(&game, &game.start(), &Limits::none()).expect("a report");
        for line in &report.lines {
            let utility = game.utility(&game.after(&game.start(), line.mv), game.first);
            let outcome = match utility {
                1.0 => Outcome::Win,
                x if x == game.payoffs().least => Outcome::Loss,
                _ => Outcome::Draw,
            };
            assert_eq!(line.outcome(), Some(outcome), "{seed}");
            assert_eq!(line.distance(), (outcome != Outcome::Draw).then_some(1));
        }
    }
    let game = Graph { plies: 3, full_length: true, ..Graph::new(1) };
    let mut agent = Greedy::new(GreedyOptions::default(), Judge::NEW);
    let report = agent.search(&game, &game.start(), &Limits::none()).expect("a report");
    assert!(report.lines.iter().all(|line| line.outcome().is_none()));
    let points = Graph { plies: 1, points: true, ..Graph::new(1) };
    let report = agent.search(&points, &points.start(), &Limits::none()).expect("a report");
    assert!(report.lines.iter().all(|line| line.outcome().is_none()));
}

/// Values in events are those of the first player of two.
#[test]
fn greedy_sends_the_values_of_the_first_player() {
    for seed in 0..20 {
        let game = Graph { players: 2 + (seed / 2 % 2) as usize, ..Graph::new(seed) };
        let mut told = Vec::new();
        let mut listen = |event: Event<'_, u16>| {
            if let Event::Leaf { values, .. } = event {
                told.push((values[0].number(), values[0].outcome()));
            }
        };
        let mut agent = Greedy::new(GreedyOptions::default(), Judge::NEW);
        let limits = Limits::none();
        let query = Query::new(&limits).on_event(&mut listen);
        agent.run(&game, &game.start(), query).expect("a report");
        let who = if game.players == 2 { 0 } else { game.first };
        let expected: Vec<_> = game
            .legal_moves(&game.start())
            .into_iter()
            .map(|mv| (game.evaluation(&game.after(&game.start(), mv), who), None))
            .collect();
        assert_eq!(told, expected, "{seed}");
    }
}

#[test]
fn random_play_takes_every_move_equally_often() {
    let game = Graph { branching: 5, ..Graph::new(2) };
    let mut agent = Random::new(7);
    let mut counts = [0_u32; 5];
    for _ in 0..5000 {
        let report = agent.search(&game, &game.start(), &Limits::none()).expect("a report");
        assert_eq!((report.lines.len(), report.stats.nodes), (1, 1));
        assert_eq!(report.stopped, StopReason::Finished);
        counts[usize::from(report.lines[0].mv)] += 1;
    }
    assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    assert!(Agent::<Graph>::is_deterministic(&agent));
}

#[test]
fn an_agent_made_of_a_closure_plays_its_moves() {
    let game = Graph::new(2);
    let mut agent: FnAgent<_> =
        agent_fn(|game: &Graph, at, limits| game.legal_moves(at)[limits.nodes.unwrap() as usize]);
    for nth in 0..4 {
        let report = agent.search(&game, &game.start(), &Limits::nodes(nth)).expect("a report");
        assert_eq!((report.best(), report.stats.nodes), (Some(&(nth as u16)), 1));
    }
    assert!(!Agent::<Graph>::is_deterministic(&agent));
    assert_eq!(Agent::<Graph>::check(&agent, &game), Ok(()));
    assert_eq!(Agent::<Graph>::tree(&agent, &TreeFilter::default()), None);
}

#[test]
fn errors_of_searches_name_the_option_and_the_expectation() {
    for (error, text) in [
        (SearchError::GameOver, "the game is over: there is no move to choose"),
        (SearchError::ChanceToMove, "chance is to move: no player has a move to choose"),
        (
            UnsupportedOption::Chance.into(),
            "expected a game without chance nodes; use expectimax for this game",
        ),
        (
            UnsupportedOption::Quiescence.into(),
            "quiescence: expected a game with noisy moves, and this game lists none; turn it off",
        ),
        (
            UnsupportedOption::HeavyRollouts.into(),
            "rollout: this game has no heavy playouts; use random or greedy rollouts",
        ),
        (
            UnsupportedOption::Solver.into(),
            "solver: expected a game of two players without chance and points; turn it off",
        ),
        (
            UnsupportedOption::Transpositions.into(),
            "transpositions: expected a game without draws by repetition; turn the table off",
        ),
        (
            UnsupportedOption::Memory { least: 7 }.into(),
            "memory: a tree needs at least 7 bytes; raise the limit",
        ),
        (
            UnsupportedOption::NoEvaluator.into(),
            "these options need an evaluation; give the search an evaluator",
        ),
        (
            UnsupportedOption::UnknownRange.into(),
            "star1: expected an evaluation with a known range; turn it off or declare the range",
        ),
        (
            UnsupportedOption::Number { option: "c", range: "a number from 0" }.into(),
            "c: expected a number from 0",
        ),
        (
            UnsupportedOption::MoveClasses { classes: 3, weights: 2 }.into(),
            "opponent model: expected a weight for each of 3 move classes, found 2",
        ),
    ] {
        assert_eq!(error.to_string(), text);
        assert!(std::error::Error::source(&error).is_none());
    }
}

fn count(game: &Graph, at: &Place, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = game.legal_moves(at).into_iter();
    moves.map(|mv| count(game, &game.after(at, mv), depth - 1)).sum()
}

#[test]
fn perft_counts_the_sequences_of_exactly_this_length() {
    for seed in 0..20 {
        let game = Graph { chance: seed % 2 == 0, twins: seed % 3 == 0, ..Graph::new(seed) };
        for depth in 0..8 {
            let mut at = game.start();
            let found = perft(&game, &mut at, depth).expect("a count");
            assert_eq!((found, at), (count(&game, &game.start(), depth), game.start()));
        }
    }
}

/// Returns the probabilities of a win of each player and of a draw, and the mean length, under random play.
fn expected(game: &Graph, at: &Place) -> (Vec<f64>, f64) {
    let turn = game.turn(at);
    if turn == Turn::Over {
        let utilities: Vec<f64> = (0..game.players).map(|who| game.utility(at, who)).collect();
        let best = utilities.iter().copied().fold(f64::MIN, f64::max);
        let is_alone = utilities.iter().filter(|&&utility| utility == best).count() == 1;
        let wins = utilities.iter().map(|&u| f64::from(u8::from(is_alone && u == best)));
        return (wins.collect(), 0.0);
    }
    let moves = game.legal_moves(at);
    let (mut wins, mut plies) = (vec![0.0; game.players], 1.0);
    for &mv in &moves {
        let probability = match turn {
            Turn::Chance => game.probability(at, mv),
            _ => 1.0 / moves.len() as f64,
        };
        let (more, length) = expected(game, &game.after(at, mv));
        wins.iter_mut().zip(more).for_each(|(sum, share)| *sum += probability * share);
        plies += probability * length;
    }
    (wins, plies)
}

#[test]
fn playouts_are_random_games_and_their_winners_are_counted() {
    for seed in 0..6 {
        let players = 2 + (seed % 2) as usize;
        let game = Graph { chance: seed > 2, players, plies: 5, ..Graph::new(seed) };
        let (wins, plies) = expected(&game, &game.start());
        for heavy in [false, true] {
            let count = if heavy { heavy_playouts } else { playouts };
            let n = 20_000;
            let counts = count(&game, &game.start(), &Limits::nodes(n), 5).expect("counts");
            assert_eq!(counts.playouts, n);
            assert_eq!(counts.wins.iter().sum::<u64>() + counts.draws, n);
            for (found, share) in counts.wins.iter().zip(&wins) {
                let found = *found as f64 / n as f64;
                assert!((found - share).abs() < 0.02, "{seed}: {counts:?} {wins:?}");
            }
            assert!((counts.plies as f64 / n as f64 - plies).abs() < 0.05, "{seed}");
            let again = count(&game, &game.start(), &Limits::nodes(n), 5).expect("counts");
            assert_eq!(again, counts);
        }
        let one = playouts(&game, &game.start(), &Limits::nodes(0), 5).expect("counts");
        assert_eq!(one.playouts, 1);
    }
}
