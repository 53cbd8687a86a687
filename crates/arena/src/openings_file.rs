//! Files of openings.

use std::path::{Path, PathBuf};

use tussle_catalog::file::{ReadError, read_text};

/// Error of a file of openings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsFileError {
    /// The file cannot be read.
    #[error("openings {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Error of reading it.
        source: ReadError,
    },
    /// No line of the file is an opening.
    #[error(
        "openings {}: expected moves or a position on each line, found no line", .0.display()
    )]
    Empty(PathBuf),
}

/// Reads a file of openings, one per line. Empty lines and lines that begin with `//` are skipped.
///
/// # Errors
/// If the file cannot be read or has no opening.
pub(crate) fn read_openings(path: &Path) -> Result<Vec<String>, OpeningsFileError> {
    let unread = |source| OpeningsFileError::Read { path: path.to_owned(), source };
    let text = read_text(path).map_err(unread)?;
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//"));
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    if lines.is_empty() {
        return Err(OpeningsFileError::Empty(path.to_owned()));
    }
    Ok(lines)
}
