//! What only Linux has: namespaces, adopted orphans, `/proc`.

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

use super::Until;

pub(crate) use meter::{Meter, own_processors, own_wait};

/// Waits to the nanosecond.
pub(super) fn poll(fds: &mut [PollFd<'_>], limit: Duration) -> nix::Result<i32> {
    ppoll(fds, Some(TimeSpec::from_duration(limit)), None)
}

/// The running binary, also if another has taken its place on the disk.
pub(crate) fn this_exe() -> PathBuf {
    PathBuf::from("/proc/self/exe")
}

/// The number by which `/proc`, as mounted here, knows this process. It is another one in a
/// namespace of its own.
pub(crate) fn visible_pid() -> Option<u32> {
    fs::read_link("/proc/self").ok()?.to_str()?.parse().ok()
}

/// Orphans below this process become its children.
pub(crate) fn adopt_orphans() {
    let _ = prctl::set_child_subreaper(true);
}

/// This process does not outlive the thread that started it.
pub(crate) fn die_with_parent() {
    let _ = prctl::set_pdeathsig(Signal::SIGKILL);
}

/// The next child and all below it will be by themselves, and end with it: a namespace of
/// process numbers. False if that is not allowed.
pub(crate) fn isolate() -> bool {
    if unshare(CloneFlags::CLONE_NEWPID).is_ok() {
        return true;
    }
    // Nobody but root may do that, except among users of its own.
    let (user, group) = (geteuid(), getegid());
    if unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID).is_err() {
        return false;
    }
    // Everybody keeps the number they had. Without these files numbers look odd but all works.
    let _ = fs::write("/proc/self/setgroups", "deny");
    let _ = fs::write("/proc/self/uid_map", format!("{user} {user} 1"));
    let _ = fs::write("/proc/self/gid_map", format!("{group} {group} 1"));
    true
}

/// Limits the number of processes and threads in the namespace whose first process this is. That binds root
/// too, which `RLIMIT_NPROC` does not; Linux has it since 6.14, and lets only root do it.
pub(crate) fn limit_namespace(tasks: u64) {
    /// Numbers that the kernel does not give out again.
    const RESERVED: u64 = 300;
    let most = tasks.saturating_add(RESERVED).to_string();
    // Before 6.14 the file is that of the whole machine.
    let path = "/proc/sys/kernel/pid_max";
    if has_own_pid_max() {
        let _ = fs::write(path, most);
    }
}

/// Returns true if a namespace has a largest process number of its own: Linux 6.14 or later.
fn has_own_pid_max() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let mut next = || numbers.next().and_then(Result::ok);
    matches!((next(), next()), (Some(major), Some(minor)) if (major, minor) >= (6, 14))
}

/// Tells when children have ended.
pub(crate) struct Deaths(Option<SignalFd>);

impl Deaths {
    /// To be made before the children.
    pub(crate) fn new() -> Self {
        let mut mask = SigSet::empty();
        mask.add(Signal::SIGCHLD);
        let blocked = mask.thread_block().is_ok();
        let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
        Self(SignalFd::with_flags(&mask, flags).ok().filter(|_| blocked))
    }

    /// To wait for the next.
    pub(crate) fn next(&self) -> Until<'_> {
        self.0.as_ref().map_or(Until::Never, |fd| Until::Readable(fd.as_fd()))
    }

    /// Forgets those that were told.
    pub(crate) fn clear(&self) {
        while self.0.as_ref().is_some_and(|fd| matches!(fd.read_signal(), Ok(Some(_)))) {}
    }
}

/// Whether the kernel lists children.
static LISTS_CHILDREN: LazyLock<bool> =
    LazyLock::new(|| Path::new("/proc/thread-self/children").exists());

/// All processes below this one; not many more than `most`. Nothing if `/proc` shows other
/// processes than ours.
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

/// The children of all threads of a process.
fn children(pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return found };
    for task in tasks.flatten() {
        let text = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(text.split_ascii_whitespace().filter_map(|pid| pid.parse::<u32>().ok()));
    }
    found
}

/// Every process with its parent.
fn parents() -> Vec<(u32, u32)> {
    let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
    let parent = |entry: fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // `pid (name) state parent …`, and a name may contain anything.
        let (_, rest) = stat.rsplit_once(')')?;
        Some((pid, rest.split_ascii_whitespace().nth(1)?.parse().ok()?))
    };
    all.flatten().filter_map(parent).collect()
}

/// The bytes of memory a process has; those it shares with others count in full.
pub(crate) fn resident(pid: u32) -> u64 {
    static PAGE: LazyLock<u64> = LazyLock::new(|| {
        let size = sysconf(SysconfVar::PAGE_SIZE).ok().flatten();
        size.map_or(4096, |size| size as u64)
    });
    let statm = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages: Option<u64> = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * *PAGE
}

/// The same with shared memory divided among those who share it. Slow for large processes.
pub(crate) fn proportional(pid: u32) -> u64 {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or_else(|| resident(pid), |kilobytes| kilobytes * 1024)
}

/// What `/proc` tells of a process.
struct Stat {
    state: char,
    /// Processor time, in clock ticks.
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

/// The processor time that a process and all below it have had, in clock ticks, if all of them
/// sleep now, or are dead.
pub(crate) fn asleep(pid: u32) -> Option<u64> {
    let ticks = |pid: u32| stat(pid).filter(|it| matches!(it.state, 'S' | 'Z')).map(|it| it.ticks);
    let below = descendants(pid, 64);
    std::iter::once(pid).chain(below).map(ticks).sum()
}

/// The threads of a process.
pub(crate) fn threads(pid: u32) -> u64 {
    stat(pid).map_or(0, |it| it.threads)
}

/// How many threads there are on this machine.
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
    fn whoever_has_to_wait_for_a_processor_is_known() {
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
    fn both_ways_to_find_children_agree() {
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
