//! Helpers for drawings and texts of rectangular boards.

use tussle_core::{Anchor, Form, Ink, Row, Scene};

/// Room for coordinates at the left and lower edge of a drawing, in cells.
pub(crate) const MARGIN: f32 = 0.5;

/// Returns the algebraic name of a cell, such as `a1` for (0, 0). Columns count from the left,
/// rows from the bottom, both from 0.
pub(crate) fn cell_name(column: usize, row: usize) -> String {
    format!("{}{}", column_name(column), row + 1)
}

/// Returns the letter of a column.
pub(crate) fn column_name(column: usize) -> char {
    (b'a' + column as u8) as char
}

/// Maps a cell of a square board, numbered row by row, under symmetry `s` (0 to 7): bit 0 of `s`
/// mirrors the columns, bit 1 mirrors the rows, and bit 2 then swaps rows and columns.
pub(crate) fn reflect_square(side: usize, cell: usize, s: usize) -> usize {
    let (mut c, mut r) = (cell % side, cell / side);
    if s & 1 != 0 {
        c = side - 1 - c;
    }
    if s & 2 != 0 {
        r = side - 1 - r;
    }
    if s & 4 != 0 {
        (c, r) = (r, c);
    }
    side * r + c
}

/// Creates a scene with an empty board of square cells and coordinates outside it. The upper left
/// corner of the board is at ([`MARGIN`], 0).
pub(crate) fn grid_scene(columns: usize, rows: usize) -> Scene {
    let (w, h) = (columns as f32, rows as f32);
    let mut scene = Scene::new(w + MARGIN, h + MARGIN);
    scene.rect(MARGIN, 0.0, w, h, Ink::Board);
    for c in 0..=columns {
        let x = MARGIN + c as f32;
        scene.line((x, 0.0), (x, h), 0.03, Ink::Grid);
    }
    for r in 0..=rows {
        let y = r as f32;
        scene.line((MARGIN, y), (MARGIN + w, y), 0.03, Ink::Grid);
    }
    for c in 0..columns {
        let x = MARGIN + c as f32 + 0.5;
        scene.label(x, h + MARGIN * 0.5, 0.28, column_name(c), Ink::Faint);
    }
    for r in 0..rows {
        scene.label(MARGIN * 0.5, r as f32 + 0.5, 0.28, (rows - r).to_string(), Ink::Faint);
    }
    scene
}

/// Adds a spot for every cell, row by row from the upper left. `name` gets the column and the row,
/// counted from the bottom, and returns the name of the spot.
pub(crate) fn cell_spots(
    scene: &mut Scene,
    columns: usize,
    rows: usize,
    name: impl Fn(usize, usize) -> String,
) {
    for r in 0..rows {
        for c in 0..columns {
            scene.spot(name(c, rows - 1 - r), MARGIN + c as f32, r as f32, 1.0, 1.0);
        }
    }
}

/// Adds the terminal drawing of a board: rows with their numbers, and the column letters below.
/// `cell` gets the column and the row, counted from the bottom.
pub(crate) fn text_rows(
    scene: &mut Scene,
    columns: usize,
    rows: usize,
    cell: impl Fn(usize, usize) -> (Ink, char),
) {
    let digits = rows.to_string().len();
    for r in (0..rows).rev() {
        let mut line = Row::default();
        line.push(Ink::Faint, format!("{:>digits$} ", r + 1));
        for c in 0..columns {
            let (ink, symbol) = cell(c, r);
            line.push(ink, format!(" {symbol}"));
        }
        scene.rows.push(line);
    }
    let mut line = Row::default();
    line.push(Ink::Faint, " ".repeat(digits + 1));
    for c in 0..columns {
        line.push(Ink::Faint, format!(" {}", column_name(c)));
    }
    scene.rows.push(line);
}

/// Adds a bold text centred at (`x`, `y`), such as the label of a piece.
pub(crate) fn bold_label(scene: &mut Scene, x: f32, y: f32, size: f32, text: &str, ink: Ink) {
    let (anchor, text) = (Anchor::Middle, text.to_owned());
    scene.shape(Form::Text { x, y, size, anchor, bold: true, text }, Some(ink), None);
}
