//! Tests of every classical search for two players against naive minimax, with all combinations of
//! parameters.

use tussle_catalog::{AnyGame, AnyPosition, game, game_from_text};
use tussle_core::{Bound, Limits, Outcome, Report, Rng, Turn};
use tussle_testkit::oracle::{Leaf, UNLIMITED_DEPTH, ask, described, minimax};

const UNIT: Leaf = Leaf { eval: "", draw: 0.0, eval_ends: false, points: false };

/// Returns a random tree with ties and with estimates at inner nodes, whose max and min nodes do
/// not always alternate.
fn random_tree(rng: &mut Rng) -> String {
    let mut nodes = Vec::new();
    let (depth, divisor) = (1 + rng.below(5), [1.0, 4.0, 10.0][rng.below(3)]);
    grow(rng, &mut nodes, depth, divisor);
    format!("{{\"root\": \"n0\", \"nodes\": {{{}}}}}", nodes.join(", "))
}

fn grow(rng: &mut Rng, nodes: &mut Vec<String>, depth: usize, divisor: f64) -> usize {
    let id = nodes.len();
    nodes.push(String::new());
    let value = (rng.below(21) as f64 - 10.0) / divisor;
    if depth == 0 || id > 0 && rng.below(5) == 0 {
        nodes[id] = format!("\"n{id}\": {value}");
        return id;
    }
    let children: Vec<String> = (0..=rng.below(4))
        .map(|_| format!("\"n{}\"", grow(rng, nodes, depth - 1, divisor)))
        .collect();
    let kind = ["max", "min"][rng.below(2)];
    nodes[id] = format!("\"n{id}\": {{\"{kind}\": [{}], \"value\": {value}}}", children.join(", "));
    id
}

/// Returns all combinations of the parameters that must not change a value.
fn combinations() -> Vec<String> {
    let mut all = vec!["minimax:deepen=off".to_owned(), "minimax:deepen=on".to_owned()];
    for order in ["none", "root", "full"] {
        for table in ["off", "1"] {
            for window in ["full", "aspiration", "pvs", "mtd"] {
                for deepen in ["on", "off"] {
                    for shuffle in ["on", "off"] {
                        all.push(format!(
                            "alphabeta-textbook:order={order},tt={table},window={window},\
                             deepen={deepen},shuffle={shuffle}"
                        ));
                    }
                }
            }
        }
    }
    all
}

/// Compares every line of a report with the oracle.
fn check_report(
    report: &Report<String>,
    position: &dyn AnyPosition,
    depth: u32,
    leaf: &Leaf,
    what: &str,
) {
    let Turn::Player(root) = position.turn() else { panic!("{what}: no player is to move") };
    // Reports on a tree have the first player's values.
    let turned = position.game_spec().starts_with("tree") && root == 1;
    let mut position = position.boxed();
    let mut truth = |mv: &str| {
        position.play(mv).unwrap();
        let value = minimax(position.as_mut(), root, depth - 1, 1, leaf);
        position.undo();
        value
    };
    let values: Vec<f64> = report.lines.iter().map(|line| truth(&line.mv)).collect();
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(values[0], best, "{what}: {} is not the best move", report.lines[0].mv);
    assert_eq!(report.lines[0].bound, Bound::Exact, "{what}");
    // Iterative deepening that finds a win early does not search the other moves deeper.
    let complete = depth == UNLIMITED_DEPTH || report.stats.depth >= depth;
    let checked = if complete { usize::MAX } else { 1 };
    for (line, value) in report.lines.iter().zip(values).take(checked) {
        let (value, outcome, distance) = described(value);
        let (reported, bound) = if turned {
            (0.0 - line.value.number(), line.bound.turned())
        } else {
            (line.value.number(), line.bound)
        };
        match bound {
            Bound::Exact => {
                assert_eq!(reported, value, "{what}: {}", line.mv);
                if outcome.is_some() {
                    assert_eq!((line.outcome(), line.distance()), (outcome, distance), "{what}");
                }
            }
            // A bound of 1 can mean a win or an evaluation of 1, so its number is not checked.
            _ if !leaf.points && reported.abs() == 1.0 => {
                assert!(line.outcome().is_none() || line.outcome() == outcome);
            }
            Bound::Upper => assert!(
                reported >= value || outcome == Some(Outcome::Loss),
                "{what}: {} {reported} {value}",
                line.mv
            ),
            Bound::Lower => assert!(
                reported <= value || outcome == Some(Outcome::Win),
                "{what}: {} {reported} {value}",
                line.mv
            ),
        }
    }
    let mut position = position.boxed();
    for mv in &report.lines[0].pv {
        position.play(mv).unwrap_or_else(|error| panic!("{what}: principal variation: {error}"));
    }
}

#[test]
fn all_parameters_give_minimax_values_on_random_trees() {
    let mut rng = Rng::new(20);
    let combinations = combinations();
    let leaf = Leaf { points: true, ..UNIT };
    for round in 0..1500 {
        let text = random_tree(&mut rng);
        let game = game_from_text("tree", "file", &text).unwrap();
        let start = game.start();
        let depth = [1, 2, 3, UNLIMITED_DEPTH][rng.below(4)];
        // All combinations on every 25th tree, and a few on each of the others.
        for agent in &combinations {
            if round % 25 != 0 && rng.below(12) != 0 {
                continue;
            }
            let lines = 1 + rng.below(3);
            let report = ask(game.as_ref(), start.as_ref(), agent, depth, lines);
            check_report(&report, start.as_ref(), depth, &leaf, &format!("{text} {agent} {depth}"));
            let exact = report.lines.iter().filter(|line| line.bound == Bound::Exact).count();
            assert!(exact >= lines.min(report.lines.len()), "{text} {agent}: {lines} lines");
        }
    }
}

/// Returns an unfinished position after up to `moves` random moves.
fn after_random_moves(game: &dyn AnyGame, moves: usize, rng: &mut Rng) -> Box<dyn AnyPosition> {
    let mut position = game.start();
    for _ in 0..moves {
        let moves = position.moves();
        position.play(&moves[rng.below(moves.len())]).unwrap();
        if position.turn() == Turn::Over {
            position.undo();
            break;
        }
    }
    position
}

/// Compares searches of a few plies with the oracle, on positions from random play.
fn check_game(spec: &str, leaf: &Leaf, params: &str, deepest: u32, plies: usize, rounds: u64) {
    let game = game(spec).unwrap();
    let combinations = combinations();
    for seed in 0..rounds {
        let mut rng = Rng::derive(7, &[seed]);
        let moves = rng.below(plies + 1);
        let position = after_random_moves(game.as_ref(), moves, &mut rng);
        let depth = 1 + rng.below(deepest as usize) as u32;
        for _ in 0..4 {
            let agent = &combinations[rng.below(combinations.len())];
            let agent = format!("{agent}{params}");
            let report = ask(game.as_ref(), position.as_ref(), &agent, depth, 1 + rng.below(2));
            let what = format!("{spec} {} {agent} depth {depth}", position.text());
            check_report(&report, position.as_ref(), depth, leaf, &what);
        }
    }
}

#[test]
fn all_parameters_give_minimax_values_in_small_games() {
    check_game("tictactoe", &UNIT, "", 4, 5, 60);
    check_game("connect4:width=4,height=4", &UNIT, "", 5, 10, 60);
    check_game("gobblet", &UNIT, "", 2, 12, 20);
    check_game("gobblet:steps=9", &UNIT, "", 2, 8, 20);
    check_game("keep-on-moving:board=0", &UNIT, "", 7, 16, 60);
    check_game("pentago-twist", &UNIT, "", 1, 14, 6);
}

#[test]
fn a_tie_has_the_draw_value_of_the_root_player() {
    let leaf = Leaf { draw: -9999.0, ..UNIT };
    check_game("tictactoe", &leaf, ",draw=-9999", 5, 7, 40);
    check_game("keep-on-moving:board=3", &leaf, ",draw=-9999", 8, 10, 60);
}

#[test]
fn terminal_eval_evaluates_finished_games() {
    let leaf = Leaf { eval_ends: true, eval: "visible", ..UNIT };
    check_game("gobblet", &leaf, ",terminal=eval,eval=visible", 2, 12, 15);
    let leaf = Leaf { eval_ends: true, eval: "freedom", ..UNIT };
    check_game("keep-on-moving:board=0", &leaf, ",terminal=eval,eval=freedom", 6, 12, 40);
}

/// With repetitions, the value of a position depends on the moves before it. The transposition
/// table must still give correct values.
#[test]
fn the_table_gives_correct_values_with_repetitions() {
    let margin = Leaf { points: true, eval: "area", ..UNIT };
    for board in ["width=2,height=2", "width=3,height=1", "width=2,height=3", "width=4,height=1"] {
        let spec = format!("go:{board},utility=margin,komi=0,cap=off");
        check_game(&spec, &margin, ",eval=area", 6, 12, 40);
        let spec = format!("go:{board},utility=margin,komi=0,cap=14");
        check_game(&spec, &margin, ",eval=area", 6, 12, 40);
        let spec = format!("go:{board},utility=margin,komi=0,cap=off,superko=positional");
        check_game(&spec, &margin, ",eval=area", 6, 8, 40);
    }
    check_game(
        "go:width=2,height=3,komi=0.5",
        &Leaf { eval: "area", ..UNIT },
        ",eval=area",
        6,
        12,
        40,
    );
}

/// Searches whole cycles. The reference is the search without a table, which other tests compare
/// with the oracle at smaller depths.
#[test]
fn a_table_never_changes_a_value_in_a_cycle() {
    for (board, deepest) in [
        ("width=3,height=1", 16),
        ("width=4,height=1", 16),
        ("size=2", 16),
        ("width=2,height=3", 11),
    ] {
        for rules in ["cap=off", "cap=off,superko=positional", "cap=20"] {
            let spec = format!("go:{board},utility=margin,komi=0,{rules}");
            let game = game(&spec).unwrap();
            for seed in 0..60 {
                let mut rng = Rng::derive(3, &[seed]);
                let moves = rng.below(10);
                let position = after_random_moves(game.as_ref(), moves, &mut rng);
                let depth = 6 + rng.below(deepest - 5) as u32;
                let values = |agent: &str| {
                    let report = ask(game.as_ref(), position.as_ref(), agent, depth, usize::MAX);
                    let mut lines: Vec<_> = report
                        .lines
                        .iter()
                        .map(|line| (line.mv.clone(), line.value.number()))
                        .collect();
                    lines.sort_by(|a, b| a.0.cmp(&b.0));
                    lines
                };
                let truth = values("alphabeta-textbook:order=full,tt=off,eval=area,deepen=off");
                for agent in [
                    "alphabeta-textbook:tt=1,eval=area",
                    "alphabeta-textbook:tt=1,eval=area,order=none",
                ] {
                    let what = format!("{spec} {} {agent} depth {depth}", position.text());
                    assert_eq!(values(agent), truth, "{what}");
                }
            }
        }
    }
}

/// Returns the minimax value with a quiescence search of all captures beyond the horizon.
fn quiescent(position: &mut dyn AnyPosition, root: usize, depth: u32, beyond: u32) -> f64 {
    if let Some(utilities) = position.utilities() {
        return utilities[root];
    }
    let ours = position.turn() == Turn::Player(root);
    let pick = |a: f64, b: f64| if ours { a.max(b) } else { a.min(b) };
    let stones = |position: &dyn AnyPosition| {
        position
            .text()
            .chars()
            .take_while(|c| !c.is_whitespace())
            .filter(|c| "XO".contains(*c))
            .count()
    };
    let (here, mut best) = (stones(position), f64::NAN);
    if depth == 0 {
        best = position.evaluate("area", root).unwrap();
        if beyond == 0 {
            return best;
        }
    }
    for mv in position.moves() {
        position.play(&mv).unwrap();
        // The move is a capture if the number of stones does not grow.
        if depth > 0 {
            best = pick(best, quiescent(position, root, depth - 1, beyond));
        } else if mv != "pass" && stones(position) <= here {
            best = pick(best, quiescent(position, root, 0, beyond - 1));
        }
        position.undo();
    }
    best
}

#[test]
fn quiescence_search_follows_captures_beyond_the_horizon() {
    let game = game("go:size=3,utility=margin,komi=0").unwrap();
    let mut differs = 0;
    for seed in 0..60 {
        let mut rng = Rng::derive(5, &[seed]);
        let mut position = game.start();
        for _ in 0..rng.below(9) {
            let moves = position.moves();
            position.play(&moves[rng.below(moves.len() - 1)]).unwrap();
        }
        let Turn::Player(root) = position.turn() else { continue };
        let depth = 1 + rng.below(2) as u32;
        let truth = quiescent(position.boxed().as_mut(), root, depth, 32);
        for agent in ["", ",order=none,tt=off", ",order=none,tt=1", ",window=aspiration,deepen=on"]
        {
            let spec = format!("alphabeta-textbook:eval=area,quiesce=on{agent}");
            let report = ask(game.as_ref(), position.as_ref(), &spec, depth, 1);
            assert_eq!(report.lines[0].value.number(), truth, "{} {spec} {depth}", position.text());
        }
        let without =
            ask(game.as_ref(), position.as_ref(), "alphabeta-textbook:eval=area", depth, 1);
        differs += u32::from(without.lines[0].value.number() != truth);
    }
    assert!(differs > 5, "captures beyond the horizon change only {differs} of 60 positions");
}

#[test]
fn several_threads_find_the_same_values() {
    for (spec, depth) in [("connect4", 9), ("keep-on-moving:board=4", 14), ("gobblet", 3)] {
        let game = game(spec).unwrap();
        let single = ask(game.as_ref(), game.start().as_ref(), "alphabeta-textbook", depth, 1);
        for threads in [2, 3, 8] {
            let agent = format!("ids:threads={threads},tt=4");
            assert!(!game.agent(&agent, 1).unwrap().is_deterministic());
            let parallel = ask(game.as_ref(), game.start().as_ref(), &agent, depth, 1);
            assert_eq!(
                parallel.lines[0].value.number(),
                single.lines[0].value.number(),
                "{spec} {agent}"
            );
        }
    }
    // Cycles, a small table and several threads together.
    let game = game("go:size=2,utility=margin,komi=0,cap=off").unwrap();
    for threads in [2, 4] {
        let agent = format!("alphabeta-textbook:threads={threads},tt=1");
        let report = ask(game.as_ref(), game.start().as_ref(), &agent, UNLIMITED_DEPTH, 1);
        assert_eq!(report.lines[0].value.number(), 0.0);
    }
}

#[test]
fn the_same_seed_and_node_limit_give_the_same_report() {
    for spec in ["connect4", "gobblet", "go:size=5", "keep-on-moving:board=4", "pentago-twist"] {
        let game = game(spec).unwrap();
        for agent in
            ["alphabeta-textbook", "minimax", "alphabeta-textbook:shuffle=on", "ordered-2020"]
        {
            let report = || {
                let mut agent = game.agent(agent, 9).unwrap();
                let mut position = game.start();
                // Several moves, because the table and the history heuristic carry over.
                (0..3)
                    .map(|_| {
                        let limits = Limits::nodes(5_000);
                        let mut report = agent.choose(position.as_ref(), &limits).unwrap();
                        position.play(report.best().unwrap()).unwrap();
                        report.elapsed = std::time::Duration::ZERO;
                        report
                    })
                    .collect::<Vec<_>>()
            };
            let first = report();
            assert_eq!(first, report(), "{spec} {agent}");
            for report in first {
                assert!(report.stats.nodes <= 5_000, "{spec} {agent}: {}", report.stats.nodes);
            }
        }
    }
}

/// Stops searches at many node counts and checks that the answer is legal and was searched.
#[test]
fn a_stopped_search_answers_with_its_finished_part() {
    let game = game("connect4:width=5,height=4").unwrap();
    let start = game.start();
    for nodes in (1..3000).step_by(37) {
        for agent in [
            "alphabeta-textbook:tt=1",
            "alphabeta-textbook:order=none,partial=off",
            "minimax",
            "ids:tt=off",
        ] {
            let mut agent = game.agent(agent, 1).unwrap();
            let report = agent.choose(start.as_ref(), &Limits::nodes(nodes)).unwrap();
            let best = report.best().unwrap();
            assert!(start.moves().contains(best));
            assert!(report.stats.nodes <= nodes.max(1));
            assert!(report.stats.depth == 0 || report.lines[0].searched);
        }
    }
}

/// An unfinished iteration may only change the answer to a move that is known to be at least as
/// good.
#[test]
fn an_unfinished_iteration_never_prefers_a_move_by_an_upper_bound() {
    let mut rng = Rng::new(77);
    for _ in 0..400 {
        let game = game_from_text("tree", "file", &random_tree(&mut rng)).unwrap();
        for agent in
            ["alphabeta-textbook:order=root,window=aspiration", "alphabeta-textbook", "ids"]
        {
            for nodes in 2..30 {
                let mut agent = game.agent(agent, 1).unwrap();
                let limits = Limits::nodes(nodes);
                let report = agent.choose(game.start().as_ref(), &limits).unwrap();
                assert!(report.stats.nodes <= nodes);
                let Turn::Player(root) = game.start().turn() else { unreachable!() };
                let weak = if root == 0 { Bound::Upper } else { Bound::Lower };
                let line = &report.lines[0];
                assert!(line.bound != weak || !line.searched, "{report:?}");
            }
        }
    }
}
