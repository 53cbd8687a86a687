//! Files that are either written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A file in the making, under another name in the folder of the file it will be.
///
/// Dropped before it is finished it leaves nothing behind, and whatever had its name is as it
/// was.
#[derive(Debug)]
pub struct Draft {
    target: PathBuf,
    /// Where it is written until it is whole; `None` if the target is a device or a pipe, which
    /// cannot be replaced.
    beside: Option<PathBuf>,
    file: File,
}

impl Draft {
    /// Begins to write a file, which shows whether it can be written.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn new(target: &Path) -> io::Result<Self> {
        let special = fs::metadata(target).is_ok_and(|meta| !meta.is_file());
        if special {
            let file = OpenOptions::new().write(true).open(target)?;
            return Ok(Self { target: target.to_owned(), beside: None, file });
        }
        let Some(name) = target.file_name() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it has no name"));
        };
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}", std::process::id()));
        let beside = target.with_file_name(hidden);
        let file = File::create(&beside)?;
        Ok(Self { target: target.to_owned(), beside: Some(beside), file })
    }

    /// Writes the text and gives the file its name.
    ///
    /// # Errors
    /// If the disk is full or fails; then there is no new file, and an old one is as it was.
    pub fn finish(mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())?;
        let Some(beside) = &self.beside else { return Ok(()) };
        // Not before the bytes are safe may the name point to them.
        self.file.sync_all()?;
        fs::rename(beside, &self.target)?;
        self.beside = None;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            let _ = fs::remove_file(beside);
        }
    }
}
