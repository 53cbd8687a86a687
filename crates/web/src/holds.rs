//! What lies on a spot, in words: a screen reader says what eyes see.

use tussle_catalog::turns;
use tussle_core::{Form, Ink, MarkKind, Scene, Shape, Spot};

/// What the drawing shows on a spot: `first's`, `3 of second's`, `blocked, last move`; nothing if it is empty.
pub(crate) fn holds(scene: &Scene, index: usize, players: usize) -> String {
    let spot = &scene.spots[index];
    let here = || scene.shapes.iter().filter(|shape| is_within(spot, middle(&shape.form)));
    let mut said = Vec::new();
    for player in 0..players {
        let count = pieces(here(), player);
        let whose = format!("{}'s", turns::player(players, player));
        match (count, label(here(), player)) {
            (0, _) => {}
            (1, None) => said.push(whose),
            (1, Some(name)) => said.push(format!("{whose} {name}")),
            // A stack that is too high to be drawn carries its height.
            (_, Some(number)) => said.push(format!("{number} of {whose}")),
            (count, None) => said.push(format!("{count} of {whose}")),
        }
    }
    if here().any(|shape| shape.fill == Some(Ink::Blocked)) {
        said.push("blocked".to_owned());
    }
    if scene.marks.iter().any(|mark| mark.spot == index && mark.kind == MarkKind::LastMove) {
        said.push("last move".to_owned());
    }
    said.join(", ")
}

/// How many pieces a player has among these: discs and slabs, or one that is drawn by lines.
fn pieces<'a>(shapes: impl Iterator<Item = &'a Shape>, player: usize) -> usize {
    let is_own =
        |ink: Ink| matches!(ink, Ink::Player(who) | Ink::Stone(who) if usize::from(who) == player);
    let (mut solid, mut lines) = (0, 0);
    for shape in shapes {
        match shape.form {
            Form::Rect { w, h, .. } if w <= h => {} // a die
            Form::Circle { .. } | Form::Rect { .. } if shape.fill.is_some_and(is_own) => solid += 1,
            Form::Circle { .. } | Form::Polyline(_)
                if shape.fill.is_none() && shape.stroke.is_some_and(|(ink, _)| is_own(ink)) =>
            {
                lines = 1;
            }
            _ => {}
        }
    }
    if solid > 0 { solid } else { lines }
}

/// What is written on a player's piece.
fn label<'a>(mut shapes: impl Iterator<Item = &'a Shape>, player: usize) -> Option<&'a str> {
    shapes.find_map(|shape| match (&shape.form, shape.fill) {
        (Form::Text { text, .. }, Some(Ink::OnPlayer(who))) if usize::from(who) == player => {
            Some(text.as_str())
        }
        _ => None,
    })
}

fn is_within(spot: &Spot, (x, y): (f32, f32)) -> bool {
    (spot.x..spot.x + spot.w).contains(&x) && (spot.y..spot.y + spot.h).contains(&y)
}

fn middle(form: &Form) -> (f32, f32) {
    match form {
        Form::Rect { x, y, w, h, .. } => (x + w * 0.5, y + h * 0.5),
        Form::Circle { x, y, .. } | Form::Text { x, y, .. } => (*x, *y),
        Form::Polygon(points) | Form::Polyline(points) => {
            let count = points.len().max(1) as f32;
            let sum = points.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
            (sum.0 / count, sum.1 / count)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the spots of a game hold after some moves, without those that hold nothing.
    fn held(spec: &str, moves: &[&str]) -> Vec<String> {
        let game = tussle_catalog::game(spec).unwrap();
        let mut position = game.start();
        for mv in moves {
            position.play(mv).unwrap();
        }
        let scene = position.scene();
        let all = scene.spots.iter().enumerate().map(|(i, spot)| {
            let held = holds(&scene, i, game.players());
            format!("{}: {held}", spot.name)
        });
        all.filter(|said| !said.ends_with(": ")).collect()
    }

    #[test]
    fn pieces_and_the_last_move_are_said() {
        assert_eq!(held("tictactoe", &["a1", "b2"]), ["b2: second's, last move", "a1: first's"]);
        assert_eq!(held("go:size=5", &["C3", "D3"]), ["C3: first's", "D3: second's, last move"]);
        assert_eq!(held("connect4", &["4", "4", "4"])[0], "column 4: 2 of first's, second's");
    }

    #[test]
    fn pieces_have_their_names_and_stacks_their_heights() {
        let gobblet = held("gobblet", &["B1@4"]);
        assert!(gobblet.contains(&"cell 4: first's B1, last move".to_owned()), "{gobblet:?}");
        assert!(gobblet.contains(&"s1: second's s1".to_owned()), "{gobblet:?}");
        let start = held("backgammon", &["31"]);
        assert_eq!(start.len(), 8, "{start:?}");
        assert!(start.contains(&"point 13: 5 of first's".to_owned()), "{start:?}");
    }
}
