//! Type-erased agents.

use tussle_core::{Limits, Report};
use tussle_search::{ScoreTree, TreeFilter, TreeNode};

use super::AnyPosition;
use crate::{Error, Query};

/// Agent for a game whose type is not known.
pub trait AnyAgent: Send {
    /// Answers a query about a position.
    ///
    /// # Errors
    /// If the position belongs to another game, or the agent has no answer.
    fn analyse(
        &mut self,
        position: &dyn AnyPosition,
        query: Query<'_>,
    ) -> Result<Report<String>, Error>;

    /// Chooses a move for the player to move.
    ///
    /// # Errors
    /// As [`analyse`](AnyAgent::analyse).
    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
    ) -> Result<Report<String>, Error> {
        self.analyse(position, Query::new(limits))
    }

    /// Returns true if the same seed gives the same answers, as long as no time limit ends a search.
    fn is_deterministic(&self) -> bool {
        true
    }

    /// Returns true if [`tree`](AnyAgent::tree) can return a tree.
    fn keeps_tree(&self) -> bool {
        false
    }

    /// Returns the tree of the latest search, which must have been of this position; `None` from an agent that
    /// keeps no tree.
    fn tree(&self, position: &dyn AnyPosition, filter: &TreeFilter) -> Option<TreeNode<String>> {
        let _ = (position, filter);
        None
    }

    /// Returns the whole tree that an agent with a known value would search within its own limits and these; `None`
    /// from an agent without a known value, or if the tree has more than `max_nodes` nodes.
    fn known_value_tree(
        &self,
        position: &dyn AnyPosition,
        limits: &Limits,
        max_nodes: usize,
    ) -> Option<ScoreTree> {
        let _ = (position, limits, max_nodes);
        None
    }
}
