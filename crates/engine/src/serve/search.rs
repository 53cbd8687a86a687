//! Search on a separate thread, which can be stopped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use tussle_catalog::{AnyAgent, AnyPosition, Error, Query};
use tussle_core::{Limits, Report, StopFlag};

/// Agent, position and limits of a search.
pub(crate) struct Task {
    pub(crate) agent: Box<dyn AnyAgent>,
    pub(crate) position: Box<dyn AnyPosition>,
    pub(crate) limits: Limits,
    /// Number of root moves that need exact values.
    pub(crate) lines: usize,
    /// True if the result is held back until the search is stopped, even if the search has ended.
    pub(crate) waits: bool,
}

/// Running search. Dropping it stops the search.
pub(crate) struct RunningSearch {
    flag: StopFlag,
    /// Dropping the sender releases a result that is held back.
    released: Option<Sender<()>>,
    thread: Option<JoinHandle<Option<Box<dyn AnyAgent>>>>,
    /// Agent of a search that ran without a separate thread.
    agent: Option<Box<dyn AnyAgent>>,
}

/// Function that runs a search. It returns the agent unless the search panicked.
type Work = Box<dyn FnOnce() -> Option<Box<dyn AnyAgent>> + Send>;

/// Error of a search that gave no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SearchError {
    #[error(transparent)]
    Agent(#[from] Error),
    /// The agent panicked.
    #[error("internal error: the search panicked")]
    Panic,
}

/// Message of a search.
pub(crate) enum SearchUpdate<'a> {
    /// Report during the search.
    Progress(&'a Report<String>),
    /// Last report, or the error of a search without one.
    Done(Result<&'a Report<String>, SearchError>),
}

impl RunningSearch {
    /// Starts a search, which calls `on_update` with every message.
    pub(crate) fn start(
        task: Task,
        mut on_update: impl FnMut(SearchUpdate<'_>) + Send + 'static,
    ) -> Self {
        let flag = StopFlag::default();
        let (released, wait) = mpsc::channel::<()>();
        let Task { mut agent, position, limits, lines, waits } = task;
        let limits = limits.or_stop(&flag);
        let work: Work = Box::new(move || {
            let mut live = |report: &Report<String>| on_update(SearchUpdate::Progress(report));
            let query = Query { lines, live: Some(&mut live), ..Query::new(&limits) };
            // The caller waits for a result, so send one even if the search panics.
            let answer = catch_unwind(AssertUnwindSafe(|| agent.analyse(position.as_ref(), query)));
            let has_agent = answer.is_ok();
            let report = match answer {
                Ok(report) => report.map_err(SearchError::from),
                Err(_) => Err(SearchError::Panic),
            };
            if waits {
                let _ = wait.recv(); // returns when the sender is dropped; nothing is sent
            }
            on_update(SearchUpdate::Done(report.as_ref().map_err(Clone::clone)));
            has_agent.then_some(agent)
        });
        let (hand_over, handed) = mpsc::sync_channel::<Work>(1);
        let run = move || handed.recv().ok().and_then(|work| work());
        if let Ok(thread) = thread::Builder::new().spawn(run) {
            let _ = hand_over.send(work);
            return Self { flag, released: Some(released), thread: Some(thread), agent: None };
        }
        // The thread could not be started: search on this thread. An infinite search could not be stopped, so stop it now.
        drop(released);
        if waits {
            flag.stop();
        }
        Self { flag, released: None, thread: None, agent: work() }
    }

    /// Stops the search, waits for its last message, and returns the agent.
    pub(crate) fn stop(mut self) -> Option<Box<dyn AnyAgent>> {
        self.end()
    }

    /// Waits for the end of the search and returns the agent.
    pub(crate) fn wait(mut self) -> Option<Box<dyn AnyAgent>> {
        self.join()
    }

    fn end(&mut self) -> Option<Box<dyn AnyAgent>> {
        self.flag.stop();
        self.released = None;
        self.join()
    }

    fn join(&mut self) -> Option<Box<dyn AnyAgent>> {
        match self.thread.take() {
            Some(thread) => thread.join().ok().flatten(),
            None => self.agent.take(),
        }
    }
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        let _ = self.end();
    }
}
