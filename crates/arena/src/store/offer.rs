//! Offers of finished games: a game that is reported several times is stored once.

use rusqlite::Transaction;

use super::{Store, StoreError, rows, write};
use crate::Record;

/// Answer of a store to a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a game that the store does not accept must not be counted"]
pub enum Offer {
    /// The game was stored.
    Accepted,
    /// The store already has this game with the same outcome.
    Known,
    /// The store has a different game with this number: other agents in the seats or another outcome. The stored game
    /// stays.
    Conflict,
}

impl Offer {
    /// Compares a record with the stored game that has the same number.
    fn of(record: &Record, stored: &Record) -> Self {
        let is_same = |a: &Record, b: &Record| {
            (a.pair, &a.game, &a.seats, &a.start) == (b.pair, &b.game, &b.seats, &b.start)
                && (&a.utilities, a.verdict, a.culprit) == (&b.utilities, b.verdict, b.culprit)
        };
        // Deterministic players make the same moves on every machine.
        let is_repeatable = record.deterministic && stored.deterministic;
        let is_known = is_same(record, stored) && (!is_repeatable || record.moves == stored.moves);
        if is_known { Self::Known } else { Self::Conflict }
    }
}

impl Store {
    /// Offers finished games to the store. Returns the answer to each of them, in order. The accepted games are durable
    /// when this returns.
    ///
    /// # Errors
    /// If the games cannot be written, or the file is not the one that was opened. No game is accepted then.
    pub fn offer(&mut self, records: &[Record]) -> Result<Vec<Offer>, StoreError> {
        self.look(records)?;
        let offers = write(&mut self.connection, |transaction| {
            records.iter().map(|record| offer(transaction, record)).collect()
        });
        let offers: Vec<Offer> = offers.map_err(|e| self.damaged(self.wrong(e), records))?;
        if self.presence.is_some() {
            let accepted = || {
                let offered = records.iter().zip(&offers);
                offered.filter(|(_, offer)| **offer == Offer::Accepted).map(|(record, _)| record)
            };
            self.recent.add(accepted());
            self.games += accepted().count() as u64;
        }
        self.look(&[])?;
        Ok(offers)
    }
}

/// Stores a game unless the store has one with this number.
fn offer(transaction: &Transaction<'_>, record: &Record) -> rusqlite::Result<Offer> {
    let sql = format!("{} ON CONFLICT (id) DO NOTHING", rows::INSERT);
    let mut statement = transaction.prepare_cached(&sql)?;
    if rows::insert(&mut statement, record)? {
        return Ok(Offer::Accepted);
    }
    let sql = format!("{} WHERE id = ?", rows::SELECT);
    let id = record.id.cast_signed();
    let stored = transaction.query_row(&sql, [id], rows::record)?;
    Ok(Offer::of(record, &stored))
}
