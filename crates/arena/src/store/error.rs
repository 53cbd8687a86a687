//! What can go wrong with a store: one sentence each, with what to do.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use tussle_catalog::text::counted;

use super::Rescue;

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("there is no store {}", .0.display())]
    Missing(PathBuf),
    /// Nothing was written yet; a run creates it anew.
    #[error("{} is empty: no tournament has begun in it", .0.display())]
    Empty(PathBuf),
    /// The folder it should lie in does not exist.
    #[error("{}: there is no folder {}; make it first", .path.display(), .folder.display())]
    NoFolder {
        /// The store.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The file is something else.
    #[error("{} is not a tussle store", .0.display())]
    NotAStore(PathBuf),
    /// The file was written by a version after this one.
    #[error(
        "{}: written by a newer tussle (format {found}, this one reads up to {known}): \
         update tussle", .path.display()
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format that this version knows.
        known: i64,
    },
    /// It holds a tournament with another configuration.
    #[error(
        "{} holds a tournament with another configuration:\n  {}\n\
         go on with the same one, or name another store", .path.display(), .differences.join("\n  ")
    )]
    Changed {
        /// The store.
        path: PathBuf,
        /// One line for each difference.
        differences: Vec<String>,
    },
    /// Stores of different tournaments cannot become one.
    #[error(
        "{} and {} are not parts of one tournament:\n  {}",
        .paths[0].display(), .paths[1].display(), .differences.join("\n  ")
    )]
    Unlike {
        /// The two.
        paths: [PathBuf; 2],
        /// One line for each difference.
        differences: Vec<String>,
    },
    /// Two parts of a tournament have the same game.
    #[error(
        "{} and {} both have game {id}; parts made with --shard 1/N to N/N share none",
        .paths[0].display(), .paths[1].display()
    )]
    Twice {
        /// The number of the game.
        id: u64,
        /// The two.
        paths: [PathBuf; 2],
    },
    /// Games would be added to others.
    #[error("{} has games already; name a new file", .0.display())]
    NotEmpty(PathBuf),
    /// The file or its folder cannot be written.
    #[error("{} cannot be written: the file or its folder is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// Somebody else runs this tournament.
    #[error("another tussle is running on {} (it holds {})", .path.display(), .lock.display())]
    Locked {
        /// The store.
        path: PathBuf,
        /// The file that says so.
        lock: PathBuf,
    },
    /// Another program keeps the file to itself.
    #[error("{} is in use: another program is writing to it", .0.display())]
    Busy(PathBuf),
    /// There is no room left.
    #[error(
        "the disk is full: nothing is lost{}; make room and run the same command again",
        .games.map(|n| format!(", {} {} in {}", counted(n, "game"), are(n), .path.display())).unwrap_or_default()
    )]
    Full {
        /// The store.
        path: PathBuf,
        /// The games it holds, if that could be found out.
        games: Option<u64>,
    },
    /// The file was deleted, moved, replaced or damaged while it was open.
    #[error("{what} during the run; {}", .rescued.advice(*.games))]
    Lost {
        /// The file, and what happened to it.
        what: String,
        /// Number of games that were in it.
        games: u64,
        /// Place of the games now.
        rescued: Rescue,
    },
    /// What is in the file makes no sense.
    #[error("{} is damaged: {what}", .path.display())]
    Corrupt {
        /// The store.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The machine refused.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// `SQLite` refused.
    #[error("{}: {source}", .path.display())]
    Sql {
        /// The store.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// Whether doing the same again could help: not if the request itself was wrong.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Missing(_)
            | Self::Empty(_)
            | Self::NoFolder { .. }
            | Self::NotAStore(_)
            | Self::Newer { .. }
            | Self::Changed { .. }
            | Self::Unlike { .. }
            | Self::Twice { .. }
            | Self::NotEmpty(_)
            | Self::ReadOnly(_) => true,
            Self::Locked { .. }
            | Self::Busy(_)
            | Self::Full { .. }
            | Self::Lost { .. }
            | Self::Corrupt { .. }
            | Self::Io { .. }
            | Self::Sql { .. } => false,
        }
    }

    /// What an error of `SQLite` means; how many games a full disk holds is not known here.
    pub(super) fn of(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let rusqlite::Error::SqliteFailure(failure, _) = &source else {
            // Only a row that is not as we write them cannot be converted.
            return match source {
                rusqlite::Error::FromSqlConversionFailure(_, _, why) => {
                    Self::Corrupt { path, what: why.to_string() }
                }
                rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::QueryReturnedNoRows => {
                    Self::Corrupt { path, what: source.to_string() }
                }
                source => Self::Sql { path, source },
            };
        };
        match (failure.code, failure.extended_code) {
            // The index of the log is a mapped file, and has no other word for a full disk.
            (ErrorCode::DiskFull, _) | (_, ffi::SQLITE_IOERR_SHMSIZE) => {
                Self::Full { path, games: None }
            }
            (ErrorCode::NotADatabase, _) => Self::NotAStore(path),
            (ErrorCode::ReadOnly | ErrorCode::PermissionDenied, _) => Self::ReadOnly(path),
            (ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _) => Self::Busy(path),
            (ErrorCode::DatabaseCorrupt, _) => Self::Corrupt { path, what: source.to_string() },
            _ => Self::Sql { path, source },
        }
    }

    /// What an error of the machine means.
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::Full { path, games: None }
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Self::ReadOnly(path)
            }
            _ => Self::Io { path, source },
        }
    }
}

/// Returns the verb for this many things.
fn are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
