//! Drawing of the board and the discs.

use tussle_core::{Drawn, Form, Ink, Row, Scene};

use super::notation::SYMBOLS;
use super::{Connect4, State, directions, runs};
use crate::board::MARGIN;

impl Connect4 {
    /// Returns the cells of all winning lines of a finished game.
    fn winning_cells(&self, state: &State) -> u64 {
        let winner = state.discs[1 - state.mover()];
        let connect = u32::from(self.connect);
        directions(self.stride()).into_iter().fold(0, |cells, step| {
            let first = runs(winner, step, connect);
            // If there is a run, all its cells are within the 64 bits, so the shifts are valid.
            (0..connect).filter(|_| first != 0).fold(cells, |all, i| all | first << (i * step))
        })
    }
}

impl Drawn for Connect4 {
    fn scene(&self, state: &State) -> Scene {
        let (w, h) = (self.width as f32, self.height as f32);
        let mut scene = Scene::new(w, h + MARGIN);
        let board = Form::Rect { x: 0.0, y: 0.0, w, h, round: 0.2 };
        scene.shape(board, Some(Ink::Board), Some((Ink::Grid, 0.03)));
        let winning = self.winning_cells(state);
        for c in 0..self.width() {
            let x = c as f32 + 0.5;
            for row in 0..self.height() {
                let y = h - 0.5 - row as f32;
                let (r, fill, edge) = match self.owner(state, c, row) {
                    Some(p) => (0.41, Ink::Player(p as u8), None),
                    None => (0.4, Ink::Background, Some((Ink::Grid, 0.025))),
                };
                scene.shape(Form::Circle { x, y, r }, Some(fill), edge);
                if winning & self.cell(c, row) != 0 {
                    let ring = Form::Circle { x, y, r: 0.37 };
                    scene.shape(ring, None, Some((Ink::Accent, 0.08)));
                }
            }
            scene.label(x, h + MARGIN * 0.5, 0.28, (c + 1).to_string(), Ink::Faint);
            scene.spot(format!("column {}", c + 1), c as f32, 0.0, 1.0, h);
        }
        // Moves are clicks on columns. The spots of the cells only serve to mark a landing cell.
        for c in 0..self.width() {
            for r in 0..self.height() {
                let (x, y) = (c as f32, h - 1.0 - r as f32);
                scene.spot(format!("column {}, row {}", c + 1, r + 1), x, y, 1.0, 1.0);
            }
        }
        self.text_rows(state, &mut scene);
        scene
    }

    fn clicks(&self, _: &State, column: u8) -> Vec<usize> {
        vec![column.into()]
    }

    fn landing(&self, state: &State, column: u8) -> Option<usize> {
        let column = usize::from(column);
        let row = (state.occupied() & self.column(column)).count_ones() as usize;
        Some(self.width() + column * self.height() + row)
    }
}

impl Connect4 {
    /// Adds the terminal drawing. Columns have numbers, because moves use them; rows have none.
    fn text_rows(&self, state: &State, scene: &mut Scene) {
        let cell = 1 + self.width.to_string().len();
        for r in (0..self.height()).rev() {
            let mut row = Row::default();
            for c in 0..self.width() {
                let (ink, symbol) = match self.owner(state, c, r) {
                    Some(p) => (Ink::Player(p as u8), SYMBOLS[p]),
                    None => (Ink::Faint, '.'),
                };
                row.push(ink, format!("{symbol:>cell$}"));
            }
            scene.rows.push(row);
        }
        let mut row = Row::default();
        for c in 1..=self.width {
            row.push(Ink::Faint, format!("{c:>cell$}"));
        }
        scene.rows.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tussle_core::Notation;

    #[test]
    fn the_terminal_shows_the_board_with_column_numbers_below() {
        let game = Connect4::new(10, 3, 3).unwrap();
        let state = game.parse_position("........../o........./x.......x. o").unwrap();
        let expected = "  .  .  .  .  .  .  .  .  .  .\n  \
                        o  .  .  .  .  .  .  .  .  .\n  \
                        x  .  .  .  .  .  .  .  x  .\n  \
                        1  2  3  4  5  6  7  8  9 10\n";
        assert_eq!(game.scene(&state).text(), expected);
        assert_eq!(game.scene(&state).spots.len(), 10 + 10 * 3);
        let landing = game.landing(&state, 0).unwrap();
        assert_eq!(game.scene(&state).spots[landing].name, "column 1, row 3");
    }

    #[test]
    fn the_discs_of_a_winning_line_have_rings() {
        let game = Connect4::default();
        let rings = |text: &str| {
            let scene = game.scene(&game.parse_position(text).unwrap());
            let ringed =
                scene.shapes.iter().filter(|s| s.stroke.is_some_and(|s| s.0 == Ink::Accent));
            ringed.count()
        };
        assert_eq!(rings("......./......./......./......./ooo..../xxx.... x"), 0);
        assert_eq!(rings("......./......./......./......./ooo..../xxxx... o"), 4);
        assert_eq!(rings("......./......./......./o....../ooo..../xxxxx.. o"), 5);
    }
}
