//! What is in the file.

use rusqlite::Connection;
use serde_json::Value;

/// Marks the file as ours: "TUSS".
pub(super) const APPLICATION: i64 = 0x5455_5353;
/// The format this version writes.
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

/// What a file turned out to be.
pub(super) enum Found {
    /// Nothing yet, or what a creation that did not finish left behind.
    Nothing,
    /// A store.
    Ours,
    /// A store of a format to come.
    Newer(i64),
    /// Somebody else's database.
    Foreign,
}

/// Looks what the file is.
pub(super) fn look(connection: &Connection) -> rusqlite::Result<Found> {
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id")?;
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    Ok(match (application, tables) {
        (0, 0) => Found::Nothing,
        (APPLICATION, _) => match number("PRAGMA user_version")? {
            format if format > FORMAT => Found::Newer(format),
            _ => Found::Ours,
        },
        _ => Found::Foreign,
    })
}

/// Writes the tables and what the tournament is, all or nothing.
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
