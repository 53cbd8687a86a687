//! Drawings and where their marks go.

use tussle_core::{Anchor, Choice, Drawn, Form, Game, Ink, Row, Scene};

use crate::toys::Cells;

#[test]
fn a_mark_goes_to_the_last_click() {
    let game = Cells::default();
    let start = game.start();
    assert_eq!((game.landing(&start, 2), game.target(&start, 2)), (Some(2), Some(2)));
    assert_eq!((game.landing(&start, 0), game.target(&start, 0)), (None, None));
}

#[test]
fn a_scene_collects_shapes_spots_and_rows() {
    let mut scene = Scene::new(4.0, 2.0);
    assert_eq!((scene.width, scene.height, scene.shapes.len()), (4.0, 2.0, 0));
    scene.rect(1.0, 2.0, 3.0, 4.0, Ink::Board);
    scene.disc(0.5, 0.25, 0.125, Ink::Player(1));
    scene.line((0.0, 1.0), (2.0, 3.0), 0.1, Ink::Grid);
    scene.label(1.5, 0.5, 0.3, "7", Ink::Text);
    let shape = |i: usize| (&scene.shapes[i].form, scene.shapes[i].fill, scene.shapes[i].stroke);
    let rect = Form::Rect { x: 1.0, y: 2.0, w: 3.0, h: 4.0, round: 0.0 };
    assert_eq!(shape(0), (&rect, Some(Ink::Board), None));
    let disc = Form::Circle { x: 0.5, y: 0.25, r: 0.125 };
    assert_eq!(shape(1), (&disc, Some(Ink::Player(1)), None));
    let line = Form::Polyline(vec![(0.0, 1.0), (2.0, 3.0)]);
    assert_eq!(shape(2), (&line, None, Some((Ink::Grid, 0.1))));
    let (anchor, text) = (Anchor::Middle, "7".to_owned());
    let label = Form::Text { x: 1.5, y: 0.5, size: 0.3, anchor, bold: false, text };
    assert_eq!(shape(3), (&label, Some(Ink::Text), None));
    assert_eq!(scene.spot("a1", 0.0, 1.0, 2.0, 3.0), 0);
    assert_eq!(scene.spot("b1", 1.0, 1.0, 1.0, 1.0), 1);
    let spot = &scene.spots[0];
    assert_eq!((spot.name.as_str(), spot.x, spot.y, spot.w, spot.h), ("a1", 0.0, 1.0, 2.0, 3.0));
    assert_eq!(scene.choices, Vec::<Choice>::new());
    let mut row = Row::from("ab ");
    row.push(Ink::Accent, "c  ");
    scene.rows = vec![row, Row::default(), "  ".into()];
    assert_eq!(scene.text(), "ab c\n\n\n");
    assert_eq!((scene.rows[0].0[0].ink, scene.rows[0].0[1].ink), (Ink::Text, Ink::Accent));
}
