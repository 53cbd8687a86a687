//! How commands fail: exit code 2 for wrong usage, 1 for anything else.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use tussle_arena::export::ExportError;
use tussle_catalog::AnyGame;

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
    /// The request was wrong, with this text or error.
    #[expect(clippy::needless_pass_by_value, reason = "so that it can be given to `map_err`")]
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self::Usage(message.to_string())
    }

    /// A file the user named could not be written.
    pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Self {
        let message = format!("cannot write {}: {error}", path.display());
        match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => Self::Failed(message),
            _ => Self::Usage(message),
        }
    }

    /// An export failed; `cannot_write` says where its output was to go.
    pub(crate) fn of_export(error: ExportError, cannot_write: impl Fn(io::Error) -> Self) -> Self {
        match error {
            ExportError::Store(error) => error.into(),
            ExportError::Io(error) => cannot_write(error),
            error @ ExportError::Game { .. } => Self::usage(error.to_string()),
        }
    }

    /// Refuses to write over the file that is being read, by whatever name.
    pub(crate) fn unless_other_file(written: &Path, read: &Path) -> Result<(), Self> {
        let same = |a: &Path, b: &Path| {
            a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
        };
        if same(written, read) {
            let shown = written.display();
            return Err(Self::Usage(format!("{shown} is the store itself; name another file")));
        }
        Ok(())
    }

    /// Says what happened and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Usage(message) => {
                eprintln!("error: {}", printable(&message));
                ExitCode::from(2)
            }
            Self::Failed(message) => {
                eprintln!("error: {}", printable(&message));
                ExitCode::FAILURE
            }
            Self::Unheard => ExitCode::SUCCESS,
        }
    }
}

/// Messages quote what was typed, and a quoted novel is of no use.
fn printable(message: &str) -> String {
    const LONGEST: usize = 2000;
    match message.char_indices().nth(LONGEST) {
        Some((at, _)) => visible(&message[..at]) + "…",
        None => visible(message),
    }
}

/// Escapes what could command or reorder a terminal in the text of people and programs; lines stay.
pub(crate) fn visible(text: &str) -> String {
    tussle_catalog::text::visible(text, |c| c == '\n')
}

impl From<tussle_catalog::Error> for Failure {
    fn from(error: tussle_catalog::Error) -> Self {
        let message = error.to_string();
        match error {
            tussle_catalog::Error::Program { .. } => Self::Failed(message),
            _ => Self::Usage(message),
        }
    }
}

impl From<tussle_engine::PlayerError> for Failure {
    fn from(error: tussle_engine::PlayerError) -> Self {
        match error {
            tussle_engine::PlayerError::Agent(error) => error.into(),
            other => Self::usage(other.to_string()),
        }
    }
}

impl From<tussle_arena::StoreError> for Failure {
    fn from(error: tussle_arena::StoreError) -> Self {
        let message = error.to_string();
        if error.is_usage() { Self::Usage(message) } else { Self::Failed(message) }
    }
}

impl From<tussle_explain::ReviewError> for Failure {
    fn from(error: tussle_explain::ReviewError) -> Self {
        match error {
            tussle_explain::ReviewError::Stopped => Self::Failed(error.to_string()),
            wrong => Self::usage(wrong),
        }
    }
}

impl From<tussle_lab::LabError> for Failure {
    fn from(error: tussle_lab::LabError) -> Self {
        use tussle_arena::RunError;
        use tussle_lab::LabError;
        match error {
            LabError::Store(error) | LabError::Run(RunError::Store(error)) => error.into(),
            LabError::Folder(path, error) => Self::cannot_write(&path, &error),
            LabError::Run(RunError::Short(_) | RunError::Rules { .. }) | LabError::Stopped => {
                Self::Failed(error.to_string())
            }
            wrong => Self::usage(wrong),
        }
    }
}

/// Fails if the rules of a game have failed: then every position counts as finished.
pub(crate) fn check_rules(game: &dyn AnyGame) -> Result<(), Failure> {
    match game.failure() {
        Some(error) => Err(Failure::Failed(format!("{}: {error}", game.spec()))),
        None => Ok(()),
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
