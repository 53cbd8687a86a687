//! The board as a picture and as coloured text.

use tussle_core::{Drawn, Form, Ink, Row, Scene};

use super::notation::digit;
use super::{Direction, KeepOnMoving, State, contains};
use crate::board::bold_label;

/// The widest board whose terminal drawing gets a space between cells.
const SPACED: usize = 40;

/// What there is to see on a cell.
#[derive(Clone, Copy)]
enum Sight {
    Free,
    Blocked,
    /// Left behind by a player. A position does not remember by which one, so trails have a
    /// colour that is nobody's.
    Trail,
    Player(usize),
}

impl<const WORDS: usize, const PLAYERS: usize> KeepOnMoving<WORDS, PLAYERS> {
    fn sight(&self, state: &State<WORDS, PLAYERS>, row: usize, column: usize) -> Sight {
        let cell = self.cell(row, column);
        match self.player_on(state, cell) {
            Some(player) => Sight::Player(player),
            None if contains(&state.free, cell) => Sight::Free,
            None if contains(&self.open, cell) => Sight::Trail,
            None => Sight::Blocked,
        }
    }
}

impl<const WORDS: usize, const PLAYERS: usize> Drawn for KeepOnMoving<WORDS, PLAYERS> {
    // No coordinates: a move is a direction, and boards are wider than the alphabet.
    fn scene(&self, state: &Self::State) -> Scene {
        let (w, h) = (self.width as f32, self.height as f32);
        let mut scene = Scene::new(w, h);
        scene.rect(0.0, 0.0, w, h, Ink::Board);
        for row in 0..self.height {
            for column in 0..self.width {
                let (x, y) = (column as f32, row as f32);
                match self.sight(state, row, column) {
                    Sight::Blocked => scene.rect(x, y, 1.0, 1.0, Ink::Blocked),
                    Sight::Trail => {
                        scene.rect(x, y, 1.0, 1.0, Ink::BoardAlt);
                        scene.disc(x + 0.5, y + 0.5, 0.16, Ink::Faint);
                    }
                    Sight::Free | Sight::Player(_) => {}
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
                // Out: only the rim is left.
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
                let (ink, symbol) = match self.sight(state, row, column) {
                    Sight::Free => (Ink::Faint, '.'),
                    Sight::Blocked => (Ink::Blocked, '#'),
                    Sight::Trail => (Ink::Text, 'x'),
                    Sight::Player(player) => (Ink::Player(player as u8), digit(player)),
                };
                let gap = if column > 0 && self.width <= SPACED { " " } else { "" };
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
    fn the_drawing_tells_walls_from_trails() {
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
    fn each_cell_is_a_spot_row_by_row_and_a_step_is_a_click_on_its_target() {
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
