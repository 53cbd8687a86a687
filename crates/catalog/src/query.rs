//! Queries to agents of the catalog.

use tussle_core::Limits;
use tussle_search::ProgressCallback;

use crate::recording::Recording;

/// Query to an agent: limits, number of exact lines, and receivers of progress and steps.
#[must_use = "a query does nothing until an agent runs it"]
pub struct Query<'a> {
    /// Limits of the search.
    pub limits: Limits,
    /// Number of best root moves that get an exact value; the others may have bounds (MultiPV).
    pub lines: usize,
    /// Receiver of progress reports: one per finished iteration, or several per second from Monte Carlo tree search.
    pub live: Option<ProgressCallback<'a, String>>,
    /// Receiver of the nodes and steps of the search; stays empty if the agent does not search.
    pub recording: Option<&'a mut Recording>,
    /// True if Monte Carlo tree search keeps its tree for [`AnyAgent::tree`](crate::AnyAgent::tree).
    pub keep_tree: bool,
}

impl Query<'_> {
    /// Creates a query for one best move, without receivers.
    pub fn new(limits: &Limits) -> Self {
        Self { limits: limits.clone(), lines: 1, live: None, recording: None, keep_tree: false }
    }
}
