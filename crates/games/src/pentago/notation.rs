//! Text of moves and positions.

use tussle_core::{Notation, ParseError};

use super::board::{BITS, SIDE, bit, has_five, place, twisted};
use super::plate::inverse;
use super::{Move, Quadrants, State, Twists};
use crate::board::cell_name;

pub(super) const SYMBOLS: [char; 2] = ['x', 'o'];

/// Returns the name of the cell with this bit.
pub(super) fn bit_name(bit: usize) -> String {
    let (column, row) = place(bit);
    cell_name(column, SIDE - 1 - row)
}

/// Returns the player whose stone is on the cell with this bit.
pub(super) fn owner(state: &State, bit: usize) -> Option<usize> {
    (0..2).find(|&player| state.stones[player] >> bit & 1 != 0)
}

/// Parses the rows without checking that the position is possible.
fn parse_board(board: &str) -> Option<[u64; 2]> {
    let mut stones = [0; 2];
    let mut rows = 0;
    for (r, row) in board.split('/').enumerate() {
        if r >= SIDE || row.chars().count() != SIDE {
            return None;
        }
        for (c, symbol) in row.chars().enumerate() {
            match SYMBOLS.iter().position(|&s| s == symbol) {
                Some(player) => stones[player] |= 1 << bit(c, r),
                None if symbol == '.' => {}
                None => return None,
            }
        }
        rows += 1;
    }
    (rows == SIDE).then_some(stones)
}

impl<T: Twists> Quadrants<T> {
    /// Returns true if some move from an unfinished position leads here.
    fn has_predecessor(self, state: State) -> bool {
        if state.plies == 0 {
            return true;
        }
        let last = 1 - state.mover();
        // Returns true if the game is not over without this stone.
        let is_unfinished = |mut stones: [u64; 2], stone: u64| {
            stones[last] ^= stone;
            !stones.into_iter().any(has_five)
        };
        let any_stone = |stones: [u64; 2]| {
            let mut each = BITS.iter().map(|bit| 1 << bit).filter(|s| stones[last] & s != 0);
            each.any(|stone| is_unfinished(stones, stone))
        };
        if self.early && has_five(state.stones[last]) && any_stone(state.stones) {
            return true;
        }
        (0..8).any(|twist| {
            let back = inverse(T::MOTIONS[twist % 2]);
            let stones = state.stones.map(|stones| twisted(stones, twist / 2, back));
            let won_early = self.early && has_five(stones[last]);
            !won_early && any_stone(stones)
        })
    }
}

impl<T: Twists> Notation for Quadrants<T> {
    fn move_text(&self, _: &State, mv: Move) -> String {
        format!("{}:{}{}", bit_name(mv.bit()), mv.plate(), T::LETTERS[mv.kind()])
    }

    // Parsing the text is faster than the default, which compares it with the text of up to 288
    // moves.
    fn parse_move(&self, state: &State, text: &str) -> Result<Move, ParseError> {
        let parsed = match text.as_bytes() {
            &[c @ b'a'..=b'f', r @ b'1'..=b'6', b':', plate @ b'0'..=b'3', letter] => {
                let bit = bit((c - b'a').into(), (b'6' - r).into());
                let kind = T::LETTERS.iter().position(|&l| l == char::from(letter));
                kind.map(|kind| Move::new(bit, 2 * usize::from(plate - b'0') + kind))
            }
            _ => None,
        };
        parsed
            .filter(|mv| !state.is_over() && owner(state, mv.bit()).is_none())
            .ok_or_else(|| ParseError::new(format!("`{text}`: {}", self.why_illegal(state, text))))
    }

    fn position_text(&self, state: &State) -> String {
        let mut text = String::new();
        for r in 0..SIDE {
            let cell = |c| owner(state, bit(c, r)).map_or('.', |p| SYMBOLS[p]);
            text.extend((0..SIDE).map(cell));
            text.push(if r + 1 < SIDE { '/' } else { ' ' });
        }
        text.push(SYMBOLS[state.mover()]);
        text
    }

    fn parse_position(&self, text: &str) -> Result<State, ParseError> {
        let wrong = |why: String| Err(ParseError::new(format!("`{text}`: {why}")));
        let parts = text.trim().split_once(' ');
        let Some((stones, mover)) =
            parts.and_then(|(board, mover)| Some((parse_board(board)?, mover.trim())))
        else {
            return wrong(
                "expected six rows of six cells (x, o or .), top row first, and the player to \
                 move, as in `x...../....../....../....../....../...... o`"
                    .to_owned(),
            );
        };
        let [x, o] = stones.map(u64::count_ones);
        if x != o && x != o + 1 {
            return wrong(format!(
                "{x} x and {o} o are impossible: x moves first and the players alternate"
            ));
        }
        let state = State::new(stones, (x + o) as u8);
        let due = SYMBOLS[state.mover()];
        if mover != due.to_string() {
            return wrong(format!(
                "with {x} x and {o} o it is {due}'s turn; write `{due}` after the board"
            ));
        }
        if !self.has_predecessor(state) {
            let last = SYMBOLS[1 - state.mover()];
            return wrong(format!(
                "no move of {last} leads to this position; the game would have ended before"
            ));
        }
        Ok(state)
    }

    fn why_illegal(&self, state: &State, text: &str) -> String {
        if state.is_over() {
            return "the game is over".to_owned();
        }
        let [first, second] = T::LETTERS;
        let [first_name, second_name] = T::NAMES;
        let shape = format!(
            "a move is an empty cell, a colon, a quadrant to twist, 0 to 3, and {first} \
             ({first_name}) or {second} ({second_name}), as in `b5:0r`"
        );
        let (cell, twist) = text.split_once(':').unwrap_or((text, ""));
        let Some(&bit) = BITS.iter().find(|&&bit| bit_name(bit.into()) == cell) else {
            return shape;
        };
        if owner(state, bit.into()).is_some() {
            return format!("{cell} is taken");
        }
        match twist.chars().collect::<Vec<_>>()[..] {
            [] => {
                format!("the twist is missing; write the quadrant and the twist, as in `{cell}:0r`")
            }
            ['0'..='3', kind] => format!(
                "there is no twist {kind}; the twists are {first} ({first_name}) and {second} \
                 ({second_name})"
            ),
            [plate, kind] if T::LETTERS.contains(&kind) => format!(
                "there is no quadrant {plate}; 0 is the upper left one, 1 the upper right, 2 the \
                 lower left, 3 the lower right"
            ),
            _ => shape,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{EARLY_WINS, LATE_WINS, TWIST, legal};
    use super::*;
    use tussle_core::{Game, Turn};

    #[test]
    fn impossible_positions_are_rejected() {
        for (text, reason) in [
            ("", "six rows"),
            ("x", "six rows"),
            ("....../....../....../....../...... x", "six rows"),
            ("....../....../....../....../....../....../...... x", "six rows"),
            ("....../....../....../....../....../..... x", "six rows"),
            ("....../....../....../....../....../....... x", "six rows"),
            ("....../....../....../....../....../..é... o", "six rows"),
            ("....../....../....../....../....../..X... o", "six rows"),
            ("....../....../....../....../....../..x...", "six rows"),
            ("....../....../....../....../....../..x... x", "it is o's turn"),
            ("....../....../....../....../....../..x... ox", "it is o's turn"),
            ("....../....../....../....../....../.xx... o", "2 x and 0 o"),
            ("....../....../....../....../....../..o... x", "0 x and 1 o"),
            // Rows of both players that no single stone and twist can have made.
            ("xxxxx./ooooo./....../....../xxxxx./ooooo. x", "no move of o leads"),
            ("xxxxxx/ooooo./....../....../xxxxx./ooooo. o", "no move of x leads"),
        ] {
            for error in [
                TWIST.parse_position(text).unwrap_err(),
                EARLY_WINS.parse_position(text).unwrap_err(),
                LATE_WINS.parse_position(text).unwrap_err(),
            ] {
                assert!(error.to_string().contains(reason), "{text}: {error}");
            }
        }
    }

    #[test]
    fn a_line_of_the_player_to_move_needs_a_twist_that_made_it() {
        // The first player moved last and the second has five in a row, which some twist made.
        let text = "ooooo./x...../x....x/....../x...../x....x o";
        assert!(TWIST.parse_position(text).is_ok());
        assert_eq!(EARLY_WINS.turn(&EARLY_WINS.parse_position(text).unwrap()), Turn::Over);
        // Both players have a line, and one twist made both.
        let text = "ooooo./xxxxx./....../....../....../.....x o";
        assert!(EARLY_WINS.parse_position(text).is_ok() && LATE_WINS.parse_position(text).is_ok());
        // No twist can have made both lines: a stone completed the first player's line, which would
        // have been an early win.
        let text = "ooooo./....../....../....../xxxxx./.....x o";
        assert!(EARLY_WINS.parse_position(text).is_err() && LATE_WINS.parse_position(text).is_ok());
    }

    #[test]
    fn errors_of_illegal_moves_name_the_reason() {
        let position = "x...../....../....../....../....../...... o";
        let classic = |text| {
            let state = EARLY_WINS.parse_position(position).unwrap();
            EARLY_WINS.parse_move(&state, text).unwrap_err().to_string()
        };
        let shape = "an empty cell, a colon, a quadrant to twist, 0 to 3, and l (left) or r";
        for text in ["", "b", "g1:0r", "b0:0r", "b7:0r", "pass", "b5:0rr", "b5:xx", "b5:é"] {
            assert!(classic(text).contains(shape), "{}", classic(text));
        }
        assert_eq!(classic("a6:0r"), "`a6:0r`: a6 is taken");
        assert_eq!(classic("a6"), "`a6`: a6 is taken");
        let missing = "`b5`: the twist is missing; write the quadrant and the twist, as in `b5:0r`";
        assert_eq!(classic("b5"), missing);
        assert!(classic("b5:4r").contains("no quadrant 4; 0 is the upper left one"));
        assert!(classic("b5:0f").contains("no twist f; the twists are l (left) and r"));
        let state = TWIST.parse_position(position).unwrap();
        let error = TWIST.parse_move(&state, "b5:0l").unwrap_err().to_string();
        assert!(error.contains("no twist l; the twists are r (right) and f (flip)"));
        let over = LATE_WINS.parse_position("xxxxx./....../....../....../o...../ooo... o").unwrap();
        let error = LATE_WINS.parse_move(&over, "f1:0r").unwrap_err().to_string();
        assert_eq!(error, "`f1:0r`: the game is over");
    }

    #[test]
    fn every_legal_move_survives_writing_and_parsing() {
        let state = TWIST.parse_position("xo..../....../....../....../....../...... x").unwrap();
        let moves = legal(&TWIST, &state);
        assert_eq!(moves.len(), 8 * 34);
        for mv in moves {
            assert_eq!(TWIST.parse_move(&state, &TWIST.move_text(&state, mv)), Ok(mv));
        }
    }
}
