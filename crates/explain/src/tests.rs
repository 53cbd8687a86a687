//! Tests on the examples of the lectures and on other games.

mod agents;
mod exercises;
mod lecture;
mod states;
mod truth;

use tussle_catalog::recording::{NodeKind, Step};
use tussle_core::Limits;

use crate::*;

/// Explains a search of one of the example trees.
fn told(file: &str, agent: &str, limits: &Limits) -> Explanation {
    let path = format!("{}/../../examples/trees/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let game = tussle_catalog::game(&format!("tree:file={path}")).unwrap();
    explain(game.as_ref(), game.start().as_ref(), agent, limits, 1).unwrap()
}

#[test]
fn pictures_show_what_is_pruned() {
    let told = told("lecture-alphabeta", "alphabeta:order=none", &Limits::none());
    let picture = tussle_view::svg(&told.picture(told.steps.len()), tussle_view::Theme::Light);
    if let Ok(path) = std::env::var("TUSSLE_PICTURE") {
        std::fs::write(path, tussle_view::png(&picture, 2.0).unwrap()).unwrap();
    }
    assert!(picture.contains(">K</text>"));
}
