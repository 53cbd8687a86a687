//! Tables of the store and recognition of its file format.

use rusqlite::Connection;
use serde_json::Value;

/// Application ID that marks the file as a store: "TUSS".
pub(super) const APPLICATION: i64 = 0x5455_5353;
/// Format that this version writes.
pub(super) const FORMAT: i64 = 1;

const TABLES: &str = "
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE games (
    id            INTEGER PRIMARY KEY, -- its number in the schedule, from 0
    pair          INTEGER NOT NULL,    -- games of one pair have one opening
    game          TEXT NOT NULL,       -- the spec of the game
    seats         TEXT NOT NULL,       -- by seat, the index of the agent in the configuration
    start         TEXT,                -- the position it began from, if not the usual one
    opening       INTEGER NOT NULL,    -- how many of the moves were made for the players
    moves         TEXT NOT NULL,       -- with spaces between them, outcomes of chance included
    utilities     TEXT NOT NULL,       -- by seat
    verdict       TEXT NOT NULL,       -- normal, time, illegal, crash, hang, memory, protocol; host: void
    culprit       INTEGER,             -- the seat to which the verdict applies
    what          TEXT NOT NULL,       -- what happened
    evidence      TEXT NOT NULL,       -- a list of lines
    deterministic INTEGER NOT NULL,
    overruns      INTEGER NOT NULL,    -- moves made at random for a player whose time ran out
    notes         TEXT NOT NULL        -- what each move took: lists by move
);
CREATE TABLE replays (
    id   INTEGER NOT NULL,             -- the game that was played again
    seat INTEGER NOT NULL,             -- who was late by no fault of its own
    what TEXT NOT NULL
);
";

/// Kind of a database file.
pub(super) enum FileKind {
    /// Empty, or an unfinished creation of a store.
    Empty,
    /// A store.
    Store,
    /// A store of a newer format.
    Newer(i64),
    /// A database of another program.
    Foreign,
}

/// Returns the kind of the file.
pub(super) fn look(connection: &Connection) -> rusqlite::Result<FileKind> {
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id")?;
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    Ok(match (application, tables) {
        (0, 0) => FileKind::Empty,
        (APPLICATION, _) => match number("PRAGMA user_version")? {
            format if format > FORMAT => FileKind::Newer(format),
            _ => FileKind::Store,
        },
        _ => FileKind::Foreign,
    })
}

/// Creates the tables and writes the configuration, in one transaction.
pub(super) fn create(connection: &mut Connection, config: &Value) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    let insert = "INSERT INTO meta VALUES (?, ?)";
    transaction.execute(insert, ["config", &config.to_string()])?;
    transaction.execute(insert, ["tussle", env!("CARGO_PKG_VERSION")])?;
    transaction.execute(
        "INSERT INTO meta VALUES ('created', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
        [],
    )?;
    transaction.commit()
}
