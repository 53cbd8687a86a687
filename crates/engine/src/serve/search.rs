//! A search on a thread of its own, which somebody may stop.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use tussle_catalog::{AnyAgent, AnyPosition, Error, Query};
use tussle_core::{Limits, Report, StopFlag};

/// What to search.
pub(crate) struct Task {
    pub(crate) agent: Box<dyn AnyAgent>,
    pub(crate) position: Box<dyn AnyPosition>,
    pub(crate) limits: Limits,
    /// How many of the best moves should become exact.
    pub(crate) lines: usize,
    /// Whether the answer waits for somebody to stop the search, even if it has ended.
    pub(crate) waits: bool,
}

/// A running search. It is told to stop when this is dropped without [`stop`](Searching::stop).
pub(crate) struct Searching {
    flag: StopFlag,
    /// A search that waits for its end goes on when this is gone.
    released: Option<Sender<()>>,
    thread: Option<JoinHandle<Option<Box<dyn AnyAgent>>>>,
    /// The agent of a search that ran without a thread of its own.
    agent: Option<Box<dyn AnyAgent>>,
}

/// A search to be run; returns the agent unless the search panicked.
type Work = Box<dyn FnOnce() -> Option<Box<dyn AnyAgent>> + Send>;

/// Error of a search that gave no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SearchError {
    #[error(transparent)]
    Agent(#[from] Error),
    /// The agent panicked.
    #[error("the search broke down")]
    Panic,
}

/// What happened in a search.
pub(crate) enum SearchUpdate<'a> {
    /// What is known so far.
    Progress(&'a Report<String>),
    /// The end: the last report, or why there is none.
    Done(Result<&'a Report<String>, SearchError>),
}

impl Searching {
    /// Starts a search that tells `hear` what it finds.
    pub(crate) fn start(
        task: Task,
        mut hear: impl FnMut(SearchUpdate<'_>) + Send + 'static,
    ) -> Self {
        let flag = StopFlag::default();
        let (released, wait) = mpsc::channel::<()>();
        let Task { mut agent, position, limits, lines, waits } = task;
        let limits = limits.or_stop(&flag);
        let work: Work = Box::new(move || {
            let mut live = |report: &Report<String>| hear(SearchUpdate::Progress(report));
            let query = Query { lines, live: Some(&mut live), ..Query::new(&limits) };
            // Whoever asked waits for an answer, whatever went wrong.
            let answer = catch_unwind(AssertUnwindSafe(|| agent.analyse(position.as_ref(), query)));
            let is_sound = answer.is_ok();
            let report = match answer {
                Ok(report) => report.map_err(SearchError::from),
                Err(_) => Err(SearchError::Panic),
            };
            if waits {
                let _ = wait.recv(); // nothing is ever sent: this is the end of the other side
            }
            hear(SearchUpdate::Done(report.as_ref().map_err(Clone::clone)));
            is_sound.then_some(agent)
        });
        let (hand_over, handed) = mpsc::sync_channel::<Work>(1);
        let run = move || handed.recv().ok().and_then(|work| work());
        if let Ok(thread) = thread::Builder::new().spawn(run) {
            let _ = hand_over.send(work);
            return Self { flag, released: Some(released), thread: Some(thread), agent: None };
        }
        // The system refused a thread: search here. Nothing could stop a search without an end.
        drop(released);
        if waits {
            flag.stop();
        }
        Self { flag, released: None, thread: None, agent: work() }
    }

    /// Stops the search and waits until it has told everything; gives the agent back.
    pub(crate) fn stop(mut self) -> Option<Box<dyn AnyAgent>> {
        self.end()
    }

    /// Waits for a search that ends by itself.
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

impl Drop for Searching {
    fn drop(&mut self) {
        let _ = self.end();
    }
}
