//! What is kept of a finished game.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::{Deserialize, Serialize};
use tussle_core::{Outcome, Report};
use tussle_stats::{GameResult, PairedGame};

use tussle_catalog::{AnyPosition, Catalog, Error, turns};

use tussle_engine::Verdict;

/// One finished game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Its number in the schedule, from 0.
    pub id: u64,
    /// The number of its pair: the games from one opening in which everybody takes every seat.
    pub pair: u64,
    /// The spec of the game.
    pub game: String,
    /// By seat, the index of the contestant who sat there.
    pub seats: Vec<usize>,
    /// The position it began from, if that is not the game's start.
    pub start: Option<String>,
    /// How many of the moves are the opening's, made for the players.
    pub opening: usize,
    /// All moves from `start` on, outcomes of chance included.
    pub moves: Vec<String>,
    /// What it was worth to each seat.
    pub utilities: Vec<f64>,
    /// How it was decided.
    pub verdict: Verdict,
    /// The seat to which the verdict applies, if it is not `normal`.
    pub culprit: Option<usize>,
    /// What happened, for a verdict that is not `normal`; or that a player resigned.
    pub what: String,
    /// What shows it.
    pub evidence: Vec<String>,
    /// Whether the clock had no say in any move and all players repeat themselves.
    pub deterministic: bool,
    /// How many times a player's time ran out and a random move was made for it.
    pub overruns: u64,
    /// For each move of `moves`, what it took; default values for openings and chance.
    pub notes: Vec<MoveNote>,
    /// Microseconds that the culprit used for the move that came too late, or for none; 0 if the game ended otherwise.
    pub late: u64,
}

impl Record {
    /// Returns the position after the first `moves` moves, with them as its history.
    ///
    /// # Errors
    /// If the game is not there any more, or its rules have changed.
    pub fn position(&self, catalog: &Catalog, moves: usize) -> Result<Box<dyn AnyPosition>, Error> {
        let game = catalog.game(&self.game)?;
        let mut position = match &self.start {
            Some(text) => game.position(text)?,
            None => game.start(),
        };
        for mv in &self.moves[..moves.min(self.moves.len())] {
            position.play(mv)?;
        }
        Ok(position)
    }

    /// Returns the result for the player in `seat`.
    pub fn result(&self, seat: usize) -> GameResult {
        match turns::outcome(&self.utilities, seat) {
            Outcome::Win => GameResult::Win,
            Outcome::Draw => GameResult::Draw,
            Outcome::Loss => GameResult::Loss,
        }
    }

    /// Returns the game as a sequential test of the first contestant counts it; none if that contestant did not play.
    pub fn paired_game(&self) -> Option<PairedGame> {
        let seat = self.seats.iter().position(|&agent| agent == 0)?;
        Some(PairedGame {
            pair: self.pair,
            is_first_seat: seat == 0,
            result: (!self.is_void()).then(|| self.result(seat)),
            fingerprint: self.fingerprint(),
        })
    }

    /// Tells games apart by their moves: one in 2^64 is taken for another.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.game, &self.start, &self.moves).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns true if the game does not count, because this machine was too busy for its clock.
    pub fn is_void(&self) -> bool {
        self.verdict == Verdict::Host
    }

    /// Returns the contestant whose fault counts as a strike: its program failed, moved illegally, or made no move in time.
    pub fn struck(&self) -> Option<usize> {
        let seat = self.culprit?;
        let in_time = |note: &MoveNote| note.seat == Some(seat) && !note.overrun;
        let is_always_late = self.verdict == Verdict::Time && !self.notes.iter().any(in_time);
        let seat = (self.verdict.is_strike() || is_always_late).then_some(seat)?;
        self.seats.get(seat).copied()
    }

    /// The contestant who alone did best.
    pub fn winner(&self) -> Option<usize> {
        turns::winner(&self.utilities).map(|seat| self.seats[seat])
    }
}

/// The proven end of a game for one player, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A loss.
    Loss,
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self::Win,
            Outcome::Draw => Self::Draw,
            Outcome::Loss => Self::Loss,
        }
    }
}

/// What one move took. Short names: there is one of these for every move in the store.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct MoveNote {
    /// Whose move it was; nobody's if it is the opening's or chance's.
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub seat: Option<usize>,
    /// Microseconds on the clock.
    #[serde(rename = "us")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub used: u64,
    /// Microseconds left to the player when the move was made; of the bank, if there is one.
    #[serde(rename = "left", skip_serializing_if = "is_default")]
    pub left: u64,
    /// The player's time ran out, and the move was made at random for it.
    #[serde(rename = "o", skip_serializing_if = "is_default")]
    pub overrun: bool,
    /// What the player thinks the position is worth to it.
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub value: Option<f64>,
    /// The proven end of the game for the player; none if the value is an estimate.
    #[serde(rename = "end", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub ending: Option<Ending>,
    /// Plies.
    #[serde(rename = "d", skip_serializing_if = "is_default")]
    pub depth: u32,
    /// Nodes or simulations.
    #[serde(rename = "n", skip_serializing_if = "is_default")]
    pub nodes: u64,
    /// Leaves.
    #[serde(rename = "l", skip_serializing_if = "is_default")]
    pub leaves: u64,
    /// Evaluations.
    #[serde(rename = "e", skip_serializing_if = "is_default")]
    pub evaluations: u64,
    /// Children skipped.
    #[serde(rename = "p", skip_serializing_if = "is_default")]
    pub pruned: u64,
}

impl MoveNote {
    /// What a search told; the times are to be filled in.
    pub fn of(report: &Report<String>) -> Self {
        let line = report.lines.first();
        let value = line.and_then(tussle_core::Line::known_value);
        let stats = &report.stats;
        Self {
            value: value.filter(|value| value.is_finite()),
            ending: line.and_then(tussle_core::Line::outcome).map(Ending::from),
            depth: stats.depth,
            nodes: stats.nodes,
            leaves: stats.leaves,
            evaluations: stats.evaluations,
            pruned: stats.pruned,
            ..Self::default()
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_that_made_no_move_in_time_did_not_work() {
        let moved = |seat, overrun| MoveNote { seat: Some(seat), overrun, ..MoveNote::default() };
        let late = |verdict, notes: &[MoveNote]| Record {
            seats: vec![7, 8],
            verdict,
            culprit: Some(1),
            notes: notes.to_vec(),
            ..Record::default()
        };
        let others = [MoveNote::default(), moved(0, false), moved(1, true), moved(0, false)];
        assert_eq!(late(Verdict::Time, &others).struck(), Some(8));
        assert_eq!(late(Verdict::Host, &others).struck(), None);
        let in_time = [moved(0, false), moved(1, false)];
        assert_eq!(late(Verdict::Time, &in_time).struck(), None);
        assert_eq!(late(Verdict::Hang, &in_time).struck(), Some(8));
    }
}
