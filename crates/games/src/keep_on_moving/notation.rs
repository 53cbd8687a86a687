//! Text of moves and positions.

use tussle_core::{Game, Notation, ParseError, Turn};

use super::board::player_of;
use super::{DIRECTIONS, Direction, KeepOnMoving, State, contains, remove};

const LETTERS: [char; 4] = ['U', 'R', 'D', 'L'];

/// Prefix of the digits of the players who are out.
const OUT_PREFIX: &str = "out:";

impl<const WORDS: usize, const PLAYERS: usize> KeepOnMoving<WORDS, PLAYERS> {
    /// Returns the player on a cell.
    pub(super) fn player_on(&self, state: &State<WORDS, PLAYERS>, cell: usize) -> Option<usize> {
        (0..self.players).find(|&p| usize::from(state.cells[p]) == cell)
    }

    /// Parses the rows of a position into `state`.
    fn read_cells(&self, board: &str, state: &mut State<WORDS, PLAYERS>) -> Result<(), ParseError> {
        let (width, height) = (self.width, self.height);
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != height {
            return Err(ParseError::new(format!("expected {height} rows, found {}", rows.len())));
        }
        let mut placed = 0u8;
        for (row, text) in rows.into_iter().enumerate() {
            let cells = text.chars().count();
            if cells != width {
                return Err(ParseError::new(format!(
                    "row {}: expected {width} cells, found {cells}",
                    row + 1
                )));
            }
            for (column, symbol) in text.chars().enumerate() {
                let cell = self.cell(row, column);
                let place = || format!("row {}, column {}", row + 1, column + 1);
                let player = player_of(symbol).filter(|&p| p < self.players);
                if player.is_none() && symbol != '#' && symbol != '.' {
                    let k = self.players;
                    let place = place();
                    return Err(ParseError::new(format!(
                        "{place}: expected `#`, `.` or a digit 1 to {k}, found {symbol:?}"
                    )));
                }
                if symbol != '#' && !contains(&self.open, cell) {
                    return Err(ParseError::new(format!(
                        "{}: this cell is blocked from the beginning; write `#`",
                        place()
                    )));
                }
                if symbol == '.' && !contains(&self.start.free, cell) {
                    return Err(ParseError::new(format!(
                        "{}: the start cell of a player is never free; write `#` or the player",
                        place()
                    )));
                }
                if symbol != '.' {
                    remove(&mut state.free, cell);
                }
                if let Some(p) = player {
                    if placed >> p & 1 != 0 {
                        return Err(ParseError::new(format!(
                            "{}: player {} is on the board a second time",
                            place(),
                            p + 1
                        )));
                    }
                    placed |= 1 << p;
                    state.cells[p] = cell as u16;
                }
            }
        }
        match (0..self.players).find(|p| placed >> p & 1 == 0) {
            Some(p) => Err(ParseError::new(format!("player {} is not on the board", p + 1))),
            None => Ok(()),
        }
    }

    /// Checks that a player can be on its cell after `steps` own steps. The start cell is never
    /// free again, and every step changes the colour of the cell in a chequered pattern.
    fn check_walk(
        &self,
        state: &State<WORDS, PLAYERS>,
        player: usize,
        steps: usize,
    ) -> Result<(), ParseError> {
        let place = |cell: u16| {
            let cell = usize::from(cell);
            (cell / self.stride, cell % self.stride)
        };
        let (from, to) = (place(self.start.cells[player]), place(state.cells[player]));
        let distance = from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
        let returned = distance == 0 && steps > 0;
        if distance > steps || (steps - distance) % 2 == 1 || returned {
            let player = player + 1;
            return Err(ParseError::new(format!(
                "player {player} has made {steps} steps, so it cannot be {distance} steps from its start"
            )));
        }
        Ok(())
    }

    /// Checks that the players who are out and the player to move are possible, and ends the game
    /// if it is over.
    fn read_turn(&self, state: &mut State<WORDS, PLAYERS>, mover: usize) -> Result<(), ParseError> {
        let still_in = self.still_in(state);
        if still_in.count_ones() < 2 {
            return Err(ParseError::new(
                "fewer than two players are still in; the game would have ended before this position",
            ));
        }
        let digit = mover + 1;
        if still_in >> mover & 1 == 0 {
            return Err(ParseError::new(format!(
                "player {digit} is out and cannot be the player to move"
            )));
        }
        let out = |p: &usize| still_in >> p & 1 == 0;
        if let Some(p) = (0..self.players).filter(out).find(|&p| self.can_move(state, p)) {
            return Err(ParseError::new(format!("player {} can move, so it is not out", p + 1)));
        }
        // Each step takes one cell. As long as no player is out, the number of steps determines the
        // player to move.
        let steps = (0..WORDS)
            .map(|word| (self.start.free[word] & !state.free[word]).count_ones() as usize)
            .sum::<usize>();
        let due = steps % self.players + 1;
        if state.out == 0 && due != digit {
            return Err(ParseError::new(format!(
                "after {steps} steps it is player {due}'s turn, not {digit}'s"
            )));
        }
        let before = state.out;
        self.settle(state, mover);
        if state.out != before {
            return Err(ParseError::new(format!(
                "player {digit} cannot move and others can, so it is out"
            )));
        }
        if state.out == 0 {
            for p in 0..self.players {
                let own = steps / self.players + usize::from(p < steps % self.players);
                self.check_walk(state, p, own)?;
            }
        }
        Ok(())
    }
}

impl<const WORDS: usize, const PLAYERS: usize> Notation for KeepOnMoving<WORDS, PLAYERS> {
    fn move_text(&self, _: &Self::State, direction: Direction) -> String {
        LETTERS[direction as usize].to_string()
    }

    fn position_text(&self, state: &Self::State) -> String {
        let mut text = String::with_capacity((self.width + 1) * self.height + 16);
        for row in 0..self.height {
            for column in 0..self.width {
                let cell = self.cell(row, column);
                text.push(match self.player_on(state, cell) {
                    Some(player) => digit(player),
                    None if contains(&state.free, cell) => '.',
                    None => '#',
                });
            }
            text.push(if row + 1 < self.height { '/' } else { ' ' });
        }
        text.push(digit(usize::from(state.mover)));
        if state.out != 0 {
            text.push(' ');
            text.push_str(OUT_PREFIX);
            text.extend((0..self.players).filter(|p| state.out >> p & 1 != 0).map(digit));
        }
        text
    }

    fn parse_position(&self, text: &str) -> Result<Self::State, ParseError> {
        let in_text = |error: ParseError| ParseError::new(format!("`{text}`: {error}"));
        let player = |symbol: char| player_of(symbol).filter(|&p| p < self.players);
        let words: Vec<&str> = text.split_whitespace().collect();
        let (board, mover, out) = match words[..] {
            [board, mover] => (board, mover, None),
            [board, mover, out] => (board, mover, out.strip_prefix(OUT_PREFIX)),
            _ => ("", "", None),
        };
        let mut digits = mover.chars();
        let (Some(mover), None) = (digits.next().and_then(player), digits.next()) else {
            return Err(in_text(ParseError::new(format!(
                "expected rows of `#`, `.` and players, separated by `/`, then the digit of the \
                 player to move and, if players are out, `{OUT_PREFIX}` and their digits, as in \
                 `1.#/.#2 1`"
            ))));
        };
        let mut state = State { key: 0, mover: 0, out: 0, winners: 0, ..self.start.clone() };
        if words.len() == 3 {
            for symbol in out.filter(|out| !out.is_empty()).unwrap_or("?").chars() {
                let p = player(symbol).filter(|p| state.out >> p & 1 == 0).ok_or_else(|| {
                    let message =
                        format!("`{}`: expected `{OUT_PREFIX}` and digits of players", words[2]);
                    in_text(ParseError::new(message))
                })?;
                state.out |= 1 << p;
            }
        }
        self.read_cells(board, &mut state).map_err(in_text)?;
        state.key = self.fresh_key(&state);
        self.read_turn(&mut state, mover).map_err(in_text)?;
        Ok(state)
    }

    fn why_illegal(&self, state: &Self::State, text: &str) -> String {
        if self.turn(state) == Turn::Over {
            return "the game is over".to_owned();
        }
        let direction = DIRECTIONS.iter().find(|&&d| LETTERS[d as usize].to_string() == text);
        let Some(&direction) = direction else {
            return "a move is U, R, D or L: one step up, right, down or left".to_owned();
        };
        let to = usize::from(self.toward(state.cells[usize::from(state.mover)], direction));
        if self.player_on(state, to).is_some() {
            "another player is on that cell".to_owned()
        } else if to % self.stride == 0 || !(1..=self.height).contains(&(to / self.stride)) {
            "that step leaves the board".to_owned()
        } else if contains(&self.open, to) {
            "that cell is blocked, because a player left it".to_owned()
        } else {
            "that cell is blocked".to_owned()
        }
    }
}

/// Returns the digit of a player.
pub(super) fn digit(player: usize) -> char {
    (b'1' + player as u8) as char
}
