//! An agent without the types of its game.

use tussle_core::{Limits, Report};
use tussle_search::{ScoreTree, TreeFilter, TreeNode};

use super::AnyPosition;
use crate::{Error, Query};

/// An agent for some game.
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

    /// Returns true if the same seed gives the same answers unless the clock interferes.
    fn is_deterministic(&self) -> bool {
        true
    }

    /// Returns true if [`tree`](AnyAgent::tree) has an answer.
    fn keeps_tree(&self) -> bool {
        false
    }

    /// The tree of the latest search, which was of this position; nothing from an agent that
    /// keeps no tree.
    fn tree(&self, position: &dyn AnyPosition, wish: &TreeFilter) -> Option<TreeNode<String>> {
        let _ = (position, wish);
        None
    }

    /// Returns the tree that an agent with a known value searches, laid out in memory, to the depth of its own
    /// limits and of these; `None` from an agent without one, and if the tree has more than `max_nodes` nodes.
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
