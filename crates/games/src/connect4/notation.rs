//! Text of moves and positions.

use tussle_core::{Game, Notation, ParseError, Turn};

use super::{Connect4, State};

pub(super) const SYMBOLS: [char; 2] = ['x', 'o'];

impl Connect4 {
    /// Returns the bit of a cell. Rows count from the bottom, columns from the left, both from 0.
    pub(super) fn cell(&self, column: usize, row: usize) -> u64 {
        1 << (column as u32 * self.stride() + row as u32)
    }

    /// Returns the player whose disc lies in a cell.
    pub(super) fn owner(&self, state: &State, column: usize, row: usize) -> Option<usize> {
        (0..2).find(|&p| state.discs[p] & self.cell(column, row) != 0)
    }

    /// Parses the rows without checking that the position is possible.
    fn parse_board(&self, board: &str) -> Option<[u64; 2]> {
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != self.height() {
            return None;
        }
        let mut discs = [0; 2];
        for (r, row) in rows.iter().rev().enumerate() {
            if row.chars().count() != self.width() {
                return None;
            }
            for (c, symbol) in row.chars().enumerate() {
                match SYMBOLS.iter().position(|&s| s == symbol) {
                    Some(p) => discs[p] |= self.cell(c, r),
                    None if symbol == '.' => {}
                    None => return None,
                }
            }
        }
        Some(discs)
    }

    /// Returns a column with a disc above an empty cell.
    fn floating(&self, occupied: u64) -> Option<usize> {
        let falls = occupied & !(occupied << 1) & !self.bottom & self.cells;
        (falls != 0).then(|| (falls.trailing_zeros() / self.stride()) as usize)
    }

    /// Returns true if one of these discs is at the top of its column and in all of their lines.
    /// Only such a disc can have been the last one of the game.
    fn could_just_have_won(&self, winner: u64, occupied: u64) -> bool {
        let tops = ((occupied + self.bottom) >> 1) & winner;
        (0..self.width())
            .map(|c| tops & self.column(c))
            .any(|top| top != 0 && !self.has_line(winner & !top))
    }
}

impl Notation for Connect4 {
    fn move_text(&self, _: &State, column: u8) -> String {
        (column + 1).to_string()
    }

    fn position_text(&self, state: &State) -> String {
        let mut text = String::new();
        for r in (0..self.height()).rev() {
            let cell = |c| self.owner(state, c, r).map_or('.', |p| SYMBOLS[p]);
            text.extend((0..self.width()).map(cell));
            text.push(if r > 0 { '/' } else { ' ' });
        }
        text.push(SYMBOLS[state.mover()]);
        text
    }

    fn parse_position(&self, text: &str) -> Result<State, ParseError> {
        let wrong = |why: String| Err(ParseError::new(format!("`{text}`: {why}")));
        let parts = text.trim().split_once(' ');
        let Some((discs, mover)) =
            parts.and_then(|(board, mover)| Some((self.parse_board(board)?, mover.trim())))
        else {
            return wrong(format!(
                "expected {} rows of {} cells (x, o or .), top row first, and the player \
                 to move, as in `{}`",
                self.height,
                self.width,
                self.position_text(&self.start()),
            ));
        };
        let [x, o] = discs.map(u64::count_ones);
        if x != o && x != o + 1 {
            return wrong(format!(
                "{x} x and {o} o are impossible: x moves first and the players alternate"
            ));
        }
        let mut state = State { discs, plies: (x + o) as u8, won: false };
        let due = SYMBOLS[state.mover()];
        if mover != due.to_string() {
            return wrong(format!(
                "with {x} x and {o} o it is {due}'s turn; write `{due}` after the board"
            ));
        }
        if let Some(column) = self.floating(state.occupied()) {
            let column = column + 1;
            return wrong(format!("column {column} has a disc above an empty cell"));
        }
        if self.has_line(discs[state.mover()]) {
            return wrong(format!(
                "{due}, the player to move, already has {} in a row; the game would have ended \
                 before this position",
                self.connect
            ));
        }
        let last = discs[1 - state.mover()];
        state.won = self.has_line(last);
        if state.won && !self.could_just_have_won(last, state.occupied()) {
            let winner = SYMBOLS[1 - state.mover()];
            return wrong(format!(
                "no single move of {winner} completes all of its lines; the game would have ended \
                 before this position"
            ));
        }
        Ok(state)
    }

    fn why_illegal(&self, state: &State, text: &str) -> String {
        let column = (1..=self.width).find(|c| c.to_string() == text);
        match column {
            _ if self.turn(state) == Turn::Over => "the game is over".to_owned(),
            Some(_) => "that column is full".to_owned(),
            None => format!("a move is a column, 1 to {}", self.width),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_positions_are_rejected() {
        let game = Connect4::new(5, 4, 4).unwrap();
        for (text, reason) in [
            ("", "rows of 5 cells"),
            ("x", "rows of 5 cells"),
            ("...../...../..... x", "rows of 5 cells"),
            ("...../...../...../.... x", "rows of 5 cells"),
            ("...../...../...../...... x", "rows of 5 cells"),
            ("...../...../...../..é.. x", "rows of 5 cells"),
            ("...../...../...../..X.. o", "rows of 5 cells"),
            ("...../...../...../..x..", "rows of 5 cells"),
            ("...../...../...../..x.. x", "it is o's turn"),
            ("...../...../...../..x.. ox", "it is o's turn"),
            ("...../...../...../xx... o", "2 x and 0 o"),
            ("...../...../...../.o... x", "0 x and 1 o"),
            ("...../...../.x.../..... o", "column 2"),
            ("x..../o..../...../x.... o", "column 1"),
            ("...../...../oooo./xxxx. x", "x, the player to move, already has 4"),
            ("...../...../xxx.x/oooox o", "o, the player to move, already has 4"),
            ("x..../...../oooox/xxxxo o", "column 1"),
            // x has two lines, and no disc is in both.
            ("xxxx./oooxo/oooxo/xxxx. o", "10 x and 8 o"),
            ("xxxx./ooxoo/oooxo/xxxxo o", "no single move of x"),
        ] {
            let error = game.parse_position(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn one_disc_can_complete_two_lines() {
        let game = Connect4::new(7, 4, 4).unwrap();
        let state = game.parse_position("......./......./ooo.ooo/xxxxxxx o").unwrap();
        assert_eq!(game.turn(&state), Turn::Over);
    }

    #[test]
    fn errors_of_illegal_moves_name_the_reason() {
        let game = Connect4::new(4, 2, 3).unwrap();
        let error = |position: &str, text| {
            let state = game.parse_position(position).unwrap();
            game.parse_move(&state, text).unwrap_err().to_string()
        };
        assert_eq!(error("o.../x... x", "1"), "`1`: that column is full");
        assert_eq!(error("o.../x... x", "5"), "`5`: a move is a column, 1 to 4");
        assert_eq!(error("o.../x... x", "01"), "`01`: a move is a column, 1 to 4");
        assert_eq!(error("oo../xxx. o", "4"), "`4`: the game is over");
    }
}
