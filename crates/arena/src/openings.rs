//! Openings of games: the usual start, random moves, or lines of a file.

use std::collections::HashSet;

use tussle_catalog::{AnyGame, AnyPosition, Error, turns};
use tussle_core::{Rng, Turn};

/// Maximum number of tries for a random opening that was not used before.
const MAX_OPENING_TRIES: u64 = 1000;
/// First part of the seeds of openings, so that they differ from the seeds of games.
const OPENING_SEED_PART: u64 = 0x6f70_656e;

/// Error of an opening that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// The start is not a valid position of the game.
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
    /// The game is over after the opening.
    #[error("the game is already over after this opening; leave moves to play")]
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
    /// No random opening of this length leaves the game undecided.
    #[error(
        "no undecided opening of {game} with {plies} random plies in {MAX_OPENING_TRIES} tries; use fewer plies"
    )]
    Decided {
        /// Length of the random openings.
        plies: u32,
        /// Spec of the game.
        game: String,
    },
}

/// Opening of a game: a start position and moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Start position, if it is not the usual start of the game.
    pub start: Option<String>,
    /// Moves that are made for the players.
    pub moves: Vec<String>,
}

impl Opening {
    /// Returns the positions before and after the moves of the opening.
    ///
    /// # Errors
    /// If the start is not a position of the game, or a move is illegal.
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

    /// Parses a line: a position, or moves from the usual start, separated by spaces or commas.
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

/// Openings of a tournament, one for each pair, made in the order of the pairs.
#[derive(Debug)]
pub(crate) struct Openings {
    plies: u32,
    seed: u64,
    /// Openings of the file, by game and line.
    lines: Vec<Vec<Opening>>,
    /// Random openings made so far, by pair.
    made: Vec<Opening>,
    seen: HashSet<(usize, String)>,
    /// Games for which no further distinct opening was found.
    used_up: HashSet<usize>,
}

impl Openings {
    /// Creates openings that take `lines` in turn, or random openings of `plies` plies if there are no lines.
    ///
    /// # Errors
    /// If a line is not an opening of each of the games, or the game is over after it.
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

    /// Returns true if a line of the file is a position.
    pub(crate) fn has_positions(&self) -> bool {
        self.lines.iter().flatten().any(|opening| opening.start.is_some())
    }

    /// Returns the opening of a pair. `game_of` returns the game that a pair plays.
    ///
    /// Lines of a file follow the rounds, so that all pairings of a round have the same opening. The line changes after
    /// every game was played with it.
    ///
    /// # Errors
    /// If no random opening of this length leaves the game undecided.
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

    /// Returns a random opening that was not made before, or a repeated one if no new one is found.
    fn random(
        &mut self,
        pair: u64,
        index: usize,
        game: &dyn AnyGame,
    ) -> Result<Opening, OpeningsError> {
        let mut repeated = None;
        let is_used_up = self.used_up.contains(&index);
        let tries = if is_used_up { MAX_OPENING_TRIES / 100 } else { MAX_OPENING_TRIES };
        for attempt in 0..tries {
            let mut rng = Rng::derive(self.seed, &[OPENING_SEED_PART, pair, attempt]);
            let Some(position) = random_moves(game, self.plies, &mut rng) else { continue };
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

/// Plays random moves. Returns `None` if the game is decided after them: over, or the player to move can win at once.
fn random_moves(game: &dyn AnyGame, plies: u32, rng: &mut Rng) -> Option<Box<dyn AnyPosition>> {
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
    fn random_openings_are_distinct_undecided_and_reproducible() {
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
    fn a_random_opening_never_leaves_an_immediate_win() {
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
    fn openings_repeat_when_all_were_used() {
        let made = openings("tictactoe", 1, &[], 30).expect("openings");
        let first: HashSet<_> = made[..9].iter().map(|opening| &opening.moves).collect();
        assert_eq!((made.len(), first.len()), (30, 9));
    }

    #[test]
    fn the_line_of_a_file_changes_after_every_game_was_played_with_it() {
        let game = tussle_catalog::game("tictactoe").expect("a game");
        let games = [game.as_ref(), game.as_ref()];
        let lines = ["a1", "b2", "c3"].map(str::to_owned);
        let mut openings = Openings::new(0, &lines, 1, &games).expect("openings");
        let mut line = |pair: u64, round: u64| {
            let opening = openings.of(pair, round, |_| ((round % 2) as usize, game.as_ref()));
            opening.expect("an opening").moves.concat()
        };
        // Three pairings per round: all pairings of a round have the same line.
        let met: Vec<String> = (0..9).map(|pair| line(pair, pair / 3)).collect();
        assert_eq!(met, ["a1", "a1", "a1", "a1", "a1", "a1", "b2", "b2", "b2"]);
        // Both games are played with all lines.
        let rounds: Vec<String> = (0..6).map(|round| line(round, round)).collect();
        assert_eq!(rounds, ["a1", "a1", "b2", "b2", "c3", "c3"]);
    }

    #[test]
    fn random_openings_that_always_decide_the_game_are_rejected() {
        let error = openings("tictactoe", 9, &[], 1).expect_err("nine plies end it");
        assert!(matches!(error, OpeningsError::Decided { plies: 9, .. }), "{error:?}");
        assert!(error.to_string().contains("use fewer plies"), "{error}");
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
