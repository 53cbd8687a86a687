//! Input files with a size limit, and output files that are written completely or not at all.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum size of an input file, in bytes. A larger file is a mistake or an attack.
pub const MAX_INPUT_BYTES: u64 = 256 << 20;

/// Maximum number of symbolic links that are followed, as on Linux.
const MAX_LINKS: usize = 40;

/// Error of reading an input file; the caller names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file does not exist, or reading it is not permitted.
    #[error("cannot open the file: {0}")]
    Open(io::Error),
    /// Reading failed half-way.
    #[error("cannot read the file: {0}")]
    Read(io::Error),
    /// The path names a folder, a pipe or a device.
    #[error("cannot read the file: expected a regular file, found {0}")]
    Special(&'static str),
    /// The file exceeds [`MAX_INPUT_BYTES`].
    #[error("the file is larger than {} MB", MAX_INPUT_BYTES >> 20)]
    TooLarge,
    /// The file is not UTF-8 text.
    #[error("the file is not UTF-8 text (line {line})")]
    NotText {
        /// The line of the first wrong byte, from 1.
        line: usize,
    },
}

/// Reads a text file.
///
/// # Errors
/// If the file is not a regular file, cannot be read, is larger than [`MAX_INPUT_BYTES`] or is not
/// UTF-8 text.
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    String::from_utf8(read_bytes(path)?).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].split(|&b| b == b'\n').count();
        ReadError::NotText { line }
    })
}

/// Reads a file of any bytes.
///
/// # Errors
/// As [`read_text`], except that any bytes are accepted.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    // Opening a pipe would wait for its writer, so the kind of the file is checked first.
    check_regular(&fs::metadata(path).map_err(ReadError::Open)?)?;
    let file = File::open(path).map_err(ReadError::Open)?;
    let metadata = file.metadata().map_err(ReadError::Open)?;
    check_regular(&metadata)?; // the file may have been replaced since the first check
    if metadata.len() > MAX_INPUT_BYTES {
        return Err(ReadError::TooLarge);
    }
    let mut bytes = Vec::new();
    file.take(MAX_INPUT_BYTES + 1).read_to_end(&mut bytes).map_err(ReadError::Read)?;
    if bytes.len() as u64 > MAX_INPUT_BYTES {
        return Err(ReadError::TooLarge);
    }
    Ok(bytes)
}

fn check_regular(metadata: &Metadata) -> Result<(), ReadError> {
    if metadata.is_file() { Ok(()) } else { Err(ReadError::Special(kind(metadata.file_type()))) }
}

/// Returns the kind of a file that is not a regular one, with advice.
fn kind(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return "a pipe; save its content to a file and name that file";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    if kind.is_dir() { "a folder" } else { "a device" }
}

/// Writes a file completely or not at all: see [`Draft`].
///
/// # Errors
/// If the file cannot be written. An existing file is then unchanged.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    Draft::new(path)?.finish(content)
}

/// Checks that [`write()`] can write a file. Call it before a long computation of the content.
///
/// # Errors
/// If the file cannot be written.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        // Opening a pipe would wait for its reader.
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => Ok(()),
        _ => Draft::new(path).map(drop),
    }
}

/// Output file that replaces its target only when it is complete.
///
/// The content is written to a temporary file in the folder of the target, which [`commit`](Draft::commit) renames
/// to the target. If a draft is dropped before, its temporary file is removed and the target is unchanged. The new
/// file keeps the permissions of the old one. If the target is a symbolic link, the file it points to is replaced.
///
/// The target is written in place, without that guarantee, if it cannot be replaced: pipes, devices and
/// open descriptors (`/dev/stdout`), and a writable file in a folder that is not writable.
#[derive(Debug)]
#[must_use = "the content is lost unless the draft is committed"]
pub struct Draft {
    target: PathBuf,
    /// The temporary file; `None` if the target is written in place.
    temporary: Option<PathBuf>,
    file: File,
}

impl Draft {
    /// Opens a draft of a file.
    ///
    /// # Errors
    /// If the target cannot be written.
    pub fn new(target: &Path) -> io::Result<Self> {
        let target = resolved(target);
        let old = match fs::metadata(&target) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (temporary, file) = create_beside(&target)?;
                return Ok(Self { target, temporary: Some(temporary), file });
            }
            Err(error) => return Err(error),
        };
        // A read-only file must not be replaced.
        let in_place = OpenOptions::new().write(true).open(&target)?;
        if !old.is_file() || is_descriptor(&target) {
            return Ok(Self { target, temporary: None, file: in_place });
        }
        match create_beside(&target) {
            Ok((temporary, file)) => {
                keep_permissions(&file, &old);
                Ok(Self { target, temporary: Some(temporary), file })
            }
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                Ok(Self { target, temporary: None, file: in_place })
            }
            Err(error) => Err(error),
        }
    }

    /// Writes the whole content and commits the draft.
    ///
    /// # Errors
    /// As [`commit`](Draft::commit).
    pub fn finish(mut self, content: impl AsRef<[u8]>) -> io::Result<()> {
        self.file.write_all(content.as_ref())?;
        self.commit()
    }

    /// Replaces the target, after all content was written.
    ///
    /// # Errors
    /// If the disk is full or fails. An existing file is then unchanged.
    pub fn commit(mut self) -> io::Result<()> {
        let Some(temporary) = &self.temporary else {
            if self.file.metadata()?.is_file() {
                let written = self.file.stream_position()?;
                self.file.set_len(written)?; // the old file may have been longer
            }
            return Ok(());
        };
        // The content must be on the disk before the file gets its name.
        self.file.sync_all()?;
        if let Err(error) = fs::rename(temporary, &self.target) {
            // A file that is a mount point can be written, but not replaced.
            let Ok(mut old) = OpenOptions::new().write(true).open(&self.target) else {
                return Err(error);
            };
            let written = io::copy(&mut File::open(temporary)?, &mut old)?;
            old.set_len(written)?;
            return Ok(());
        }
        self.temporary = None;
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Follows the symbolic links at the end of a path, also to a file that does not exist yet.
fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if is_descriptor(&path) {
            break;
        }
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

/// Returns true if a path names an open descriptor, such as `/dev/stdout`. Its file must not be replaced, because
/// other processes use it through the descriptor.
fn is_descriptor(path: &Path) -> bool {
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    folder.is_some_and(|folder| folder.starts_with("/proc"))
}

/// Creates a temporary file in the folder of a target, under a name that is not in use.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let ends_in_slash = target.as_os_str().as_encoded_bytes().ends_with(b"/");
    if ends_in_slash || target.file_name().is_none() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!(".tussle-{}-{number}.tmp", std::process::id());
        let temporary = target.with_file_name(name);
        match File::create_new(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Sets owner and permissions of a new file to those of the old one, as far as the system permits.
fn keep_permissions(file: &File, old: &Metadata) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    let _ = file.set_permissions(old.permissions());
}

#[cfg(test)]
mod tests;
