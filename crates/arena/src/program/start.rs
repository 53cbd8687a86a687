//! Starting a program under its guard.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use super::{Output, Program, START, Tail};
use crate::guard::{Args, Guard};
use crate::os;
use crate::{Fault, Verdict};

/// The most processes a program may have at a time.
pub(super) const PROCESSES: u64 = 512;
/// Descriptors that a running program takes: three streams, the line to its guard, a file of `/proc`.
const FILES_PER_PROGRAM: u64 = 5;
/// Descriptors to be left: a start takes another six for a moment, a look at `/proc` a few, the store some.
const FILES_IN_RESERVE: u64 = 14;
/// Folders searched after those of `PATH`: Debian installs games there, and the path of root or of
/// a service does not always contain them.
const GAME_FOLDERS: &str = "/usr/local/games:/usr/games";
/// Environment variable that replaces [`GAME_FOLDERS`]; empty for none.
const GAME_FOLDERS_VARIABLE: &str = "TUSSLE_GAME_FOLDERS";

/// What it takes to start a program, as often as needed.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    words: Vec<String>,
    folder: Option<PathBuf>,
    guard: Guard,
    memory: Option<u64>,
}

impl Launch {
    /// Takes a command line apart as a shell would, without one.
    ///
    /// # Errors
    /// If there is no command or a quote is not closed.
    pub(crate) fn new(
        command: &str,
        folder: Option<&Path>,
        guard: &Guard,
        memory: Option<u64>,
    ) -> Result<Self, String> {
        let words = words(command)?;
        Ok(Self { words, folder: folder.map(Path::to_owned), guard: guard.clone(), memory })
    }

    /// Starts the program. The fault is [`Verdict::Host`] if this machine is short of descriptors, processes
    /// or memory.
    ///
    /// # Errors
    /// If it cannot be started, with the reason.
    pub(crate) fn start(&self) -> Result<Program, Fault> {
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            let what = format!("its folder {} does not exist", folder.display());
            return Err(Fault::new(Verdict::Crash, what));
        }
        let mut program = self.spawn().map_err(|error| {
            let exe = self.guard.exe.display();
            let is_short = os::is_shortage(&error);
            let verdict = if is_short { Verdict::Host } else { Verdict::Crash };
            Fault::new(verdict, format!("cannot start a guard by {exe}: {error}"))
        })?;
        program.wait_until_it_runs()?;
        Ok(program)
    }

    fn spawn(&self) -> io::Result<Program> {
        let files = os::usual_open_files();
        let (control, theirs) = UnixStream::pair()?;
        let mut args = Args::new(self.memory, PROCESSES, self.words.clone());
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
        };
        program.stdin.iter().try_for_each(os::never_block)?;
        program.stdout.iter().try_for_each(os::never_block)?;
        program.stderr.iter().try_for_each(os::never_block)?;
        Ok(program)
    }
}

impl Program {
    fn wait_until_it_runs(&mut self) -> Result<(), Fault> {
        let until = Instant::now() + START;
        while self.meter.is_none() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.fault(Verdict::Hang, "its guard did not start it"));
            }
            if self.end.is_some() {
                return Err(self.crash());
            }
            self.turn(false, left)?;
        }
        Ok(())
    }
}

/// Returns true if another program would take descriptors that the rest of this process may need.
pub(crate) fn files_are_short() -> bool {
    let _ = os::usual_open_files(); // raises the limit
    os::spare_files().is_some_and(|spare| spare < FILES_PER_PROGRAM + FILES_IN_RESERVE)
}

/// The words of a command line.
fn words(command: &str) -> Result<Vec<String>, String> {
    let words = shlex::split(command)
        .ok_or_else(|| format!("`{command}`: a quote is not closed, or a backslash ends it"))?;
    if words.is_empty() {
        return Err("a program is needed after the colon, as in `ugi:./my_engine`".to_owned());
    }
    Ok(words)
}

/// Looks whether there is such a program, as far as can be told without starting it.
///
/// # Errors
/// If there is none, with where it was looked for.
pub(crate) fn look_up(command: &str, folder: Option<&Path>) -> Result<(), String> {
    let name = words(command)?.swap_remove(0);
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(format!("its folder {} does not exist", folder.display()));
    }
    let here = folder.map_or_else(|| PathBuf::from(&name), |folder| folder.join(&name));
    if name.contains('/') {
        return match os::is_executable(&here) {
            Some(true) => Ok(()),
            Some(false) => Err(format!("{} cannot be executed; try chmod +x", here.display())),
            None => Err(format!("there is no program {}", here.display())),
        };
    }
    if find_program(&name).is_some() {
        return Ok(());
    }
    let hint =
        if here.is_file() { format!("; for the one here write ./{name}") } else { String::new() };
    Err(format!("there is no program `{name}` in the search path{hint}"))
}

/// Where a program of this name is, in the search path or among the games.
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
        let guard = Guard::this(&["guard"]);
        let words = |text| Launch::new(text, None, &guard, None).map(|launch| launch.words);
        assert_eq!(words("./a 'b c' \"d\"").unwrap(), ["./a", "b c", "d"]);
        assert!(words("./a 'b").unwrap_err().contains("a quote is not closed"));
        assert!(words(" ").unwrap_err().contains("a program is needed"));
    }

    #[test]
    fn game_folders_are_searched_last_and_once() {
        let path = |text: &str, games: &str| with_game_folders(text.into(), OsStr::new(games));
        assert_eq!(path("/bin", GAME_FOLDERS), "/bin:/usr/local/games:/usr/games");
        assert_eq!(path("/usr/games:/bin", GAME_FOLDERS), "/usr/games:/bin:/usr/local/games");
        assert_eq!(path("/bin", ""), "/bin");
    }
}
