//! Load on all cores of the machine.

use std::thread::{self, JoinHandle};

use tussle_core::StopFlag;

use crate::failure::Failure;

/// Two busy threads per core. Dropping it ends them.
pub(super) struct Load {
    stop: StopFlag,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    pub(super) fn start() -> Result<Self, Failure> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let mut load = Self { stop: StopFlag::default(), threads: Vec::new() };
        for _ in 0..2 * cores {
            let stop = load.stop.clone();
            let spin = move || while !stop.is_stopped() {};
            let thread = thread::Builder::new()
                .spawn(spin)
                .map_err(|e| Failure::Failed(format!("cannot start a thread: {e}")))?;
            load.threads.push(thread);
        }
        Ok(load)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.stop();
        for thread in self.threads.drain(..) {
            let _ = thread.join(); // it cannot have panicked
        }
    }
}
