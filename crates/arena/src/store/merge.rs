//! Merge of several parts of a tournament into one store.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::TransactionBehavior;

use super::{Store, StoreError, difference, json, options, rows};
use crate::TournamentSpec;

impl Store {
    /// Merges the games of several parts of a tournament into a new store. The result is the store of the whole
    /// tournament and may be resumed.
    ///
    /// # Errors
    /// If the parts are of different tournaments or have a game in common, or if `into` has games already or cannot be
    /// written. No game is merged then.
    pub fn merge(parts: &[Self], into: &Path) -> Result<Self, StoreError> {
        let Some(first) = parts.first() else { return Err(StoreError::Missing(into.to_owned())) };
        let whole = |part: &Self| TournamentSpec { shard: None, ..part.config.clone() };
        let config = whole(first);
        for part in parts {
            let places = [first, part].map(|store| format!("in {}", store.path.display()));
            let [there, here] = &places;
            let mut known = json(&config, &first.path)?;
            let other = whole(part);
            let mut now = json(&other, &part.path)?;
            let changes = options::reconcile((&config, &mut known), (&other, &mut now));
            let mut differences: Vec<_> =
                changes.iter().map(|change| change.in_places([there, here])).collect();
            differences.extend(difference::differences(&known, &now, [there, here]));
            if !differences.is_empty() {
                let paths = [first.path.clone(), part.path.clone()];
                return Err(StoreError::Unlike { paths, differences });
            }
        }
        disjoint(parts)?;
        let is_new = !into.exists();
        let merged = Self::open_or_create(into, &config).and_then(|mut store| {
            if !store.is_empty()? {
                return Err(StoreError::NotEmpty(into.to_owned()));
            }
            store.fill(parts)?;
            Ok(store)
        });
        // Another run may have created the file in the meantime.
        let is_other = |error: &StoreError| {
            use StoreError::{Changed, Locked, NotEmpty};
            matches!(error, Locked { .. } | NotEmpty(_) | Changed { .. })
        };
        if is_new && merged.as_ref().is_err_and(|error| !is_other(error)) {
            super::remove(into);
        }
        merged
    }

    fn fill(&mut self, parts: &[Self]) -> Result<(), StoreError> {
        let path = &self.path;
        let wrong = |e| StoreError::of(path, e);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = transaction.map_err(wrong)?;
        let mut statement = transaction.prepare(rows::INSERT).map_err(wrong)?;
        for part in parts {
            part.for_each(|record| rows::insert(&mut statement, &record).map(drop).map_err(wrong))?;
            for replay in part.replays()? {
                rows::insert_replay(&transaction, &replay).map_err(wrong)?;
            }
        }
        drop(statement);
        transaction.commit().map_err(wrong)
    }
}

/// Rejects parts that have a game in common.
fn disjoint(parts: &[Store]) -> Result<(), StoreError> {
    let mut owner: HashMap<u64, &Store> = HashMap::new();
    for part in parts {
        for id in part.finished()? {
            if let Some(other) = owner.insert(id, part) {
                let paths = [other.path.clone(), part.path.clone()];
                return Err(StoreError::Twice { id, paths });
            }
        }
    }
    Ok(())
}
