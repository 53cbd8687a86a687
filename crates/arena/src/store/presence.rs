//! Watch over the files of an open store: they must stay the ones that were opened.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::beside;

/// The files of an open store: the database, its log (`-wal`) and the index of the log (`-shm`).
#[derive(Debug)]
pub(super) struct Presence {
    files: [WatchedFile; 3],
}

/// A file as it was when it was looked at last.
#[derive(Debug)]
struct WatchedFile {
    path: PathBuf,
    /// Device and inode; `None` until the file exists.
    id: Option<(u64, u64)>,
    /// Length in bytes that the file had at least.
    length: u64,
}

/// Loss of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileLoss {
    /// The file, and what happened to it.
    pub(super) what: String,
    /// The index of the log was cut short: reading through it would end this process by a signal, but the
    /// games are in the other files.
    pub(super) is_index_cut: bool,
}

impl Presence {
    /// Looks at the files of a store that was opened just now.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        // Relative names would change with the working directory.
        let path = std::path::absolute(path)?;
        let watched = |end| WatchedFile { path: beside(&path, end), id: None, length: 0 };
        let mut presence = Self { files: ["", "-wal", "-shm"].map(watched) };
        presence.look().map_err(|missing| io::Error::other(missing.what))?;
        Ok(presence)
    }

    /// Compares the files with the last look.
    pub(super) fn look(&mut self) -> Result<(), FileLoss> {
        let [database, log, index] = &mut self.files;
        // Others may shorten the log, after its games have gone into the database.
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
            Err(error) => return missing(&format!("cannot be looked at ({error})")),
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
