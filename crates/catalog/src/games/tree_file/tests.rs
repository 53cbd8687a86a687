use std::fmt::Write as _;

use tussle_core::{Evaluator as _, Game, Notation, Turn};
use tussle_games::DuelTree;
use tussle_games::tree::{Eval, MAX_NODES, NodeStats};

use super::{TreeGame, read};

/// Returns one of the trees in `examples/trees`.
fn example(name: &str) -> TreeGame {
    let path = format!("{}/../../examples/trees/{name}.json", env!("CARGO_MANIFEST_DIR"));
    read(name, &std::fs::read_to_string(path).unwrap()).unwrap()
}

fn duel(name: &str) -> DuelTree {
    match example(name) {
        TreeGame::Duel(tree) => tree,
        TreeGame::Many(_) => panic!("{name} has a value for each player"),
    }
}

/// Returns the max^n value of a position for every player, and the principal variation as text. A player takes the
/// first among equal moves; chance is averaged.
fn max_n<G: Notation>(game: &G, state: &G::State) -> (Vec<f64>, String) {
    let players = 0..game.players();
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let below = moves.iter().map(|&mv| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        let (values, line) = max_n(game, &next);
        (mv, values, format!(" {}{line}", game.move_text(state, mv)))
    });
    match game.turn(state) {
        Turn::Over => (players.map(|p| game.utility(state, p)).collect(), String::new()),
        Turn::Chance => {
            let mut sums = vec![0.0; players.len()];
            for (mv, values, _) in below {
                let p = game.probability(state, mv);
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += p * value);
            }
            (sums, String::new())
        }
        Turn::Player(me) => {
            let better = |best: (Vec<f64>, String), next: (Vec<f64>, String)| {
                if next.0[me] > best.0[me] { next } else { best }
            };
            below.map(|(_, values, line)| (values, line)).reduce(better).unwrap()
        }
    }
}

fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let below = |&mv: &G::Move| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        perft(game, &next, depth - 1)
    };
    if depth == 0 { 1 } else { moves.iter().map(below).sum() }
}

#[test]
fn every_example_loads() {
    let folder = format!("{}/../../examples/trees", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let expected =
        ["coin", "kplayer", "lecture-alphabeta", "lecture-mcts", "star1", "ucb1-exercise"];
    assert_eq!(names, expected);
    for name in &names {
        example(name);
    }
}

#[test]
fn the_value_of_the_lecture_tree_is_8_along_b_d_i() {
    let tree = duel("lecture-alphabeta");
    assert_eq!(max_n(&tree, &tree.start()), (vec![8.0, -8.0], " B D I".to_owned()));
    for (name, value) in [("D", 8.0), ("E", 9.0), ("F", 2.0), ("G", 9.0), ("B", 8.0), ("C", 2.0)] {
        let state = tree.parse_position(name).unwrap();
        assert_eq!(max_n(&tree, &state).0[0], value, "{name}");
    }
    let counts = [0, 1, 2, 3, 4].map(|depth| perft(&tree, &tree.start(), depth));
    assert_eq!(counts, [1, 2, 4, 8, 0]);
}

#[test]
fn the_lecture_tree_has_its_written_rollouts() {
    let tree = duel("lecture-mcts");
    let rollout = |name: &str| tree.rollouts(&tree.parse_position(name).unwrap())[0];
    assert_eq!(["s1", "s2", "s3", "s5"].map(rollout), [20.0, 10.0, 0.0, 14.0]);
    assert_eq!(tree.turn(&tree.parse_position("s2").unwrap()), Turn::Player(0));
    assert_eq!(tree.payoffs().most, 20.0);
}

#[test]
fn the_exercise_tree_has_statistics_and_asks_for_those_of_d() {
    let tree = duel("ucb1-exercise");
    let stats = |name: &str| tree.stats(&tree.parse_position(name).unwrap()).unwrap();
    assert_eq!(stats("d"), NodeStats::Asked);
    let numbers = |name: &str| match stats(name) {
        NodeStats::Known { wins, visits } => (wins, visits as f64),
        NodeStats::Asked => (1.0, 5.0),
    };
    for (parent, children) in [
        ("a", [("b", 1.294), ("c", 1.309), ("d", 1.451)].as_slice()),
        ("b", &[("e", 0.528), ("f", 1.458)]),
        ("c", &[("g", 1.426), ("h", 1.093)]),
    ] {
        let (_, all) = numbers(parent);
        let state = tree.parse_position(parent).unwrap();
        assert_eq!(perft(&tree, &state, 1), children.len() as u64);
        for (mv, &(name, expected)) in children.iter().enumerate() {
            let (wins, visits) = numbers(name);
            let ucb1 = wins / visits + std::f64::consts::SQRT_2 * (all.ln() / visits).sqrt();
            assert!((ucb1 - expected).abs() < 6e-4, "{name}: {ucb1}");
            let mut child = state;
            tree.play(&mut child, mv as u32);
            assert_eq!(tree.name(&child), name);
        }
    }
}

#[test]
fn star1_prunes_the_last_outcome_of_the_second_chance_node() {
    let tree = duel("star1");
    let value = |name: &str| max_n(&tree, &tree.parse_position(name).unwrap()).0[0];
    assert_eq!((value("left"), value("right"), tree.payoffs().most), (3.0, 1.0, 6.0));
    let right = tree.parse_position("right").unwrap();
    let (mut seen, mut rest) = (0.0, 1.0);
    let mut visited = Vec::new();
    for mv in 0..3 {
        let mut outcome = right;
        tree.play(&mut outcome, mv);
        visited.push(tree.name(&outcome).to_owned());
        seen += tree.probability(&right, mv) * tree.utility(&outcome, 0);
        rest -= tree.probability(&right, mv);
        if seen + tree.payoffs().most * rest <= value("left") {
            break;
        }
    }
    assert_eq!(visited, ["r1", "r2"]);
}

#[test]
fn a_declared_range_replaces_the_range_of_the_leaves() {
    let nodes = r#""nodes": {"r": {"max": ["a", "b"]}, "a": 1, "b": {"min": ["c"]}, "c": 3}}"#;
    let duel = |range: &str| match read("f.json", &format!(r#"{{"root": "r", {range} {nodes}"#)) {
        Ok(TreeGame::Duel(tree)) => tree,
        other => panic!("{other:?}"),
    };
    let plain = duel("");
    assert_eq!((plain.payoffs().most, plain.value_range(0)), (3.0, None));
    let tree = duel(r#""range": [0.5, 6],"#);
    assert_eq!((tree.payoffs().least, tree.payoffs().most), (-6.0, 6.0));
    assert_eq!([0, 1].map(|player| tree.value_range(player).unwrap()), [(0.5, 6.0), (-6.0, -0.5)]);
    // The estimate of a node without a value is 0, unless 0 is outside the range.
    let estimate = |tree: &DuelTree| {
        let inner = tree.parse_position("b").unwrap();
        Eval::Value.value(tree, &inner, 0)
    };
    assert_eq!((estimate(&plain), estimate(&tree)), (0.0, 0.5));
    let many = r#"{"root": "r", "range": [0, 9], "nodes": {"r": [1, 2, 3]}}"#;
    let Ok(TreeGame::Many(many)) = read("f.json", many) else { panic!("three values per leaf") };
    let payoffs = many.payoffs();
    assert_eq!((payoffs.least, payoffs.most, payoffs.sum), (0.0, 9.0, 6.0));
    assert_eq!(many.value_range(2), Some((0.0, 9.0)));
}

#[test]
fn the_value_of_betting_twice_on_the_coin_is_2_2() {
    let tree = duel("coin");
    let (values, line) = max_n(&tree, &tree.start());
    assert!((values[0] - 2.2).abs() < 1e-12, "{values:?}");
    assert_eq!(line, " bet");
    let again = tree.parse_position("won-once").unwrap();
    assert_eq!(max_n(&tree, &again), (vec![5.0, -5.0], " bet".to_owned()));
}

#[test]
fn the_max_n_values_of_three_players_are_2_3_5() {
    let TreeGame::Many(tree) = example("kplayer") else { panic!("three values per leaf") };
    assert_eq!(max_n(&tree, &tree.start()), (vec![2.0, 3.0, 5.0], " R RR g".to_owned()));
}

#[test]
fn all_forms_of_a_node_give_the_same_tree() {
    let file = |leaf: &str, mv: &str| {
        let text = format!(
            "\u{feff}{{ \"nodes\": {{ \"x\": {leaf}, \"r\": {{ \"player\": 1, \"moves\": [{mv}] }} }}, \
             \"root\": \"r\" }}"
        );
        let TreeGame::Duel(tree) = read("t.json", &text).unwrap() else { panic!("one value") };
        let mut state = tree.start();
        let text = tree.move_text(&state, 0);
        tree.play(&mut state, 0);
        (text, tree.utility(&state, 0))
    };
    let expected = ("x".to_owned(), 1.5);
    for leaf in
        ["1.5", "[1.5]", r#"{"value": 1.5}"#, r#"{"value": [1.5]}"#, r#"{"rollouts": [1, 2]}"#]
    {
        for mv in [r#""x""#, r#"{"to": "x"}"#, r#"{"to": "x", "move": "x"}"#] {
            assert_eq!(file(leaf, mv), expected, "{leaf} {mv}");
        }
    }
}

/// Nodes of malformed files, and words that the error must contain.
const FAULTS: &[(&str, &[&str])] = &[
    (r#""r": {"max": ["x"]}"#, &["`r`", "`x`", "not among"]),
    (r#""r": {"max": ["x"]}, "x": 1, "x": 2"#, &["`x`", "two nodes"]),
    (r#""r": {"max": ["r"]}"#, &["`r`", "cycle"]),
    (r#""r": {"max": ["x"]}, "x": {"min": ["y"]}, "y": {"max": ["x"]}"#, &["`x`", "cycle"]),
    (r#""r": 1, "x": 1"#, &["`x`", "no move leads to it"]),
    (r#""r": {"max": ["x", {"to": "x", "move": "y"}]}, "x": 1"#, &["`x`", "twice"]),
    (r#""r": {"max": ["x"]}, "x": {}"#, &["`x`", "needs a value"]),
    (r#""r": {"max": ["x"]}, "x": []"#, &["`x`", "needs a value"]),
    (r#""r": {"max": ["x"]}, "x": {"value": null}"#, &["`x`", "needs a value"]),
    (r#""r": {"max": []}"#, &["`r`", "no moves"]),
    (r#""r": {"chance": [{"to": "x", "p": 0.5}]}, "x": 1"#, &["`r`", "sum to 0.5"]),
    (r#""r": {"chance": [{"to": "x", "p": -1}]}, "x": 1"#, &["`r`", "probability -1"]),
    (r#""r": {"chance": [{"to": "x", "p": "1/0"}]}, "x": 1"#, &["`r`", "probability inf"]),
    (r#""r": {"chance": [{"to": "x", "p": "0/0"}]}, "x": 1"#, &["`r`", "probability NaN"]),
    (r#""r": {"chance": [{"to": "x", "p": "half"}]}, "x": 1"#, &["`r`", "\"half\"", "line 1"]),
    (r#""r": {"max": [{"to": "x", "p": 1}]}, "x": 1"#, &["`r`", "only the outcomes"]),
    (r#""r": {"player": 9, "moves": ["x"]}, "x": [1, 2]"#, &["`r`", "player 9"]),
    (r#""r": {"player": 0, "moves": ["x"]}, "x": 1"#, &["`r`", "player 0"]),
    (r#""r": {"player": -1, "moves": ["x"]}, "x": 1"#, &["`r`", "-1", "line 1"]),
    (r#""r": {"player": 3, "moves": ["x"]}, "x": [1, 2]"#, &["`r`", "player 3"]),
    (r#""r": {"player": 1}"#, &["`r`", "needs `moves`"]),
    (r#""r": {"moves": ["x"]}, "x": 1"#, &["`r`", "needs `player`"]),
    (r#""r": {"max": ["x"], "min": ["x"]}, "x": 1"#, &["`r`", "only one of"]),
    (r#""r": {"max": ["x"], "player": 1, "moves": ["x"]}"#, &["`r`", "only one of"]),
    (r#""r": {"max": ["x"]}, "x": {"player": 2, "moves": ["y"]}, "y": 1"#, &["`x`", "`r`", "max"]),
    (r#""r": {"max": ["x"]}, "x": [1, 2]"#, &["`r`", "max and min"]),
    (r#""r": {"player": 1, "moves": ["x", "y"]}, "x": [1, 2], "y": 3"#, &["`y`", "1 value"]),
    (r#""r": {"max": [{"to": "x", "move": "a b"}]}, "x": 1"#, &["`r`", "`a b`", "white space"]),
    (r#""r": {"max": [{"to": "x", "move": ""}]}, "x": 1"#, &["`r`", "empty"]),
    (r#""r": {"max": [{"to": "x", "move": "y"}, "y"]}, "x": 1, "y": 1"#, &["`r`", "two moves"]),
    (r#""r": {"max": [{"to": "x", "mvoe": "y"}]}, "x": 1"#, &["`r`", "`mvoe`", "line 1"]),
    (r#""r": {"max": [1]}"#, &["`r`", "the name of a node", "line 1"]),
    (r#""r": {"maxx": ["x"]}, "x": 1"#, &["`r`", "`maxx`", "line 1 column 36"]),
    (r#""r": {"max": ["x"], "max": ["x"]}, "x": 1"#, &["`r`", "duplicate", "line 1"]),
    (r#""r": "x", "x": 1"#, &["`r`", "a list of values", "line 1"]),
    (r#""r": null"#, &["`r`", "a list of values", "line 1"]),
    (r#""r": ["one"]"#, &["`r`", "\"one\"", "line 1"]),
    (r#""r": 1e999"#, &["`r`", "out of range", "line 1"]),
    (r#""r": {"value": {"max": ["x"]}}"#, &["`r`", "a number or a list"]),
    (r#""r": {"value": {"value": 1}}"#, &["`r`", "a number or a list"]),
    (r#""r": {"stats": {"wins": 3, "visits": 2}}"#, &["`r`", "3 wins in 2 visits"]),
    (r#""r": {"stats": {"wins": 3}}"#, &["`r`", "`visits`", "line 1"]),
    (r#""r": {"rollouts": ["x"]}"#, &["`r`", "\"x\"", "line 1"]),
    (r#""r": 1,"#, &["line 1 column"]),
    ("", &["no nodes"]),
];

#[test]
fn the_error_of_a_malformed_file_names_the_node() {
    for (nodes, words) in FAULTS {
        let text = format!(r#"{{"root": "r", "nodes": {{{nodes}}}}}"#);
        let error = read("some/file.json", &text).expect_err(nodes).to_string();
        for word in words.iter().chain(&["some/file.json"]) {
            assert!(error.contains(word), "{nodes}: {error:?} lacks {word:?}");
        }
    }
    for (text, word) in [
        ("", "line 1 column 0"),
        ("[]", "line 1"),
        (r#"{"nodes": {"r": 1}}"#, "`root`"),
        (r#"{"root": "r"}"#, "`nodes`"),
        (r#"{"root": "r", "nodes": ["r"]}"#, "a node for each name"),
        (r#"{"root": "r", "nodes": {"r": 1}, "title": "x"}"#, "`title`"),
        (r#"{"root": "r", "nodes": {"r": 1}} x"#, "trailing"),
        (r#"{"root": "r", "range": 6, "nodes": {"r": 1}}"#, "as in [-6, 6]"),
        (r#"{"root": "r", "range": null, "nodes": {"r": 1}}"#, "as in [-6, 6]"),
        (r#"{"root": "r", "range": [6], "nodes": {"r": 1}}"#, "as in [-6, 6]"),
        (r#"{"root": "r", "range": [1, 2, 3], "nodes": {"r": 1}}"#, "as in [-6, 6]"),
        (r#"{"root": "r", "range": ["-6", "6"], "nodes": {"r": 1}}"#, "as in [-6, 6]"),
        (r#"{"root": "r", "range": [-6, 1e999], "nodes": {"r": 1}}"#, "line 1 column"),
        (
            r#"{"root": "r", "range": [0, 1], "range": [0, 2], "nodes": {"r": 1}}"#,
            "duplicate field `range`",
        ),
        (r#"{"root": "r", "range": [6, -6], "nodes": {"r": 1}}"#, "the range [6, -6] is empty"),
        (
            r#"{"root": "r", "range": [2, 6], "nodes": {"r": 1}}"#,
            "node `r`: its value 1 lies outside of the range [2, 6]",
        ),
        (
            r#"{"root": "r", "range": [-2, 6], "nodes": {"r": {"value": 1, "rollouts": [0, 7]}}}"#,
            "node `r`: its rollout 7",
        ),
        (
            r#"{"root": "r", "range": [-2, 6], "nodes": {"r": {"max": ["a"], "value": 9}, "a": 1}}"#,
            "node `r`: its value 9",
        ),
        (r#"{"root": "r", "range": [0, 6], "nodes": {"r": [1, -2, 3]}}"#, "node `r`: its value -2"),
    ] {
        let error = read("f.json", text).expect_err(text).to_string();
        assert!(error.contains(word), "{text}: {error:?} lacks {word:?}");
    }
}

#[test]
fn deep_nesting_is_an_error_instead_of_a_stack_overflow() {
    for (open, close) in [("[", "]"), (r#"{"value":"#, "}"), (r#"{"max":["#, "]}")] {
        let deep = format!("{}1{}", open.repeat(200_000), close.repeat(200_000));
        let text = format!(r#"{{"root": "r", "nodes": {{"r": {deep}}}}}"#);
        let error = read("f.json", &text).expect_err(open).to_string();
        assert!(error.contains("`r`") && error.contains("line 1 column"), "{error}");
    }
}

/// Returns a file with the nodes 0 to `last`, where `node` returns the JSON of each.
fn numbered(last: usize, node: impl Fn(usize) -> String) -> String {
    let mut text = String::from(r#"{"root": "0", "nodes": {"#);
    for i in 0..=last {
        let comma = if i == last { "" } else { "," };
        writeln!(text, r#""{i}": {}{comma}"#, node(i)).unwrap();
    }
    text + "}}"
}

#[test]
fn a_million_nodes_load_and_one_more_is_rejected() {
    // A heap: the children of i are 2i + 1 and 2i + 2.
    let last = MAX_NODES - 1;
    let text = numbered(last, |i| match last - (2 * i).min(last) {
        0 => i.to_string(),
        1 => format!(r#"{{"min": ["{}"]}}"#, 2 * i + 1),
        _ => format!(r#"{{"max": ["{}", "{}"]}}"#, 2 * i + 1, 2 * i + 2),
    });
    let TreeGame::Duel(tree) = read("f.json", &text).unwrap() else { panic!("one value per leaf") };
    assert_eq!(tree.payoffs().most, 999_999.0);
    drop(tree);
    let text = format!(r#"{{"root": "x", "nodes": {{{}"x": 1}}}}"#, "\"x\":1,".repeat(MAX_NODES));
    let error = read("f.json", &text).unwrap_err().to_string();
    assert!(error.contains("more than 1000000 nodes"), "{error}");
}

#[test]
fn a_chain_of_100_000_moves_loads() {
    let link = |i: usize| match i {
        100_000 => "[1, 2, 3]".to_owned(),
        _ => format!(r#"{{"player": {}, "moves": ["{}"]}}"#, i % 3 + 1, i + 1),
    };
    let TreeGame::Many(tree) = read("f.json", &numbered(100_000, link)).unwrap() else {
        panic!("three values per leaf")
    };
    let mut state = tree.start();
    while tree.turn(&state) != Turn::Over {
        tree.play(&mut state, 0);
    }
    assert_eq!(tree.utility(&state, 2), 3.0);
}
