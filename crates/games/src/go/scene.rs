//! Drawing of the board and the stones.

use tussle_core::{Drawn, Form, Ink, Row, Scene};

use super::bits::Bits;
use super::notation::{PASS, SYMBOLS, column_letter};
use super::{Go, Move, NO_POINT, State};

/// Width of the margin with the coordinates around the board, in cells.
const EDGE: f32 = 0.6;
/// Height of the area below the board with the pass button, in cells.
const PASS_AREA_HEIGHT: f32 = 0.8;

/// Returns the lines of one direction that cross at star points. The middle line comes last; an
/// even number of lines has none.
fn stars(lines: usize) -> Vec<usize> {
    let corners = match lines {
        0..8 => vec![],
        8..12 => vec![2, lines - 3],
        _ => vec![3, lines - 4],
    };
    let middle = (lines % 2 == 1).then_some(lines / 2);
    corners.into_iter().chain(middle).collect()
}

/// Returns true if a point is a star point: the centre, points near the corners of boards with 8 or
/// more lines, and points near the middle of the sides of boards with 13 or more lines.
fn is_star(width: usize, height: usize, column: usize, row: usize) -> bool {
    let on_both = stars(width).contains(&column) && stars(height).contains(&row);
    let (mid_column, mid_row) = (2 * column + 1 == width, 2 * row + 1 == height);
    on_both && (mid_column == mid_row || width.min(height) >= 13)
}

impl<const N: usize> Go<N> {
    /// Returns the position of a point in the drawing.
    fn centre(&self, point: u16) -> (f32, f32) {
        let (column, row) = Bits::<N>::place(point);
        let from_top = self.options.height - 1 - row;
        (EDGE + column as f32 + 0.5, EDGE + from_top as f32 + 0.5)
    }

    /// Returns the spot of a point; spots are numbered row by row from the upper left.
    fn spot(&self, point: u16) -> usize {
        let (column, row) = Bits::<N>::place(point);
        (self.options.height - 1 - row) * self.options.width + column
    }

    fn paint_lines(&self, scene: &mut Scene) {
        let (width, height) = (self.options.width, self.options.height);
        let (w, h) = (width as f32, height as f32);
        let board = Form::Rect { x: EDGE, y: EDGE, w, h, round: 0.12 };
        scene.shape(board, Some(Ink::BoardAlt), Some((Ink::Grid, 0.03)));
        let (left, top) = (EDGE + 0.5, EDGE + 0.5);
        let (right, bottom) = (EDGE + w - 0.5, EDGE + h - 0.5);
        for column in 0..width {
            let x = left + column as f32;
            scene.line((x, top), (x, bottom), 0.03, Ink::Faint);
            let letter = column_letter(column);
            scene.label(x, EDGE * 0.5, 0.3, letter, Ink::Faint);
            scene.label(x, EDGE * 1.5 + h, 0.3, letter, Ink::Faint);
        }
        for row in 0..height {
            let y = bottom - row as f32;
            scene.line((left, y), (right, y), 0.03, Ink::Faint);
            let number = (row + 1).to_string();
            scene.label(EDGE * 0.5, y, 0.3, number.clone(), Ink::Faint);
            scene.label(EDGE * 1.5 + w, y, 0.3, number, Ink::Faint);
        }
        self.cells.each(|point| {
            let (column, row) = Bits::<N>::place(point);
            if is_star(width, height, column, row) {
                let (x, y) = self.centre(point);
                scene.disc(x, y, 0.1, Ink::Faint);
            }
        });
    }

    fn paint_stones(&self, state: &State<N>, scene: &mut Scene) {
        for (colour, stones) in state.stones.into_iter().enumerate() {
            stones.each(|point| {
                let (x, y) = self.centre(point);
                let stone = Form::Circle { x, y, r: 0.44 };
                scene.shape(stone, Some(Ink::Stone(colour as u8)), Some((Ink::Text, 0.03)));
            });
        }
        if state.ko != NO_POINT {
            let (x, y) = self.centre(state.ko);
            let square = Form::Rect { x: x - 0.2, y: y - 0.2, w: 0.4, h: 0.4, round: 0.0 };
            scene.shape(square, None, Some((Ink::Accent, 0.07)));
        }
    }

    /// Adds the terminal drawing, with coordinates on all four sides and a `+` on star points.
    fn text_rows(&self, state: &State<N>, scene: &mut Scene) {
        let (width, height) = (self.options.width, self.options.height);
        let digits = height.to_string().len();
        let letters = || {
            let letters: Vec<String> = (0..width).map(|c| column_letter(c).to_string()).collect();
            let mut row = Row::default();
            row.push(Ink::Faint, format!("{} {}", " ".repeat(digits), letters.join(" ")));
            row
        };
        scene.rows.push(letters());
        for r in (0..height).rev() {
            let mut row = Row::default();
            row.push(Ink::Faint, format!("{:>digits$}", r + 1));
            for c in 0..width {
                let point = Bits::<N>::index(c, r);
                let (ink, symbol) = match state.colour_at(point) {
                    Some(colour) => (Ink::Stone(colour as u8), SYMBOLS[colour]),
                    None if point == state.ko => (Ink::Accent, '#'),
                    None if is_star(width, height, c, r) => (Ink::Faint, '+'),
                    None => (Ink::Faint, '.'),
                };
                row.push(ink, format!(" {symbol}"));
            }
            row.push(Ink::Faint, format!(" {}", r + 1));
            scene.rows.push(row);
        }
        scene.rows.push(letters());
    }
}

impl<const N: usize> Drawn for Go<N> {
    fn scene(&self, state: &State<N>) -> Scene {
        let (width, height) = (self.options.width, self.options.height);
        let (w, h) = (width as f32 + 2.0 * EDGE, height as f32 + 2.0 * EDGE);
        let mut scene = Scene::new(w, h + PASS_AREA_HEIGHT);
        self.paint_lines(&mut scene);
        self.paint_stones(state, &mut scene);
        for row in (0..height).rev() {
            for column in 0..width {
                let point = Bits::<N>::index(column, row);
                let (x, y) = self.centre(point);
                scene.spot(Self::vertex(point), x - 0.5, y - 0.5, 1.0, 1.0);
            }
        }
        let (x, y) = (w / 2.0, h + PASS_AREA_HEIGHT / 2.0);
        let button = Form::Rect { x: x - 0.6, y: y - 0.3, w: 1.2, h: 0.6, round: 0.3 };
        scene.shape(button, Some(Ink::Board), Some((Ink::Grid, 0.03)));
        scene.label(x, y, 0.32, PASS, Ink::Text);
        scene.spot(PASS, x - 0.6, y - 0.3, 1.2, 0.6);
        self.text_rows(state, &mut scene);
        scene
    }

    fn clicks(&self, _: &State<N>, mv: Move) -> Vec<usize> {
        vec![if mv == Move::PASS { self.cells.count() as usize } else { self.spot(mv.0) }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Options;
    use tussle_core::{Game, Notation};

    fn star_points(size: usize) -> Vec<String> {
        let rules = Go::<8>::new(&Options::sized(size, size)).unwrap();
        let mut stars = Vec::new();
        rules.cells.each(|point| {
            let (column, row) = Bits::<8>::place(point);
            if is_star(size, size, column, row) {
                stars.push(Go::<8>::vertex(point));
            }
        });
        stars
    }

    #[test]
    fn star_points_depend_on_the_board_size() {
        assert_eq!(star_points(5), ["C3"]);
        assert_eq!(star_points(6), [""; 0]);
        assert_eq!(star_points(9), ["C3", "G3", "E5", "C7", "G7"]);
        assert_eq!(star_points(10), ["C3", "H3", "C8", "H8"]);
        let large = ["D4", "K4", "Q4", "D10", "K10", "Q10", "D16", "K16", "Q16"];
        assert_eq!(star_points(19), large);
        assert_eq!(star_points(13).len(), 9);
    }

    #[test]
    fn the_terminal_shows_the_board_with_coordinates_and_ko() {
        let rules = Go::<1>::new(&Options::sized(5, 4)).unwrap();
        let state = rules.parse_position("...../.XO../X.XO./.XO.. O B2 0 5").unwrap();
        let scene = rules.scene(&state);
        let expected = "  A B C D E\n\
                        4 . . . . . 4\n\
                        3 . X O . . 3\n\
                        2 X # X O . 2\n\
                        1 . X O . . 1\n  A B C D E\n";
        assert_eq!(scene.text(), expected);
        assert_eq!(scene.spots.len(), 21);
        let mut moves = Vec::new();
        rules.moves(&state, &mut moves);
        for mv in moves {
            let spot = rules.clicks(&state, mv)[0];
            assert_eq!(scene.spots[spot].name, rules.move_text(&state, mv));
        }
    }
}
