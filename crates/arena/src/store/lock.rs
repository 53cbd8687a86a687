//! Lock that allows only one run at a time to write to a store.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::{StoreError, beside};

/// Lock of a store, held while a run writes to it. The system releases it when the process ends in any way, so a lock
/// file that is left behind does not block later runs.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Open lock file. Closing it releases the lock.
    _file: File,
}

impl Lock {
    /// Takes the lock of this store. It is on a separate file, because `SQLite` has its own locks on the store.
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
            // The previous holder removed the lock file before it released the lock. If our file was removed, try again.
            if is_at(&file, &path).map_err(|e| StoreError::io(&path, e))? {
                return Ok(Self { path, _file: file });
            }
        }
    }
}

/// Returns the path of a store's lock file. Different paths of the same store have the same lock file.
fn lock_file(store: &Path) -> PathBuf {
    beside(&std::fs::canonicalize(store).unwrap_or_else(|_| store.to_owned()), "-lock")
}

/// Returns true if a run holds the lock of this store.
pub(super) fn is_held(store: &Path) -> bool {
    let lock = lock_file(store);
    // Opening a named pipe would wait for a writer.
    lock.is_file()
        && File::open(lock)
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Returns true if the open file is still the one at this path.
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
        // Remove it while it is still locked. Later it could be the lock file of another run.
        let _ = std::fs::remove_file(&self.path);
    }
}
