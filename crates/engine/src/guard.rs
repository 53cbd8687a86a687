//! Supervisors: processes between the arena and a program, which limit the program and end it with the arena.
//!
//! There are three of them in a chain:
//!
//! 1. The **watcher** has a socket to the arena. When the socket is closed because the arena ends in any way, the watcher
//!    ends all its descendants. It also measures the memory of the program.
//! 2. The **keeper** starts the program and collects the exit codes of its processes. Where namespaces are allowed, it is
//!    the first process of a PID namespace, whose other processes the kernel ends with it.
//! 3. The **launcher** sets limits and is then replaced by the program.
//!
//! Input and output of the program are connected to the arena directly.

mod args;
mod keeper;
mod launcher;
mod watcher;

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::os;
use args::{ArgsError, Role};

pub(crate) use args::Args;

/// Command that starts a supervisor: an executable that calls [`guard()`] with the arguments after these.
///
/// The `tussle` binary is one, with the argument `guard`. A program that embeds the arena names that binary, or
/// itself.
///
/// ```
/// use tussle_engine::Guard;
/// let guard = Guard::new("/usr/local/bin/tussle", ["guard"]);
/// assert_eq!(guard.args(), ["guard"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    executable: PathBuf,
    args: Vec<OsString>,
    /// Name in lists of processes, if it differs from that of the executable.
    name: Option<OsString>,
}

impl Guard {
    /// Creates the command from an executable and its first arguments.
    pub fn new(
        executable: impl Into<PathBuf>,
        args: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self { executable: executable.into(), args, name: None }
    }

    /// Creates the command from the running executable and its first arguments.
    pub fn this(args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { name: Some("tussle-guard".into()), ..Self::new(os::this_exe(), args) }
    }

    /// Creates the command that started this supervisor, to start the next one. The last `own` arguments are not part of it.
    /// The name of the executable stays as it was called, because an interpreter may find its files by it.
    fn again(own: usize) -> Self {
        let all: Vec<OsString> = std::env::args_os().collect();
        let first = all[..all.len().saturating_sub(own)].iter().skip(1).cloned();
        Self { name: all.first().cloned(), ..Self::new(os::this_exe(), first) }
    }

    /// Creates a command that starts nothing, for runs with only built-in agents. Starting a program is then an error.
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns the path of the executable; empty if there is none.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// Returns the first arguments.
    pub fn args(&self) -> &[OsString] {
        &self.args
    }
}

/// Notice of a supervisor, written as one line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Notice {
    /// The program is running, with this number in `/proc`.
    Started(u32),
    /// The program could not be started, for this reason.
    Failed(String),
    /// The program could not be started because this machine is short of descriptors, processes or memory.
    Short(String),
    /// The program has exited.
    Exited {
        code: i32,
        /// Largest peak memory of one of its processes.
        bytes: u64,
        /// Number of processes that it left running.
        #[serde(default)]
        left: usize,
    },
    /// A signal ended the program.
    Killed { signal: i32, bytes: u64 },
    /// The program exceeded its memory limit and was ended.
    Memory { used: u64, limit: u64 },
    /// The program exceeded its limit of processes and was ended.
    Processes { limit: u64 },
}

impl Notice {
    /// Creates the notice of a failed start.
    fn of_start(what: &str, error: &io::Error) -> Self {
        let why = format!("{what}: {error}");
        if os::is_shortage(error) { Self::Short(why) } else { Self::Failed(why) }
    }

    /// Sends the notice. Write errors are ignored, because a closed socket is noticed elsewhere.
    fn tell(&self, line: &mut impl Write) {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        let _ = line.write_all(text.as_bytes());
    }
}

/// Error of a supervisor that cannot start.
#[derive(Debug, thiserror::Error)]
enum GuardError {
    #[error(transparent)]
    Args(#[from] ArgsError),
    #[error(
        "no socket to the arena ({0}); the arena starts this command, do not start it yourself"
    )]
    NoLine(#[source] io::Error),
}

/// Returns true if programs can have a separate PID namespace on this machine.
///
/// Call it in a process that exits afterwards, because the next child of the process would be in a namespace.
pub fn isolates() -> bool {
    os::isolate()
}

/// Supervises a program and returns the exit code.
///
/// The arena starts this in a separate process, with the streams of the program as standard streams and a socket to the
/// arena as descriptor 3. `args` are the arguments after those of the [`Guard`].
pub fn guard(args: &[OsString]) -> u8 {
    match run(args) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("guard: {error}");
            2
        }
    }
}

fn run(args: &[OsString]) -> Result<(), GuardError> {
    let parsed = Args::parse(args)?;
    let line = os::control().map_err(GuardError::NoLine)?;
    let again = Guard::again(args.len());
    match parsed.role {
        Role::Watcher => watcher::run(&parsed, &again, line),
        Role::Keeper => keeper::run(&parsed, &again, line),
        Role::Launcher => launcher::run(&parsed, line),
    }
    Ok(())
}

/// Starts the next supervisor in the chain, which inherits the program's streams. Returns its process number and a socket
/// to it.
fn start(args: &Args, again: &Guard) -> Result<(u32, UnixStream), Notice> {
    let why = |error: io::Error| Notice::of_start("cannot start a supervisor", &error);
    let (ours, theirs) = UnixStream::pair().map_err(why)?;
    let next = os::spawn(args.command(again), theirs).map_err(why)?;
    // If this process kept the streams open, the arena could not see that the program has closed them.
    os::release_standard_streams().map_err(why)?;
    Ok((next.id(), ours))
}

/// Ends all descendants of this process, including those that have left their group and session. They are paused first,
/// so that they cannot fork.
fn end_all_below() {
    /// Maximum time in milliseconds. Processes of other users cannot be ended.
    const MAX_MILLIS: u32 = 5000;
    for _ in 0..MAX_MILLIS {
        let mut stopped: Vec<u32> = Vec::new();
        loop {
            let below = os::descendants(std::process::id(), usize::MAX);
            let new: Vec<u32> = below.into_iter().filter(|pid| !stopped.contains(pid)).collect();
            if new.is_empty() {
                break;
            }
            new.iter().copied().for_each(os::freeze);
            stopped.extend(new);
        }
        stopped.iter().copied().for_each(os::end);
        while os::reap().is_some() {}
        if os::descendants(std::process::id(), 0).is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}
