//! Why the lab cannot do what was asked.

use std::io;
use std::path::PathBuf;

/// Why an experiment or a reproduction did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A game or an agent refused.
    #[error(transparent)]
    Catalog(#[from] tussle_catalog::Error),
    /// The games of a match could not be kept.
    #[error(transparent)]
    Store(#[from] tussle_arena::StoreError),
    /// Something that was asked for does not exist or cannot be.
    #[error("{0}")]
    Usage(String),
    /// A folder or a file in it cannot be read or written.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Folder(PathBuf, #[source] io::Error),
    /// This machine is short of threads, descriptors, processes or memory; what was measured is kept.
    #[error("{0}")]
    Short(String),
    /// Somebody stopped the work; what was measured is kept.
    #[error("stopped before the end")]
    Stopped,
}
