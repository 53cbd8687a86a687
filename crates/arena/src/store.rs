//! The store: one `SQLite` file per tournament, from which tables, ratings and exports are computed.
//!
//! A finished game is durable when [`Store::offer`] returns, even if the process or the machine stops afterwards.

mod difference;
mod error;
mod filter;
mod lock;
mod merge;
mod offer;
mod options;
mod presence;
mod rescue;
mod rows;
mod schema;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, TransactionBehavior};
use serde::Deserialize as _;
use serde_json::Value;

use crate::{Record, TournamentSpec, names};
use lock::Lock;
use options::ChangedAgent;
use presence::Presence;
use rescue::RecentGames;
use schema::FileKind;

pub use error::StoreError;
pub use filter::GameFilter;
pub use offer::Offer;
pub(crate) use options::options;
pub use rescue::Rescue;
pub(crate) use rows::Columns;

/// Maximum wait for another program that has the file locked, such as a reader that recovers it after a crash.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Rerun of a game, because this machine and not a player was at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Number of the game.
    pub id: u64,
    /// Seat from which the machine withheld CPU time.
    pub seat: usize,
    /// Description of the fault.
    pub what: String,
}

/// Open store with the games of a tournament.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    config: TournamentSpec,
    // Fields are dropped in this order: the connection must be closed before the lock is released.
    connection: Connection,
    /// Files of the store, if it is open for writing.
    presence: Option<Presence>,
    /// Games that were added last.
    recent: RecentGames,
    /// Number of games that must be in the store, if it is open for writing.
    games: u64,
    _lock: Option<Lock>,
}

impl Store {
    /// Creates a store in memory, which is lost when it is dropped.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn in_memory(config: &TournamentSpec) -> Result<Self, StoreError> {
        let path = PathBuf::from(":memory:");
        let wrong = |e| StoreError::of(&path, e);
        let mut connection = Connection::open_in_memory().map_err(wrong)?;
        schema::create(&mut connection, &json(config, &path)?).map_err(wrong)?;
        Ok(Self::with(path, config.clone(), connection))
    }

    fn with(path: PathBuf, config: TournamentSpec, connection: Connection) -> Self {
        let (presence, recent) = (None, RecentGames::default());
        Self { path, config, connection, presence, recent, games: 0, _lock: None }
    }

    /// Starts to watch the files for loss.
    fn watched(self, lock: Lock) -> Result<Self, StoreError> {
        let games = self.len()?;
        let presence = Presence::of(&self.path).map_err(|e| StoreError::io(&self.path, e))?;
        Ok(Self { games, presence: Some(presence), _lock: Some(lock), ..self })
    }

    /// Opens the store of this tournament for writing, or creates it.
    ///
    /// # Errors
    /// If the file holds a different tournament, another process writes to it, or it cannot be written.
    pub fn open_or_create(path: &Path, config: &TournamentSpec) -> Result<Self, StoreError> {
        let wrong = |e| StoreError::of(path, e);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let (path, folder) = (path.to_owned(), folder.to_owned());
            return Err(StoreError::NoFolder { path, folder });
        }
        is_file(path)?;
        let lock = Lock::take(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut connection = open(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        if connection.is_readonly("main").map_err(wrong)? {
            return Err(StoreError::ReadOnly(path.to_owned()));
        }
        let found = schema::look(&connection).map_err(wrong)?;
        let mut now = json(config, path)?;
        check(path, &found)?;
        // Only after the check, so that files of other programs are not changed.
        durable(&connection).map_err(wrong)?;
        if matches!(found, FileKind::Empty) {
            schema::create(&mut connection, &now).map_err(wrong)?;
            return Self::with(path.to_owned(), config.clone(), connection).watched(lock);
        }
        let (mut stored, spec) = stored(path, &connection)?;
        let changes = options::reconcile((&spec, &mut stored), (config, &mut now));
        let mut differences: Vec<_> = changes.iter().map(ChangedAgent::when_resumed).collect();
        differences.extend(difference::differences(&stored, &now, ["in the store", "now"]));
        if !differences.is_empty() {
            return Err(StoreError::Changed { path: path.to_owned(), differences });
        }
        // Take the given specification: folders of programs are not stored and may have changed.
        Self::with(path.to_owned(), config.clone(), connection).watched(lock)
    }

    /// Opens a store for reading, even while a run writes to it.
    ///
    /// # Errors
    /// If the file does not exist, is not a store, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let wrong = |e| StoreError::of(path, e);
        if !is_file(path)? {
            return Err(StoreError::Missing(path.to_owned()));
        }
        // SQLite readers also write to the files beside the store, and the last one removes them. So open the file for
        // writing where that is allowed.
        let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = open(path, flags | OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let mut found = None;
        if has_log(path) || !connection.is_readonly("main").map_err(wrong)? {
            found = match schema::look(&connection) {
                Err(e) if cannot_write_beside(&e) && !has_log(path) => None,
                found => Some(found),
            };
        }
        let found = found.unwrap_or_else(|| {
            // Read-only folder and no log file: open the database as immutable, which needs no files beside it.
            let flags = flags | OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            connection = Connection::open_with_flags(immutable_uri(path), flags)?;
            schema::look(&connection)
        });
        connection.execute_batch("PRAGMA query_only = ON").map_err(wrong)?;
        let found = found.map_err(wrong)?;
        check(path, &found)?;
        if matches!(found, FileKind::Empty) {
            return Err(StoreError::Empty(path.to_owned()));
        }
        let (_, mut config) = stored(path, &connection)?;
        names::repair(&mut config.agents);
        Ok(Self::with(path.to_owned(), config, connection))
    }

    /// Returns true if a run is writing to the store in this file.
    pub fn is_in_use(path: &Path) -> bool {
        lock::is_held(path)
    }

    /// Returns the specification of the tournament.
    pub fn spec(&self) -> &TournamentSpec {
        &self.config
    }

    /// Returns the path of the file, or `:memory:` for a store in memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of games in the store.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn len(&self) -> Result<u64, StoreError> {
        let count = self.connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0));
        count.map(i64::cast_unsigned).map_err(|e| self.wrong(e))
    }

    /// Returns true if the store has no games.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        Ok(self.len()? == 0)
    }

    /// Returns the numbers of the games in the store.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn finished(&self) -> Result<BTreeSet<u64>, StoreError> {
        let ids = || {
            let mut statement = self.connection.prepare("SELECT id FROM games ORDER BY id")?;
            let ids = statement.query_map([], |row| row.get(0).map(i64::cast_unsigned))?;
            ids.collect::<rusqlite::Result<BTreeSet<u64>>>()
        };
        ids().map_err(|e| self.wrong(e))
    }

    /// Stores that a game is rerun because this machine was at fault.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn add_replay(&mut self, id: u64, seat: usize, what: &str) -> Result<(), StoreError> {
        let replay = Replay { id, seat, what: what.to_owned() };
        let result =
            write(&mut self.connection, |transaction| rows::insert_replay(transaction, &replay));
        result.map_err(|e| self.wrong(e))
    }

    /// Returns all reruns, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn replays(&self) -> Result<Vec<Replay>, StoreError> {
        let replays = || {
            let sql = "SELECT id, seat, what FROM replays ORDER BY rowid";
            let mut statement = self.connection.prepare(sql)?;
            let replays = statement.query_map([], |row| {
                let (id, seat): (i64, i64) = (row.get(0)?, row.get(1)?);
                let (id, seat) = (id.cast_unsigned(), seat.cast_unsigned() as usize);
                Ok(Replay { id, seat, what: row.get(2)? })
            })?;
            replays.collect::<rusqlite::Result<_>>()
        };
        replays().map_err(|e| self.wrong(e))
    }

    /// Returns the game with this number, or `None` if it is not finished.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn game(&self, id: u64) -> Result<Option<Record>, StoreError> {
        let Ok(id) = i64::try_from(id) else { return Ok(None) };
        let sql = format!("{} WHERE id = ?", rows::SELECT);
        let record = self.connection.query_row(&sql, [id], rows::record).optional();
        record.map_err(|e| self.wrong(e))?.map(|record| self.sound(record)).transpose()
    }

    /// Calls `visit` for all games in the order of their numbers. Only one game is in memory at a time.
    ///
    /// # Errors
    /// If the store cannot be read, or if `visit` returns an error.
    pub fn for_each<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let wrong = |e| E::from(self.wrong(e));
        let sql = format!("{} ORDER BY id", rows::SELECT);
        let mut statement = self.connection.prepare(&sql).map_err(wrong)?;
        let mut rows = statement.query([]).map_err(wrong)?;
        while let Some(row) = rows.next().map_err(wrong)? {
            visit(self.sound(rows::record(row).map_err(wrong)?)?)?;
        }
        Ok(())
    }

    /// Checks that the agents of a record exist, so that callers can look them up.
    fn sound(&self, record: Record) -> Result<Record, StoreError> {
        if record.seats.iter().all(|&agent| agent < self.config.agents.len()) {
            return Ok(record);
        }
        let what = format!("game {}: an agent that does not take part", record.id);
        Err(StoreError::Corrupt { path: self.path.clone(), what })
    }

    /// Converts an error of `SQLite`. Adds the number of stored games if the disk is full.
    fn wrong(&self, error: rusqlite::Error) -> StoreError {
        match StoreError::of(&self.path, error) {
            StoreError::Full { path, .. } => StoreError::Full { path, games: self.len().ok() },
            other => other,
        }
    }
}

/// Returns true if the file exists. Rejects folders and files that cannot be a store.
fn is_file(path: &Path) -> Result<bool, StoreError> {
    match std::fs::metadata(path) {
        // `SQLite` treats a file of one byte as empty and would overwrite it.
        Ok(metadata) if !metadata.is_file() || metadata.len() == 1 => {
            Err(StoreError::NotAStore(path.to_owned()))
        }
        Ok(_) => Ok(true),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(StoreError::Io { path: path.to_owned(), source: e }),
    }
}

/// Opens the file. Operations wait up to [`BUSY_TIMEOUT`] for locks of other programs.
fn open(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    // A relative name that begins with `file:` would be read as a URI.
    let absolute = std::path::absolute(path).map_err(|e| StoreError::io(path, e))?;
    let connection =
        Connection::open_with_flags(absolute, flags).map_err(|e| StoreError::of(path, e))?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(|e| StoreError::of(path, e))?;
    Ok(connection)
}

/// Makes each transaction durable when it is committed, without blocking readers.
fn durable(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.execute_batch("PRAGMA synchronous = FULL")
}

/// Rejects a file that is not a store of this version or an earlier one.
fn check(path: &Path, kind: &FileKind) -> Result<(), StoreError> {
    let path = path.to_owned();
    match kind {
        FileKind::Empty | FileKind::Store => Ok(()),
        FileKind::Foreign => Err(StoreError::NotAStore(path)),
        FileKind::Newer(format) => {
            Err(StoreError::Newer { path, found: *format, known: schema::FORMAT })
        }
    }
}

/// Performs `work` in one transaction, which changes nothing if it fails.
fn write<T>(
    connection: &mut Connection,
    work: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = work(&transaction)?;
    transaction.commit()?;
    Ok(done)
}

fn json(config: &TournamentSpec, path: &Path) -> Result<Value, StoreError> {
    serde_json::to_value(config).map_err(|e| StoreError::Corrupt {
        path: path.to_owned(),
        what: format!("this configuration cannot be written: {e}"),
    })
}

/// Returns the stored specification, first as JSON in the form that this version writes. Settings that this version does
/// not know stay in the JSON, so that they count as differences.
fn stored(path: &Path, connection: &Connection) -> Result<(Value, TournamentSpec), StoreError> {
    let sql = "SELECT value FROM meta WHERE key = 'config'";
    let text: String =
        connection.query_row(sql, [], |row| row.get(0)).map_err(|e| StoreError::of(path, e))?;
    let read = || {
        let mut stored = with_players(serde_json::from_str(&text)?);
        let spec = TournamentSpec::deserialize(&stored)?;
        if let (Value::Object(stored), Value::Object(now)) =
            (&mut stored, serde_json::to_value(&spec)?)
        {
            stored.extend(now);
        }
        Ok((stored, spec))
    };
    read().map_err(|e: serde_json::Error| StoreError::Corrupt {
        path: path.to_owned(),
        what: format!("the configuration: {e}"),
    })
}

/// Returns true for the error of a reader that cannot create the files it needs beside the store.
fn cannot_write_beside(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::SystemIoFailure)
    )
}

/// Removes a store and the files beside it.
fn remove(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(path, end));
    }
}

/// Returns the path of a file beside a store: the path of the store with `end`, such as `-wal`, appended.
fn beside(store: &Path, end: &str) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Returns true if the log has games that are not in the database file yet.
fn has_log(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|metadata| metadata.len() > 0)
}

/// Returns the URI that opens a file as immutable: `SQLite` then assumes that no process changes it.
fn immutable_uri(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut address = String::from("file:");
    for &byte in absolute.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                address.push(char::from(byte));
            }
            other => address += &format!("%{other:02X}"),
        }
    }
    address + "?immutable=1"
}

/// Adds the number of players to a configuration of an earlier version, which did not store it. Those versions had only
/// the standard games.
fn with_players(mut config: Value) -> Value {
    let spec = config.get("games").and_then(|games| games.get(0)).and_then(Value::as_str);
    let game = spec.and_then(|spec| tussle_catalog::game(spec).ok());
    let players = game.map_or(2, |game| game.players());
    if let Some(fields) = config.as_object_mut().filter(|_| players != 2) {
        fields.entry("players").or_insert_with(|| players.into());
    }
    config
}
