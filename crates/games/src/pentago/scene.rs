//! Drawing of the board as four separate plates, with buttons for the twists.

use std::f32::consts::{FRAC_PI_2, PI};

use tussle_core::{Drawn, Form, Ink, Row, Scene};

use super::board::{BITS, CELLS, SIDE, WINDOWS, bit, has_five, place, twisted};
use super::notation::{SYMBOLS, bit_name, owner};
use super::plate::{FLIP, IDENTITY, LEFT};
use super::{Move, Quadrants, State, Twists};
use crate::board::{MARGIN, column_name};

/// Width of the rim of a plate around its cells.
const RIM: f32 = 0.1;
/// Distance between two plates.
const GAP: f32 = 0.16;
/// Side of a plate with its rims.
const PLATE: f32 = 3.0 + 2.0 * RIM;
/// Side of a button.
const BUTTON: f32 = 0.8;
/// Height of the strips above and below the board that contain the buttons.
const STRIP: f32 = BUTTON + 0.16;

/// Height of the drawing: strip, plates, column letters, strip.
const HEIGHT: f32 = STRIP + 2.0 * PLATE + GAP + MARGIN + STRIP;

/// Returns the upper left corner of a plate.
fn plate_corner(plate: usize) -> (f32, f32) {
    let step = PLATE + GAP;
    (MARGIN + step * (plate % 2) as f32, STRIP + step * (plate / 2) as f32)
}

/// Returns the upper left corner of a cell.
fn cell_corner(bit: usize) -> (f32, f32) {
    let (x, y) = plate_corner(bit / 16);
    let (column, row) = place(bit);
    (x + RIM + (column % 3) as f32, y + RIM + (row % 3) as f32)
}

fn cell_centre(bit: usize) -> (f32, f32) {
    let (x, y) = cell_corner(bit);
    (x + 0.5, y + 0.5)
}

/// Returns the upper left corner of a button. The two buttons of a plate are side by side, at the
/// outer end of the strip beside the plate.
fn button_corner(twist: usize) -> (f32, f32) {
    let plate = twist / 2;
    let (x, y) = plate_corner(plate);
    let beside = (BUTTON + 0.12) * (twist % 2) as f32;
    let x =
        if plate.is_multiple_of(2) { x + beside } else { x + PLATE - 2.0 * BUTTON - 0.12 + beside };
    let y = if plate < 2 { y - STRIP } else { y + PLATE + MARGIN + STRIP - BUTTON };
    (x, y)
}

/// Draws an arrowhead at `tip` that points along `angle`. Angles grow clockwise from the right.
fn paint_head(scene: &mut Scene, tip: (f32, f32), angle: f32) {
    let corner = |side: f32| {
        let (sin, cos) = (angle + PI + 0.6 * side).sin_cos();
        (tip.0 + 0.24 * cos, tip.1 + 0.24 * sin)
    };
    let head = Form::Polygon(vec![tip, corner(1.0), corner(-1.0)]);
    scene.shape(head, Some(Ink::Text), None);
}

/// Draws the arrow of a twist around a point.
fn paint_arrow(scene: &mut Scene, (x, y): (f32, f32), motion: usize) {
    let pen = Some((Ink::Text, 0.07));
    if motion == FLIP {
        let shaft = vec![(x - 0.16, y), (x + 0.16, y)];
        scene.shape(Form::Polyline(shaft), None, pen);
        paint_head(scene, (x + 0.31, y), 0.0);
        paint_head(scene, (x - 0.31, y), PI);
        // Axis of the flip.
        for side in [-1.0, 1.0] {
            scene.line((x, y + 0.13 * side), (x, y + 0.29 * side), 0.05, Ink::Faint);
        }
        return;
    }
    // Most of a circle that ends on the right, drawn clockwise; mirrored for a turn to the left.
    let side = if motion == LEFT { -1.0 } else { 1.0 };
    let radius = 0.23;
    let at = |angle: f32| (x + side * radius * angle.cos(), y + radius * angle.sin());
    let arc = (0..=24).map(|i| at(-0.3 - 4.9 * i as f32 / 24.0)).collect();
    scene.shape(Form::Polyline(arc), None, pen);
    let tip = (x + side * (radius + 0.01), y + 0.13);
    paint_head(scene, tip, FRAC_PI_2 + 0.1 * side);
}

/// Returns the stones of all lines of five.
fn winning_stones(state: &State) -> u64 {
    let complete = |stones: u64| WINDOWS.iter().filter(move |&&w| stones & w == w);
    state.stones.into_iter().flat_map(complete).fold(0, |all, window| all | window)
}

impl<T: Twists> Quadrants<T> {
    fn paint_board(scene: &mut Scene) {
        for plate in 0..4 {
            let (x, y) = plate_corner(plate);
            let form = Form::Rect { x, y, w: PLATE, h: PLATE, round: 0.3 };
            scene.shape(form, Some(Ink::Board), Some((Ink::Grid, 0.05)));
        }
        for &bit in &BITS {
            let (x, y) = cell_centre(bit.into());
            let hollow = Form::Circle { x, y, r: 0.38 };
            scene.shape(hollow, Some(Ink::BoardAlt), Some((Ink::Grid, 0.03)));
        }
        for twist in 0..8 {
            let (x, y) = button_corner(twist);
            let form = Form::Rect { x, y, w: BUTTON, h: BUTTON, round: 0.2 };
            scene.shape(form, Some(Ink::Board), Some((Ink::Grid, 0.03)));
        }
        for twist in 0..8 {
            let (x, y) = button_corner(twist);
            let centre = (x + 0.5 * BUTTON, y + 0.5 * BUTTON);
            paint_arrow(scene, centre, T::MOTIONS[twist % 2]);
        }
        // The number of a plate is beside the one of its buttons that is nearer to the middle.
        for (plate, button, beside) in
            [(0, 1, BUTTON + 0.25), (1, 2, -0.25), (2, 5, BUTTON + 0.25), (3, 6, -0.25)]
        {
            let (x, y) = button_corner(button);
            scene.label(x + beside, y + 0.5 * BUTTON, 0.28, plate.to_string(), Ink::Faint);
        }
        for i in 0..SIDE {
            let (x, _) = cell_centre(bit(i, 0));
            let (_, y) = cell_centre(bit(0, i));
            let below = plate_corner(2).1 + PLATE + 0.5 * MARGIN;
            scene.label(x, below, 0.28, column_name(i), Ink::Faint);
            scene.label(0.4 * MARGIN, y, 0.28, (SIDE - i).to_string(), Ink::Faint);
        }
    }

    fn paint_stones(scene: &mut Scene, state: &State) {
        let winning = winning_stones(state);
        for &bit in &BITS {
            let Some(player) = owner(state, bit.into()) else { continue };
            let (x, y) = cell_centre(bit.into());
            scene.disc(x, y, 0.36, Ink::Player(player as u8));
            if winning >> bit & 1 != 0 {
                let ring = Form::Circle { x, y, r: 0.32 };
                scene.shape(ring, None, Some((Ink::Accent, 0.08)));
            }
        }
    }

    fn text_rows(scene: &mut Scene, state: &State) {
        for r in 0..SIDE {
            if r == SIDE / 2 {
                scene.rows.push(Row::default());
            }
            let mut row = Row::default();
            row.push(Ink::Faint, format!("{} ", SIDE - r));
            for c in 0..SIDE {
                let (ink, symbol) = match owner(state, bit(c, r)) {
                    Some(player) => (Ink::Player(player as u8), SYMBOLS[player]),
                    None => (Ink::Faint, '.'),
                };
                row.push(ink, format!("{}{symbol}", column_gap(c)));
            }
            scene.rows.push(row);
        }
        let mut row = Row::default();
        row.push(Ink::Faint, "  ");
        for c in 0..SIDE {
            row.push(Ink::Faint, format!("{}{}", column_gap(c), column_name(c)));
        }
        scene.rows.push(row);
    }
}

/// Returns the space before a column of the terminal drawing.
fn column_gap(column: usize) -> &'static str {
    if column == SIDE / 2 { "   " } else { " " }
}

/// Returns the spot of a cell; spots are numbered row by row from the upper left.
fn cell_spot(bit: usize) -> usize {
    let (column, row) = place(bit);
    SIDE * row + column
}

impl<T: Twists> Drawn for Quadrants<T> {
    fn scene(&self, state: &State) -> Scene {
        let mut scene = Scene::new(MARGIN + 2.0 * PLATE + GAP, HEIGHT);
        Self::paint_board(&mut scene);
        Self::paint_stones(&mut scene, state);
        for &bit in &BITS {
            let (x, y) = cell_corner(bit.into());
            scene.spot(bit_name(bit.into()), x, y, 1.0, 1.0);
        }
        for twist in 0..8 {
            let (x, y) = button_corner(twist);
            let name = format!("quadrant {} {}", twist / 2, T::NAMES[twist % 2]);
            scene.spot(name, x, y, BUTTON, BUTTON);
        }
        Self::text_rows(&mut scene, state);
        scene
    }

    /// Returns the spots of the cell and of the twist.
    fn clicks(&self, _: &State, mv: Move) -> Vec<usize> {
        vec![cell_spot(mv.bit()), CELLS + mv.twist()]
    }

    /// Returns the spot of the stone after the twist.
    fn landing(&self, state: &State, mv: Move) -> Option<usize> {
        let stone = 1 << mv.bit();
        let wins = self.early && has_five(state.stones[state.mover()] | stone);
        let motion = if wins { IDENTITY } else { T::MOTIONS[mv.kind()] };
        Some(cell_spot(twisted(stone, mv.plate(), motion).trailing_zeros() as usize))
    }

    /// Returns the spot on which the stone is placed. It can differ from
    /// [`landing`](Self::landing), and the landing spot may be occupied before the twist.
    fn target(&self, _: &State, mv: Move) -> Option<usize> {
        Some(cell_spot(mv.bit()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{EARLY_WINS, LATE_WINS, TWIST, legal};
    use super::*;
    use tussle_core::{Game, Notation};

    #[test]
    fn the_terminal_shows_four_plates() {
        let state = TWIST.parse_position("x....o/....../...x../..o.../....../.....x o").unwrap();
        let expected = "\
            6  x . .   . . o\n\
            5  . . .   . . .\n\
            4  . . .   x . .\n\
            \n\
            3  . . o   . . .\n\
            2  . . .   . . .\n\
            1  . . .   . . x\n   a b c   d e f\n";
        assert_eq!(TWIST.scene(&state).text(), expected);
    }

    #[test]
    fn a_move_is_a_click_on_the_cell_and_a_click_on_the_twist() {
        let state = TWIST.start();
        let spots = TWIST.scene(&state).spots;
        assert_eq!(spots.len(), 36 + 8);
        for pair in spots[..36].windows(2).filter(|pair| !pair[1].name.starts_with('a')) {
            assert!(pair[0].x + 1.0 <= pair[1].x && pair[0].y == pair[1].y, "{pair:?}");
        }
        for pair in spots[..36].chunks(6).collect::<Vec<_>>().windows(2) {
            assert!(pair[0][0].y + 1.0 <= pair[1][0].y && pair[0][0].x == pair[1][0].x);
        }
        for mv in legal(&TWIST, &state) {
            let names: Vec<&str> = TWIST
                .clicks(&state, mv)
                .into_iter()
                .map(|spot| spots[spot].name.as_str())
                .collect();
            let text = TWIST.move_text(&state, mv);
            let (cell, twist) = text.split_once(':').unwrap();
            let twist = twist.replace('r', " right").replace('f', " flip");
            assert_eq!(names, [cell, &format!("quadrant {twist}")]);
        }
    }

    #[test]
    fn landing_is_the_cell_of_the_stone_after_the_twist() {
        let landing = |rules: super::super::Pentago, position: &str, text: &str| {
            let state = rules.parse_position(position).unwrap();
            let mv = rules.parse_move(&state, text).unwrap();
            rules.scene(&state).spots[rules.landing(&state, mv).unwrap()].name.clone()
        };
        let start = "....../....../....../....../....../...... x";
        assert_eq!(landing(LATE_WINS, start, "a6:0r"), "c6");
        assert_eq!(landing(LATE_WINS, start, "a6:0l"), "a4");
        assert_eq!(landing(LATE_WINS, start, "a6:1l"), "a6");
        assert_eq!(landing(LATE_WINS, start, "f1:3r"), "d1");
        // No twist follows an early win.
        let four = "xxxx../....../....../....../o...../ooo... x";
        assert_eq!(landing(LATE_WINS, four, "e6:1r"), "f5");
        assert_eq!(landing(EARLY_WINS, four, "e6:1r"), "e6");
    }

    #[test]
    fn winning_stones_have_rings_and_are_drawn_above_the_board() {
        let scene = |text: &str| EARLY_WINS.scene(&EARLY_WINS.parse_position(text).unwrap());
        let rings = |scene: &Scene| {
            let accent = |shape: &&tussle_core::Shape| {
                shape.stroke.is_some_and(|(ink, _)| ink == Ink::Accent)
            };
            scene.shapes.iter().filter(accent).count()
        };
        assert_eq!(rings(&scene("xxxx../....../....../....../o...../ooo... x")), 0);
        let won = scene("xxxxx./....../....../....../o...../ooo... o");
        assert_eq!(rings(&won), 5);
        assert_eq!(rings(&scene("ooooo./xxxxx./....../....../....../.....x o")), 10);
        let ground = |ink| matches!(ink, Some(Ink::Board | Ink::BoardAlt));
        let last_cell = won.shapes.iter().rposition(|shape| ground(shape.fill)).unwrap();
        let piece = |ink| matches!(ink, Some(Ink::Player(_)));
        assert!(won.shapes[..last_cell].iter().all(|shape| !piece(shape.fill)));
    }
}
