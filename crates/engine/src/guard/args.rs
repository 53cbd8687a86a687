//! Arguments of supervisors.

use std::ffi::OsString;
use std::process::Command;

use super::Guard;
use crate::os;

/// Role of a supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Watcher,
    Keeper,
    Launcher,
}

impl Role {
    fn flag(self) -> Option<&'static str> {
        match self {
            Self::Watcher => None,
            Self::Keeper => Some("--keeper"),
            Self::Launcher => Some("--launcher"),
        }
    }
}

/// Error of the arguments of a supervisor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ArgsError {
    #[error("{0}: expected a number")]
    NoNumber(&'static str),
    #[error("unknown argument `{0}`")]
    Unknown(String),
    #[error("expected a program after `--`")]
    NoProgram,
}

/// Arguments of a supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Args {
    pub(super) role: Role,
    /// Memory limit in bytes, for all processes together.
    pub(crate) memory: Option<u64>,
    /// Maximum number of processes.
    pub(crate) processes: u64,
    /// Soft limit of open files for the program.
    pub(crate) files: Option<u64>,
    /// True to use no namespace, for tests.
    pub(super) plain: bool,
    /// True if the keeper is the first process of a PID namespace.
    pub(super) isolated: bool,
    /// Program and its arguments.
    pub(crate) words: Vec<String>,
}

impl Args {
    /// Creates the arguments of the supervisor that the arena starts.
    pub(crate) fn new(memory: Option<u64>, processes: u64, words: Vec<String>) -> Self {
        let role = Role::Watcher;
        Self { role, memory, processes, files: None, plain: false, isolated: false, words }
    }

    /// Creates the arguments of the next supervisor.
    pub(super) fn next(&self, role: Role) -> Self {
        Self { role, ..self.clone() }
    }

    /// Returns the number of processes and threads from which the kernel refuses more. It is larger than the limit of
    /// processes, so that the watcher can see that a program exceeds that limit.
    pub(super) fn tasks(&self) -> u64 {
        self.processes.saturating_mul(2)
    }

    /// Returns the command that starts the supervisor.
    pub(crate) fn command(&self, guard: &Guard) -> Command {
        let mut command = Command::new(guard.executable());
        if let Some(name) = &guard.name {
            command = os::named(command, name);
        }
        command.args(guard.args());
        if let Some(role) = self.role.flag() {
            command.arg(role);
        }
        if let Some(memory) = self.memory {
            command.arg("--memory").arg(memory.to_string());
        }
        command.arg("--processes").arg(self.processes.to_string());
        if let Some(files) = self.files {
            command.arg("--files").arg(files.to_string());
        }
        if self.plain {
            command.arg("--plain");
        }
        if self.isolated {
            command.arg("--isolated");
        }
        command.arg("--").args(&self.words);
        command
    }

    pub(super) fn parse(args: &[OsString]) -> Result<Self, ArgsError> {
        let mut parsed = Self::new(None, u64::MAX, Vec::new());
        let mut texts = args.iter().map(|arg| arg.to_string_lossy().into_owned());
        let number = |key: &'static str, text: Option<String>| {
            let number = text.and_then(|text| text.parse::<u64>().ok());
            number.ok_or(ArgsError::NoNumber(key))
        };
        while let Some(text) = texts.next() {
            match text.as_str() {
                "--keeper" => parsed.role = Role::Keeper,
                "--launcher" => parsed.role = Role::Launcher,
                "--plain" => parsed.plain = true,
                "--isolated" => parsed.isolated = true,
                "--memory" => parsed.memory = Some(number("--memory", texts.next())?),
                "--files" => parsed.files = Some(number("--files", texts.next())?),
                "--processes" => parsed.processes = number("--processes", texts.next())?,
                "--" => {
                    parsed.words = texts.collect();
                    break;
                }
                other => return Err(ArgsError::Unknown(other.to_owned())),
            }
        }
        if parsed.words.is_empty() {
            return Err(ArgsError::NoProgram);
        }
        Ok(parsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_written_arguments_gives_the_same_arguments() {
        let guard = Guard::this(["guard"]);
        for role in [Role::Watcher, Role::Keeper, Role::Launcher] {
            for memory in [None, Some(7)] {
                for (plain, isolated) in [(false, true), (true, false)] {
                    let words = vec!["--memory".to_owned(), "--".to_owned()];
                    let files = memory;
                    let args = Args { role, memory, processes: 3, files, plain, isolated, words };
                    let written: Vec<_> =
                        args.command(&guard).get_args().skip(1).map(Into::into).collect();
                    assert_eq!(Args::parse(&written), Ok(args));
                }
            }
        }
        assert!(Args::parse(&[]).is_err());
        assert!(Args::parse(&["--memory".into(), "much".into()]).is_err());
    }
}
