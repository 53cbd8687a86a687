//! Errors of commands: exit code 2 for wrong usage, 1 for all others.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use tussle_arena::export::ExportError;
use tussle_catalog::AnyGame;

/// Error that ends a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage: the same command will always fail.
    Usage(String),
    /// The command was right, but it failed.
    Failed(String),
    /// The reader closed standard output; nothing is reported.
    ClosedPipe,
}

impl Failure {
    /// Creates an error of wrong usage from a text or another error.
    #[expect(clippy::needless_pass_by_value, reason = "so that it can be given to `map_err`")]
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self::Usage(message.to_string())
    }

    /// Creates the error for a file that cannot be written.
    pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Self {
        let message = format!("cannot write {}: {error}", path.display());
        match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => Self::Failed(message),
            _ => Self::Usage(message),
        }
    }

    /// Converts an export error; `cannot_write` adds the name of the output.
    pub(crate) fn of_export(error: ExportError, cannot_write: impl Fn(io::Error) -> Self) -> Self {
        match error {
            ExportError::Store(error) => error.into(),
            ExportError::Io(error) => cannot_write(error),
            error @ ExportError::Game { .. } => Self::usage(error.to_string()),
        }
    }

    /// Returns an error if both paths lead to the same file, which would overwrite the file being read.
    pub(crate) fn unless_other_file(written: &Path, read: &Path) -> Result<(), Self> {
        let same = |a: &Path, b: &Path| {
            a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
        };
        if same(written, read) {
            let shown = written.display();
            return Err(Self::Usage(format!(
                "{shown} is the store itself; choose another output file"
            )));
        }
        Ok(())
    }

    /// Prints the error and returns the exit code.
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
            Self::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

/// Escapes a message and cuts it to a maximum length, because it may quote long input.
fn printable(message: &str) -> String {
    const MAX_MESSAGE_CHARS: usize = 2000;
    match message.char_indices().nth(MAX_MESSAGE_CHARS) {
        Some((at, _)) => visible(&message[..at]) + "…",
        None => visible(message),
    }
}

/// Escapes control characters and invisible characters in untrusted text, except line ends.
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
        use tussle_lab::tune::TuneError;
        match error {
            LabError::Store(error) | LabError::Run(RunError::Store(error)) => error.into(),
            LabError::Catalog(error) => error.into(),
            LabError::Player(error) => error.into(),
            LabError::Folder(path, error) => Self::cannot_write(&path, &error),
            LabError::Run(RunError::Short(_) | RunError::Rules { .. })
            | LabError::Tune(TuneError::NoGame)
            | LabError::Stopped => Self::Failed(error.to_string()),
            wrong => Self::usage(wrong),
        }
    }
}

/// Returns an error if the rules of a game have failed, because then every position counts as finished.
pub(crate) fn check_rules(game: &dyn AnyGame) -> Result<(), Failure> {
    match game.failure() {
        Some(error) => Err(Failure::Failed(format!("{}: {error}", game.spec()))),
        None => Ok(()),
    }
}

/// Errors of standard input and output. Errors of files go through `cannot_write`, which names the file.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Failed(format!("cannot write the output: {error}")),
        }
    }
}
