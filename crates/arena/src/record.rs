//! Records of finished games.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::{Deserialize, Serialize};
use tussle_core::{Outcome, Report};
use tussle_stats::{GameResult, PairedGame};

use tussle_catalog::{AnyPosition, Catalog, Error, turns};

use tussle_engine::Verdict;

/// Record of a finished game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Number of the game in the schedule, from 0.
    pub id: u64,
    /// Number of the game pair: the games from one opening in which every agent takes every seat.
    pub pair: u64,
    /// Spec of the game.
    pub game: String,
    /// Index of the contestant, by seat.
    pub seats: Vec<usize>,
    /// Start position, if it is not the usual start of the game.
    pub start: Option<String>,
    /// Number of moves of the opening, which were made for the players.
    pub opening: usize,
    /// All moves after the start, including chance outcomes.
    pub moves: Vec<String>,
    /// Utility of each seat.
    pub utilities: Vec<f64>,
    /// Way in which the game was decided.
    pub verdict: Verdict,
    /// Seat that the verdict blames; `None` for the verdict `normal`.
    pub culprit: Option<usize>,
    /// Description of the fault, or of a resignation; else empty.
    pub what: String,
    /// Lines that prove the fault.
    pub evidence: Vec<String>,
    /// True if no clock affected a move and all players are deterministic.
    pub deterministic: bool,
    /// Number of moves that were made at random for a player whose time ran out.
    pub overruns: u64,
    /// Time and search statistics, by move; default values for moves of the opening and chance outcomes.
    pub notes: Vec<MoveNote>,
    /// Microseconds that the culprit used for the late or missing move that ended the game; else 0.
    pub late: u64,
}

impl Record {
    /// Returns the position after the first `moves` moves, with them as its history.
    ///
    /// # Errors
    /// If the catalog does not have the game any more, or its rules have changed.
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

    /// Returns the game for a sequential test of the first contestant; `None` if that contestant did not play.
    pub fn paired_game(&self) -> Option<PairedGame> {
        let seat = self.seats.iter().position(|&agent| agent == 0)?;
        Some(PairedGame {
            pair: self.pair,
            is_first_seat: seat == 0,
            result: (!self.is_void()).then(|| self.result(seat)),
            fingerprint: self.fingerprint(),
        })
    }

    /// Returns a hash of game, start and moves. Two different games have the same hash with probability 2^-64.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.game, &self.start, &self.moves).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns true if the game does not count because this machine was too busy.
    pub fn is_void(&self) -> bool {
        self.verdict == Verdict::Host
    }

    /// Returns the contestant whose fault counts as a strike: its program failed, it moved illegally, or it made no move
    /// in time.
    pub fn struck(&self) -> Option<usize> {
        let seat = self.culprit?;
        let in_time = |note: &MoveNote| note.seat == Some(seat) && !note.overrun;
        let is_always_late = self.verdict == Verdict::Time && !self.notes.iter().any(in_time);
        let seat = (self.verdict.is_strike() || is_always_late).then_some(seat)?;
        self.seats.get(seat).copied()
    }

    /// Returns the contestant with the highest utility; `None` if several share it.
    pub fn winner(&self) -> Option<usize> {
        turns::winner(&self.utilities).map(|seat| self.seats[seat])
    }
}

/// Proven outcome of a game for one player, as it is stored.
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

/// Time and search statistics of one move. The keys are short because the store has one note per move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct MoveNote {
    /// Seat that moved; `None` for moves of the opening and chance outcomes.
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub seat: Option<usize>,
    /// Time used for the move, in microseconds.
    #[serde(rename = "us")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub used: u64,
    /// Time that the player had left after the move, in microseconds.
    #[serde(rename = "left", skip_serializing_if = "is_default")]
    pub left: u64,
    /// True if the player's time ran out and a random move was made for it.
    #[serde(rename = "o", skip_serializing_if = "is_default")]
    pub overrun: bool,
    /// Value of the position for the player, as it reported it.
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub value: Option<f64>,
    /// Proven outcome for the player; `None` if the value is an estimate.
    #[serde(rename = "end", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub ending: Option<Ending>,
    /// Search depth in plies.
    #[serde(rename = "d", skip_serializing_if = "is_default")]
    pub depth: u32,
    /// Number of nodes or simulations.
    #[serde(rename = "n", skip_serializing_if = "is_default")]
    pub nodes: u64,
    /// Number of leaves.
    #[serde(rename = "l", skip_serializing_if = "is_default")]
    pub leaves: u64,
    /// Number of evaluations.
    #[serde(rename = "e", skip_serializing_if = "is_default")]
    pub evaluations: u64,
    /// Number of pruned moves.
    #[serde(rename = "p", skip_serializing_if = "is_default")]
    pub pruned: u64,
}

impl MoveNote {
    /// Creates a note from the report of a search, without the seat and the times.
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
    fn a_player_that_made_no_move_in_time_gets_a_strike() {
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
