//! All that depends on the operating system: processes, signals, waiting, limits.
//!
//! What every Unix has is in this file. What only Linux has is in `linux`, and `other` says what
//! is done without it; both offer the same names.

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

/// The file descriptor by which whoever starts a guard talks to it.
const CONTROL: i32 = 3;

/// The processor time of this thread: waiting for other programs does not count.
pub fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Returns the processor time of all threads of this process together.
pub fn process_cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Soft limit of open files with which this process was started. Raises it to the hard limit when it is
/// read first: a tournament keeps many programs alive. `None` if the system does not tell.
pub(crate) fn usual_open_files() -> Option<u64> {
    static SOFT_LIMIT: LazyLock<Option<u64>> = LazyLock::new(|| {
        let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard, hard); // some systems refuse; then it stays
        Some(soft)
    });
    *SOFT_LIMIT
}

/// Returns the number of files that this process can still open; `None` if the system does not tell.
pub(crate) fn spare_files() -> Option<u64> {
    let (most, _) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    let open = std::fs::read_dir("/dev/fd").ok()?.count() as u64;
    Some(most.saturating_sub(open))
}

/// Returns true if the error says that this machine is short of descriptors, processes or memory.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    let known = error.raw_os_error().map(Errno::from_raw);
    matches!(known, Some(Errno::EMFILE | Errno::ENFILE | Errno::EAGAIN | Errno::ENOMEM))
        || error.kind() == io::ErrorKind::OutOfMemory
}

/// Whether a file can be executed; `None` if there is none.
pub(crate) fn is_executable(path: &Path) -> Option<bool> {
    let metadata = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some(metadata.permissions().mode() & 0o111 != 0)
}

/// The line to whoever started this guard. To be called once, first of all.
///
/// # Errors
/// If nobody laid one.
#[allow(unsafe_code)]
pub(crate) fn control() -> io::Result<UnixStream> {
    // SAFETY: nothing in this process has been given descriptor 3 yet: this is called once,
    // before anything is opened. If it is not open at all, the next call says so, and then
    // it is not closed either.
    let fd = unsafe { OwnedFd::from_raw_fd(CONTROL) };
    if let Err(error) = fcntl(&fd, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)) {
        std::mem::forget(fd);
        return Err(error.into());
    }
    Ok(UnixStream::from(fd))
}

/// Starts a guard that finds `line` where [`control`] looks for it. The command ends here, because
/// it holds the line open.
pub(crate) fn spawn(mut command: Command, line: UnixStream) -> io::Result<Child> {
    let mapping = FdMapping { parent_fd: line.into(), child_fd: CONTROL };
    command.fd_mappings(vec![mapping]).map_err(io::Error::other)?;
    command.spawn()
}

/// Connects standard input, output and error with nothing.
pub(crate) fn let_go_of_standard_streams() -> io::Result<()> {
    let nothing = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(())
}

/// Reading and writing return at once from now on.
pub(crate) fn never_block(fd: &impl AsFd) -> io::Result<()> {
    fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

/// What somebody waits for.
#[derive(Clone, Copy)]
pub(crate) enum Until<'a> {
    /// There is something to read, or there never will be again.
    Readable(BorrowedFd<'a>),
    /// There is room to write, or nobody reads any more.
    Writable(BorrowedFd<'a>),
    /// Nothing at all.
    Never,
}

/// Waits until one of these has come or the time is over, and says which have.
pub(crate) fn wait<const N: usize>(
    untils: [Until<'_>; N],
    limit: Duration,
) -> io::Result<[bool; N]> {
    let mut fds: Vec<PollFd<'_>> = Vec::with_capacity(N);
    for until in untils {
        match until {
            Until::Readable(fd) => fds.push(PollFd::new(fd, PollFlags::POLLIN)),
            Until::Writable(fd) => fds.push(PollFd::new(fd, PollFlags::POLLOUT)),
            Until::Never => {}
        }
    }
    match here::poll(&mut fds, limit) {
        Ok(_) => {}
        Err(Errno::EINTR) => return Ok([false; N]),
        Err(error) => return Err(error.into()),
    }
    let mut ready = fds.iter().map(|fd| fd.revents().is_some_and(|events| !events.is_empty()));
    Ok(untils.map(|until| !matches!(until, Until::Never) && ready.next().unwrap_or(false)))
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By itself, with this code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
}

/// A child that has ended and was not asked about yet.
pub(crate) fn reap() -> Option<(u32, Ending)> {
    match waitpid(Pid::from_raw(-1), Some(WaitPidFlag::WNOHANG)) {
        Ok(WaitStatus::Exited(pid, code)) => Some((pid.as_raw() as u32, Ending::Exit(code))),
        Ok(WaitStatus::Signaled(pid, signal, _)) => {
            Some((pid.as_raw() as u32, Ending::Signal(signal as i32)))
        }
        _ => None,
    }
}

/// The name of a signal.
pub(crate) fn signal_name(number: i32) -> &'static str {
    Signal::try_from(number).map_or("no common signal", Signal::as_str)
}

/// The most memory that one of the children that have ended had at a time, in bytes.
pub(crate) fn most_memory_of_children() -> u64 {
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss() as u64 * unit)
}

/// Stops a process where it is.
pub(crate) fn freeze(pid: u32) {
    let _ = kill(Pid::from_raw(pid as i32), Signal::SIGSTOP);
}

/// Ends a process.
pub(crate) fn end(pid: u32) {
    let _ = kill(Pid::from_raw(pid as i32), Signal::SIGKILL);
}

/// No files with the memory of crashed programs from here on, no more private memory for each
/// process than this, and no more threads of this user where it is alone. The last does not bind
/// root.
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

/// Sets the soft limit of open files, so that a program finds the limit its user set: `select` fails with
/// descriptors beyond 1023.
pub(crate) fn limit_open_files(soft: u64) -> io::Result<()> {
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    Ok(setrlimit(Resource::RLIMIT_NOFILE, soft.min(hard), hard)?)
}

/// Lets every signal through again, as a program expects it.
pub(crate) fn hear_all_signals() -> io::Result<()> {
    Ok(SigSet::empty().thread_set_mask()?)
}

/// Leaves the terminal, if there is one: a program has no business there.
pub(crate) fn leave_terminal() {
    let _ = setsid(); // refused only to those who have left already
}

/// A process group of its own: signals from the terminal, or to all of the group that starts
/// it, are not for it.
pub(crate) fn in_own_group(mut command: Command) -> Command {
    command.process_group(0);
    command
}

/// The name that lists of processes show.
pub(crate) fn named(mut command: Command, name: &OsStr) -> Command {
    command.arg0(name);
    command
}

/// Becomes another program; returns only if that fails.
pub(crate) fn turn_into(command: &mut Command) -> io::Error {
    command.exec()
}

/// Ends all processes of a group.
pub(crate) fn end_group(leader: u32) {
    let _ = kill(Pid::from_raw(-(leader as i32)), Signal::SIGKILL);
}
