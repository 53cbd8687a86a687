//! Tests of searches with chance, opponent models and more than two players against naive searches.

use tussle_catalog::recording::{Recording, Step};
use tussle_catalog::{AnyGame, AnyPosition, Query, game, game_from_text};
use tussle_core::{Bound, CutReason, Limits, Outcome, Report, Rng, StopReason, Turn};
use tussle_testkit::data::enter_repository;
use tussle_testkit::oracle::{UNLIMITED_DEPTH, ask};

/// Tolerance of means, which depend on the order of rounding.
const TOLERANCE: f64 = 1e-9;

/// Value of a leaf for a player.
type Leaf<'a> = &'a dyn Fn(&dyn AnyPosition, usize) -> f64;
/// Weights of an opponent's moves; empty if the opponent plays against the root player.
type Model<'a> = &'a dyn Fn(&dyn AnyPosition) -> Vec<f64>;

/// Returns the value for `root`, without windows and pruning.
fn expectimax(
    position: &mut dyn AnyPosition,
    root: usize,
    depth: u32,
    leaf: Leaf<'_>,
    model: Model<'_>,
) -> f64 {
    let turn = position.turn();
    if depth == 0 || turn == Turn::Over {
        return leaf(position, root);
    }
    let weights = match turn {
        Turn::Chance => position.probabilities(),
        Turn::Player(mover) if mover == root => Vec::new(),
        _ => model(position),
    };
    let mut values = Vec::new();
    for mv in position.moves() {
        position.play(&mv).unwrap();
        values.push(expectimax(position, root, depth - 1, leaf, model));
        position.undo();
    }
    if weights.is_empty() {
        let better = if turn == Turn::Player(root) { f64::max } else { f64::min };
        return values.into_iter().reduce(better).unwrap();
    }
    let total: f64 = weights.iter().sum();
    values.iter().zip(&weights).map(|(value, weight)| value * weight / total).sum()
}

/// Returns the values for all players, each of which plays the first of its best moves.
fn maxn(position: &mut dyn AnyPosition, players: usize, depth: u32, leaf: Leaf<'_>) -> Vec<f64> {
    let turn = position.turn();
    if depth == 0 || turn == Turn::Over {
        return (0..players).map(|player| leaf(position, player)).collect();
    }
    let odds = position.probabilities();
    let mut rows = Vec::new();
    for mv in position.moves() {
        position.play(&mv).unwrap();
        rows.push(maxn(position, players, depth - 1, leaf));
        position.undo();
    }
    if let Turn::Player(mover) = turn {
        let best = rows.iter().map(|values| values[mover]).fold(f64::NEG_INFINITY, f64::max);
        return rows.into_iter().find(|values| values[mover] == best).unwrap();
    }
    let mean = |i: usize| rows.iter().zip(&odds).map(|(values, p)| values[i] * p).sum();
    (0..players).map(mean).collect()
}

/// Returns the value of a leaf in a game with points: the result, or the evaluation.
fn points(position: &dyn AnyPosition, player: usize) -> f64 {
    match position.utilities() {
        Some(utilities) => utilities[player],
        None => position.evaluate("", player).unwrap(),
    }
}

fn best_reply(_: &dyn AnyPosition) -> Vec<f64> {
    Vec::new()
}

fn any_reply(position: &dyn AnyPosition) -> Vec<f64> {
    vec![1.0; position.moves().len()]
}

/// Generator of random trees, with one value per leaf if `players` is 0, else one value per player.
struct Trees {
    players: usize,
    chance: bool,
    /// Sum of the values of each leaf, if it is constant.
    shared: Option<usize>,
}

impl Trees {
    /// Returns a tree whose players move in any order, with leaves at any depth, many equal values
    /// and estimates at inner nodes.
    fn random(&self, rng: &mut Rng) -> String {
        let mut nodes = Vec::new();
        let depth = 1 + rng.below(5);
        self.grow(rng, &mut nodes, depth);
        format!("{{\"root\": \"n0\", \"nodes\": {{{}}}}}", nodes.join(", "))
    }

    fn grow(&self, rng: &mut Rng, nodes: &mut Vec<String>, depth: usize) -> usize {
        let id = nodes.len();
        nodes.push(String::new());
        let value = self.value(rng);
        if depth == 0 || id > 0 && rng.below(5) == 0 {
            nodes[id] = format!("\"n{id}\": {value}");
            return id;
        }
        let children: Vec<usize> =
            (0..=rng.below(4)).map(|_| self.grow(rng, nodes, depth - 1)).collect();
        let names: Vec<String> = children.iter().map(|child| format!("\"n{child}\"")).collect();
        let kind = if self.chance && id > 0 && rng.below(3) == 0 {
            let weights: Vec<usize> = children.iter().map(|_| 1 + rng.below(5)).collect();
            let total: usize = weights.iter().sum();
            let odds: Vec<String> = names
                .iter()
                .zip(weights)
                .map(|(name, weight)| format!("{{\"to\": {name}, \"p\": \"{weight}/{total}\"}}"))
                .collect();
            format!("\"chance\": [{}]", odds.join(", "))
        } else if self.players == 0 {
            format!("\"{}\": [{}]", ["max", "min"][rng.below(2)], names.join(", "))
        } else {
            let player = 1 + rng.below(self.players);
            format!("\"player\": {player}, \"moves\": [{}]", names.join(", "))
        };
        nodes[id] = format!("\"n{id}\": {{{kind}, \"value\": {value}}}");
        id
    }

    fn value(&self, rng: &mut Rng) -> String {
        if self.players == 0 {
            return (rng.below(13) as i32 - 6).to_string();
        }
        let mut shares = vec![0; self.players];
        match self.shared {
            Some(sum) => (0..sum).for_each(|_| shares[rng.below(self.players)] += 1),
            None => shares.iter_mut().for_each(|share| *share = rng.below(7) as i32 - 2),
        }
        format!("{shares:?}")
    }
}

fn mover(position: &dyn AnyPosition) -> usize {
    match position.turn() {
        Turn::Player(mover) => mover,
        other => panic!("{other:?} is to move"),
    }
}

/// Compares every line of a report with `true_value`, the value of the move for the root player.
///
/// Reports on a tree for two players have the first player's values; `turned` is true if the second
/// player is the root player there.
fn check_report(
    report: &Report<String>,
    position: &dyn AnyPosition,
    turned: bool,
    lines: usize,
    true_value: &mut dyn FnMut(&mut dyn AnyPosition) -> f64,
    what: &str,
) {
    let sign = if turned { -1.0 } else { 1.0 };
    let mut after = position.boxed();
    let mut values = Vec::new();
    for line in &report.lines {
        after.play(&line.mv).unwrap();
        values.push(true_value(after.as_mut()));
        after.undo();
    }
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(values[0] >= best - TOLERANCE, "{what}: {} is not the best move", report.lines[0].mv);
    // Iterative deepening that proves the best move does not search the other moves deeper.
    let checked = if what.contains("deepen=on") && report.stopped == StopReason::Proven {
        1
    } else {
        usize::MAX
    };
    let mut exact = 0;
    for (line, value) in report.lines.iter().zip(values).take(checked) {
        let reported = sign * line.value.number();
        if line.bound == Bound::Exact {
            assert!((reported - value).abs() < TOLERANCE, "{what}: {} {reported} {value}", line.mv);
            exact += 1;
        } else {
            let upper = if turned { Bound::Lower } else { Bound::Upper };
            assert_eq!(line.bound, upper, "{what}");
            assert!(reported >= value - TOLERANCE, "{what}: {} {reported} {value}", line.mv);
        }
    }
    assert!(
        exact >= lines.min(report.lines.len()).min(checked),
        "{what}: {exact} of {lines} lines"
    );
    for line in &report.lines {
        let mut after = position.boxed();
        for mv in &line.pv {
            after.play(mv).unwrap_or_else(|error| panic!("{what}: principal variation: {error}"));
        }
    }
}

#[test]
fn expectimax_matches_the_naive_search_on_random_trees() {
    let mut rng = Rng::new(31);
    let mut pruned = 0;
    for round in 0..4000 {
        let players = if round % 4 == 0 { 2 + rng.below(4) } else { 0 };
        let trees = Trees { players, chance: round % 3 != 0, shared: None };
        let text = trees.random(&mut rng);
        let game = game_from_text("tree", "file", &text).unwrap();
        let start = game.start();
        let root = mover(start.as_ref());
        let depth = [1, 2, 3, UNLIMITED_DEPTH][rng.below(4)];
        for (opponent, model) in [("best", &best_reply as Model<'_>), ("uniform", &any_reply)] {
            for switches in ["prune=none", "prune=star1", "prune=star1,deepen=on"] {
                let agent = format!("expectimax:opponent={opponent},{switches}");
                let lines = 1 + rng.below(3);
                let report = ask(game.as_ref(), start.as_ref(), &agent, depth, lines);
                let mut true_value =
                    |p: &mut dyn AnyPosition| expectimax(p, root, depth - 1, &points, model);
                let what = format!("{text} {agent} {depth}");
                check_report(
                    &report,
                    start.as_ref(),
                    players == 0 && root == 1,
                    lines,
                    &mut true_value,
                    &what,
                );
                pruned += report.stats.pruned;
                assert_eq!(report.stats.pruned == 0, report.stats.cutoffs == 0, "{what}");
            }
        }
    }
    assert!(pruned > 10_000, "only {pruned} moves were cut");
}

#[test]
fn max_n_matches_the_naive_search_on_random_trees() {
    let mut rng = Rng::new(32);
    let mut pruned = 0;
    for round in 0..4000 {
        let players = 2 + rng.below(4);
        let shared = (round % 2 == 0).then(|| 3 + rng.below(6));
        let trees = Trees { players, chance: round % 3 == 0, shared };
        let text = trees.random(&mut rng);
        let game = game_from_text("tree", "file", &text).unwrap();
        let start = game.start();
        let root = mover(start.as_ref());
        let depth = [1, 2, 3, UNLIMITED_DEPTH][rng.below(4)];
        for switches in ["prune=none", "prune=shallow", "deepen=on"] {
            let agent = format!("maxn:{switches}");
            let lines = 1 + rng.below(3);
            let report = ask(game.as_ref(), start.as_ref(), &agent, depth, lines);
            let what = format!("{text} {agent} {depth}");
            let mut true_value =
                |p: &mut dyn AnyPosition| maxn(p, players, depth - 1, &points)[root];
            check_report(&report, start.as_ref(), false, lines, &mut true_value, &what);
            // Ties matter for the other players: the row must be that of the first best move.
            let row = maxn(start.boxed().as_mut(), players, depth, &points);
            let reported = &report.lines[0].values;
            let equal = row.iter().zip(reported).all(|(a, b)| (a - b).abs() < TOLERANCE);
            // Rounded means can change which of several equal moves is the best.
            let rounded = trees.chance && report.lines.len() > 1;
            assert!(
                row.len() == reported.len() && (equal || rounded),
                "{what}: {row:?} {reported:?}"
            );
            pruned += report.stats.pruned;
        }
    }
    assert!(pruned > 5_000, "only {pruned} moves were cut");
}

#[test]
fn paranoid_is_minimax_against_all_opponents_on_random_trees() {
    let mut rng = Rng::new(33);
    for round in 0..2000 {
        let players = 2 + rng.below(4);
        let trees = Trees { players, chance: false, shared: (round % 2 == 0).then_some(5) };
        let text = trees.random(&mut rng);
        let game = game_from_text("tree", "file", &text).unwrap();
        let start = game.start();
        let root = mover(start.as_ref());
        let depth = [1, 2, 3, UNLIMITED_DEPTH][rng.below(4)];
        for switches in ["tt=1", "order=none,tt=off", "window=aspiration,tt=1,deepen=on"] {
            let agent = format!("paranoid:{switches}");
            let lines = 1 + rng.below(3);
            let report = ask(game.as_ref(), start.as_ref(), &agent, depth, lines);
            let mut true_value =
                |p: &mut dyn AnyPosition| expectimax(p, root, depth - 1, &points, &best_reply);
            check_report(
                &report,
                start.as_ref(),
                false,
                lines,
                &mut true_value,
                &format!("{text} {agent} {depth}"),
            );
        }
    }
}

/// Returns a random unfinished position after about `plies` plies.
fn midgame(game: &dyn AnyGame, rng: &mut Rng, plies: usize) -> Box<dyn AnyPosition> {
    loop {
        let mut position = game.start();
        for _ in 0..plies {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play(&moves[rng.below(moves.len())]).unwrap();
        }
        if matches!(position.turn(), Turn::Player(_)) {
            return position;
        }
    }
}

/// Games of three and four players on small boards: leaves are shares of a win, or evaluations,
/// which weigh less.
#[test]
fn maxn_and_paranoid_match_naive_searches_on_small_boards() {
    // Value of a win in `maxn` and `paranoid` if the range of the evaluation is unknown.
    const WIN: f64 = 1_048_576.0;
    let leaf = |position: &dyn AnyPosition, player: usize| match position.utilities() {
        Some(utilities) => (utilities[player] - 0.5) * 2.0 * WIN,
        None => position.evaluate("freedom", player).unwrap(),
    };
    let mut rng = Rng::new(34);
    for board in ["1..\n...\n2.3\n", "1.2\n.#.\n3..\n", "12.\n...\n..3\n", "1.#2\n....\n3.#4\n"] {
        let game = game_from_text("keep-on-moving", "file", board).unwrap();
        let players = game.players();
        for _ in 0..6 {
            let plies = rng.below(4);
            let position = midgame(game.as_ref(), &mut rng, plies);
            let root = mover(position.as_ref());
            for depth in [1, 2, 4, UNLIMITED_DEPTH] {
                // Reports convert a proven score to a utility.
                let expected = |score: f64, value: f64| {
                    let utility = score / (2.0 * WIN) + 0.5;
                    if (score - value).abs() < TOLERANCE { score } else { utility }
                };
                for prune in ["none", "shallow"] {
                    let agent = format!("maxn:eval=freedom,prune={prune}");
                    let report = ask(game.as_ref(), position.as_ref(), &agent, depth, 1);
                    let row = maxn(position.boxed().as_mut(), players, depth, &leaf);
                    let reported = &report.lines[0].values;
                    for (&score, &value) in row.iter().zip(reported) {
                        let what = format!("{board}{} {agent} {depth}", position.text());
                        assert!(
                            (expected(score, value) - value).abs() < TOLERANCE,
                            "{what}: {reported:?}"
                        );
                        assert!(depth < UNLIMITED_DEPTH || (0.0..=1.0).contains(&value), "{what}");
                    }
                }
                for switches in ["tt=1", "order=none,tt=off"] {
                    let agent = format!("paranoid:eval=freedom,{switches}");
                    let report = ask(game.as_ref(), position.as_ref(), &agent, depth, 1);
                    let what = format!("{board}{} {agent} {depth}", position.text());
                    let mut position = position.boxed();
                    let best = expectimax(position.as_mut(), root, depth, &leaf, &best_reply);
                    let line = &report.lines[0];
                    let value = expected(best, line.value.number());
                    assert!(
                        (line.value.number() - value).abs() < TOLERANCE,
                        "{what}: {} {value}",
                        line.value.number()
                    );
                    position.play(&line.mv).unwrap();
                    let chosen = expectimax(position.as_mut(), root, depth - 1, &leaf, &best_reply);
                    assert_eq!(chosen, best, "{what}");
                    if depth == UNLIMITED_DEPTH {
                        let outcome = match line.value.number() {
                            1.0 => Outcome::Win,
                            0.0 => Outcome::Loss,
                            _ => Outcome::Draw,
                        };
                        assert_eq!(
                            (line.outcome(), report.stopped),
                            (Some(outcome), StopReason::Proven)
                        );
                    }
                }
            }
        }
    }
}

/// Published result: the first player with best play wins 191 of 192 games against random play and
/// loses none.
#[test]
fn expectimax_against_random_play_has_the_published_value_in_tic_tac_toe() {
    let game = game("tictactoe").unwrap();
    for prune in ["none", "star1"] {
        let agent = format!("expectimax:prune={prune}");
        let report = ask(game.as_ref(), game.start().as_ref(), &agent, UNLIMITED_DEPTH, 1);
        let line = &report.lines[0];
        assert!((line.value.number() - 191.0 / 192.0).abs() < TOLERANCE, "{}", line.value.number());
        assert_eq!(
            (line.outcome(), report.stopped),
            (None, StopReason::Proven),
            "a draw is possible"
        );
        assert!(["a1", "c1", "a3", "c3"].contains(&line.mv.as_str()));
        assert_eq!(report.stats.depth, 9);
    }
}

#[test]
fn wins_are_above_evaluations_and_ties_have_the_draw_value() {
    let game = game("tictactoe").unwrap();
    let mut rng = Rng::new(35);
    for (switches, draw) in [("", 0.0), (",draw=-3", -3.0), (",draw=40", 40.0)] {
        // `open-lines` is at most 10, and 16 is the next power of two.
        let leaf = |position: &dyn AnyPosition, player: usize| match position.utilities() {
            Some(utilities) if utilities[player] == 0.0 => draw,
            Some(utilities) => 16.0 * utilities[player],
            None => position.evaluate("open-lines", player).unwrap(),
        };
        for _ in 0..40 {
            let plies = rng.below(6);
            let position = midgame(game.as_ref(), &mut rng, plies);
            let root = mover(position.as_ref());
            for prune in ["none", "star1"] {
                for (opponent, model) in
                    [("best", &best_reply as Model<'_>), ("uniform", &any_reply)]
                {
                    let agent = format!("expectimax:opponent={opponent},prune={prune}{switches}");
                    let report = ask(game.as_ref(), position.as_ref(), &agent, 3, 1);
                    let mut position = position.boxed();
                    let best = expectimax(position.as_mut(), root, 3, &leaf, model);
                    let line = &report.lines[0];
                    position.play(&line.mv).unwrap();
                    let chosen = expectimax(position.as_mut(), root, 2, &leaf, model);
                    assert!((chosen - best).abs() < TOLERANCE, "{agent} {}", position.text());
                    let value = match line.outcome() {
                        Some(Outcome::Draw) => line.value.number(),
                        Some(_) => 16.0 * line.value.number(),
                        None => best, // other tests check whether it is proven
                    };
                    assert!((value - best).abs() < TOLERANCE, "{agent} {}", position.text());
                }
            }
        }
    }
}

/// Returns weights of moves by their text: for small pieces, and for moves onto other pieces.
fn weights_by_text(position: &dyn AnyPosition, small: f64, over: f64) -> Vec<f64> {
    let text = position.text();
    let cells: Vec<&str> = text.split([',', '/', ' ']).take(9).collect();
    let weight = |mv: &String| match mv.split_once('@').unwrap() {
        (piece, _) if piece.starts_with('S') => small,
        (_, cell) if cells[cell.parse::<usize>().unwrap()] != "." => over,
        _ => 1.0,
    };
    position.moves().iter().map(weight).collect()
}

#[test]
fn opponent_models_from_the_course_and_a_file_are_used() {
    let file = std::env::temp_dir().join(format!("tussle-weights-{}", std::process::id()));
    std::fs::write(&file, "# eats\nover-rival = 7\n\nover-own=7 # both\nsmall = 0.5\n").unwrap();
    let file = file.to_str().unwrap();
    let game = game("gobblet").unwrap();
    let mut rng = Rng::new(36);
    let leaf =
        |position: &dyn AnyPosition, player: usize| position.evaluate("outcome", player).unwrap();
    for _ in 0..10 {
        let plies = rng.below(9);
        let position = midgame(game.as_ref(), &mut rng, plies);
        let root = mover(position.as_ref());
        for (opponent, small, over) in [("course", 2.0, 2.0), (file, 0.5, 7.0)] {
            let model = |position: &dyn AnyPosition| weights_by_text(position, small, over);
            for prune in ["none", "star1"] {
                let agent = format!(
                    "expectimax:opponent={opponent},eval=outcome,terminal=eval,prune={prune}"
                );
                let report = ask(game.as_ref(), position.as_ref(), &agent, 2, 1);
                let mut true_value =
                    |p: &mut dyn AnyPosition| expectimax(p, root, 1, &leaf, &model);
                check_report(&report, position.as_ref(), false, 1, &mut true_value, &agent);
            }
        }
    }
    std::fs::remove_file(file).unwrap();
}

#[test]
fn errors_of_weight_files_name_the_line() {
    let path = std::env::temp_dir().join(format!("tussle-wrong-weights-{}", std::process::id()));
    let spec = format!("expectimax:opponent={}", path.display());
    for (text, parts) in [
        ("small = 2\nbig = 1\n", &["line 2", "`big`", "over-rival"][..]),
        ("small = two\n", &["line 1", "`two`"]),
        ("\nsmall = -1\n", &["line 2", "`-1`"]),
        ("small = inf\n", &["line 1", "`inf`"]),
        ("small 2\n", &["line 1", "class = weight"]),
        ("small = 2\nsmall = 3\n", &["line 2", "twice"]),
        (
            "other=0\nsmall=0\nover-own=0\nover-rival=0\n",
            &["line 4", "at least one must be higher"],
        ),
    ] {
        std::fs::write(&path, text).unwrap();
        let message = game("gobblet").unwrap().agent(&spec, 1).err().unwrap().to_string();
        for part in parts {
            assert!(message.contains(part), "{text}: {message}");
        }
    }
    std::fs::write(&path, "small = 2\n").unwrap();
    let message = game("tictactoe").unwrap().agent(&spec, 1).err().unwrap().to_string();
    assert!(message.contains("classes"), "{message}");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_roll_counts_as_a_ply() {
    let game = game("backgammon").unwrap();
    let mut position = game.start();
    position.play("51").unwrap();
    let leaf = |position: &dyn AnyPosition, player: usize| match position.utilities() {
        Some(utilities) => 4096.0 * utilities[player],
        None => position.evaluate("blots", player).unwrap(),
    };
    for (depth, prune) in [(1, "none"), (2, "none"), (3, "none"), (3, "star1")] {
        let agent = format!("expectimax:eval=blots,prune={prune}");
        let report = ask(game.as_ref(), position.as_ref(), &agent, depth, 1);
        assert_eq!(report.stats.depth, depth);
        let mut true_value =
            |p: &mut dyn AnyPosition| expectimax(p, 0, depth - 1, &leaf, &best_reply);
        check_report(&report, position.as_ref(), false, 1, &mut true_value, &agent);
    }
}

/// Returns the moves entered and the cuts at chance nodes, in order.
fn entered_and_cut(recording: &Recording) -> Vec<String> {
    let mv = |node: usize| recording.tree.nodes()[node].mv.clone();
    let text = |step: &Step| match step {
        Step::Enter { node, .. } => mv(*node),
        Step::Cut { reason: CutReason::Chance, skipped, .. } => {
            let skipped: Vec<String> = skipped.iter().filter_map(|&node| mv(node)).collect();
            Some(format!("cut {}", skipped.join(" ")))
        }
        _ => None,
    };
    recording.steps.iter().filter_map(text).collect()
}

#[test]
fn example_trees_have_their_documented_values() {
    enter_repository();
    let ask_tree = |name: &str, agent: &str| {
        let game = game(&format!("tree:file=examples/trees/{name}.json")).unwrap();
        ask(game.as_ref(), game.start().as_ref(), agent, UNLIMITED_DEPTH, 1)
    };
    let coin = ask_tree("coin", "expectimax");
    assert_eq!((coin.best().unwrap().as_str(), coin.lines[0].value.number()), ("bet", 2.2));
    assert_eq!(coin.lines[0].outcome(), None, "a loss is possible");

    let players = ask_tree("kplayer", "maxn");
    assert_eq!(players.lines[0].values, [2.0, 3.0, 5.0]);
    assert_eq!(players.lines[0].pv, ["R", "RR", "g"]);
    let paranoid = ask_tree("kplayer", "paranoid");
    // The opponents leave min(1, 5) = 1 after L and min(3, 2) = 2 after R.
    assert_eq!((paranoid.best().unwrap().as_str(), paranoid.lines[0].value.number()), ("R", 2.0));

    let star1 = ask_tree("star1", "expectimax:prune=star1");
    assert_eq!((star1.best().unwrap().as_str(), star1.lines[0].value.number()), ("left", 3.0));
    assert_eq!((star1.lines[1].value.number(), star1.lines[1].bound), (1.0, Bound::Upper));
    let stats = &star1.stats;
    assert_eq!((stats.nodes, stats.leaves, stats.cutoffs, stats.pruned), (7, 4, 1, 1));
    assert_eq!(ask_tree("star1", "expectimax").stats.nodes, 8);
}

#[test]
fn recordings_contain_the_outcomes_that_star1_prunes() {
    enter_repository();
    let game = game("tree:file=examples/trees/star1.json").unwrap();
    let mut recording = Recording::new(1000);
    let mut agent = game.agent("expectimax:prune=star1", 1).unwrap();
    let query = Query { recording: Some(&mut recording), ..Query::new(&Limits::none()) };
    agent.analyse(game.start().as_ref(), query).unwrap();
    let steps = entered_and_cut(&recording);
    assert_eq!(steps, ["left", "l1", "l2", "right", "r1", "r2", "cut r3"]);
}

#[test]
fn errors_of_unsupported_searches_name_the_reason() {
    enter_repository();
    for (spec, agent, part) in [
        ("tictactoe", "expectimax:opponent=course", "move classes"),
        ("keep-on-moving", "expectimax:prune=star1", "`territory` is unknown"),
        ("keep-on-moving:file=examples/boards/triangle.txt", "minimax", "use maxn or paranoid"),
        ("keep-on-moving:file=examples/boards/triangle.txt", "alphabeta", "use maxn or paranoid"),
        ("tree:file=examples/trees/coin.json", "paranoid", "use expectimax"),
    ] {
        let message = game(spec).unwrap().agent(agent, 1).err().unwrap().to_string();
        assert!(message.contains(part), "{spec} {agent}: {message}");
    }
}

#[test]
fn with_two_players_paranoid_is_alpha_beta() {
    let game = game("keep-on-moving:board=0").unwrap();
    let start = game.start();
    let [paranoid, alphabeta] = ["paranoid", "alphabeta-textbook"].map(|agent| {
        let report = ask(game.as_ref(), start.as_ref(), agent, 9, 1);
        (report.lines, report.stats)
    });
    assert_eq!(paranoid, alphabeta);
}

#[test]
fn a_stopped_search_answers_with_its_finished_part() {
    enter_repository();
    for (spec, agent) in [
        ("keep-on-moving:file=examples/boards/triangle.txt", "maxn"),
        ("keep-on-moving:file=examples/boards/triangle.txt", "paranoid"),
        ("keep-on-moving:file=examples/boards/triangle.txt", "expectimax"),
        ("gobblet", "expectimax:opponent=course,eval=pairs,prune=star1"),
        ("connect4", "maxn"),
    ] {
        let game = game(spec).unwrap();
        let [one, two] = [1, 1].map(|seed| {
            let mut agent = game.agent(agent, seed).unwrap();
            let budget = Limits::nodes(20_000);
            agent.choose(game.start().as_ref(), &budget).unwrap()
        });
        assert_eq!(one.stopped, StopReason::Nodes, "{spec} {agent}");
        assert!(one.stats.depth > 1 && one.stats.nodes <= 20_000, "{:?}", one.stats);
        assert_eq!((&one.lines, &one.stats), (&two.lines, &two.stats), "{spec} {agent}");
        assert!(game.start().moves().contains(one.best().unwrap()));
    }
}
