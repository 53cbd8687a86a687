//! Functions that need Linux: namespaces, adopted orphans, `/proc`.

mod meter;

use std::fs;
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use nix::poll::{PollFd, ppoll};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::time::TimeSpec;
use nix::unistd::{SysconfVar, getegid, geteuid, sysconf};

use super::WaitCondition;

pub(crate) use meter::{Meter, own_processors, own_wait};

/// Polls files with a timeout in nanoseconds.
pub(super) fn poll(fds: &mut [PollFd<'_>], limit: Duration) -> nix::Result<i32> {
    ppoll(fds, Some(TimeSpec::from_duration(limit)), None)
}

/// Returns a path of the running binary, which stays valid if the file on the disk is replaced.
pub(crate) fn this_exe() -> PathBuf {
    PathBuf::from("/proc/self/exe")
}

/// Returns the number of this process in the mounted `/proc`. In a separate PID namespace it differs from its own number.
pub(crate) fn visible_pid() -> Option<u32> {
    fs::read_link("/proc/self").ok()?.to_str()?.parse().ok()
}

/// Makes orphaned descendants of this process its children.
pub(crate) fn adopt_orphans() {
    let _ = prctl::set_child_subreaper(true);
}

/// Makes the kernel kill this process when the thread that started it ends.
pub(crate) fn die_with_parent() {
    let _ = prctl::set_pdeathsig(Signal::SIGKILL);
}

/// Creates a PID namespace for the next child. When that child ends, the kernel kills all its descendants. Returns false
/// if this is not allowed.
pub(crate) fn isolate() -> bool {
    if unshare(CloneFlags::CLONE_NEWPID).is_ok() {
        return true;
    }
    // Without root this needs a user namespace too.
    let (user, group) = (geteuid(), getegid());
    if unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID).is_err() {
        return false;
    }
    // Keep the user and group IDs. If these files cannot be written, the IDs differ, but everything works.
    let _ = fs::write("/proc/self/setgroups", "deny");
    let _ = fs::write("/proc/self/uid_map", format!("{user} {user} 1"));
    let _ = fs::write("/proc/self/gid_map", format!("{group} {group} 1"));
    true
}

/// Limits the number of processes and threads in the PID namespace whose first process this is. Unlike `RLIMIT_NPROC`,
/// the limit also binds root. It needs Linux 6.14 and root.
pub(crate) fn limit_namespace(tasks: u64) {
    /// Number of process IDs that the kernel does not reuse.
    const RESERVED_PIDS: u64 = 300;
    let most = tasks.saturating_add(RESERVED_PIDS).to_string();
    // Before Linux 6.14 the file has the limit of the whole machine.
    let path = "/proc/sys/kernel/pid_max";
    if has_own_pid_max() {
        let _ = fs::write(path, most);
    }
}

/// Returns true if each PID namespace has its own largest process number: Linux 6.14 or later.
fn has_own_pid_max() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let mut next = || numbers.next().and_then(Result::ok);
    matches!((next(), next()), (Some(major), Some(minor)) if (major, minor) >= (6, 14))
}

/// Notification when children end.
pub(crate) struct Deaths(Option<SignalFd>);

impl Deaths {
    /// Creates the notification. Call it before the children are started.
    pub(crate) fn new() -> Self {
        let mut mask = SigSet::empty();
        mask.add(Signal::SIGCHLD);
        let blocked = mask.thread_block().is_ok();
        let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
        Self(SignalFd::with_flags(&mask, flags).ok().filter(|_| blocked))
    }

    /// Returns the condition to wait for the next end of a child.
    pub(crate) fn next(&self) -> WaitCondition<'_> {
        self.0.as_ref().map_or(WaitCondition::Never, |fd| WaitCondition::Readable(fd.as_fd()))
    }

    /// Discards notifications.
    pub(crate) fn clear(&self) {
        while self.0.as_ref().is_some_and(|fd| matches!(fd.read_signal(), Ok(Some(_)))) {}
    }
}

/// True if the kernel lists the children of a thread.
static LISTS_CHILDREN: LazyLock<bool> =
    LazyLock::new(|| Path::new("/proc/thread-self/children").exists());

/// Returns the descendants of a process; not many more than `most`. Empty if `/proc` belongs to another PID namespace.
pub(crate) fn descendants(root: u32, most: usize) -> Vec<u32> {
    if visible_pid() != Some(std::process::id()) {
        return Vec::new();
    }
    let parents = if *LISTS_CHILDREN { Vec::new() } else { parents() };
    let mut found = Vec::new();
    let mut todo = vec![root];
    while let Some(pid) = todo.pop() {
        if found.len() > most {
            break;
        }
        let children = if *LISTS_CHILDREN {
            children(pid)
        } else {
            parents.iter().filter(|(_, parent)| *parent == pid).map(|(pid, _)| *pid).collect()
        };
        found.extend_from_slice(&children);
        todo.extend(children);
    }
    found
}

/// Returns the children of all threads of a process.
fn children(pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return found };
    for task in tasks.flatten() {
        let text = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(text.split_ascii_whitespace().filter_map(|pid| pid.parse::<u32>().ok()));
    }
    found
}

/// Returns all processes with their parents.
fn parents() -> Vec<(u32, u32)> {
    let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
    let parent = |entry: fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // `pid (name) state parent …`; the name may contain any character.
        let (_, rest) = stat.rsplit_once(')')?;
        Some((pid, rest.split_ascii_whitespace().nth(1)?.parse().ok()?))
    };
    all.flatten().filter_map(parent).collect()
}

/// Returns the resident memory of a process in bytes. Shared memory counts in full.
pub(crate) fn resident(pid: u32) -> u64 {
    static PAGE: LazyLock<u64> = LazyLock::new(|| {
        let size = sysconf(SysconfVar::PAGE_SIZE).ok().flatten();
        size.map_or(4096, |size| size as u64)
    });
    let statm = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages: Option<u64> = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * *PAGE
}

/// Returns the memory of a process in bytes, with shared memory divided among the processes that share it. Slow for large
/// processes.
pub(crate) fn proportional(pid: u32) -> u64 {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or_else(|| resident(pid), |kilobytes| kilobytes * 1024)
}

/// State of a process in `/proc`.
struct Stat {
    state: char,
    /// CPU time, in clock ticks.
    ticks: u64,
    threads: u64,
}

fn stat(pid: u32) -> Option<Stat> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    let words: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |at: usize| words.get(at)?.parse::<u64>().ok();
    // The third word of the line is the state, the 14th and 15th are times, the 20th is threads.
    let state = words.first()?.chars().next()?;
    Some(Stat { state, ticks: number(11)? + number(12)?, threads: number(17)? })
}

/// Returns the CPU time of a process and its descendants in clock ticks, or `None` unless all of them are asleep or
/// have ended.
pub(crate) fn asleep(pid: u32) -> Option<u64> {
    let ticks = |pid: u32| stat(pid).filter(|it| matches!(it.state, 'S' | 'Z')).map(|it| it.ticks);
    let below = descendants(pid, 64);
    std::iter::once(pid).chain(below).map(ticks).sum()
}

/// Returns the number of threads of a process.
pub(crate) fn threads(pid: u32) -> u64 {
    stat(pid).map_or(0, |it| it.threads)
}

/// Returns the number of threads on this machine.
pub(crate) fn threads_everywhere() -> u64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let counts = text.split_ascii_whitespace().nth(3).and_then(|counts| counts.split_once('/'));
    counts.and_then(|(_, all)| all.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn waits_for_a_processor_are_measured() {
        let busy = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) * 2 + 1;
        let shell = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn();
        let mut shells: Vec<_> = (0..busy).map(|_| shell().unwrap()).collect();
        let meters: Vec<Meter> = shells.iter().map(|shell| Meter::of(shell.id())).collect();
        std::thread::sleep(Duration::from_millis(300));
        let waited: Duration = meters.iter().map(|meter| meter.usage().waited).sum();
        let below = descendants(std::process::id(), usize::MAX);
        let all_found = shells.iter().all(|shell| below.contains(&shell.id()));
        let memory = resident(shells[0].id());
        for shell in &mut shells {
            shell.kill().unwrap();
            shell.wait().unwrap();
        }
        assert!(waited > Duration::from_millis(10), "{waited:?}");
        assert!(all_found, "{below:?}");
        assert!(memory > 100_000, "{memory}");
    }

    #[test]
    fn both_methods_to_find_children_agree() {
        let mut child = Command::new("sleep").arg("10").spawn().unwrap();
        let own = std::process::id();
        let listed = children(own).contains(&child.id());
        let searched = parents().contains(&(child.id(), own));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(searched);
        assert!(listed || !*LISTS_CHILDREN);
    }
}
