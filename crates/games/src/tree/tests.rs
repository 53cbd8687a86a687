use tussle_core::{Drawn, Evaluator, Game, Hashed, Notation, Rng, Turn};

use super::{DuelTree, Edge, Eval, Kind, MAX_NODES, ManyTree, Node, NodeStats, State};

/// Returns the tree of the lecture: A is max, B and C are min, D to G are max, H to O are leaves.
fn lecture() -> Vec<Node> {
    let mut nodes = vec![
        Node::inner("A", Kind::Max, &["B", "C"]),
        Node::inner("B", Kind::Min, &["D", "E"]),
        Node::inner("C", Kind::Min, &["F", "G"]),
        Node::inner("D", Kind::Max, &["H", "I"]),
        Node::inner("E", Kind::Max, &["J", "K"]),
        Node::inner("F", Kind::Max, &["L", "M"]),
        Node::inner("G", Kind::Max, &["N", "O"]),
    ];
    let leaves = [4, 8, 9, 3, 2, -2, 9, -1];
    nodes.extend(("HIJKLMNO".chars()).zip(leaves).map(|(c, x)| Node::leaf(c, f64::from(x))));
    nodes
}

fn moves(tree: &DuelTree, state: State) -> Vec<State> {
    let mut moves = Vec::new();
    tree.moves(&state, &mut moves);
    let after = |mv| {
        let mut next = state;
        tree.play(&mut next, mv);
        next
    };
    moves.into_iter().map(after).collect()
}

/// Returns the value for MAX and the principal variation as names. Adds every node with its value
/// to `seen`.
fn minimax(tree: &DuelTree, state: State, seen: &mut Vec<(String, f64)>) -> (f64, String) {
    let name = tree.name(&state).to_owned();
    let mut best: Option<(f64, String)> = None;
    for next in moves(tree, state) {
        let (value, line) = minimax(tree, next, seen);
        let better = match (&best, tree.turn(&state)) {
            (None, _) => true,
            (Some((old, _)), Turn::Player(0)) => value > *old,
            (Some((old, _)), _) => value < *old,
        };
        if better {
            best = Some((value, format!("{name}{line}")));
        }
    }
    let (value, line) = best.unwrap_or_else(|| (tree.utility(&state, 0), name.clone()));
    seen.push((name, value));
    (value, line)
}

fn alphabeta(
    tree: &DuelTree,
    state: State,
    mut alpha: f64,
    mut beta: f64,
    seen: &mut String,
) -> f64 {
    seen.push_str(tree.name(&state));
    let mut value = match tree.turn(&state) {
        Turn::Over => return tree.utility(&state, 0),
        Turn::Player(0) => f64::NEG_INFINITY,
        _ => f64::INFINITY,
    };
    for next in moves(tree, state) {
        let below = alphabeta(tree, next, alpha, beta, seen);
        if tree.turn(&state) == Turn::Player(0) {
            value = value.max(below);
            alpha = alpha.max(value);
        } else {
            value = value.min(below);
            beta = beta.min(value);
        }
        if alpha >= beta {
            break;
        }
    }
    value
}

#[test]
fn minimax_of_the_lecture_tree_is_8_with_the_line_a_b_d_i() {
    let tree = DuelTree::new(lecture(), "A").unwrap();
    let mut seen = Vec::new();
    let (value, line) = minimax(&tree, tree.start(), &mut seen);
    assert_eq!((value, line.as_str(), seen.len()), (8.0, "ABDI", 15));
    for (name, value) in
        [("D", 8.0), ("E", 9.0), ("F", 2.0), ("G", 9.0), ("B", 8.0), ("C", 2.0), ("A", 8.0)]
    {
        assert!(seen.contains(&(name.to_owned(), value)), "{name} {seen:?}");
    }
    assert_eq!(tree.payoffs().most, 9.0);
}

#[test]
fn alphabeta_prunes_k_and_g() {
    let tree = DuelTree::new(lecture(), "A").unwrap();
    let mut seen = String::new();
    let value = alphabeta(&tree, tree.start(), f64::NEG_INFINITY, f64::INFINITY, &mut seen);
    assert_eq!((value, seen.as_str()), (8.0, "ABDHIEJCFLM"));
}

#[test]
fn the_order_of_the_nodes_does_not_matter() {
    let tree = DuelTree::new(lecture(), "A").unwrap();
    let mut nodes = lecture();
    Rng::new(5).shuffle(&mut nodes);
    assert_ne!(nodes, lecture());
    let other = DuelTree::new(nodes, "A").unwrap();
    for name in "ABCDEFGHIJKLMNO".chars() {
        let name = name.to_string();
        let (a, b) = (tree.parse_position(&name).unwrap(), other.parse_position(&name).unwrap());
        assert_eq!(tree.board_key(&a), other.board_key(&b));
        assert_eq!(tree.position_text(&a), name);
        assert_eq!(tree.scene(&a), other.scene(&b));
    }
}

#[test]
fn numbered_players_one_and_two_are_max_and_min() {
    let mut nodes = lecture();
    for node in &mut nodes {
        node.kind = match node.kind {
            Kind::Max => Kind::Player(1),
            Kind::Min => Kind::Player(2),
            other => other,
        };
    }
    let tree = DuelTree::new(nodes, "A").unwrap();
    let mut seen = String::new();
    assert_eq!(alphabeta(&tree, tree.start(), -1e9, 1e9, &mut seen), 8.0);
    assert_eq!(seen, "ABDHIEJCFLM");
}

#[test]
fn min_loses_what_max_wins_and_zero_has_no_sign() {
    let tree = DuelTree::new(
        vec![Node::inner("a", Kind::Max, &["b", "c"]), Node::leaf("b", 3.0), Node::leaf("c", 0.0)],
        "a",
    )
    .unwrap();
    let [b, c] = ["b", "c"].map(|name| tree.parse_position(name).unwrap());
    assert_eq!((tree.utility(&b, 0), tree.utility(&b, 1)), (3.0, -3.0));
    assert!(tree.utility(&c, 1).is_sign_positive());
}

#[test]
fn payoffs_are_1_if_all_results_are_0() {
    let tree = DuelTree::new(vec![Node::leaf("only", 0.0)], "only").unwrap();
    assert_eq!(tree.turn(&tree.start()), Turn::Over);
    assert_eq!(tree.payoffs().most, 1.0);
}

#[test]
fn leaves_of_a_many_tree_have_one_value_per_player() {
    let leaf =
        |name: &str, values: [f64; 3]| Node { values: values.into(), ..Node::leaf(name, 0.0) };
    let nodes = vec![
        Node::inner("r", Kind::Player(3), &["s", "t"]),
        leaf("s", [1.0, 2.0, 3.0]),
        leaf("t", [4.0, 5.0, 6.0]),
    ];
    let tree = ManyTree::new(nodes.clone(), "r").unwrap();
    assert_eq!((tree.players(), tree.turn(&tree.start())), (3, Turn::Player(2)));
    let t = tree.parse_position("t").unwrap();
    assert_eq!([0, 1, 2].map(|player| tree.utility(&t, player)), [4.0, 5.0, 6.0]);
    let payoffs = tree.payoffs();
    assert_eq!((payoffs.least, payoffs.most, payoffs.sum), (1.0, 6.0, 15.0));
    assert!(!Evaluator::<ManyTree>::is_antisymmetric(&Eval::Value));
    assert!(Evaluator::<DuelTree>::is_antisymmetric(&Eval::Value));
    let error = DuelTree::new(nodes, "r").unwrap_err().to_string();
    assert!(error.contains("expected one value per node in this kind of tree, found 3"), "{error}");
    assert!(ManyTree::new(lecture(), "A").is_err());
}

#[test]
fn outcomes_without_probabilities_are_equally_likely() {
    let mut nodes = vec![
        Node::inner("die", Kind::Chance, &["one", "two", "three"]),
        Node::leaf("one", 1.0),
        Node::leaf("two", 2.0),
        Node::leaf("three", 3.0),
    ];
    let tree = DuelTree::new(nodes.clone(), "die").unwrap();
    assert_eq!(tree.turn(&tree.start()), Turn::Chance);
    assert_eq!(tree.probability(&tree.start(), 2), 1.0 / 3.0);
    for (edge, p) in nodes[0].moves.iter_mut().zip([0.5, 0.25, 0.25]) {
        edge.probability = Some(p);
    }
    let tree = DuelTree::new(nodes, "die").unwrap();
    assert_eq!([0, 1, 2].map(|mv| tree.probability(&tree.start(), mv)), [0.5, 0.25, 0.25]);
}

#[test]
fn inner_values_are_estimates_and_leaves_can_have_rollouts_instead_of_values() {
    let mut nodes = lecture();
    nodes[1].values = vec![100.0]; // B
    nodes[7].values.clear(); // H
    nodes[7].rollouts = vec![1.0, 4.0];
    nodes[8].values.clear(); // I
    nodes[8].stats = Some(NodeStats::Asked);
    let tree = DuelTree::new(nodes, "A").unwrap();
    let at = |name: &str| tree.parse_position(name).unwrap();
    let estimate = |name: &str, player| Eval::Value.value(&tree, &at(name), player);
    assert_eq!((estimate("B", 0), estimate("B", 1), estimate("C", 0)), (100.0, -100.0, 0.0));
    assert_eq!((tree.utility(&at("H"), 0), tree.utility(&at("I"), 0)), (2.5, 0.0));
    assert_eq!((tree.rollouts(&at("H")), tree.rollouts(&at("I"))), (&[1.0, 4.0][..], &[][..]));
    assert_eq!((tree.stats(&at("H")), tree.stats(&at("I"))), (None, Some(NodeStats::Asked)));
    assert_eq!(tree.payoffs().most, 9.0); // an estimate is not a result
    assert_eq!(Eval::Value.range(&tree), Some((-100.0, 100.0))); // but a search can reach it
}

#[test]
fn errors_of_illegal_moves_list_the_legal_moves() {
    let tree = DuelTree::new(lecture(), "A").unwrap();
    let error = tree.parse_move(&tree.start(), "D").unwrap_err().to_string();
    assert_eq!(error, "`D`: the moves at `A` are B, C");
    assert!(tree.parse_position("Z").unwrap_err().to_string().contains("`Z`"));
}

/// Change to a valid tree, and the parts that the error must contain.
type Fault = (fn(&mut Vec<Node>), &'static [&'static str]);

fn chance(nodes: &mut [Node], node: usize, probabilities: [Option<f64>; 2]) {
    nodes[node].kind = Kind::Chance;
    for (edge, p) in nodes[node].moves.iter_mut().zip(probabilities) {
        edge.probability = p;
    }
}

fn label(nodes: &mut [Node], text: &str) {
    nodes[3].moves[1].label = Some(text.to_owned());
}

/// Faults of the lecture tree: node 0 is A, node 6 is G, node 7 is H.
const FAULTS: &[Fault] = &[
    (Vec::clear, &["no nodes"]),
    (|nodes| drop(nodes.remove(0)), &["root `A`"]),
    (|nodes| drop(nodes.remove(8)), &["`D`", "`I`", "not among"]),
    (|nodes| nodes.push(Node::leaf("H", 0.0)), &["`H`", "two nodes"]),
    (|nodes| nodes.push(Node::leaf("Z", 0.0)), &["`Z`", "no move leads to it"]),
    (|nodes| nodes.push(Node::leaf("", 0.0)), &["``", "empty"]),
    (|nodes| nodes[7].name = "H 1".into(), &["`H 1`", "white space"]),
    (|nodes| nodes[7].name = "H\u{7}".into(), &["`H\u{7}`", "white space"]),
    (|nodes| nodes[7].name = "H|".into(), &["`H|`", "comma"]),
    (|nodes| nodes.push(Node::inner("X", Kind::Max, &["A"])), &["`A`", "root", "`X`"]),
    // I, a child of D, gets a move to A, B, D or itself.
    (|nodes| nodes[8] = Node::inner("I", Kind::Min, &["A"]), &["`A`", "`I`", "cycle"]),
    (|nodes| nodes[8] = Node::inner("I", Kind::Min, &["B"]), &["`B`", "`I`", "cycle"]),
    (|nodes| nodes[8] = Node::inner("I", Kind::Min, &["D"]), &["`D`", "`I`", "cycle"]),
    (|nodes| nodes[8] = Node::inner("I", Kind::Min, &["I"]), &["`I`", "cycle"]),
    (|nodes| nodes.insert(0, Node::inner("X", Kind::Min, &["X"])), &["`X`", "cycle"]),
    (
        |nodes| {
            nodes.push(Node::inner("X", Kind::Max, &["Y"]));
            nodes.push(Node::inner("Y", Kind::Max, &["X"]));
        },
        &["cycle", "`"],
    ),
    (
        |nodes| nodes[6] = Node::inner("G", Kind::Max, &["N", "O", "H"]),
        &["`H`", "twice", "`D`", "`G`"],
    ),
    (
        |nodes| {
            let edge = Edge { label: Some("again".into()), ..nodes[6].moves[0].clone() };
            nodes[6].moves.push(edge);
        },
        &["`N`", "twice from `G`"],
    ),
    (|nodes| nodes[7].values.clear(), &["`H`", "needs a value"]),
    (|nodes| nodes[7].values.push(1.0), &["`A`", "max and min"]),
    (|nodes| nodes[7].values[0] = f64::NAN, &["`H`", "finite"]),
    (|nodes| nodes[7].values[0] = f64::INFINITY, &["`H`", "finite"]),
    (|nodes| nodes[6].rollouts = vec![1.0, f64::NEG_INFINITY], &["`G`", "finite"]),
    (|nodes| nodes[7].kind = Kind::Max, &["`H`", "no moves"]),
    (|nodes| nodes[6].kind = Kind::Leaf, &["`G`", "leaf"]),
    (|nodes| nodes[6].kind = Kind::Player(0), &["`G`", "player 0"]),
    (|nodes| nodes[6].kind = Kind::Player(9), &["`G`", "player 9"]),
    (|nodes| nodes[6].kind = Kind::Player(3), &["`G`", "player 3", "single value"]),
    (|nodes| nodes[6].kind = Kind::Player(1), &["`G`", "`A`", "max or min"]),
    (|nodes| label(nodes, ""), &["`D`", "empty"]),
    (|nodes| label(nodes, "go left"), &["`D`", "`go left`", "white space"]),
    (|nodes| label(nodes, "a,b"), &["`D`", "`a,b`", "comma"]),
    (|nodes| label(nodes, "a>b"), &["`D`", "`a>b`", "comma"]),
    (|nodes| label(nodes, "a|b"), &["`D`", "`a|b`", "comma"]),
    (|nodes| label(nodes, "H"), &["`D`", "two moves", "`H`"]),
    (|nodes| chance(nodes, 6, [Some(0.5), Some(0.4)]), &["`G`", "sum to 0.9"]),
    (|nodes| chance(nodes, 6, [Some(0.5), Some(0.500_000_01)]), &["`G`", "sum to 1.00000001"]),
    (|nodes| chance(nodes, 6, [Some(1.5), Some(-0.5)]), &["`G`", "`N`", "1.5"]),
    (|nodes| chance(nodes, 6, [Some(-0.5), Some(1.5)]), &["`G`", "`N`", "-0.5"]),
    (|nodes| chance(nodes, 6, [Some(1.0), Some(0.0)]), &["`G`", "`O`", "above 0"]),
    (|nodes| chance(nodes, 6, [Some(f64::NAN), Some(0.5)]), &["`G`", "`N`", "NaN"]),
    (|nodes| chance(nodes, 6, [Some(0.5), Some(f64::INFINITY)]), &["`G`", "`O`", "inf"]),
    (|nodes| chance(nodes, 6, [Some(0.5), None]), &["`G`", "`O`", "no probability"]),
    (|nodes| nodes[6].moves[0].probability = Some(1.0), &["`G`", "only the outcomes"]),
    (
        |nodes| nodes[6].stats = Some(NodeStats::Known { wins: 4.0, visits: 3 }),
        &["`G`", "4 wins in 3 visits"],
    ),
    (
        |nodes| nodes[6].stats = Some(NodeStats::Known { wins: f64::NAN, visits: 3 }),
        &["`G`", "wins"],
    ),
];

#[test]
fn errors_of_invalid_trees_name_the_node() {
    for (i, (damage, words)) in FAULTS.iter().enumerate() {
        let mut nodes = lecture();
        damage(&mut nodes);
        // A node with two values makes it a tree for two players with one value per player.
        let result = if super::is_duel(&nodes) {
            DuelTree::new(nodes, "A").map(drop)
        } else {
            ManyTree::new(nodes, "A").map(drop)
        };
        let error = result.expect_err(&format!("fault {i} {words:?}")).to_string();
        for word in *words {
            assert!(error.contains(word), "fault {i}: {error:?} lacks {word:?}");
        }
    }
}

#[test]
fn values_for_many_players_must_match_the_players() {
    let tree = |player: usize, values: [&[f64]; 2], rollouts: &[f64]| {
        let mut root = Node::inner("r", Kind::Player(player), &["s", "t"]);
        root.rollouts = rollouts.to_vec();
        let leaf =
            |name: &str, values: &[f64]| Node { values: values.to_vec(), ..Node::leaf(name, 0.0) };
        ManyTree::new(vec![root, leaf("s", values[0]), leaf("t", values[1])], "r")
    };
    let three: &[f64] = &[1.0, 2.0, 3.0];
    assert!(tree(3, [three, three], &[]).is_ok());
    for (result, words) in [
        (tree(4, [three, three], &[]), ["`r`", "player 4"]),
        (tree(3, [three, &[1.0, 2.0]], &[]), ["`t`", "found 2 value"]),
        (tree(3, [three, &[1.0]], &[]), ["`t`", "found 1 value"]),
        (tree(3, [three, &[]], &[]), ["`t`", "needs a value"]),
        (tree(3, [three, three], &[1.0]), ["`r`", "rollout"]),
        (tree(3, [&[0.0; 9], &[0.0; 9]], &[]), ["`s`", "9 values"]),
    ] {
        let error = result.expect_err(&format!("{words:?}")).to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error} lacks one of {words:?}");
    }
}

/// Returns a chain of `length` max nodes that ends in a leaf.
fn chain(length: usize) -> Vec<Node> {
    let link = |i: usize| Node::inner(i.to_string(), Kind::Max, &[&(i + 1).to_string()]);
    (0..length).map(link).chain([Node::leaf(length.to_string(), 1.0)]).collect()
}

/// Returns a root with `count` leaves.
fn fan(count: usize) -> Vec<Node> {
    let names: Vec<String> = (1..=count).map(|i| format!("leaf{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let leaves = names.iter().map(|&name| Node::leaf(name, 1.0));
    leaves.chain([Node::inner("root", Kind::Max, &names)]).collect()
}

#[test]
fn trees_of_depth_100000_work() {
    let tree = DuelTree::new(chain(100_000), "0").unwrap();
    let mut state = tree.start();
    assert_eq!(tree.playout(&mut state, &mut Rng::new(1), &mut Vec::new()), 100_000);
    let text = tree.scene(&state).text();
    assert_eq!(text.lines().count(), 7, "{text}"); // the root, a gap, four nodes and the leaf
    assert!(text.starts_with("0  max\n└── … 99995 levels\n"), "{text}");
    assert!(text.ends_with("99999  max\n                    └── 100000  1  ◀\n"), "{text}");
    let mut ring = chain(100_000);
    *ring.last_mut().unwrap() = Node::inner("100000", Kind::Max, &["50000"]);
    let error = DuelTree::new(ring, "0").unwrap_err().to_string();
    assert!(error.contains("`50000`: a cycle"), "{error}");
}

#[test]
fn trees_above_a_million_nodes_are_rejected() {
    let nodes = vec![Node::leaf("x", 0.0); MAX_NODES + 1];
    let error = DuelTree::new(nodes, "x").unwrap_err().to_string();
    assert!(error.contains("1000001 nodes") && error.contains("1000000 is the limit"), "{error}");
}

#[test]
fn the_spots_of_a_small_tree_are_its_nodes_in_every_position() {
    let tree = DuelTree::new(lecture(), "A").unwrap();
    let spots = tree.scene(&tree.start()).spots;
    let names: String = spots.iter().map(|spot| spot.name.as_str()).collect();
    assert_eq!(names, "ABCDEFGHIJKLMNO");
    for name in &spots {
        let state = tree.parse_position(&name.name).unwrap();
        assert_eq!(tree.scene(&state).spots, spots);
    }
    let c = tree.parse_position("C").unwrap();
    assert_eq!(tree.clicks(&c, 1).as_slice(), [6]);
    assert_eq!(spots[6].name, tree.move_text(&c, 1));
}

#[test]
fn the_spots_of_a_large_tree_are_the_moves() {
    let tree = DuelTree::new(fan(300), "root").unwrap();
    let scene = tree.scene(&tree.start());
    assert_eq!(scene.spots.len(), 300);
    assert!(scene.text().ends_with("leaf50  1\n└── … 250 more\n"), "{}", scene.text());
    for mv in [0, 299] {
        let [spot] = tree.clicks(&tree.start(), mv)[..] else { panic!("a move is one click") };
        assert_eq!(scene.spots[spot].name, tree.move_text(&tree.start(), mv));
    }
}

#[test]
fn nodes_of_a_drawing_do_not_overlap_and_are_inside() {
    let mut wide = fan(150);
    wide[0].name = "a-rather-long-name-for-a-leaf".into();
    wide[150].moves[0].to = wide[0].name.clone();
    for (nodes, root) in [(lecture(), "A"), (wide, "root"), (fan(12), "root"), (chain(50), "0")] {
        let tree = DuelTree::new(nodes, root).unwrap();
        let scene = tree.scene(&tree.start());
        for (i, a) in scene.spots.iter().enumerate() {
            assert!(a.x >= 0.0 && a.x + a.w <= scene.width, "{a:?} in {}", scene.width);
            assert!(a.y >= 0.0 && a.y + a.h <= scene.height, "{a:?} in {}", scene.height);
            for b in &scene.spots[..i] {
                let apart =
                    a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
                assert!(apart, "{a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn the_outline_marks_the_current_node() {
    let mut nodes = lecture();
    label(&mut nodes, "right");
    chance(&mut nodes, 4, [Some(0.25), Some(0.75)]); // E
    let tree = DuelTree::new(nodes, "A").unwrap();
    let b = tree.parse_position("B").unwrap();
    let expected = "\
A  max
├── B  min  ◀
│   ├── D  max
│   │   ├── H  4
│   │   └── right: I  8
│   └── E  chance
│       ├── 0.25: J  9
│       └── 0.75: K  3
└── C  min
    ├── F  max
    │   ├── L  2
    │   └── M  -2
    └── G  max
        ├── N  9
        └── O  -1
";
    assert_eq!(tree.scene(&b).text(), expected);
}
