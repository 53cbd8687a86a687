//! Symmetries: reflections and rotations that map the board and every start cell to themselves.

use tussle_core::Symmetric;

use super::{Board, Direction, KeepOnMoving, contains, insert};

/// Maps (row, column) under a symmetry of a rectangle of this width and height: bit 0 of `symmetry`
/// swaps left and right, bit 1 swaps top and bottom, and bit 2 then swaps rows and columns.
fn reflect_place(
    (mut row, mut column): (usize, usize),
    (width, height): (usize, usize),
    symmetry: u8,
) -> (usize, usize) {
    if symmetry & 1 != 0 {
        column = width - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = height - 1 - row;
    }
    if symmetry & 4 == 0 { (row, column) } else { (column, row) }
}

/// Returns the symmetries that map blocked cells to blocked cells and every start cell to itself.
///
/// A symmetry that swaps two start cells does not count, because the players do not move at the
/// same time.
pub(super) fn symmetries(board: &Board) -> Vec<u8> {
    let size = (board.width(), board.height());
    let square = board.width() == board.height();
    let keeps_the_board = |&symmetry: &u8| {
        let same = |place: (usize, usize)| {
            let (row, column) = reflect_place(place, size, symmetry);
            board.is_blocked(place.0, place.1) == board.is_blocked(row, column)
        };
        board.starts().iter().all(|&start| reflect_place(start, size, symmetry) == start)
            && (0..size.1).all(|row| (0..size.0).all(|column| same((row, column))))
    };
    (0..if square { 8 } else { 4 }).filter(keeps_the_board).collect()
}

impl<const WORDS: usize, const PLAYERS: usize> Symmetric for KeepOnMoving<WORDS, PLAYERS> {
    fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    fn reflect(&self, state: &Self::State, s: usize) -> Self::State {
        let symmetry = self.symmetries[s];
        let mut reflected = state.clone();
        if symmetry == 0 {
            return reflected;
        }
        let image = |cell: usize| {
            let (row, column) =
                reflect_place(self.place(cell), (self.width, self.height), symmetry);
            self.cell(row, column)
        };
        reflected.free = [0; WORDS];
        for row in 0..self.height {
            for column in 0..self.width {
                let cell = self.cell(row, column);
                if contains(&state.free, cell) {
                    insert(&mut reflected.free, image(cell));
                }
            }
        }
        for player in 0..self.players {
            reflected.cells[player] = image(usize::from(state.cells[player])) as u16;
        }
        reflected.key = self.fresh_key(&reflected);
        reflected
    }

    fn reflect_move(&self, direction: Direction, s: usize) -> Direction {
        // The directions correspond to the cells beside the centre of a 3 x 3 board.
        let place = match direction {
            Direction::Up => (0, 1),
            Direction::Right => (1, 2),
            Direction::Down => (2, 1),
            Direction::Left => (1, 0),
        };
        match reflect_place(place, (3, 3), self.symmetries[s]) {
            (0, _) => Direction::Up,
            (_, 2) => Direction::Right,
            (2, _) => Direction::Down,
            _ => Direction::Left,
        }
    }
}
