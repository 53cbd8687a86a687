//! The guard: supervisor processes between the arena and a program, so that nothing survives us.
//!
//! There are three of them in a row. The **watcher** holds a line to the arena. When that ends,
//! however the arena came to its end, it ends all that runs below it. It also measures how
//! much memory the program takes. The **keeper** starts the program and asks how its processes
//! ended; where namespaces are allowed it is the first process of one, and the kernel lets none
//! of the others outlive it. The **launcher** sets limits and becomes the program.
//!
//! The program has its input and output from the arena directly: the guard is not in the way.

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
    /// Name in lists of processes, if not that of the executable.
    name: Option<OsString>,
}

impl Guard {
    /// Creates the command of an executable and its first arguments.
    pub fn new(
        executable: impl Into<PathBuf>,
        args: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self { executable: executable.into(), args, name: None }
    }

    /// Creates the command of the running executable and these first arguments.
    pub fn this(args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { name: Some("tussle-guard".into()), ..Self::new(os::this_exe(), args) }
    }

    /// Creates the command that started this guard, which starts the next one; the last `own` arguments are not part
    /// of it. An interpreter may find its files by the name it was called by, so that stays.
    fn again(own: usize) -> Self {
        let all: Vec<OsString> = std::env::args_os().collect();
        let first = all[..all.len().saturating_sub(own)].iter().skip(1).cloned();
        Self { name: all.first().cloned(), ..Self::new(os::this_exe(), first) }
    }

    /// Creates a guard that starts nothing, for runs in which only agents of this process play. Programs fail to
    /// start, with the reason.
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns the executable; empty if there is none.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// Returns the first arguments.
    pub fn args(&self) -> &[OsString] {
        &self.args
    }
}

/// What a guard tells, one a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Notice {
    /// The program runs; `/proc` knows it by this number.
    Started(u32),
    /// The program could not be started, and why.
    Failed(String),
    /// The program could not be started because this machine is short of descriptors, processes or memory.
    Short(String),
    /// The program has ended by itself.
    Exited {
        code: i32,
        /// The most memory that one of its processes had at a time.
        bytes: u64,
        /// Processes of its that it left running.
        #[serde(default)]
        left: usize,
    },
    /// A signal ended the program.
    Killed { signal: i32, bytes: u64 },
    /// It took more memory than it may and was ended.
    Memory { used: u64, limit: u64 },
    /// It had more processes than it may and was ended.
    Processes { limit: u64 },
}

impl Notice {
    /// A start that failed with this error.
    fn of_start(what: &str, error: &io::Error) -> Self {
        let why = format!("{what}: {error}");
        if os::is_shortage(error) { Self::Short(why) } else { Self::Failed(why) }
    }

    /// Tells it. If nobody listens any more, that is noticed elsewhere.
    fn tell(&self, line: &mut impl Write) {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        let _ = line.write_all(text.as_bytes());
    }
}

/// Error of a guard that cannot begin its work.
#[derive(Debug, thiserror::Error)]
enum GuardError {
    #[error(transparent)]
    Args(#[from] ArgsError),
    #[error("this is for the arena to start, not for people: there is no line to it ({0})")]
    NoLine(#[source] io::Error),
}

/// Whether programs can have a namespace of their own here. To be asked in a process that does nothing
/// else afterwards: its next child would be in one.
pub fn isolates() -> bool {
    os::isolate()
}

/// Guards a program. The arena starts this in a process of its own, with the program's streams as
/// standard ones and a line to the arena as descriptor 3; `args` are those after
/// those of the [`Guard`]. Returns the exit code.
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

/// Starts the next guard in the row, which inherits the program's streams: its number, and a line
/// to it.
fn start(args: &Args, again: &Guard) -> Result<(u32, UnixStream), Notice> {
    let why = |error: io::Error| Notice::of_start("cannot start a guard", &error);
    let (ours, theirs) = UnixStream::pair().map_err(why)?;
    let next = os::spawn(args.command(again), theirs).map_err(why)?;
    // If we held the program's streams too, nobody could see that it has closed them.
    os::let_go_of_standard_streams().map_err(why)?;
    Ok((next.id(), ours))
}

/// Ends all processes below this one until there are none, also those that have left their
/// group and session. They are stopped first: what does not run does not fork.
fn end_all_below() {
    const PATIENCE: u32 = 5000; // milliseconds; processes of other users cannot be ended
    for _ in 0..PATIENCE {
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
