//! Recipes of opening books: the positions of a book and the agent that answers them.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tussle_core::{Limits, Line, Rng, StopFlag, StopReason, Turn};

use super::BookEntry;
use super::file::{checksum, hex, kept_value};
use crate::file::{MAX_INPUT_BYTES, read_text};
use crate::{AnyAgent, AnyGame, AnyPosition, Error, ParamKind, Spec};

/// Maximum number of positions of a book. Reading a larger book takes longer than the searches that it saves.
pub const MAX_BOOK_POSITIONS: usize = 1_000_000;

/// Limits of the search of each position of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookLimits {
    /// Time limit in milliseconds.
    pub time_ms: Option<f64>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Depth limit in plies.
    pub depth: Option<u32>,
}

impl BookLimits {
    fn limits(self, stop: &StopFlag) -> Limits {
        let mut limits = Limits::none().or_stop(stop);
        let seconds = self.time_ms.map(|ms| ms / 1e3);
        if let Some(time) = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()) {
            limits = limits.or_time(time);
        }
        Limits { nodes: self.nodes, depth: self.depth, ..limits }
    }
}

/// Everything that determines the contents of a book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Canonical spec of the game.
    pub game: String,
    /// Checksum of the file from which the game reads its rules, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Spec of the agent that answers.
    pub agent: String,
    /// Limits of its search of each position.
    pub limits: BookLimits,
    /// Seed from which the agent's seeds are derived.
    pub seed: u64,
    /// Number of plies: the book has all positions that are reached in fewer plies.
    pub plies: u32,
}

impl Recipe {
    /// Creates a recipe for a book of the first `plies` plies.
    pub fn new(game: &dyn AnyGame, agent: &str, limits: BookLimits, seed: u64, plies: u32) -> Self {
        let rules = rules_checksum(game);
        let game = game.spec().to_owned();
        Self { rules, game, agent: agent.to_owned(), limits, seed, plies }
    }

    /// Returns the seed of the agent for one position.
    ///
    /// Each position gets a new agent with its own seed, so that answers depend neither on each other nor on their
    /// order.
    pub fn seed_for(&self, opening: &Opening) -> u64 {
        Rng::derive(self.seed, &[opening.key]).next_u64()
    }

    /// Searches one position with a new agent, made with [`seed_for`](Recipe::seed_for). Returns `None` if the flag
    /// is raised before the answer.
    ///
    /// # Errors
    /// If the agent cannot play this game, or has no answer.
    pub fn ask(
        &self,
        agent: &mut dyn AnyAgent,
        opening: &Opening,
        stop: &StopFlag,
    ) -> Result<Option<BookEntry>, Error> {
        if stop.is_stopped() {
            return Ok(None);
        }
        let position = opening.position.as_ref();
        let report = agent.choose(position, &self.limits.limits(stop))?;
        if report.stopped == StopReason::StopFlag {
            return Ok(None);
        }
        let outcome = report.outcome();
        let Some(best) = report.lines.into_iter().next() else { return Ok(None) };
        let number = best.known_value().unwrap_or(0.0);
        let value = kept_value(number, outcome, outcome.and(best.distance()));
        let best = Line { value, ..best };
        Ok(Some(BookEntry {
            ply: opening.ply,
            key: opening.key,
            position: position.text(),
            // A book stores neither visits nor further moves.
            line: Line { visits: 0, pv: vec![best.mv.clone()], ..best },
        }))
    }
}

/// Returns the checksum of the files that a game's spec names, if it names any that can be read.
pub(super) fn rules_checksum(game: &dyn AnyGame) -> Option<String> {
    let spec = Spec::parse(game.spec()).ok()?;
    let params = game.catalog().entry(&spec.name).ok()?.params.iter();
    let files =
        params.filter(|param| matches!(param.kind, ParamKind::File | ParamKind::ChoiceOrFile(_)));
    let texts = files.filter_map(|param| read_text(Path::new(spec.value(param.key)?)).ok());
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| hex(checksum(texts.concat().as_bytes())))
}

/// Position that a book should have.
pub struct Opening {
    /// Least number of plies from the start to the position.
    pub ply: u32,
    /// Least board key over all symmetries.
    pub key: u64,
    /// Position in the orientation that has this key.
    pub position: Box<dyn AnyPosition>,
}

/// Returns the positions in which a player is to move after fewer than `plies` plies, sorted by ply.
///
/// Of positions that are reflections of each other, only one is returned. Every chance outcome is a ply. The list
/// is incomplete if the flag is raised.
///
/// # Errors
/// If there are more than [`MAX_BOOK_POSITIONS`].
pub fn openings(game: &dyn AnyGame, plies: u32, stop: &StopFlag) -> Result<Vec<Opening>, Error> {
    at_most(MAX_BOOK_POSITIONS, game, plies, stop)
}

pub(super) fn at_most(
    most: usize,
    game: &dyn AnyGame,
    plies: u32,
    stop: &StopFlag,
) -> Result<Vec<Opening>, Error> {
    if game.start().board_key().is_none() {
        return Err(Error::Spec(format!(
            "{}: an opening book needs keys of positions, which this game does not declare \
             (`Entry::hashed`)",
            game.spec()
        )));
    }
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut bytes = 0;
    let mut level = Vec::from_iter(new_opening(game.start().as_ref(), 0, &mut seen));
    for ply in 0..plies {
        let mut next = Vec::new();
        for mut opening in level {
            let position = &mut opening.position;
            let moves = if ply + 1 < plies { position.moves() } else { Vec::new() };
            for mv in moves {
                position.play(&mv)?;
                next.extend(new_opening(position.as_ref(), ply + 1, &mut seen));
                position.undo();
            }
            if position.turn() != Turn::Chance {
                bytes += position.text().len() as u64 + ENTRY_BYTES;
                found.push(opening);
            }
            if stop.is_stopped() {
                return Ok(found);
            }
            if seen.len() > most || bytes > MAX_INPUT_BYTES {
                // The limit was exceeded by the positions after this ply, or after the one before.
                let fits = if bytes > MAX_INPUT_BYTES { ply } else { ply + 1 };
                return Err(Error::Spec(format!(
                    "{} has more positions in its first {plies} plies than a book can hold; ask \
                     for at most {fits}",
                    game.spec(),
                )));
            }
        }
        level = next;
    }
    Ok(found)
}

/// Returns a position in its canonical orientation, unless no player is to move or it was seen before.
fn new_opening(position: &dyn AnyPosition, ply: u32, seen: &mut HashSet<u64>) -> Option<Opening> {
    let (key, symmetry) = position.canonical()?;
    let new = position.turn() != Turn::Over && seen.insert(key);
    new.then(|| Opening { ply, key, position: position.reflect(symmetry) })
}

/// Approximate size of an entry in a file, without its position.
const ENTRY_BYTES: u64 = 128;

#[cfg(test)]
mod tests {
    use tussle_core::StopFlag;
    use tussle_games::TicTacToe;

    use crate::{Catalog, Entry};

    #[test]
    fn a_book_with_too_many_positions_is_rejected() {
        let catalog = Catalog::empty().with(Entry::new("tictactoe", TicTacToe).complete());
        let game = catalog.game("tictactoe").unwrap();
        let at_most = |n, plies| super::at_most(n, game.as_ref(), plies, &StopFlag::default());
        // 1, 3 and 12 positions with 0, 1 and 2 stones.
        assert_eq!(at_most(16, 3).unwrap().len(), 16);
        let message = at_most(16, 4).err().unwrap().to_string();
        assert!(
            message.contains("in its first 4 plies") && message.contains("at most 3"),
            "{message}"
        );
    }
}
