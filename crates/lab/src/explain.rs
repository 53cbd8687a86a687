//! One search, step by step.

pub(crate) mod number;
mod picture;
mod story;
mod trace;
mod tree;

#[cfg(test)]
mod tests;

use tussle_catalog::{AnyGame, AnyPosition, Query};
use tussle_core::{Budget, Report};

use trace::Trace;

pub use story::{Beat, story};
pub use trace::{Step, Weighed};
pub use tree::{Kind, Node, Tree};

/// No more steps than this are kept: nobody reads them, and memory is not endless.
pub const MOST_STEPS: usize = 200_000;

/// A search and all that it did.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The spec of the game.
    pub game: String,
    /// The spec of the agent.
    pub agent: String,
    /// The position at the root.
    pub position: String,
    /// The positions it saw.
    pub tree: Tree,
    /// What it did, in order.
    pub steps: Vec<Step>,
    /// Whether there were more steps than are kept.
    pub is_cut_short: bool,
    /// What it answered.
    pub report: Report<String>,
}

/// Why a search cannot be explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The game or the agent refused.
    #[error(transparent)]
    Catalog(#[from] tussle_catalog::Error),
    /// The agent told nothing of what it did.
    #[error("`{0}` does not search, so there is nothing to explain; see tussle agents")]
    Silent(String),
}

/// Lets an agent search a position, and writes down what it does.
///
/// # Errors
/// If the agent does not know the game, has no answer, or does not search.
pub fn explain(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: &str,
    budget: &Budget,
    seed: u64,
) -> Result<Explanation, ExplainError> {
    let mut player = game.agent(agent, seed)?;
    let mut trace = Trace::new(position, MOST_STEPS);
    let query = Query { events: Some(&mut trace), ..Query::new(budget) };
    let report = player.analyse(position, query)?;
    let (tree, steps, is_cut_short) = trace.finish();
    if steps.is_empty() {
        return Err(ExplainError::Silent(agent.to_owned()));
    }
    Ok(Explanation {
        game: game.spec().to_owned(),
        agent: agent.to_owned(),
        position: position.text(),
        tree,
        steps,
        is_cut_short,
        report,
    })
}
