//! One run at a time.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::{StoreError, beside};

/// Held while a run writes to a store. The system lets go of it when the process ends, however
/// that happens, so a file left behind keeps nobody out.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

impl Lock {
    /// Takes the lock of this store: a file beside it, for `SQLite` has its own locks on the store.
    pub(super) fn take(store: &Path) -> Result<Self, StoreError> {
        let path = lock_file(store);
        loop {
            let file = File::options().create(true).append(true).open(&path);
            let file = file.map_err(|e| match e.kind() {
                io::ErrorKind::IsADirectory => StoreError::Io { path: path.clone(), source: e },
                _ => StoreError::io(store, e),
            })?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Locked { path: store.to_owned(), lock: path });
                }
                Err(TryLockError::Error(e)) => return Err(StoreError::io(&path, e)),
            }
            // Whoever held it removed the file before letting go: ours may have lost its name.
            if is_at(&file, &path).map_err(|e| StoreError::io(&path, e))? {
                return Ok(Self { path, _file: file });
            }
        }
    }
}

/// The lock file of a store. Two names of one file have one lock.
fn lock_file(store: &Path) -> PathBuf {
    beside(&std::fs::canonicalize(store).unwrap_or_else(|_| store.to_owned()), "-lock")
}

/// Whether a run writes to this store. A file that was left behind says nothing.
pub(super) fn is_held(store: &Path) -> bool {
    let lock = lock_file(store);
    // Opening a pipe of that name would wait for its writer.
    lock.is_file()
        && File::open(lock)
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Whether this is the file that has this name now.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let ours = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(named) => Ok((ours.dev(), ours.ino()) == (named.dev(), named.ino())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked, or it could be another's already.
        let _ = std::fs::remove_file(&self.path);
    }
}
