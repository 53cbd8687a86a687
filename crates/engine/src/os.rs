//! Code that depends on the operating system: processes, signals, waiting, limits.
//!
//! This file has the functions for every Unix. The module `linux` has those that need Linux, and `other` has their
//! replacements for other systems, under the same names.

#[cfg(target_os = "linux")]
#[path = "os/linux.rs"]
mod here;
#[cfg(not(target_os = "linux"))]
#[path = "os/other.rs"]
mod here;

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd as _, OwnedFd};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::LazyLock;
use std::time::Duration;

use command_fds::{CommandFdExt as _, FdMapping};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags};
use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage, setrlimit};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, setsid};

pub(crate) use here::{
    Deaths, Meter, adopt_orphans, asleep, descendants, die_with_parent, isolate, limit_namespace,
    own_processors, own_wait, proportional, resident, this_exe, threads, threads_everywhere,
    visible_pid,
};

/// File descriptor of a supervisor's socket to its parent process.
const CONTROL: i32 = 3;

/// Returns the CPU time of this thread, which does not include waiting for other programs.
pub fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Returns the total CPU time of all threads of this process.
pub fn process_cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Returns the soft limit of open files with which this process was started, or `None` if it is unknown. The first call
/// raises the limit to the hard limit, because a tournament keeps many programs running.
pub(crate) fn original_open_files() -> Option<u64> {
    static SOFT_LIMIT: LazyLock<Option<u64>> = LazyLock::new(|| {
        let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard, hard); // some systems refuse; then the limit stays
        Some(soft)
    });
    *SOFT_LIMIT
}

/// Returns the number of files that this process can still open, or `None` if it is unknown.
pub(crate) fn spare_files() -> Option<u64> {
    let (most, _) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    let open = std::fs::read_dir("/dev/fd").ok()?.count() as u64;
    Some(most.saturating_sub(open))
}

/// Returns true for an error that means that this machine is short of descriptors, processes or memory.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    let known = error.raw_os_error().map(Errno::from_raw);
    matches!(known, Some(Errno::EMFILE | Errno::ENFILE | Errno::EAGAIN | Errno::ENOMEM))
        || error.kind() == io::ErrorKind::OutOfMemory
}

/// Returns true if a file can be executed, and `None` if it does not exist.
pub(crate) fn is_executable(path: &Path) -> Option<bool> {
    let metadata = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some(metadata.permissions().mode() & 0o111 != 0)
}

/// Returns a supervisor's socket to its parent process. Call it once, before any file is opened.
///
/// # Errors
/// If the parent process did not pass a socket.
#[allow(unsafe_code)]
pub(crate) fn control() -> io::Result<UnixStream> {
    // SAFETY: nothing else in this process owns descriptor 3: this is called once, before any file
    // is opened. If the descriptor is not open at all, the next call fails, and then it is not
    // closed either.
    let fd = unsafe { OwnedFd::from_raw_fd(CONTROL) };
    if let Err(error) = fcntl(&fd, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)) {
        std::mem::forget(fd);
        return Err(error.into());
    }
    Ok(UnixStream::from(fd))
}

/// Starts a supervisor that gets `line` from [`control`]. Consumes the command, because it holds the socket open.
pub(crate) fn spawn(mut command: Command, line: UnixStream) -> io::Result<Child> {
    let mapping = FdMapping { parent_fd: line.into(), child_fd: CONTROL };
    command.fd_mappings(vec![mapping]).map_err(io::Error::other)?;
    command.spawn()
}

/// Connects standard input, output and error with `/dev/null`.
pub(crate) fn release_standard_streams() -> io::Result<()> {
    let nothing = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(())
}

/// Makes reading and writing return without blocking.
pub(crate) fn set_nonblocking(fd: &impl AsFd) -> io::Result<()> {
    fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

/// Condition of a wait.
#[derive(Clone, Copy)]
pub(crate) enum WaitCondition<'a> {
    /// The file has data to read, or is at its end.
    Readable(BorrowedFd<'a>),
    /// The file accepts data, or its reader has closed it.
    Writable(BorrowedFd<'a>),
    /// Never fulfilled.
    Never,
}

/// Waits until one of the conditions is fulfilled or the time is over. Returns which conditions are fulfilled.
pub(crate) fn wait<const N: usize>(
    conditions: [WaitCondition<'_>; N],
    limit: Duration,
) -> io::Result<[bool; N]> {
    let mut fds: Vec<PollFd<'_>> = Vec::with_capacity(N);
    for condition in conditions {
        match condition {
            WaitCondition::Readable(fd) => fds.push(PollFd::new(fd, PollFlags::POLLIN)),
            WaitCondition::Writable(fd) => fds.push(PollFd::new(fd, PollFlags::POLLOUT)),
            WaitCondition::Never => {}
        }
    }
    match here::poll(&mut fds, limit) {
        Ok(_) => {}
        Err(Errno::EINTR) => return Ok([false; N]),
        Err(error) => return Err(error.into()),
    }
    let mut ready = fds.iter().map(|fd| fd.revents().is_some_and(|events| !events.is_empty()));
    let is_ready =
        |condition| !matches!(condition, WaitCondition::Never) && ready.next().unwrap_or(false);
    Ok(conditions.map(is_ready))
}

/// End of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The process exited with this code.
    Exit(i32),
    /// This signal ended the process.
    Signal(i32),
}

/// Returns a child that has ended and was not returned before, with its end.
pub(crate) fn reap() -> Option<(u32, Ending)> {
    match waitpid(Pid::from_raw(-1), Some(WaitPidFlag::WNOHANG)) {
        Ok(WaitStatus::Exited(pid, code)) => Some((pid.as_raw() as u32, Ending::Exit(code))),
        Ok(WaitStatus::Signaled(pid, signal, _)) => {
            Some((pid.as_raw() as u32, Ending::Signal(signal as i32)))
        }
        _ => None,
    }
}

/// Returns the name of a signal.
pub(crate) fn signal_name(number: i32) -> &'static str {
    Signal::try_from(number).map_or("unknown signal", Signal::as_str)
}

/// Returns the largest peak memory of a child that has ended, in bytes.
pub(crate) fn most_memory_of_children() -> u64 {
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss() as u64 * unit)
}

/// Pauses a process.
pub(crate) fn freeze(pid: u32) {
    let _ = kill(Pid::from_raw(pid as i32), Signal::SIGSTOP);
}

/// Kills a process.
pub(crate) fn end(pid: u32) {
    let _ = kill(Pid::from_raw(pid as i32), Signal::SIGKILL);
}

/// Sets limits for this process and its children: no core dumps, at most `data` bytes of private memory per process, and
/// at most `threads` threads of this user. Root is not bound by the last limit.
pub(crate) fn limit(data: Option<u64>, threads: Option<u64>) -> io::Result<()> {
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    for (resource, limit) in [(Resource::RLIMIT_DATA, data), (Resource::RLIMIT_NPROC, threads)] {
        if let Some(limit) = limit {
            let (_, most) = getrlimit(resource)?;
            setrlimit(resource, limit.min(most), limit.min(most))?;
        }
    }
    Ok(())
}

/// Sets the soft limit of open files. A program gets back the limit of the user, because a program that uses `select`
/// fails with descriptors beyond 1023.
pub(crate) fn limit_open_files(soft: u64) -> io::Result<()> {
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    Ok(setrlimit(Resource::RLIMIT_NOFILE, soft.min(hard), hard)?)
}

/// Unblocks all signals, as a program expects.
pub(crate) fn unblock_signals() -> io::Result<()> {
    Ok(SigSet::empty().thread_set_mask()?)
}

/// Starts a new session, so that the program cannot use the terminal.
pub(crate) fn leave_terminal() {
    let _ = setsid(); // fails only for a process that already has its own session
}

/// Makes the command start in its own process group, so that it does not receive signals of the terminal or of the group
/// that starts it.
pub(crate) fn in_own_group(mut command: Command) -> Command {
    command.process_group(0);
    command
}

/// Sets the name that lists of processes show.
pub(crate) fn named(mut command: Command, name: &OsStr) -> Command {
    command.arg0(name);
    command
}

/// Replaces this process by another program. Returns only if that fails.
pub(crate) fn replace_process(command: &mut Command) -> io::Error {
    command.exec()
}

/// Kills all processes of a group.
pub(crate) fn end_group(leader: u32) {
    let _ = kill(Pid::from_raw(-(leader as i32)), Signal::SIGKILL);
}
