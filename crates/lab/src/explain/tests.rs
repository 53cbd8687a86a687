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
    for line in story(&told) {
        println!("{line}");
    }
    assert_eq!(told.report.lines[0].mv, "B");
}

#[test]
fn monte_carlo_is_told_as_in_the_lecture() {
    let told = told("lecture-mcts", "mcts:c=2", &Budget::default().nodes(4));
    let story = story(&told).join("\n");
    println!("{story}");
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
