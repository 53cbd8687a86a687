//! Drawing of the board and the players.

use tussle_core::{Drawn, Form, Ink, Row, Scene};

use super::notation::digit;
use super::{Direction, KeepOnMoving, State, contains};
use crate::board::bold_label;

/// Maximum number of columns of a terminal drawing with spaces between cells.
const MAX_SPACED_WIDTH: usize = 40;

/// Content of a cell in the drawing.
#[derive(Clone, Copy)]
enum CellContent {
    Free,
    Blocked,
    /// Cell that a player left. A position does not store which player it was, so trails have the
    /// colour of no player.
    Trail,
    Player(usize),
}

impl<const WORDS: usize, const PLAYERS: usize> KeepOnMoving<WORDS, PLAYERS> {
    fn cell_content(
        &self,
        state: &State<WORDS, PLAYERS>,
        row: usize,
        column: usize,
    ) -> CellContent {
        let cell = self.cell(row, column);
        match self.player_on(state, cell) {
            Some(player) => CellContent::Player(player),
            None if contains(&state.free, cell) => CellContent::Free,
            None if contains(&self.open, cell) => CellContent::Trail,
            None => CellContent::Blocked,
        }
    }
}

impl<const WORDS: usize, const PLAYERS: usize> Drawn for KeepOnMoving<WORDS, PLAYERS> {
    // Without coordinates, because moves are directions and boards can be wider than the alphabet.
    fn scene(&self, state: &Self::State) -> Scene {
        let (w, h) = (self.width as f32, self.height as f32);
        let mut scene = Scene::new(w, h);
        scene.rect(0.0, 0.0, w, h, Ink::Board);
        for row in 0..self.height {
            for column in 0..self.width {
                let (x, y) = (column as f32, row as f32);
                match self.cell_content(state, row, column) {
                    CellContent::Blocked => scene.rect(x, y, 1.0, 1.0, Ink::Blocked),
                    CellContent::Trail => {
                        scene.rect(x, y, 1.0, 1.0, Ink::BoardAlt);
                        scene.disc(x + 0.5, y + 0.5, 0.16, Ink::Faint);
                    }
                    CellContent::Free | CellContent::Player(_) => {}
                }
            }
        }
        for column in 0..=self.width {
            scene.line((column as f32, 0.0), (column as f32, h), 0.03, Ink::Grid);
        }
        for row in 0..=self.height {
            scene.line((0.0, row as f32), (w, row as f32), 0.03, Ink::Grid);
        }
        for player in 0..self.players {
            let (row, column) = self.place(usize::from(state.cells[player]));
            let (x, y) = (column as f32 + 0.5, row as f32 + 0.5);
            let (body, on) = (Ink::Player(player as u8), Ink::OnPlayer(player as u8));
            if state.out >> player & 1 == 0 {
                scene.disc(x, y, 0.4, body);
                bold_label(&mut scene, x, y, 0.5, &digit(player).to_string(), on);
            } else {
                // A player who is out is drawn as a ring.
                scene.shape(Form::Circle { x, y, r: 0.36 }, None, Some((body, 0.08)));
                bold_label(&mut scene, x, y, 0.5, &digit(player).to_string(), body);
            }
        }
        for row in 0..self.height {
            for column in 0..self.width {
                let name = format!("row {}, column {}", row + 1, column + 1);
                scene.spot(name, column as f32, row as f32, 1.0, 1.0);
            }
        }
        for row in 0..self.height {
            let mut line = Row::default();
            for column in 0..self.width {
                let (ink, symbol) = match self.cell_content(state, row, column) {
                    CellContent::Free => (Ink::Faint, '.'),
                    CellContent::Blocked => (Ink::Blocked, '#'),
                    CellContent::Trail => (Ink::Text, 'x'),
                    CellContent::Player(player) => (Ink::Player(player as u8), digit(player)),
                };
                let gap = if column > 0 && self.width <= MAX_SPACED_WIDTH { " " } else { "" };
                line.push(ink, format!("{gap}{symbol}"));
            }
            scene.rows.push(line);
        }
        scene
    }

    fn clicks(&self, state: &Self::State, direction: Direction) -> Vec<usize> {
        let to = self.toward(state.cells[usize::from(state.mover)], direction);
        let (row, column) = self.place(usize::from(to));
        vec![row * self.width + column]
    }
}

#[cfg(test)]
mod tests {
    use tussle_core::Game;

    use super::super::Board;
    use super::*;

    #[test]
    fn blocked_cells_and_trails_are_drawn_differently() {
        let game = KeepOnMoving::<3, 2>::new(&Board::parse("1.#\n..2").unwrap()).unwrap();
        let mut state = game.start();
        assert_eq!(game.clicks(&state, Direction::Right), [1]);
        game.play(&mut state, Direction::Down);
        game.play(&mut state, Direction::Left);
        let scene = game.scene(&state);
        assert_eq!(scene.text(), "x . #\n1 2 x\n");
        let painted = |ink| scene.shapes.iter().filter(|shape| shape.fill == Some(ink)).count();
        assert_eq!((painted(Ink::Blocked), painted(Ink::BoardAlt)), (1, 2));
    }

    #[test]
    fn spots_are_the_cells_row_by_row_and_a_step_clicks_its_target() {
        let game = KeepOnMoving::<68, 2>::new(&Board::builtin(4).unwrap()).unwrap();
        let state = game.start();
        let scene = game.scene(&state);
        assert_eq!(scene.spots.len(), 20 * 44);
        assert_eq!(scene.spots[44].name, "row 2, column 1");
        assert_eq!(game.clicks(&state, Direction::Up), [18 * 44]);
        assert_eq!(game.clicks(&state, Direction::Right), [19 * 44 + 1]);
        assert_eq!(
            scene.text().lines().next(),
            Some(&*format!(".{}{}2", "#".repeat(20), ".".repeat(22)))
        );
    }
}
