//! Exercises about UCB1.

use std::f64::consts::SQRT_2;

use super::*;

fn of_file(path: &str) -> Result<Option<Exercise>, ExerciseError> {
    let game = tussle_catalog::game(&format!("tree:file={path}")).unwrap();
    exercise(game.as_ref(), game.start().as_ref(), SQRT_2)
}

/// Solves the exercise of a tree with these nodes.
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
fn the_solution_equals_the_published_one() {
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
fn missing_numbers_are_derived_in_sentences() {
    assert_eq!(
        ucb1().derivation,
        [
            "Every visit of a went on to one of its children: d has 50 - 39 - 6 = 5 visits.",
            "The children of a win the games that a does not win: 50 - 15 = 35. d has 35 - 33 - 1 = 1 of them.",
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

/// In the tree of a search, each inner node has one more visit than its children: its first.
#[test]
fn the_first_visit_of_a_node_needs_no_child() {
    let nodes =
        format!(r#""a": {{"max": ["b", "c"], "stats": {{"wins": 4, "visits": 11}}}}, {B}, {C}"#);
    assert!(of_text("own", &nodes).unwrap().unwrap().contradictions.is_empty());
    let nodes =
        format!(r#""a": {{"max": ["b", "c"], "stats": {{"wins": 4, "visits": 12}}}}, {B}, {C}"#);
    let found = of_text("off", &nodes).unwrap().unwrap().contradictions;
    assert_eq!(found, ["a has 12 visits, but b + c have 8 + 2 = 10 together."]);
}

/// An unvisited leaf has the largest bound, as in the search, and is simulated itself.
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
fn numbers_that_cannot_be_derived_are_rejected_with_the_reason() {
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
    assert!(message("alone", alone).contains("at least one move"));
    let chance = format!(r#""a": {{"chance": ["b", "c"], "stats": null}}, {B}, {C}"#);
    assert!(message("chance", &chance).contains("two players"));
}

#[test]
fn other_trees_give_no_exercise_and_exercises_cannot_be_searched() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trees/coin.json");
    assert_eq!(of_file(path).unwrap(), None);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trees/ucb1-exercise.json");
    let game = tussle_catalog::game(&format!("tree:file={path}")).unwrap();
    let refused = explain(game.as_ref(), game.start().as_ref(), "alphabeta", &Limits::none(), 1);
    let why = refused.unwrap_err().to_string();
    assert!(why.contains("a tree without values") && why.contains("d, e, f, g, h"), "{why}");
}

/// Returns the texts of a picture in the order of drawing: names, then numbers.
fn texts(scene: &tussle_core::Scene) -> Vec<&str> {
    let each = scene.shapes.iter().filter_map(|shape| match &shape.form {
        tussle_core::Form::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    each.collect()
}

#[test]
fn the_pictures_show_the_tree_before_and_after_each_update() {
    let pictures = ucb1().pictures();
    let captions: Vec<&str> = pictures.iter().map(|(caption, _)| caption.as_str()).collect();
    assert_eq!(captions.len(), 7, "{captions:?}");
    assert_eq!(captions[0], "The numbers of d are missing.");
    assert!(captions[1].ends_with("So d is 1/5."), "{}", captions[1]);
    assert_eq!(captions[3], "Expand f, the largest leaf anywhere: 1.458.");
    assert_eq!(
        captions[4],
        "A new child below f is tried, and the player who moved there loses: \
         new child 0/1, f 6/10, b 33/40, a 16/51."
    );
    assert_eq!(
        captions[5],
        "Expand d, as UCT does, strictly from the top down: d 1.451 before b 1.294, c 1.309."
    );
    let has = |picture: usize, expected: &[&str]| {
        let texts = texts(&pictures[picture].1);
        for text in expected {
            assert!(texts.contains(text), "{picture}: {text} is not among {texts:?}");
        }
    };
    has(0, &["a", "15/50", "b", "33/39", "d", "?"]);
    has(1, &["d", "1/5"]);
    for before in [2, 3, 5] {
        has(before, &["15/50", "33/39", "UCB1 1.294", "1/5", "UCB1 1.451", "5/9", "UCB1 1.458"]);
        assert!(!texts(&pictures[before].1).contains(&"new"));
    }
    // ln 51 and ln 40 instead of ln 50 and ln 39.
    has(4, &["15/50 → 16/51", "33/39 → 33/40", "5/9 → 6/10", "new", "0/1", "UCB1 1.459", "1/5"]);
    has(6, &["15/50 → 15/51", "1/5 → 2/6", "33/39", "5/9", "new", "0/1"]);
}

#[test]
fn the_pictures_mark_the_path_and_keep_node_positions() {
    use tussle_core::{Form, Ink};
    let pictures = ucb1().pictures();
    let marked = |picture: usize| {
        let lines = pictures[picture].1.shapes.iter().filter(|shape| {
            matches!(shape.form, Form::Polyline(_))
                && shape.stroke.is_some_and(|(ink, _)| ink == Ink::Accent)
        });
        lines.count()
    };
    // a-b-f and its child; a-d and its child.
    assert_eq!((0..7).map(marked).collect::<Vec<_>>(), [0, 0, 0, 2, 3, 1, 2]);
    let places = |picture: usize| {
        pictures[picture].1.spots.iter().map(|spot| (spot.x, spot.y)).collect::<Vec<_>>()
    };
    assert!((1..7).all(|picture| places(picture) == places(0)));
}

#[test]
fn an_unvisited_leaf_is_simulated_without_a_new_child() {
    let nodes = r#""a": {"max": ["b", "c"], "stats": {"wins": 1, "visits": 3}},
        "b": {"stats": {"wins": 2, "visits": 3}}, "c": {"stats": {"wins": 0, "visits": 0}}"#;
    let worked = of_text("tried-first", nodes).unwrap().unwrap();
    let pictures = worked.pictures();
    let last = texts(&pictures.last().unwrap().1);
    assert!(last.contains(&"0/0 → 0/1") && last.contains(&"1/3 → 2/4"), "{last:?}");
    assert!(pictures.iter().all(|(_, scene)| !texts(scene).contains(&"new")));
    assert!(texts(&pictures[0].1).contains(&"UCB1 ∞"));
}

#[test]
fn the_page_of_an_exercise_has_every_picture() {
    let worked = ucb1();
    let page = worked.page("tree:file=examples/trees/ucb1-exercise.json");
    assert!(page.contains("<title>UCB1 by hand: ucb1-exercise</title>"));
    let (_, rest) = page.split_once("type=\"application/json\">").unwrap();
    let data: serde_json::Value =
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let lines = data["narration"].as_array().unwrap();
    let captions: Vec<&str> = lines[1..].iter().map(|line| line[0].as_str().unwrap()).collect();
    let pictures = worked.pictures();
    assert_eq!(captions, pictures.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>());
    let slots = data["slots"].as_array().unwrap();
    let place = |label: &str| slots.iter().position(|slot| slot["label"] == label).unwrap();
    // The update after f: number, status, notes.
    let changes = lines[5][3].as_array().unwrap();
    let change = changes.iter().find(|change| change[0] == place("f")).unwrap();
    assert_eq!(change[2], "5/9 → 6/10");
    assert_eq!(data["note"], worked.contradictions.join(" "));
}

#[test]
fn an_exercise_reads_its_file_once() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trees/ucb1-exercise.json");
    let copy = std::env::temp_dir().join(format!("tussle-exercise-{}.json", std::process::id()));
    std::fs::copy(example, &copy).unwrap();
    let game = tussle_catalog::game(&format!("tree:file={}", copy.display())).unwrap();
    std::fs::remove_file(&copy).unwrap();
    let solved = exercise(game.as_ref(), game.start().as_ref(), 1.0).unwrap();
    assert!(solved.is_some_and(|exercise| exercise.nodes.len() > 3));
    // The leaves have no values; the error does not need the file again.
    let searched = explain(game.as_ref(), game.start().as_ref(), "mcts", &Limits::none(), 1);
    assert!(searched.unwrap_err().to_string().contains("a tree without values"));
}
