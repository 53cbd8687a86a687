//! The lectures' examples, told as the lectures tell them.

use super::*;

fn told(file: &str, agent: &str, budget: &Budget) -> Explanation {
    let path = format!("{}/../../examples/trees/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let game = tussle_catalog::game(&format!("tree:file={path}")).unwrap();
    explain(game.as_ref(), game.start().as_ref(), agent, budget, 1).unwrap()
}

#[test]
fn alpha_beta_is_told_as_in_the_lecture() {
    let told = told("lecture-alphabeta", "alphabeta:order=none", &Budget::unlimited());
    let lines: Vec<String> = story(&told).into_iter().map(|beat| beat.text).collect();
    assert_eq!(
        lines[1..],
        [
            "A (MAX) (-inf, +inf)",
            "B (MIN) (-inf, +inf)",
            "D (MAX) (-inf, +inf)",
            "H = 4",
            "D: alpha 4 by H, now (4, +inf)",
            "I = 8",
            "D: alpha 8 by I, now (8, +inf)",
            "D = 8",
            "B: beta 8 by D, now (-inf, 8)",
            "E (MAX) (-inf, 8)",
            "J = 9",
            "E: K pruned: beta is reached, MIN has better above",
            "E = 9",
            "B = 8",
            "A: alpha 8 by B, now (8, +inf)",
            "C (MIN) (8, +inf)",
            "F (MAX) (8, +inf)",
            "L = 2",
            "M = -2",
            "F = 2",
            "C: G pruned: alpha is reached, MAX has better above",
            "C = 2",
            "A = 8",
        ]
    );
    assert_eq!(told.report.lines[0].mv, "B");
}

#[test]
fn monte_carlo_is_told_as_in_the_lecture() {
    let told = told("lecture-mcts", "mcts:c=2", &Budget::default().nodes(4));
    let story: Vec<String> = story(&told).into_iter().map(|beat| beat.text).collect();
    let story = story.join("\n");
    for number in ["21.6651", "11.6651", "11.4823", "12.0963"] {
        assert!(story.contains(number), "{number}");
    }
    assert_eq!(told.report.lines[0].mv, "s2");
}

#[test]
fn pictures_show_what_is_pruned() {
    let told = told("lecture-alphabeta", "alphabeta:order=none", &Budget::unlimited());
    let picture = tussle_view::svg(&told.picture(told.steps.len()), tussle_view::Theme::Light);
    if let Ok(path) = std::env::var("TUSSLE_PICTURE") {
        std::fs::write(path, tussle_view::png(&picture, 2.0).unwrap()).unwrap();
    }
    assert!(picture.contains(">K</text>"));
}
