//! Where games begin: the usual start, random moves, or lines of a file.

use std::collections::HashSet;

use tussle_catalog::{AnyGame, AnyPosition, Error, turns};
use tussle_core::{Rng, Turn};

/// Tries for one opening before a repeated one is taken, or none is found.
const TRIES: u64 = 1000;
/// Keeps the seeds of openings apart from those of games.
const STREAM: u64 = 0x6f70_656e;

/// Error of an opening that a game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// The start is not a position of the game.
    #[error(transparent)]
    Position(Error),
    /// A move is not legal.
    #[error("move {number}: {source}")]
    Move {
        /// Number of the move, from 1.
        number: usize,
        /// Error of the game.
        source: Error,
    },
}

/// Error of one line of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningLineError {
    /// The line is neither moves nor a position.
    #[error("neither moves of {game} ({moves}) nor a position ({position})")]
    Unreadable {
        /// Spec of the game.
        game: String,
        /// Error of the line as moves.
        moves: Box<OpeningError>,
        /// Error of the line as a position.
        position: Box<OpeningError>,
    },
    /// The line can be read but not played.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// Nothing is left to play.
    #[error("the game is over there")]
    Over,
}

/// Error of the openings of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// A line is not an opening of one of the games.
    #[error("opening {number}, `{line}`: {source}")]
    Line {
        /// Number of the line, from 1.
        number: usize,
        /// The line.
        line: String,
        /// Error of the line.
        source: Box<OpeningLineError>,
    },
    /// No random opening of this length leaves the game open.
    #[error("{plies} random plies decide {game}: {TRIES} openings were tried; ask for fewer plies")]
    Decided {
        /// Length of the random openings.
        plies: u32,
        /// Spec of the game.
        game: String,
    },
}

/// How a game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The position, if it is not the game's start.
    pub start: Option<String>,
    /// The moves that are made for the players.
    pub moves: Vec<String>,
}

impl Opening {
    /// The position from which the record begins, and the one from which the players do.
    ///
    /// # Errors
    /// If the game does not know such a position or move.
    pub fn open(&self, game: &dyn AnyGame) -> Result<[Box<dyn AnyPosition>; 2], OpeningError> {
        let start = match &self.start {
            None => game.start(),
            Some(text) => game.position(text).map_err(OpeningError::Position)?,
        };
        let mut position = start.boxed();
        for (i, mv) in self.moves.iter().enumerate() {
            position.play(mv).map_err(|source| OpeningError::Move { number: i + 1, source })?;
        }
        Ok([start, position])
    }

    /// Reads a line: a position, or moves from the start with blanks or commas between them.
    fn read(line: &str, game: &dyn AnyGame) -> Result<Self, OpeningLineError> {
        let moves = line.split([' ', ',']).filter(|mv| !mv.is_empty()).map(str::to_owned);
        let as_moves = Self { start: None, moves: moves.collect() };
        let Err(moves) = as_moves.open(game) else { return Ok(as_moves) };
        let as_position = Self { start: Some(line.to_owned()), moves: Vec::new() };
        match as_position.open(game) {
            Ok(_) => Ok(as_position),
            Err(position) => {
                let game = game.spec().to_owned();
                let (moves, position) = (Box::new(moves), Box::new(position));
                Err(OpeningLineError::Unreadable { game, moves, position })
            }
        }
    }
}

/// The openings of a tournament, one for each pair, made in the order of the pairs.
#[derive(Debug)]
pub(crate) struct Openings {
    plies: u32,
    seed: u64,
    /// By game, then by line.
    lines: Vec<Vec<Opening>>,
    /// Those made so far, by pair.
    made: Vec<Opening>,
    seen: HashSet<(usize, String)>,
    /// Games all of whose openings were made, as far as can be told.
    used_up: HashSet<usize>,
}

impl Openings {
    /// Random openings of this length, or these lines in turn.
    ///
    /// # Errors
    /// If a line is not an opening of each of the games, or the game is over there.
    pub(crate) fn new(
        plies: u32,
        lines: &[String],
        seed: u64,
        games: &[&dyn AnyGame],
    ) -> Result<Self, OpeningsError> {
        let read = |game: &&dyn AnyGame| {
            let line = |(i, line): (usize, &String)| {
                let wrong = |source: OpeningLineError| OpeningsError::Line {
                    number: i + 1,
                    line: line.clone(),
                    source: Box::new(source),
                };
                let opening = Opening::read(line, *game).map_err(wrong)?;
                let [_, position] = opening.open(*game).map_err(|e| wrong(e.into()))?;
                if position.turn() == Turn::Over {
                    return Err(wrong(OpeningLineError::Over));
                }
                Ok(opening)
            };
            lines.iter().enumerate().map(line).collect::<Result<Vec<_>, _>>()
        };
        let lines = games.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Self {
            plies,
            seed,
            lines,
            made: Vec::new(),
            seen: HashSet::new(),
            used_up: HashSet::new(),
        })
    }

    /// Whether some begin with a position rather than with moves.
    pub(crate) fn has_positions(&self) -> bool {
        self.lines.iter().flatten().any(|opening| opening.start.is_some())
    }

    /// The opening of a pair; `game_of` tells which game each pair plays. Lines of a file follow the
    /// rounds, so that all who meet get the same ones, and change when every game was played.
    ///
    /// # Errors
    /// If no opening of this length leaves the game open.
    pub(crate) fn of<'a>(
        &mut self,
        pair: u64,
        round: u64,
        game_of: impl Fn(u64) -> (usize, &'a dyn AnyGame),
    ) -> Result<Opening, OpeningsError> {
        let (index, _) = game_of(pair);
        if let lines @ [_, ..] = self.lines[index].as_slice() {
            let turn = round / self.lines.len() as u64;
            return Ok(lines[(turn % lines.len() as u64) as usize].clone());
        }
        if self.plies == 0 {
            return Ok(Opening::default());
        }
        while self.made.len() as u64 <= pair {
            let next = self.made.len() as u64;
            let (index, game) = game_of(next);
            let opening = self.random(next, index, game)?;
            self.made.push(opening);
        }
        Ok(self.made[pair as usize].clone())
    }

    /// A random opening that was not made before, if there is one.
    fn random(
        &mut self,
        pair: u64,
        index: usize,
        game: &dyn AnyGame,
    ) -> Result<Opening, OpeningsError> {
        let mut repeated = None;
        let tries = if self.used_up.contains(&index) { TRIES / 100 } else { TRIES };
        for attempt in 0..tries {
            let mut rng = Rng::derive(self.seed, &[STREAM, pair, attempt]);
            let Some(position) = stroll(game, self.plies, &mut rng) else { continue };
            let opening = Opening { start: None, moves: position.history().to_vec() };
            if self.seen.insert((index, position.text())) {
                return Ok(opening);
            }
            repeated.get_or_insert(opening);
        }
        if repeated.is_some() {
            self.used_up.insert(index);
        }
        repeated.ok_or_else(|| OpeningsError::Decided {
            plies: self.plies,
            game: game.spec().to_owned(),
        })
    }
}

/// Random moves that leave the game open: it is not over, and whoever is to move cannot win at once.
fn stroll(game: &dyn AnyGame, plies: u32, rng: &mut Rng) -> Option<Box<dyn AnyPosition>> {
    let mut position = game.start();
    for _ in 0..plies {
        let mv = match position.turn() {
            Turn::Over => return None,
            Turn::Chance => position.roll(rng)?,
            Turn::Player(_) => {
                let mut moves = position.moves();
                moves.swap_remove(rng.below(moves.len()))
            }
        };
        position.play(&mv).ok()?;
    }
    let Turn::Player(mover) = position.turn() else {
        return (position.turn() == Turn::Chance).then_some(position);
    };
    let wins = position.moves().iter().any(|mv| {
        let won = position.play(mv).is_ok()
            && position.utilities().is_some_and(|end| turns::winner(&end) == Some(mover));
        position.undo();
        won
    });
    (!wins).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openings(
        spec: &str,
        plies: u32,
        lines: &[&str],
        pairs: u64,
    ) -> Result<Vec<Opening>, OpeningsError> {
        let game = tussle_catalog::game(spec).expect("a game");
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let mut openings = Openings::new(plies, &lines, 7, &[game.as_ref()])?;
        (0..pairs).map(|pair| openings.of(pair, pair, |_| (0, game.as_ref()))).collect()
    }

    #[test]
    fn random_openings_are_distinct_open_and_repeatable() {
        for (spec, plies) in [("connect4", 6), ("tictactoe", 3), ("backgammon", 3), ("go", 4)] {
            let game = tussle_catalog::game(spec).expect("a game");
            let made = openings(spec, plies, &[], 60).expect("openings");
            let texts = made.iter().map(|opening| {
                assert_eq!(opening.moves.len(), plies as usize);
                let [_, position] = opening.open(game.as_ref()).expect("it opens");
                assert_ne!(position.turn(), Turn::Over);
                position.text()
            });
            assert_eq!(texts.collect::<HashSet<_>>().len(), 60, "{spec}");
            assert_eq!(openings(spec, plies, &[], 60).expect("openings"), made);
        }
    }

    #[test]
    fn nobody_is_given_a_won_game() {
        let game = tussle_catalog::game("tictactoe").expect("a game");
        for opening in openings("tictactoe", 4, &[], 100).expect("openings") {
            let [_, mut position] = opening.open(game.as_ref()).expect("it opens");
            for mv in position.moves() {
                position.play(&mv).expect("legal");
                assert_eq!(position.utilities(), None);
                position.undo();
            }
        }
    }

    #[test]
    fn when_there_are_no_more_openings_they_come_again() {
        let made = openings("tictactoe", 1, &[], 30).expect("openings");
        let first: HashSet<_> = made[..9].iter().map(|opening| &opening.moves).collect();
        assert_eq!((made.len(), first.len()), (30, 9));
    }

    #[test]
    fn lines_follow_the_rounds_and_change_when_every_game_was_played() {
        let game = tussle_catalog::game("tictactoe").expect("a game");
        let games = [game.as_ref(), game.as_ref()];
        let lines = ["a1", "b2", "c3"].map(str::to_owned);
        let mut openings = Openings::new(0, &lines, 1, &games).expect("openings");
        let mut line = |pair: u64, round: u64| {
            let opening = openings.of(pair, round, |_| ((round % 2) as usize, game.as_ref()));
            opening.expect("an opening").moves.concat()
        };
        // Three meetings a round: all of a round have the same line.
        let met: Vec<String> = (0..9).map(|pair| line(pair, pair / 3)).collect();
        assert_eq!(met, ["a1", "a1", "a1", "a1", "a1", "a1", "b2", "b2", "b2"]);
        // Both games see all lines.
        let rounds: Vec<String> = (0..6).map(|round| line(round, round)).collect();
        assert_eq!(rounds, ["a1", "a1", "b2", "b2", "c3", "c3"]);
    }

    #[test]
    fn plies_that_decide_a_game_are_refused() {
        let error = openings("tictactoe", 9, &[], 1).expect_err("nine plies end it");
        assert!(matches!(error, OpeningsError::Decided { plies: 9, .. }), "{error:?}");
        assert!(error.to_string().contains("ask for fewer plies"), "{error}");
    }

    #[test]
    fn lines_are_moves_or_positions() {
        let made =
            openings("tictactoe", 0, &["b2 a1", "c3,a2", "x../.o./... x"], 4).expect("openings");
        assert_eq!(made[0].moves, ["b2", "a1"]);
        assert_eq!(made[1].moves, ["c3", "a2"]);
        assert_eq!(made[2].start.as_deref(), Some("x../.o./... x"));
        assert_eq!(made[3], made[0]);
        let error = openings("tictactoe", 0, &["b2", "b2 b2"], 1).expect_err("b2 is taken");
        let message = error.to_string();
        assert!(message.contains("opening 2, `b2 b2`: neither moves"), "{message}");
        let over = openings("tictactoe", 0, &["a1 b1 a2 b2 a3"], 1).expect_err("over");
        let source = Box::new(OpeningLineError::Over);
        let line = "a1 b1 a2 b2 a3".to_owned();
        assert_eq!(over, OpeningsError::Line { number: 1, line, source });
    }
}
