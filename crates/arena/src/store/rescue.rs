//! Rescue of the games of a store whose file is lost or damaged during a run.

use std::collections::{BTreeSet, VecDeque};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use tussle_catalog::text::counted;

use super::presence::Presence;
use super::schema::{self, FileKind};
use super::{Store, StoreError, durable, json, open, rows, write};
use crate::Record;

/// Maximum number of moves of the games that are kept in memory, about ten megabytes.
const MAX_RECENT_MOVES: usize = 100_000;
/// Maximum number of names that are tried for the file with the rescued games.
const MAX_RESCUE_FILES: u32 = 1000;

/// Place of the games of a lost store.
#[derive(Debug)]
pub enum Rescue {
    /// In a new file: its path, and the number of games in it.
    In(PathBuf, u64),
    /// In the store itself, which is intact.
    InPlace,
    /// The games could not be saved, with the error.
    Nowhere(Box<StoreError>),
}

impl Rescue {
    /// Returns a sentence about where the games are and what to do.
    pub(super) fn advice(&self, games: u64) -> String {
        match self {
            // The file must not be renamed to the store: it would be combined with the log of the old store.
            Self::In(path, saved) => {
                let path = path.display();
                let games = counted(games, "game");
                format!("{saved} of {games} saved in {path}; to resume, use --store {path}")
            }
            Self::InPlace => "nothing is lost: run the same command again".to_owned(),
            Self::Nowhere(why) => {
                format!("its {} could not be saved: {why}", counted(games, "game"))
            }
        }
    }
}

/// Damage to a store, found after a run.
#[derive(Debug, thiserror::Error)]
enum Damage {
    #[error("was overwritten: it is not a tussle store")]
    NotAStore,
    #[error("was damaged: {0}")]
    Sql(#[from] rusqlite::Error),
    /// Result of SQLite's check of the whole file.
    #[error("was damaged: {0}")]
    Check(String),
    #[error(transparent)]
    Count(StoreError),
    #[error("was overwritten: it has {found} of {expected} games")]
    TooFewGames { found: u64, expected: u64 },
    #[error("was damaged: {0}")]
    Game(#[source] StoreError),
    #[error("was overwritten: game {0} is a different one")]
    OtherGame(u64),
}

/// Latest games of a run, in memory.
#[derive(Debug, Default)]
pub(super) struct RecentGames {
    records: VecDeque<Record>,
    moves: usize,
}

impl RecentGames {
    pub(super) fn add<'a>(&mut self, records: impl Iterator<Item = &'a Record>) {
        for record in records {
            self.moves += record.moves.len() + 1;
            self.records.push_back(record.clone());
        }
        while self.moves > MAX_RECENT_MOVES
            && let Some(oldest) = self.records.pop_front()
        {
            self.moves -= oldest.moves.len() + 1;
        }
    }
}

impl Store {
    /// Checks that the files are still those that were opened. If not, saves the games including `new` ones.
    pub(super) fn look(&mut self, new: &[Record]) -> Result<(), StoreError> {
        let Some(presence) = &mut self.presence else { return Ok(()) };
        let Err(missing) = presence.look() else { return Ok(()) };
        // Closing the connection must not write to files that may belong to another program now.
        let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        if missing.is_index_cut {
            let (games, rescued) = (self.games, Rescue::InPlace);
            return Err(StoreError::Lost { what: missing.what, games, rescued });
        }
        Err(self.lost(missing.what, new))
    }

    /// Saves the games if the error is a damaged store.
    pub(super) fn damaged(&self, error: StoreError, new: &[Record]) -> StoreError {
        match error {
            StoreError::Corrupt { .. } | StoreError::NotAStore(_) | StoreError::Sql { .. }
                if self.presence.is_some() =>
            {
                self.lost(error.to_string(), new)
            }
            other => other,
        }
    }

    /// Saves the games of a lost store.
    fn lost(&self, what: String, new: &[Record]) -> StoreError {
        let games = self.games + new.len() as u64;
        let rescued = match self.rescue(new) {
            Ok((path, saved)) => Rescue::In(path, saved),
            Err(error) => Rescue::Nowhere(Box::new(error)),
        };
        StoreError::Lost { what, games, rescued }
    }

    /// Writes all games that are in memory or can still be read to a new file beside the store.
    fn rescue(&self, new: &[Record]) -> Result<(PathBuf, u64), StoreError> {
        let path = claim(&self.path)?;
        let saved = self.save(&path, new);
        if !matches!(saved, Ok(1..)) {
            super::remove(&path);
        }
        match saved? {
            0 => Err(StoreError::io(&self.path, io::Error::other("no game could be read"))),
            saved => Ok((path, saved)),
        }
    }

    fn save(&self, path: &Path, new: &[Record]) -> Result<u64, StoreError> {
        let wrong = |e| StoreError::of(path, e);
        let mut other = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        durable(&other).map_err(wrong)?;
        schema::create(&mut other, &json(&self.config, path)?).map_err(wrong)?;
        let mut saved = BTreeSet::new();
        let result = write(&mut other, |transaction| {
            let mut statement = transaction.prepare(rows::INSERT)?;
            let mut keep = |record: &Record| -> rusqlite::Result<()> {
                if saved.insert(record.id) {
                    rows::insert(&mut statement, record)?;
                }
                Ok(())
            };
            self.recent.records.iter().chain(new).try_for_each(&mut keep)?;
            // If the file is damaged in one place, read the games before it and the games after it.
            for order in ["ASC", "DESC"] {
                let sql = format!("{} ORDER BY id {order}", rows::SELECT);
                let Ok(mut all) = self.connection.prepare(&sql) else { break };
                let Ok(mut all) = all.query([]) else { break };
                let ended = loop {
                    match all.next().map(|row| row.map(rows::record)) {
                        Ok(Some(Ok(record))) => keep(&record)?,
                        Ok(Some(Err(_))) => {} // skip a game that cannot be read
                        Ok(None) => break true,
                        Err(_) => break false,
                    }
                };
                if ended {
                    break;
                }
            }
            for replay in self.replays().unwrap_or_default() {
                rows::insert_replay(transaction, &replay)?;
            }
            Ok(())
        });
        result.map_err(wrong)?;
        other.close().map_err(|(_, e)| wrong(e))?;
        Ok(saved.len() as u64)
    }

    /// Opens the store again and checks that all games are in it. If not, saves them.
    ///
    /// # Errors
    /// If the store was deleted, moved, replaced or damaged while it was open.
    pub(crate) fn verify(&mut self) -> Result<(), StoreError> {
        self.look(&[])?;
        if self.presence.is_none() || self.recent.records.is_empty() {
            return Ok(());
        }
        let memory = Connection::open_in_memory().map_err(|e| StoreError::of(&self.path, e))?;
        // The last connection that closes copies the games of the log into the database.
        if let Err((open, _)) = std::mem::replace(&mut self.connection, memory).close() {
            drop(open);
        }
        let anew = open(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        match anew {
            Ok(anew) => self.connection = anew,
            Err(error) => return Err(self.lost(error.to_string(), &[])),
        }
        if let Err(damage) = self.check_content() {
            return Err(self.lost(format!("{} {damage}", self.path.display()), &[]));
        }
        durable(&self.connection).map_err(|e| StoreError::of(&self.path, e))?;
        self.presence = Presence::of(&self.path).ok();
        Ok(())
    }

    /// Checks that the file is a store with all games of this run.
    fn check_content(&self) -> Result<(), Damage> {
        if !matches!(schema::look(&self.connection)?, FileKind::Store) {
            return Err(Damage::NotAStore);
        }
        let check = "PRAGMA quick_check(1)";
        let found: String = self.connection.query_row(check, [], |row| row.get(0))?;
        if found != "ok" {
            return Err(Damage::Check(found));
        }
        let games = self.len().map_err(Damage::Count)?;
        if games < self.games {
            return Err(Damage::TooFewGames { found: games, expected: self.games });
        }
        for record in &self.recent.records {
            let stored = self.game(record.id).map_err(Damage::Game)?;
            let same = |it: &Record| it.moves == record.moves && it.utilities == record.utilities;
            if !stored.as_ref().is_some_and(same) {
                return Err(Damage::OtherGame(record.id));
            }
        }
        Ok(())
    }
}

/// Creates an empty file with an unused name in the folder of the store, or in the current folder if that one does not
/// exist any more.
fn claim(store: &Path) -> Result<PathBuf, StoreError> {
    let file_name = store.file_name().unwrap_or_default();
    let mut refused = None;
    for folder in [store.parent().unwrap_or(Path::new("")), Path::new("")] {
        for number in 1..=MAX_RESCUE_FILES {
            let mut name = file_name.to_owned();
            name.push(format!(".rescued-{number}.db"));
            let path = folder.join(name);
            match File::create_new(&path) {
                Ok(_) => return Ok(path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    refused = Some(StoreError::io(&path, error));
                    break;
                }
            }
        }
    }
    Err(refused.unwrap_or_else(|| {
        StoreError::io(store, io::Error::other("too many rescued files beside it; remove some"))
    }))
}
