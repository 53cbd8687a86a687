//! One search, step by step.

mod agent;
mod boards;
mod bound;
mod document;
mod exercise;
mod film;
mod fold;
pub(crate) mod number;
mod picture;
mod player;
mod remark;
mod saving;
mod state;
mod story;
mod summary;
mod text;

#[cfg(test)]
mod tests;

use tussle_catalog::recording::Recording;
use tussle_catalog::{AnyGame, AnyPosition, Query};
use tussle_core::{Limits, Report, Turn};

use crate::{KnownValueNodes, known_value_nodes};
use agent::{base, setting};

pub use agent::modest;
pub use document::{document, document_with};
pub use exercise::{Exercise, ExerciseError, Standing, exercise, exercise_constant};
pub use picture::{Frames, MOST_FRAMES, frames};
pub(crate) use picture::{LETTER, wrapped};
pub use player::{MOST_BEATS, player};
pub use saving::Saving;
pub use story::{Beat, story};
pub use summary::{best_line, summary};
pub use text::{MOST_LINES, text};
pub use tussle_catalog::recording::{ChildWeight, Node, NodeKind, Step, Tree};

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
    /// What the answer is worth to each player, as far as the search says.
    pub values: Option<Vec<f64>>,
    /// How much of the tree it did without; nothing from a search that samples.
    pub saving: Option<Saving>,
    /// Nodes that a known value of the root saves.
    pub known_value: Vec<KnownValueNodes>,
    /// A move that wins at once, if there is one and it was not chosen.
    pub missed_win: Option<String>,
}

/// Why a search cannot be explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The game or the agent refused.
    #[error(transparent)]
    Catalog(#[from] tussle_catalog::Error),
    /// The agent told nothing of what it did.
    #[error("`{0}` does not search, so there is nothing to explain; use alphabeta, mcts or greedy")]
    Silent(String),
    /// Leaves of a tree have no values.
    #[error(
        "a tree without values cannot be searched: {0} have none; give them a `value`, or leave --agent \
         out to work with wins and visits"
    )]
    NoValues(String),
}

/// Lets an agent search a position, and writes down what it does.
///
/// # Errors
/// If the agent does not know the game, has no answer, or does not search.
pub fn explain(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: &str,
    budget: &Limits,
    seed: u64,
) -> Result<Explanation, ExplainError> {
    explain_within(game, position, agent, budget, seed, MOST_STEPS)
}

/// The same where memory is scarcer: no more than `most` steps are kept.
///
/// # Errors
/// As [`explain`].
pub fn explain_within(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: &str,
    budget: &Limits,
    seed: u64,
    most: usize,
) -> Result<Explanation, ExplainError> {
    let mut player = game.agent(agent, seed)?;
    if let Some(file) = game.tree_file().filter(|file| !file.bare_leaves.is_empty()) {
        return Err(ExplainError::NoValues(file.bare_leaves.join(", ")));
    }
    let mut recording = Recording::new(most);
    let query = Query { recording: Some(&mut recording), ..Query::new(budget) };
    let report = player.analyse(position, query)?;
    let Recording { tree, steps, is_cut_short, .. } = recording;
    if steps.is_empty() {
        return Err(ExplainError::Silent(agent.to_owned()));
    }
    let values = match (position.turn(), report.lines.first()) {
        (Turn::Player(mover), Some(line)) => game.values(mover, line),
        _ => None,
    };
    let mut told = Explanation {
        game: game.spec().to_owned(),
        agent: agent.to_owned(),
        position: position.text(),
        tree,
        steps,
        is_cut_short,
        values,
        saving: None,
        known_value: known_value_nodes(game, position, agent, budget),
        missed_win: remark::missed_win(game, position, report.best()),
        report,
    };
    told.saving = saving::saving(&told, position);
    Ok(told)
}
