//! Check that the files of an open store are still the ones that were opened.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::beside;

/// Files of an open store: the database, its log (`-wal`) and the index of the log (`-shm`).
#[derive(Debug)]
pub(super) struct Presence {
    files: [WatchedFile; 3],
}

/// State of a file at the last check.
#[derive(Debug)]
struct WatchedFile {
    path: PathBuf,
    /// Device and inode; `None` until the file exists.
    id: Option<(u64, u64)>,
    /// Length in bytes.
    length: u64,
}

/// Loss of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileLoss {
    /// Path of the file and description of the loss.
    pub(super) what: String,
    /// True if the index of the log was cut short. Reading it would end this process by a signal. The games are in the other
    /// files.
    pub(super) is_index_cut: bool,
}

impl Presence {
    /// Records the files of a store that was just opened.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        // Relative names would change with the working directory.
        let path = std::path::absolute(path)?;
        let watched = |end| WatchedFile { path: beside(&path, end), id: None, length: 0 };
        let mut presence = Self { files: ["", "-wal", "-shm"].map(watched) };
        presence.look().map_err(|missing| io::Error::other(missing.what))?;
        Ok(presence)
    }

    /// Compares the files with their state at the last check.
    pub(super) fn look(&mut self) -> Result<(), FileLoss> {
        let [database, log, index] = &mut self.files;
        // Other processes may shorten the log after its games were copied into the database.
        for (file, may_shrink) in [(database, false), (log, true), (index, false)] {
            file.look(may_shrink)?;
        }
        Ok(())
    }
}

impl WatchedFile {
    fn look(&mut self, may_shrink: bool) -> Result<(), FileLoss> {
        let id = |metadata: &Metadata| (metadata.dev(), metadata.ino());
        let missing = |what: &str| {
            let what = format!("{} {what}", self.path.display());
            Err(FileLoss { what, is_index_cut: false })
        };
        let metadata = match std::fs::metadata(&self.path) {
            Ok(metadata) => metadata,
            Err(_) if self.id.is_none() => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return missing("was deleted or moved");
            }
            Err(error) => return missing(&format!("cannot be checked ({error})")),
        };
        if self.id.is_some_and(|known| known != id(&metadata)) {
            return missing("was replaced by another file");
        }
        if metadata.len() < self.length && !may_shrink {
            let what = format!("was cut from {} to {} bytes", self.length, metadata.len());
            let is_index_cut = self.path.as_os_str().as_encoded_bytes().ends_with(b"-shm");
            return missing(&what).map_err(|missing| FileLoss { is_index_cut, ..missing });
        }
        self.id = Some(id(&metadata));
        self.length = metadata.len();
        Ok(())
    }
}
