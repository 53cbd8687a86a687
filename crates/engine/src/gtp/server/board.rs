//! Board of an engine: rules, which the controller may change, and moves.

use std::sync::Arc;

use tussle_catalog::{AnyGame, AnyPosition, Catalog, Error, Spec, sgf};
use tussle_core::Turn;

use super::error::GtpError;
use crate::gtp::grammar::{Colour, vertex};

/// Rules and position of the current game, with the moves as the controller counts them.
pub(super) struct Board {
    /// Spec of the rules, with the changes of the controller.
    spec: Spec,
    game: Arc<dyn AnyGame>,
    /// Start position, if it is not the usual one.
    start: Option<String>,
    position: Box<dyn AnyPosition>,
    /// Number of plies for each move of the controller: 0 for a pass after the end of the game, 2 if a pass of the opponent
    /// was inserted, else 1.
    steps: Vec<usize>,
}

/// Names of points, for example of the stones of a string.
pub(super) type Points = Vec<String>;

impl Board {
    pub(super) fn new(catalog: &Catalog, spec: &str) -> Result<Self, Error> {
        let spec = Spec::parse(spec)?;
        if spec.name != "go" {
            return Err(Error::Spec(format!(
                "GTP is for go, not for {}; use `tussle ugi`",
                spec.name
            )));
        }
        Self::at_start(catalog, spec)
    }

    fn at_start(catalog: &Catalog, spec: Spec) -> Result<Self, Error> {
        let game = catalog.game(&text(&spec))?;
        let position = game.start();
        Ok(Self { spec, game, start: None, position, steps: Vec::new() })
    }

    pub(super) fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }

    pub(super) fn position(&self) -> &dyn AnyPosition {
        self.position.as_ref()
    }

    pub(super) fn is_over(&self) -> bool {
        self.position.turn() == Turn::Over
    }

    /// Returns the colour that is to move, or would be if the game were not over.
    pub(super) fn to_move(&self) -> Colour {
        match self.position.turn() {
            Turn::Player(player) => Colour::of(player),
            _ if self.position.text().split(' ').nth(1) == Some("O") => Colour::White,
            _ => Colour::Black,
        }
    }

    /// Returns the rows of the board, the top one first.
    pub(super) fn rows(&self) -> Vec<Vec<char>> {
        let text = self.position.text();
        let board = text.split(' ').next().unwrap_or_default();
        board.split('/').map(|row| row.chars().collect()).collect()
    }

    /// Returns an empty board of this size with otherwise the same rules.
    pub(super) fn resized(&self, width: usize, height: usize) -> Result<Self, Error> {
        let size = if width == height {
            vec![("size", width.to_string())]
        } else {
            vec![("width", width.to_string()), ("height", height.to_string())]
        };
        Self::at_start(self.game.catalog(), self.changed(&["size", "width", "height"], &size))
    }

    /// Returns the same game with a different komi.
    pub(super) fn with_komi(&self, komi: f64) -> Result<Self, Error> {
        let spec = self.changed(&["komi"], &[("komi", komi.to_string())]);
        let mut board = Self::at_start(self.game.catalog(), spec)?;
        if let Some(start) = &self.start {
            board.position = board.game.position(start)?;
        }
        for mv in self.position.history() {
            board.position.play(mv)?;
        }
        Ok(Self { start: self.start.clone(), steps: self.steps.clone(), ..board })
    }

    /// Returns the board of a game record, before move number `before` if it is given. Rules that the record does not name
    /// stay the same.
    pub(super) fn loaded(
        &self,
        record: &sgf::Record,
        before: Option<usize>,
    ) -> Result<Self, Error> {
        let recorded = Spec::parse(&record.spec)?;
        let keys: Vec<&str> = recorded.pairs.iter().map(|(key, _)| key.as_str()).collect();
        let pairs: Vec<(&str, String)> =
            recorded.pairs.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let dropped = [&["size", "width", "height"], keys.as_slice()].concat();
        let mut board = Self::at_start(self.game.catalog(), self.changed(&dropped, &pairs))?;
        board.position = board.game.position(&record.start)?;
        board.start = Some(record.start.clone());
        let number = before.map_or(record.moves.len(), |before| before.saturating_sub(1));
        for mv in record.moves.iter().take(number) {
            board.position.play(mv)?;
            board.steps.push(1);
        }
        Ok(board)
    }

    /// Clears the board, including stones that were set up.
    pub(super) fn clear(&mut self) {
        self.start = None;
        self.position = self.game.start();
        self.steps.clear();
    }

    /// Puts black handicap stones on an empty board. White is to move afterwards.
    pub(super) fn set_up(&mut self, stones: &[(usize, usize)]) -> Result<(), GtpError> {
        let mut rows = self.rows();
        if !self.steps.is_empty() || rows.iter().flatten().any(|&point| is_stone(point)) {
            return Err(GtpError::NotEmpty);
        }
        for point in rows.iter_mut().flatten() {
            *point = '.';
        }
        let height = rows.len();
        for &(x, y) in stones {
            rows[height - 1 - y][x] = 'X';
        }
        let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        let start = format!("{} O - 0 0", rows.join("/"));
        self.position = self.game.position(&start)?;
        self.start = Some(start);
        Ok(())
    }

    /// Makes a move of this colour. Controllers may play one colour twice, but the rules alternate. So if it is the
    /// opponent's turn, a pass of the opponent is inserted, unless it could end the game.
    pub(super) fn play(&mut self, colour: Colour, mv: &str) -> Result<(), GtpError> {
        let is_pass = mv == "pass";
        if self.is_over() {
            if !is_pass {
                return Err(GtpError::MoveAfterEnd);
            }
            self.steps.push(0);
            return Ok(());
        }
        let mut made = 0;
        if self.to_move() != colour {
            if is_pass {
                return Err(GtpError::OutOfTurn);
            }
            self.position = self.with_turn_of(colour)?;
            made = 1;
        }
        if let Err(error) = self.position.play(mv) {
            for _ in 0..made {
                self.position.undo();
            }
            return Err(GtpError::Illegal(error));
        }
        self.steps.push(made + 1);
        Ok(())
    }

    /// Makes a move that was found by a search of [`with_turn_of`](Self::with_turn_of). Unlike [`play`](Self::play), it
    /// allows a pass after an inserted pass.
    pub(super) fn play_own(&mut self, colour: Colour, mv: &str) -> Result<(), GtpError> {
        if mv == "pass" && !self.is_over() && self.to_move() != colour {
            self.position = self.with_turn_of(colour)?;
            self.position.play(mv)?;
            self.steps.push(2);
            return Ok(());
        }
        self.play(colour, mv)
    }

    /// Returns a copy of the position in which this colour is to move, with an inserted pass of the opponent if needed.
    pub(super) fn with_turn_of(&self, colour: Colour) -> Result<Box<dyn AnyPosition>, GtpError> {
        let mut position = self.position.boxed();
        if self.to_move() != colour {
            if position.history().last().is_some_and(|mv| mv == "pass") {
                return Err(GtpError::OutOfTurn);
            }
            position.play("pass")?;
            if position.turn() == Turn::Over {
                return Err(GtpError::OutOfTurn);
            }
        }
        Ok(position)
    }

    /// Takes back the controller's latest move. Returns false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(steps) = self.steps.pop() else { return false };
        for _ in 0..steps {
            self.position.undo();
        }
        true
    }

    /// Returns Black's points minus White's points at the end of the game, or if it ended now. A game that ended by
    /// repetition can be a draw.
    pub(super) fn score(&self) -> Result<f64, Error> {
        match self.position.utilities() {
            Some(utilities) if utilities[0] == 0.0 => Ok(0.0),
            _ => self.position.evaluate("area", 0),
        }
    }

    /// Returns the stones of all strings.
    pub(super) fn strings(&self) -> Vec<Points> {
        let rows = self.rows();
        let height = rows.len();
        let mut seen = vec![vec![false; rows.first().map_or(0, Vec::len)]; height];
        let mut strings = Vec::new();
        for y in 0..height {
            for x in 0..rows[y].len() {
                let colour = rows[y][x];
                if !is_stone(colour) || seen[y][x] {
                    continue;
                }
                let (mut string, mut open) = (Vec::new(), vec![(x, y)]);
                seen[y][x] = true;
                while let Some((x, y)) = open.pop() {
                    string.push(vertex(x, height - 1 - y));
                    let beside =
                        [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
                    for (x, y) in beside {
                        let same = rows.get(y).and_then(|row| row.get(x)) == Some(&colour);
                        if same && !std::mem::replace(&mut seen[y][x], true) {
                            open.push((x, y));
                        }
                    }
                }
                string.sort();
                strings.push(string);
            }
        }
        strings
    }

    fn changed(&self, dropped: &[&str], added: &[(&str, String)]) -> Spec {
        let mut spec = self.spec.clone();
        spec.pairs.retain(|(key, _)| !dropped.contains(&key.as_str()));
        spec.pairs.extend(added.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        spec
    }
}

fn is_stone(point: char) -> bool {
    point == 'X' || point == 'O'
}

/// Returns the text of a spec.
fn text(spec: &Spec) -> String {
    let pairs: Vec<String> =
        spec.pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
    if pairs.is_empty() { spec.name.clone() } else { format!("{}:{}", spec.name, pairs.join(",")) }
}
