//! Replacements for systems other than Linux: programs are started and ended, but processes that leave their group are
//! not found, and neither memory nor waits for a processor are measured.

use std::path::PathBuf;
use std::time::Duration;

use nix::poll::{PollFd, PollTimeout};

use super::WaitCondition;
use crate::usage::Usage;

pub(super) fn poll(fds: &mut [PollFd<'_>], limit: Duration) -> nix::Result<i32> {
    // Round up, because a wait that ends too early would be repeated until the time is over.
    let millis = limit.as_nanos().div_ceil(1_000_000).min(60_000) as u16;
    nix::poll::poll(fds, PollTimeout::from(millis))
}

pub(crate) fn this_exe() -> PathBuf {
    std::env::current_exe().unwrap_or_default()
}

pub(crate) fn visible_pid() -> Option<u32> {
    Some(std::process::id())
}

pub(crate) fn adopt_orphans() {}

pub(crate) fn die_with_parent() {}

pub(crate) fn isolate() -> bool {
    false
}

pub(crate) fn limit_namespace(_tasks: u64) {}

/// Notification when children end. It never arrives, so callers wait with a timeout.
pub(crate) struct Deaths;

impl Deaths {
    pub(crate) fn new() -> Self {
        Self
    }

    #[allow(clippy::unused_self)]
    pub(crate) fn next(&self) -> WaitCondition<'_> {
        WaitCondition::Never
    }

    #[allow(clippy::unused_self)]
    pub(crate) fn clear(&self) {}
}

pub(crate) fn descendants(_root: u32, _most: usize) -> Vec<u32> {
    Vec::new()
}

pub(crate) fn resident(_pid: u32) -> u64 {
    0
}

pub(crate) fn proportional(_pid: u32) -> u64 {
    0
}

/// Returns a constant, so that callers treat every process as asleep and do not wait for it.
pub(crate) fn asleep(_pid: u32) -> Option<u64> {
    Some(0)
}

pub(crate) fn threads(_pid: u32) -> u64 {
    0
}

pub(crate) fn threads_everywhere() -> u64 {
    0
}

/// Meter that measures nothing.
pub(crate) struct Meter;

#[allow(clippy::unused_self)]
impl Meter {
    pub(crate) fn of(_pid: u32) -> Self {
        Self
    }

    pub(crate) fn begin(&mut self) {}

    pub(crate) fn is_current(&self) -> bool {
        true
    }

    pub(crate) fn list(&mut self) {}

    pub(crate) fn pass_deadline(&mut self, _ago: Duration) {}

    pub(crate) fn usage(&self) -> Usage {
        Usage::default()
    }
}

/// Returns `None`: the wait is unknown.
pub(crate) fn own_wait() -> Option<Duration> {
    None
}

pub(crate) fn own_processors() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u32)
}
