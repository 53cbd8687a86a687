//! Small games for the other modules.

use tussle_core::{
    Actions, Drawn, Game, Hashed, Notation, ParseError, Payoffs, Scene, Symmetric, Turn, ZeroSum,
};

/// Three cells in a row, each of which is taken once. The player who takes the middle wins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cells {
    pub(crate) points: bool,
    pub(crate) players: usize,
}

/// Cells taken, as bits, in the order in which they were taken.
pub(crate) type TakenCells = Vec<u8>;

impl Game for Cells {
    type State = TakenCells;
    type Move = u8;

    fn players(&self) -> usize {
        self.players.max(2)
    }

    fn start(&self) -> TakenCells {
        Vec::new()
    }

    fn turn(&self, taken: &TakenCells) -> Turn {
        if taken.len() == 3 { Turn::Over } else { Turn::Player(taken.len() % self.players()) }
    }

    fn moves(&self, taken: &TakenCells, out: &mut Vec<u8>) {
        out.extend((0..3).filter(|cell| !taken.contains(cell)));
    }

    fn play(&self, taken: &mut TakenCells, cell: u8) {
        taken.push(cell);
    }

    fn utility(&self, taken: &TakenCells, player: usize) -> f64 {
        let winner = taken.iter().position(|&cell| cell == 1).unwrap_or(0) % 2;
        if player == winner { 1.0 } else { -1.0 }
    }

    fn payoffs(&self) -> Payoffs {
        Payoffs { points: self.points, ..Payoffs::of_players(self.players()) }
    }
}

impl ZeroSum for Cells {}

impl Hashed for Cells {
    fn board_key(&self, taken: &TakenCells) -> u64 {
        taken.iter().fold(7, |key, &cell| 10 * key + u64::from(cell))
    }
}

impl Symmetric for Cells {
    fn symmetries(&self) -> usize {
        2
    }

    fn reflect(&self, taken: &TakenCells, s: usize) -> TakenCells {
        taken.iter().map(|&cell| self.reflect_move(cell, s)).collect()
    }

    fn reflect_move(&self, cell: u8, s: usize) -> u8 {
        if s == 0 { cell } else { 2 - cell }
    }
}

impl Actions for Cells {
    fn actions(&self) -> usize {
        3
    }

    fn action(&self, _: &TakenCells, cell: u8) -> usize {
        2 - usize::from(cell)
    }
}

impl Notation for Cells {
    fn move_text(&self, _: &TakenCells, cell: u8) -> String {
        ["left", "middle", "right"][usize::from(cell)].to_owned()
    }

    fn position_text(&self, taken: &TakenCells) -> String {
        format!("{taken:?}")
    }

    fn parse_position(&self, text: &str) -> Result<TakenCells, ParseError> {
        Err(ParseError::new(format!("`{text}`: not needed here")))
    }
}

impl Drawn for Cells {
    fn scene(&self, _: &TakenCells) -> Scene {
        Scene::new(3.0, 1.0)
    }

    fn clicks(&self, _: &TakenCells, cell: u8) -> Vec<usize> {
        match cell {
            0 => vec![],
            cell => vec![9, usize::from(cell)],
        }
    }
}

/// A row of coins; a game that overrides no provided method of the traits.
pub(crate) struct CoinRow;

impl Game for CoinRow {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        0
    }

    fn turn(&self, &ply: &u8) -> Turn {
        match ply {
            0 => Turn::Chance,
            1 | 2 => Turn::Player(0),
            _ => Turn::Over,
        }
    }

    fn moves(&self, _: &u8, out: &mut Vec<u8>) {
        out.extend([1, 2]);
    }

    fn play(&self, ply: &mut u8, step: u8) {
        *ply += step;
    }

    fn utility(&self, _: &u8, _: usize) -> f64 {
        0.0
    }

    fn probability(&self, _: &u8, outcome: u8) -> f64 {
        if outcome == 1 { 0.8 } else { 0.2 }
    }
}

impl Hashed for CoinRow {
    fn board_key(&self, &ply: &u8) -> u64 {
        40 + u64::from(ply)
    }
}

impl Symmetric for CoinRow {}

impl Actions for CoinRow {
    fn actions(&self) -> usize {
        2
    }

    fn action(&self, _: &u8, step: u8) -> usize {
        usize::from(step) - 1
    }
}

/// A game with only the required methods.
pub(crate) struct MinimalGame;

impl Game for MinimalGame {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        0
    }

    fn turn(&self, _: &u8) -> Turn {
        Turn::Player(0)
    }

    fn moves(&self, _: &u8, _: &mut Vec<u8>) {}

    fn play(&self, _: &mut u8, _: u8) {}

    fn utility(&self, _: &u8, _: usize) -> f64 {
        0.0
    }
}
