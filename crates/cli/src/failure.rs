//! How commands fail: exit code 2 for wrong usage, 1 for anything else.

use std::io;
use std::process::ExitCode;

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request was wrong; doing it again will not help.
    Usage(String),
    /// The request was fine, but it did not work out.
    Failed(String),
    /// Whoever read our output has gone; there is nobody to tell.
    Unheard,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// A file the user named could not be written.
    pub(crate) fn cannot_write(path: &std::path::Path, error: &io::Error) -> Self {
        Self::Usage(format!("cannot write {}: {error}", path.display()))
    }

    /// Says what happened and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Usage(message) => {
                eprintln!("error: {message}");
                ExitCode::from(2)
            }
            Self::Failed(message) => {
                eprintln!("error: {message}");
                ExitCode::FAILURE
            }
            Self::Unheard => ExitCode::SUCCESS,
        }
    }
}

impl From<tussle_catalog::Error> for Failure {
    fn from(error: tussle_catalog::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Only standard input and output come here; files are reported with their names.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Unheard,
            _ => Self::Failed(format!("cannot write the output: {error}")),
        }
    }
}
