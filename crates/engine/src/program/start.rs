//! Start of a program under its supervisor.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use super::{Output, Program, START_TIMEOUT, Tail};
use crate::guard::{Args, Guard};
use crate::os;
use crate::{Fault, Verdict};

/// Maximum number of processes of a program.
pub(super) const MAX_PROCESSES: u64 = 512;
/// Number of descriptors for a running program: three streams, the socket to its supervisor, a file of `/proc`.
const FILES_PER_PROGRAM: u64 = 5;
/// Number of descriptors to keep free: a start needs six more for a moment, reading `/proc` a few, the store some.
const FILES_IN_RESERVE: u64 = 14;
/// Folders searched after those of `PATH`: Debian installs games there, and the path of root or of
/// a service does not always contain them.
const GAME_FOLDERS: &str = "/usr/local/games:/usr/games";
/// Environment variable that replaces [`GAME_FOLDERS`]; empty for none.
const GAME_FOLDERS_VARIABLE: &str = "TUSSLE_GAME_FOLDERS";

/// Error of the command of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The command cannot be split into words.
    #[error("`{0}`: a quote is not closed, or a backslash is at the end")]
    Unclosed(String),
    /// The command is empty.
    #[error("expected a command after the colon, such as `python3 mine.py`")]
    Empty,
}

/// Error of a program that cannot be found or executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The command is invalid.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The folder in which the program should run does not exist.
    #[error("its folder {} does not exist", .0.display())]
    NoFolder(PathBuf),
    /// The file exists but may not be executed.
    #[error("{} cannot be executed; try chmod +x", .0.display())]
    NotExecutable(PathBuf),
    /// The path does not name a file.
    #[error("there is no program {}", .0.display())]
    Missing(PathBuf),
    /// No folder of the search path contains the program.
    #[error(
        "there is no program `{name}` in the search path{}",
        if *.is_here { format!("; for the one here write ./{name}") } else { String::new() }
    )]
    NotInPath {
        /// Name of the program.
        name: String,
        /// True if the folder in which it should run contains a file of this name.
        is_here: bool,
    },
}

/// Command and settings that start a program, as often as needed.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    words: Vec<String>,
    folder: Option<PathBuf>,
    guard: Guard,
    memory: Option<u64>,
}

impl Launch {
    /// Splits the command into words as a shell would, but without a shell.
    ///
    /// # Errors
    /// If the command is empty or a quote is not closed.
    pub(crate) fn new(
        command: &str,
        folder: Option<&Path>,
        guard: &Guard,
        memory: Option<u64>,
    ) -> Result<Self, CommandError> {
        let words = words(command)?;
        Ok(Self { words, folder: folder.map(Path::to_owned), guard: guard.clone(), memory })
    }

    /// Starts the program.
    ///
    /// # Errors
    /// If the program cannot be started. The verdict is [`Verdict::Host`] if this machine is short of descriptors, processes
    /// or memory.
    pub(crate) fn start(&self) -> Result<Program, Fault> {
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            let missing = ProgramError::NoFolder(folder.clone());
            return Err(Fault::new(Verdict::Crash, missing.to_string()));
        }
        if self.guard.executable().as_os_str().is_empty() {
            let what = "cannot be started: no executable is configured for its supervisor";
            return Err(Fault::new(Verdict::Crash, what));
        }
        let mut program = self.spawn().map_err(|error| {
            let exe = self.guard.executable().display();
            let is_short = os::is_shortage(&error);
            let verdict = if is_short { Verdict::Host } else { Verdict::Crash };
            Fault::new(verdict, format!("cannot start a supervisor by {exe}: {error}"))
        })?;
        program.wait_until_running()?;
        Ok(program)
    }

    fn spawn(&self) -> io::Result<Program> {
        let files = os::original_open_files();
        let (control, theirs) = UnixStream::pair()?;
        let mut args = Args::new(self.memory, MAX_PROCESSES, self.words.clone());
        args.files = files;
        let mut command = args.command(&self.guard);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("PATH", search_path());
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        let mut guard = os::spawn(os::in_own_group(command), theirs)?;
        let (stdin, stdout, stderr) =
            (guard.stdin.take(), guard.stdout.take(), guard.stderr.take());
        control.set_nonblocking(true)?;
        let program = Program {
            guard,
            control,
            said: Vec::new(),
            stdin,
            stdout,
            stderr,
            output: Output::default(),
            tail: Tail::default(),
            end: None,
            gone: false,
            looked_late: false,
            missed_deadline: None,
            pid: None,
            meter: None,
            began: Instant::now(),
            stop: None,
        };
        program.stdin.iter().try_for_each(os::set_nonblocking)?;
        program.stdout.iter().try_for_each(os::set_nonblocking)?;
        program.stderr.iter().try_for_each(os::set_nonblocking)?;
        Ok(program)
    }
}

impl Program {
    fn wait_until_running(&mut self) -> Result<(), Fault> {
        let until = Instant::now() + START_TIMEOUT;
        while self.meter.is_none() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.fault(Verdict::Hang, "was not started by its supervisor"));
            }
            if self.end.is_some() {
                return Err(self.crash());
            }
            self.turn(false, left)?;
        }
        Ok(())
    }
}

/// Returns true if this process has too few free descriptors for another program.
pub fn files_are_short() -> bool {
    let _ = os::original_open_files(); // raises the limit
    os::spare_files().is_some_and(|spare| spare < FILES_PER_PROGRAM + FILES_IN_RESERVE)
}

/// Splits a command into words.
fn words(command: &str) -> Result<Vec<String>, CommandError> {
    let words = shlex::split(command).ok_or_else(|| CommandError::Unclosed(command.to_owned()))?;
    if words.is_empty() {
        return Err(CommandError::Empty);
    }
    Ok(words)
}

/// Checks that the program of a command exists and can be executed, without starting it.
///
/// # Errors
/// If the program or its folder does not exist, or the program cannot be executed.
pub(crate) fn look_up(command: &str, folder: Option<&Path>) -> Result<(), ProgramError> {
    let name = words(command)?.swap_remove(0);
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(ProgramError::NoFolder(folder.to_owned()));
    }
    let here = folder.map_or_else(|| PathBuf::from(&name), |folder| folder.join(&name));
    if name.contains('/') {
        return match os::is_executable(&here) {
            Some(true) => Ok(()),
            Some(false) => Err(ProgramError::NotExecutable(here)),
            None => Err(ProgramError::Missing(here)),
        };
    }
    if find_program(&name).is_some() {
        return Ok(());
    }
    Err(ProgramError::NotInPath { name, is_here: here.is_file() })
}

/// Returns the path of a program in the search path or the folders of games.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = search_path();
    let mut places = env::split_paths(&path).map(|at| at.join(name));
    places.find(|place| os::is_executable(place) == Some(true))
}

/// Returns the search path of programs: `PATH`, then the folders of games.
fn search_path() -> OsString {
    let path = env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    let games = env::var_os(GAME_FOLDERS_VARIABLE).unwrap_or_else(|| GAME_FOLDERS.into());
    with_game_folders(path, &games)
}

/// Appends the folders of games that the path does not contain.
fn with_game_folders(path: OsString, games: &OsStr) -> OsString {
    let mut folders: Vec<PathBuf> = env::split_paths(&path).collect();
    for folder in env::split_paths(games) {
        if !folder.as_os_str().is_empty() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    env::join_paths(folders).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_would() {
        let guard = Guard::none();
        let words = |text| Launch::new(text, None, &guard, None).map(|launch| launch.words);
        assert_eq!(words("./a 'b c' \"d\"").unwrap(), ["./a", "b c", "d"]);
        assert_eq!(words("./a 'b"), Err(CommandError::Unclosed("./a 'b".to_owned())));
        assert_eq!(words(" "), Err(CommandError::Empty));
    }

    #[test]
    fn a_program_in_the_current_folder_is_suggested_with_its_path() {
        let missing = |is_here| ProgramError::NotInPath { name: "mine".to_owned(), is_here };
        assert_eq!(look_up("mine -v", None), Err(missing(false)));
        assert_eq!(missing(false).to_string(), "there is no program `mine` in the search path");
        assert_eq!(
            missing(true).to_string(),
            "there is no program `mine` in the search path; for the one here write ./mine"
        );
    }

    #[test]
    fn a_program_without_a_supervisor_is_not_started() {
        let launch = Launch::new("true", None, &Guard::none(), None).unwrap();
        let fault = launch.start().err().expect("no program");
        assert_eq!(fault.verdict, Verdict::Crash);
        assert!(
            fault.what.contains("no executable is configured for its supervisor"),
            "{}",
            fault.what
        );
    }

    #[test]
    fn game_folders_are_searched_last_and_once() {
        let path = |text: &str, games: &str| with_game_folders(text.into(), OsStr::new(games));
        assert_eq!(path("/bin", GAME_FOLDERS), "/bin:/usr/local/games:/usr/games");
        assert_eq!(path("/usr/games:/bin", GAME_FOLDERS), "/usr/games:/bin:/usr/local/games");
        assert_eq!(path("/bin", ""), "/bin");
    }
}
