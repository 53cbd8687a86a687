//! UCB1 by hand.

use std::f64::consts::SQRT_2;

use super::*;

fn of_file(path: &str) -> Result<Option<Exercise>, ExerciseError> {
    let game = tussle_catalog::game(&format!("tree:file={path}")).unwrap();
    exercise(game.as_ref(), game.start().as_ref(), SQRT_2)
}

/// The exercise of a tree that is written here.
fn of_text(name: &str, nodes: &str) -> Result<Option<Exercise>, ExerciseError> {
    let path = std::env::temp_dir().join(format!("tussle-{name}-{}.json", std::process::id()));
    std::fs::write(&path, format!(r#"{{"root": "a", "nodes": {{{nodes}}}}}"#)).unwrap();
    let worked = of_file(&path.display().to_string());
    std::fs::remove_file(&path).unwrap();
    worked
}

fn ucb1() -> Exercise {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trees/ucb1-exercise.json");
    of_file(path).unwrap().unwrap()
}

#[test]
fn the_exercise_comes_out_as_published() {
    let worked = ucb1();
    let bounds: Vec<(&str, String)> = worked
        .nodes
        .iter()
        .filter_map(|node| Some((node.name.as_str(), format!("{:.3}", node.bound()?))))
        .collect();
    let expected = [
        ("b", "1.294"),
        ("c", "1.309"),
        ("d", "1.451"),
        ("e", "0.528"),
        ("f", "1.458"),
        ("g", "1.426"),
        ("h", "1.093"),
    ];
    assert_eq!(bounds, expected.map(|(name, bound)| (name, bound.to_owned())));
    let name = |node: usize| worked.nodes[node].name.as_str();
    assert_eq!((name(worked.largest), name(worked.top_down)), ("f", "d"));
    let asked = &worked.nodes[worked.asked.unwrap()];
    assert_eq!((asked.name.as_str(), asked.wins, asked.visits), ("d", 1.0, 5));
}

#[test]
fn what_is_asked_for_is_derived_in_words() {
    assert_eq!(
        ucb1().derivation,
        [
            "Every visit of a went on to one of its children: d has 50 - 39 - 6 = 5 visits.",
            "What a does not win, its children do: 50 - 15 = 35 wins. d has 35 - 33 - 1 = 1 of them.",
            "So d is 1/5.",
        ]
    );
}

#[test]
fn the_contradiction_at_c_is_reported_and_no_other() {
    assert_eq!(
        ucb1().contradictions,
        ["c is 1/6, so the wins of g + h should sum to 5, but they sum to 1 + 0 = 1."]
    );
}

#[test]
fn a_loss_below_f_counts_for_every_other_node() {
    let worked = ucb1();
    let shown = |leaf| {
        let each = worked.after_loss(leaf);
        each.iter()
            .map(|(name, wins, visits)| format!("{name} {wins}/{visits}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(worked.largest), ["new child 0/1", "f 6/10", "b 33/40", "a 16/51"]);
    assert_eq!(shown(worked.top_down), ["new child 0/1", "d 2/6", "a 15/51"]);
}

const B: &str = r#""b": {"stats": {"wins": 6, "visits": 8}}"#;
const C: &str = r#""c": {"stats": {"wins": 1, "visits": 2}}"#;

#[test]
fn the_root_follows_from_its_children() {
    let nodes = format!(r#""a": {{"max": ["b", "c"], "stats": null}}, {B}, {C}"#);
    let worked = of_text("root", &nodes).unwrap().unwrap();
    assert_eq!((worked.nodes[0].wins, worked.nodes[0].visits), (3.0, 10));
    assert!(worked.contradictions.is_empty());
}

/// Wins of the same player add up instead.
#[test]
fn a_player_who_moves_twice_keeps_the_wins() {
    let nodes = format!(
        r#""a": {{"max": ["x"], "stats": {{"wins": 3, "visits": 10}}}},
           "x": {{"max": ["b", "c"], "stats": null}}, {B}, {C}"#
    );
    let worked = of_text("twice", &nodes).unwrap().unwrap();
    let x = &worked.nodes[1];
    assert_eq!((x.wins, x.visits), (7.0, 10));
    assert!(worked.contradictions.is_empty(), "{:?}", worked.contradictions);
}

/// A tree of a real search has one visit more at each inner node: its own.
#[test]
fn the_first_visit_of_a_node_may_be_its_own() {
    let nodes =
        format!(r#""a": {{"max": ["b", "c"], "stats": {{"wins": 4, "visits": 11}}}}, {B}, {C}"#);
    assert!(of_text("own", &nodes).unwrap().unwrap().contradictions.is_empty());
    let nodes =
        format!(r#""a": {{"max": ["b", "c"], "stats": {{"wins": 4, "visits": 12}}}}, {B}, {C}"#);
    let found = of_text("off", &nodes).unwrap().unwrap().contradictions;
    assert_eq!(found, ["a has 12 visits, but b + c have 8 + 2 = 10 together."]);
}

/// Whoever was never tried comes first, as in the search; the loss is its own.
#[test]
fn a_leaf_without_visits_has_an_infinite_bound() {
    let nodes = format!(
        r#""a": {{"max": ["b", "c", "d"], "stats": {{"wins": 2, "visits": 8}}}}, {B},
           "c": {{"stats": {{"wins": 0, "visits": 0}}}}, "d": {{"stats": {{"wins": 0, "visits": 0}}}}"#
    );
    let worked = of_text("unvisited", &nodes).unwrap().unwrap();
    assert_eq!(worked.nodes[2].bound(), Some(f64::INFINITY));
    let text = worked.text();
    assert!(text.contains("c  0/0    never visited: +inf"), "{text}");
    assert!(text.contains("Expand c: its +inf is the largest of all leaves (with d)"), "{text}");
    assert!(text.contains("c is tried for the first time"), "{text}");
    assert!(text.contains("\n  c 0/1, a 3/9\n"), "{text}");
    assert!(text.contains("every other node"), "{text}");
}

#[test]
fn every_other_node_wins_only_where_players_take_turns() {
    let nodes = format!(
        r#""a": {{"max": ["x"], "stats": {{"wins": 3, "visits": 10}}}},
           "x": {{"max": ["b", "c"], "stats": null}}, {B}, {C}"#
    );
    let text = of_text("same", &nodes).unwrap().unwrap().text();
    assert!(!text.contains("every other node"), "{text}");
}

#[test]
fn what_does_not_follow_is_refused_with_the_reason() {
    let message = |name: &str, nodes: &str| of_text(name, nodes).unwrap_err().to_string();
    let several = r#""a": {"max": ["b", "c"], "stats": null}, "b": {"stats": null}, "c": {"stats": {"wins": 1, "visits": 2}}"#;
    assert!(message("several", several).starts_with("the wins and visits of a, b are missing"));
    let impossible = format!(
        r#""a": {{"max": ["b", "c", "d"], "stats": {{"wins": 1, "visits": 9}}}}, {B}, {C}, "d": {{"stats": null}}"#
    );
    let told = message("impossible", &impossible);
    assert!(told.contains("`d`") && told.contains("-1 visits"), "{told}");
    let unvisited = format!(
        r#""a": {{"max": ["b", "x"], "stats": {{"wins": 2, "visits": 8}}}}, {B}, {C},
           "x": {{"min": ["c"], "stats": {{"wins": 0, "visits": 0}}}}"#
    );
    assert!(message("unvisited", &unvisited).contains("`x` has no visits"));
    let alone = r#""a": {"stats": null}"#;
    assert!(message("alone", alone).contains("no moves"));
    let chance = format!(r#""a": {{"chance": ["b", "c"], "stats": null}}, {B}, {C}"#);
    assert!(message("chance", &chance).contains("two players"));
}

#[test]
fn other_trees_are_no_exercises_and_exercises_cannot_be_searched() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trees/coin.json");
    assert_eq!(of_file(path).unwrap(), None);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trees/ucb1-exercise.json");
    let game = tussle_catalog::game(&format!("tree:file={path}")).unwrap();
    let refused =
        explain(game.as_ref(), game.start().as_ref(), "alphabeta", &Budget::unlimited(), 1);
    let why = refused.unwrap_err().to_string();
    assert!(why.contains("a tree without values") && why.contains("d, e, f, g, h"), "{why}");
}
