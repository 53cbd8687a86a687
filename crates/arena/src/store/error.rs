//! Errors of stores.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use tussle_catalog::text::counted;

use super::Rescue;

/// Error of a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file does not exist.
    #[error("there is no store {}", .0.display())]
    Missing(PathBuf),
    /// The file is empty. A run may create the store in it.
    #[error("{} is empty: no tournament has begun in it", .0.display())]
    Empty(PathBuf),
    /// The folder of the file does not exist.
    #[error("{}: there is no folder {}; make it first", .path.display(), .folder.display())]
    NoFolder {
        /// Path of the store.
        path: PathBuf,
        /// Path of the folder.
        folder: PathBuf,
    },
    /// The file is not a store.
    #[error("{} is not a tussle store", .0.display())]
    NotAStore(PathBuf),
    /// The file was written by a newer version.
    #[error(
        "{}: written by a newer tussle (format {found}, this one reads up to {known}): \
         update tussle", .path.display()
    )]
    Newer {
        /// Path of the store.
        path: PathBuf,
        /// Format of the file.
        found: i64,
        /// Newest format that this version reads.
        known: i64,
    },
    /// The store holds a tournament with a different configuration.
    #[error(
        "{} holds a tournament with another configuration:\n  {}\n\
         use the same configuration to resume it, or name another store",
        .path.display(), .differences.join("\n  ")
    )]
    Changed {
        /// Path of the store.
        path: PathBuf,
        /// One line for each difference.
        differences: Vec<String>,
    },
    /// The stores to merge have different tournaments.
    #[error(
        "{} and {} are not parts of one tournament:\n  {}",
        .paths[0].display(), .paths[1].display(), .differences.join("\n  ")
    )]
    Unlike {
        /// Paths of the two stores.
        paths: [PathBuf; 2],
        /// One line for each difference.
        differences: Vec<String>,
    },
    /// The stores to merge have the same game.
    #[error(
        "{} and {} both have game {id}; merge parts that were played with --shard 1/N to N/N",
        .paths[0].display(), .paths[1].display()
    )]
    Twice {
        /// Number of the game.
        id: u64,
        /// Paths of the two stores.
        paths: [PathBuf; 2],
    },
    /// The target of a merge already has games.
    #[error("{} has games already; name a new file", .0.display())]
    NotEmpty(PathBuf),
    /// The file or its folder cannot be written.
    #[error("{} cannot be written: the file or its folder is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// Another process runs this tournament.
    #[error("another tussle is running on {} (it holds {})", .path.display(), .lock.display())]
    Locked {
        /// Path of the store.
        path: PathBuf,
        /// Lock file of the other process.
        lock: PathBuf,
    },
    /// Another program has the file locked.
    #[error("{} is in use: another program is writing to it", .0.display())]
    Busy(PathBuf),
    /// The disk is full.
    #[error(
        "the disk is full: nothing is lost{}; make room and run the same command again",
        .games.map(|n| format!(", {} {} in {}", counted(n, "game"), are(n), .path.display())).unwrap_or_default()
    )]
    Full {
        /// Path of the store.
        path: PathBuf,
        /// Number of stored games, if it is known.
        games: Option<u64>,
    },
    /// The file was deleted, moved, replaced or damaged while it was open.
    #[error("{what} during the run; {}", .rescued.advice(*.games))]
    Lost {
        /// Path of the file and description of the damage.
        what: String,
        /// Number of games that were in it.
        games: u64,
        /// Place of the games now.
        rescued: Rescue,
    },
    /// The content of the store is damaged.
    #[error("{} is damaged: {what}", .path.display())]
    Corrupt {
        /// Path of the store.
        path: PathBuf,
        /// Description of the damage.
        what: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// `SQLite` failed.
    #[error("{}: {source}", .path.display())]
    Sql {
        /// Path of the store.
        path: PathBuf,
        /// Error of `SQLite`.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// Returns true if the request was wrong, so that repeating it cannot help.
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

    /// Converts an error of `SQLite`. For a full disk, the number of stored games is not known here.
    pub(super) fn of(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let rusqlite::Error::SqliteFailure(failure, _) = &source else {
            // Conversion fails only for rows that were not written by the store.
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
            // The index of the log is a mapped file. This is its error on a full disk.
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

    /// Converts an error of the file system.
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

/// Returns `is` or `are`.
fn are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
