//! Launcher: the last supervisor, which sets limits and is replaced by the program.

use std::io::{self, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;

use super::Notice;
use super::args::Args;
use crate::os;

/// Private memory that a process may reserve in addition to its memory limit, in bytes. It is large because runtimes
/// reserve memory that they never use. The memory in use is measured separately.
const EXTRA_RESERVED_BYTES: u64 = 2 << 30;

pub(super) fn run(args: &Args, mut keeper: UnixStream) {
    os::die_with_parent();
    // The kernel divides the processors among sessions. In a separate session, even a thousand busy processes cannot keep
    // the supervisors from running.
    os::leave_terminal();
    let visible = os::visible_pid().map_or_else(String::new, |pid| pid.to_string());
    let _ = writeln!(keeper, "{visible}");
    let data =
        args.memory.map(|memory| memory.saturating_mul(2).saturating_add(EXTRA_RESERVED_BYTES));
    let tasks = args.isolated.then_some(args.tasks());
    let limited = os::limit(data, tasks)
        .and_then(|()| args.files.map_or(Ok(()), os::limit_open_files))
        .and_then(|()| os::unblock_signals());
    let (program, rest) = args.words.split_first().expect("checked by `Args::parse`");
    let error = match limited {
        Ok(()) => os::replace_process(Command::new(program).args(rest)),
        Err(error) => error,
    };
    // With a memory limit, the program itself may not fit into it.
    let is_own = args.memory.is_some() && error.kind() == io::ErrorKind::OutOfMemory;
    let why = why(program, &error);
    let short = os::is_shortage(&error) && !is_own;
    if short { Notice::Short(why) } else { Notice::Failed(why) }.tell(&mut keeper);
}

/// Returns the error of a start with its reason and advice.
fn why(program: &str, error: &io::Error) -> String {
    let is_path = program.contains('/');
    let reason = match error.kind() {
        io::ErrorKind::NotFound if is_path && Path::new(program).exists() => {
            "the interpreter named in its first line, or a library it needs, does not exist"
                .to_owned()
        }
        io::ErrorKind::NotFound if is_path => {
            let folder = std::env::current_dir().unwrap_or_default();
            format!("there is no such file, seen from {}", folder.display())
        }
        // An unreadable folder of the search path gives the error `PermissionDenied`.
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied if !is_path => {
            let here = Path::new(program).exists();
            let hint =
                if here { format!("; for the one here write ./{program}") } else { String::new() };
            format!("no program of this name is installed{hint}")
        }
        io::ErrorKind::PermissionDenied if Path::new(program).is_dir() => {
            "it is a folder".to_owned()
        }
        io::ErrorKind::PermissionDenied => {
            format!("it is not executable; try chmod +x {program}, or name its interpreter first")
        }
        _ => error.to_string(),
    };
    format!("cannot start `{program}`: {reason}")
}
