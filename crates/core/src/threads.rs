//! Threads that the system may refuse to start.

use std::io;
use std::thread::{Builder, Scope};

/// Free address space, in bytes, that must be available before a thread is started: the standard library
/// aborts the process if a new thread cannot allocate its signal stack. More than 32 MiB, because smaller
/// blocks change the threshold from which the C library maps large blocks.
const THREAD_HEADROOM: usize = 48 << 20;

/// Starts a scoped thread. Returns the error of the system, where [`Scope::spawn`] panics.
///
/// # Errors
/// If the system refuses another thread (because of a process limit or a control group) or memory for it.
pub fn spawn_scoped<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    let mut headroom: Vec<u8> = Vec::new();
    headroom.try_reserve_exact(THREAD_HEADROOM).map_err(|_| io::ErrorKind::OutOfMemory)?;
    drop(std::hint::black_box(headroom));
    Builder::new().spawn_scoped(scope, work).map(drop)
}
