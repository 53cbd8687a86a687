//! Questions to agents of the catalog.

use tussle_core::Limits;
use tussle_search::ProgressCallback;

use crate::recording::Recording;

/// A question to an agent: limits, number of exact lines, and recipients of progress and steps.
#[must_use = "a query does nothing until an agent runs it"]
pub struct Query<'a> {
    /// Limits of the search.
    pub limits: Limits,
    /// Number of best root moves that get an exact value; the others may have bounds (multi-PV).
    pub lines: usize,
    /// Receives the report of every finished iteration.
    pub live: Option<ProgressCallback<'a, String>>,
    /// Receives the nodes and steps of the search; stays empty if the agent does not search.
    pub recording: Option<&'a mut Recording>,
    /// True if an agent that samples keeps its tree for [`AnyAgent::tree`](crate::AnyAgent::tree).
    pub keep_tree: bool,
}

impl Query<'_> {
    /// Asks for one best move, without listeners.
    pub fn new(limits: &Limits) -> Self {
        Self { limits: limits.clone(), lines: 1, live: None, recording: None, keep_tree: false }
    }
}
