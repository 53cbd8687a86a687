//! Selection of games from a store.

use rusqlite::types::Type;
use tussle_catalog::turns;
use tussle_core::Outcome;
use tussle_engine::Verdict;

use super::{Store, StoreError};

/// Filter of games. `None` in a field means any.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameFilter {
    /// Index of a contestant that took part.
    pub agent: Option<usize>,
    /// Outcome for that contestant, or without one for the player in the first seat.
    pub outcome: Option<Outcome>,
    /// Verdict of the game.
    pub verdict: Option<Verdict>,
}

impl GameFilter {
    fn has(&self, seats: &[usize], utilities: &[f64], verdict: &str) -> bool {
        let seat = match self.agent {
            Some(agent) => seats.iter().position(|&index| index == agent),
            None => Some(0),
        };
        let Some(seat) = seat.filter(|&seat| seat < utilities.len()) else { return false };
        let is_void = verdict == Verdict::Host.as_str();
        self.outcome.is_none_or(|outcome| !is_void && turns::outcome(utilities, seat) == outcome)
            && self.verdict.is_none_or(|wanted| wanted.as_str() == verdict)
    }
}

impl Store {
    /// Returns the numbers of the games that pass the filter, in order. Moves and notes, which are most of a store, are not
    /// read.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn pick(&self, filter: &GameFilter) -> Result<Vec<u64>, StoreError> {
        let pick = || {
            let sql = "SELECT id, seats, utilities, verdict FROM games ORDER BY id";
            let mut statement = self.connection.prepare(sql)?;
            let mut rows = statement.query([])?;
            let mut ids = Vec::new();
            while let Some(row) = rows.next()? {
                let wrong = |index: usize, e: serde_json::Error| {
                    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, e.into())
                };
                let text = |index: usize| Ok::<_, rusqlite::Error>(row.get_ref(index)?.as_str()?);
                let seats: Vec<usize> = serde_json::from_str(text(1)?).map_err(|e| wrong(1, e))?;
                let utilities: Vec<f64> =
                    serde_json::from_str(text(2)?).map_err(|e| wrong(2, e))?;
                if filter.has(&seats, &utilities, text(3)?) {
                    ids.push(row.get::<_, i64>(0)?.cast_unsigned());
                }
            }
            Ok(ids)
        };
        pick().map_err(|e| self.wrong(e))
    }

    /// Returns the numbers of the finished games before and after this one.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn neighbours(&self, id: u64) -> Result<[Option<u64>; 2], StoreError> {
        let Ok(id) = i64::try_from(id) else { return Ok([None; 2]) };
        let sql = "SELECT (SELECT max(id) FROM games WHERE id < ?1), \
                   (SELECT min(id) FROM games WHERE id > ?1)";
        let found = self.connection.query_row(sql, [id], |row| {
            let ids: [Option<i64>; 2] = [row.get(0)?, row.get(1)?];
            Ok(ids.map(|id| id.map(i64::cast_unsigned)))
        });
        found.map_err(|e| self.wrong(e))
    }
}
