//! Text of moves and positions.

use tussle_core::{Game, Notation, ParseError, Turn};

use super::bits::Bits;
use super::{Go, Move, NO_POINT, Repetition, State};

/// Letters of the columns. I is left out, because it looks like J and 1.
const COLUMNS: &[u8; 19] = b"ABCDEFGHJKLMNOPQRST";

/// Symbols of Black's and White's stones.
pub(super) const SYMBOLS: [char; 2] = ['X', 'O'];

pub(super) const PASS: &str = "pass";

/// Returns the letter of a column.
pub(super) fn column_letter(column: usize) -> char {
    char::from(COLUMNS[column])
}

impl<const N: usize> Go<N> {
    pub(super) fn vertex(point: u16) -> String {
        let (column, row) = Bits::<N>::place(point);
        format!("{}{}", column_letter(column), row + 1)
    }

    fn parse_vertex(&self, text: &str) -> Option<u16> {
        let (&letter, number) = text.as_bytes().split_first()?;
        let column = COLUMNS[..self.options.width].iter().position(|&c| c == letter)?;
        let row = (0..self.options.height).find(|r| (r + 1).to_string().as_bytes() == number)?;
        Some(Bits::<N>::index(column, row))
    }

    fn board_text(&self, stones: [Bits<N>; 2]) -> String {
        let symbol = |column, row| {
            let point = Bits::<N>::index(column, row);
            (0..2).find(|&c| stones[c].has(point)).map_or('.', |c| SYMBOLS[c])
        };
        let row = |row| (0..self.options.width).map(|column| symbol(column, row)).collect();
        let rows: Vec<String> = (0..self.options.height).rev().map(row).collect();
        rows.join("/")
    }

    /// Parses the rows of a board and checks that every group has a liberty.
    fn parse_board(&self, text: &str) -> Result<[Bits<N>; 2], ParseError> {
        let (width, height) = (self.options.width, self.options.height);
        let mut stones = [Bits::EMPTY; 2];
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != height || rows.iter().any(|row| row.chars().count() != width) {
            return Err(ParseError::new(format!(
                "expected a board with {height} rows of {width} points"
            )));
        }
        for (row, symbols) in rows.iter().rev().enumerate() {
            for (column, symbol) in symbols.chars().enumerate() {
                match SYMBOLS.iter().position(|&s| s == symbol) {
                    Some(colour) => stones[colour].insert(Bits::<N>::index(column, row)),
                    None if symbol == '.' => {}
                    None => {
                        return Err(ParseError::new(format!(
                            "`{symbol}`: expected X, O or . for each point"
                        )));
                    }
                }
            }
        }
        let near = (self.cells & !(stones[0] | stones[1])).beside();
        for own in stones {
            let without_liberty = own & !(own & near).flood(own);
            if let Some(point) = without_liberty.first() {
                let vertex = Self::vertex(point);
                return Err(ParseError::new(format!(
                    "the stone on {vertex} has no liberty; it would be captured"
                )));
            }
        }
        Ok(stones)
    }

    /// Returns true if the simple ko rule can forbid a stone on this point: the point is empty, all
    /// its neighbours are opposing stones, and the stone would capture a single one.
    fn is_ko(&self, state: &State<N>, point: u16) -> bool {
        let opponent = state.stones[1 - state.mover()];
        let beside = self.around(point);
        let taken = self.taken_by(state, point);
        !state.occupied().has(point) && (beside & !opponent).is_empty() && taken.count() == 1
    }

    /// Returns the position after these stones, with all boards in between. Its counts of moves and
    /// passes are not meaningful.
    pub(super) fn replay(
        &self,
        origin: [Bits<N>; 2],
        stones: impl Iterator<Item = (u16, u8)>,
    ) -> State<N> {
        stones.fold(State::new(origin, 0), |mut state, (point, colour)| {
            state.mover = colour;
            self.play(&mut state, Move(point));
            state
        })
    }

    fn past_text(&self, state: &State<N>) -> String {
        let stone =
            |colour: u8, point| format!("{}{}", SYMBOLS[usize::from(colour)], Self::vertex(point));
        let steps = state.past.steps.iter().map(|step| stone(step.colour, step.point));
        let stones = steps.collect::<Vec<_>>().join(",");
        if state.past.origin == [Bits::EMPTY; 2] {
            return stones;
        }
        format!("{}:{stones}", self.board_text(state.past.origin))
    }

    /// Parses the earlier boards into `state`, which has everything else. Every earlier stone must
    /// be legal in a game that did not end before.
    fn parse_past(&self, state: &mut State<N>, text: &str) -> Result<(), ParseError> {
        if self.options.repetition == Repetition::Off {
            return Err(ParseError::new(
                "with superko=off a position has no earlier boards; leave them out",
            ));
        }
        let (origin, stones) = match text.split_once(':') {
            Some((board, stones)) => (self.parse_board(board)?, stones),
            None => ([Bits::EMPTY; 2], text),
        };
        let mut replay = State::new(origin, 0);
        let mut moves = 0;
        for stone in stones.split(',') {
            let parts = SYMBOLS.iter().position(|&s| stone.starts_with(s));
            let parts = parts.and_then(|c| Some((c as u8, self.parse_vertex(&stone[1..])?)));
            let Some((colour, point)) = parts else {
                return Err(ParseError::new(format!(
                    "`{stone}`: expected an earlier stone such as XA1 or OB2"
                )));
            };
            let in_turn = moves == 0 || replay.mover == colour;
            if !in_turn {
                replay.ko = NO_POINT;
            }
            replay.mover = colour;
            if replay.repeated || !self.playable(&replay).has(point) {
                return Err(ParseError::new(format!(
                    "`{stone}`: this earlier stone was illegal at its turn"
                )));
            }
            self.play(&mut replay, Move(point));
            moves += if in_turn { 1 } else { 2 };
        }
        if replay.repeated && self.options.repetition == Repetition::Positional {
            return Err(ParseError::new(
                "the last earlier stone recreates a board, which superko makes illegal",
            ));
        }
        let due = replay.mover ^ (state.passes & 1);
        let ko = if state.passes == 0 { replay.ko } else { NO_POINT };
        if replay.stones != state.stones || due != state.mover || ko != state.ko {
            let side = SYMBOLS[usize::from(due)];
            let ko = if ko == NO_POINT { "-".to_owned() } else { Self::vertex(ko) };
            let board = self.board_text(replay.stones);
            return Err(ParseError::new(format!(
                "the earlier stones lead to another position, `{board} {side} {ko}`"
            )));
        }
        if state.moves < moves + u32::from(state.passes) {
            return Err(ParseError::new(format!(
                "the earlier stones and the passes need at least {} moves, found {}",
                moves + u32::from(state.passes),
                state.moves
            )));
        }
        if replay.repeated && state.passes > 0 {
            return Err(ParseError::new(
                "a repetition ended the game, so no pass can follow it; write 0 passes",
            ));
        }
        state.repeated = replay.repeated;
        state.past = replay.past;
        Ok(())
    }

    fn parse_fields(&self, text: &str) -> Result<State<N>, ParseError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (&[board, side, ko, passes, moves], past) = (match fields.split_at_checked(5) {
            Some((present, [])) => (present, None),
            Some((present, [past])) => (present, Some(*past)),
            _ => (&[][..], None),
        }) else {
            return Err(ParseError::new(format!(
                "expected the rows (X, O or .) from the top, the side to move, the ko point or -, \
                 the number of consecutive passes, the number of moves and optionally the earlier \
                 stones, as in `{}`",
                self.position_text(&self.start())
            )));
        };
        let stones = self.parse_board(board)?;
        let Some(mover) = SYMBOLS.iter().position(|s| s.to_string() == side) else {
            return Err(ParseError::new(format!("`{side}`: expected X or O as the side to move")));
        };
        let mut state = State::new(stones, mover);
        let max = if self.cap == u32::MAX { u32::MAX / 2 } else { self.cap };
        state.moves = match moves.parse::<u32>() {
            Ok(n) if n <= max && n.to_string() == moves => n,
            _ => {
                return Err(ParseError::new(format!(
                    "`{moves}`: expected a number of moves from 0 to {max}"
                )));
            }
        };
        state.passes = match passes.parse::<u8>() {
            Ok(n) if n <= 2 && u32::from(n) <= state.moves && n.to_string() == passes => n,
            _ => {
                let max = state.moves.min(2);
                return Err(ParseError::new(format!(
                    "`{passes}`: expected a number of consecutive passes from 0 to {max}"
                )));
            }
        };
        if ko != "-" {
            let point = self.parse_vertex(ko).filter(|&point| self.is_ko(&state, point));
            let Some(point) = point.filter(|_| state.passes == 0 && state.moves > 0) else {
                return Err(ParseError::new(format!(
                    "`{ko}`: the latest move cannot have captured a single stone there; write - if \
                     there is no ko"
                )));
            };
            state.ko = point;
        }
        if let Some(past) = past {
            self.parse_past(&mut state, past)?;
        }
        Ok(state)
    }
}

impl<const N: usize> Notation for Go<N> {
    fn move_text(&self, _: &State<N>, mv: Move) -> String {
        if mv == Move::PASS { PASS.to_owned() } else { Self::vertex(mv.0) }
    }

    fn position_text(&self, state: &State<N>) -> String {
        let board = self.board_text(state.stones);
        let side = SYMBOLS[state.mover()];
        let ko = if state.ko == NO_POINT { "-".to_owned() } else { Self::vertex(state.ko) };
        let mut text = format!("{board} {side} {ko} {} {}", state.passes, state.moves);
        if !state.past.steps.is_empty() {
            text.push(' ');
            text += &self.past_text(state);
        }
        text
    }

    fn parse_position(&self, text: &str) -> Result<State<N>, ParseError> {
        self.parse_fields(text).map_err(|why| ParseError::new(format!("`{text}`: {why}")))
    }

    fn why_illegal(&self, state: &State<N>, text: &str) -> String {
        if self.turn(state) == Turn::Over {
            return "the game is over".to_owned();
        }
        let Some(point) = self.parse_vertex(text) else {
            let capital = text.to_uppercase();
            if capital != text && self.parse_vertex(&capital).is_some() {
                return format!("columns are capital letters; write {capital}");
            }
            return format!(
                "a move is a vertex, A1 to {}{} (there is no column I), or pass",
                column_letter(self.options.width - 1),
                self.options.height
            );
        };
        if state.colour_at(point).is_some() {
            return "there is a stone already".to_owned();
        }
        if point == state.ko {
            return "that would retake the ko at once; play elsewhere first".to_owned();
        }
        if self.playable(state).has(point) {
            return "that would recreate an earlier board, which superko forbids".to_owned();
        }
        "that stone would have no liberty and capture nothing: suicide is illegal".to_owned()
    }

    fn parse_move(&self, state: &State<N>, text: &str) -> Result<Move, ParseError> {
        let over = self.turn(state) == Turn::Over;
        let legal = |&point: &u16| {
            self.playable(state).has(point)
                && (self.options.repetition != Repetition::Positional
                    || !self.would_repeat(state, point))
        };
        match self.parse_vertex(text).filter(legal) {
            Some(point) if !over => Ok(Move(point)),
            None if !over && text == PASS => Ok(Move::PASS),
            _ => Err(ParseError::new(format!("`{text}`: {}", self.why_illegal(state, text)))),
        }
    }
}
