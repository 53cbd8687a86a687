//! The board as four plates with a gap between them, and buttons for the twists.

use std::f32::consts::{FRAC_PI_2, PI};

use tussle_core::{Drawn, Form, Ink, Row, Scene};

use super::board::{BITS, CELLS, SIDE, WINDOWS, bit, has_five, place, twisted};
use super::notation::{SYMBOLS, bit_name, owner};
use super::plate::{FLIP, LEFT, STAY};
use super::{Move, Quadrants, State, Twists};
use crate::board::{MARGIN, column_name};

/// What a plate is wider than its cells, on every side.
const RIM: f32 = 0.1;
/// Between two plates.
const GAP: f32 = 0.16;
/// A plate with its rims.
const PLATE: f32 = 3.0 + 2.0 * RIM;
/// A button is a square with sides of this length.
const BUTTON: f32 = 0.8;
/// Height of the strips above and below the board, where the buttons are.
const STRIP: f32 = BUTTON + 0.16;

/// Height of the drawing: strip, plates, column letters, strip.
const HEIGHT: f32 = STRIP + 2.0 * PLATE + GAP + MARGIN + STRIP;

/// The upper left corner of a plate.
fn plate_corner(plate: usize) -> (f32, f32) {
    let step = PLATE + GAP;
    (MARGIN + step * (plate % 2) as f32, STRIP + step * (plate / 2) as f32)
}

/// The upper left corner of a cell.
fn cell_corner(bit: usize) -> (f32, f32) {
    let (x, y) = plate_corner(bit / 16);
    (x + RIM + (bit % 3) as f32, y + RIM + (bit % 16 / 3) as f32)
}

fn cell_centre(bit: usize) -> (f32, f32) {
    let (x, y) = cell_corner(bit);
    (x + 0.5, y + 0.5)
}

/// The upper left corner of a button: side by side at the outer end of the strip beside its
/// plate.
fn button_corner(twist: usize) -> (f32, f32) {
    let plate = twist / 2;
    let (x, y) = plate_corner(plate);
    let beside = (BUTTON + 0.12) * (twist % 2) as f32;
    let x = if plate % 2 == 0 { x + beside } else { x + PLATE - 2.0 * BUTTON - 0.12 + beside };
    let y = if plate < 2 { y - STRIP } else { y + PLATE + MARGIN + STRIP - BUTTON };
    (x, y)
}

/// An arrow's head with its point at `tip`, looking along `angle`; angles grow clockwise from
/// the right.
fn paint_head(scene: &mut Scene, tip: (f32, f32), angle: f32) {
    let corner = |side: f32| {
        let (sin, cos) = (angle + PI + 0.6 * side).sin_cos();
        (tip.0 + 0.24 * cos, tip.1 + 0.24 * sin)
    };
    let head = Form::Polygon(vec![tip, corner(1.0), corner(-1.0)]);
    scene.shape(head, Some(Ink::Text), None);
}

/// The arrow of a twist around this point.
fn paint_arrow(scene: &mut Scene, (x, y): (f32, f32), motion: usize) {
    let pen = Some((Ink::Text, 0.07));
    if motion == FLIP {
        let shaft = vec![(x - 0.16, y), (x + 0.16, y)];
        scene.shape(Form::Polyline(shaft), None, pen);
        paint_head(scene, (x + 0.31, y), 0.0);
        paint_head(scene, (x - 0.31, y), PI);
        // The axis it is flipped about.
        for side in [-1.0, 1.0] {
            scene.line((x, y + 0.13 * side), (x, y + 0.29 * side), 0.05, Ink::Faint);
        }
        return;
    }
    // Most of a circle, clockwise up to the right end of it; mirrored for a turn to the left.
    let side = if motion == LEFT { -1.0 } else { 1.0 };
    let radius = 0.23;
    let at = |angle: f32| (x + side * radius * angle.cos(), y + radius * angle.sin());
    let arc = (0..=24).map(|i| at(-0.3 - 4.9 * i as f32 / 24.0)).collect();
    scene.shape(Form::Polyline(arc), None, pen);
    let tip = (x + side * (radius + 0.01), y + 0.13);
    paint_head(scene, tip, FRAC_PI_2 + 0.1 * side);
}

/// The stones of every line of five.
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
        for plate in 0..4 {
            // Its number stands beside the button that is nearer to the middle.
            let inner = if plate % 2 == 0 { 2 * plate + 1 } else { 2 * plate };
            let (x, y) = button_corner(inner);
            let beside = if plate % 2 == 0 { BUTTON + 0.25 } else { -0.25 };
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

/// What stands before a column of the terminal drawing.
fn column_gap(column: usize) -> &'static str {
    if column == SIDE / 2 { "   " } else { " " }
}

/// The spot of a cell: they stand row by row from the upper left.
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

    /// The cell and then the twist.
    fn clicks(&self, _: &State, mv: Move) -> Vec<usize> {
        vec![cell_spot(mv.bit()), CELLS + mv.twist()]
    }

    /// Where the stone is after the twist.
    fn landing(&self, state: &State, mv: Move) -> Option<usize> {
        let stone = 1 << mv.bit();
        let wins = self.early && has_five(state.stones[state.mover()] | stone);
        let motion = if wins { STAY } else { T::MOTIONS[mv.kind()] };
        Some(cell_spot(twisted(stone, mv.plate(), motion).trailing_zeros() as usize))
    }
}
