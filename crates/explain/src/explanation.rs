//! Explanations: recorded searches with their answers.

mod missed_win;
mod readable_limits;
mod saving;

use tussle_catalog::recording::{Recording, Step, Tree};
use tussle_catalog::{AnyGame, AnyPosition, Query, Spec};
use tussle_core::{Limits, Report, Turn};

use crate::known_value::{self, KnownValueNodes};

pub use readable_limits::readable_limits;
pub use saving::Saving;

/// Maximum number of steps that [`explain`] keeps, which limits its memory.
pub const MAX_STEPS: usize = 200_000;

/// A recorded search and its answer.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Spec of the game.
    pub game: String,
    /// Spec of the agent.
    pub agent: String,
    /// Name of the agent, with presets replaced, and all of its parameters.
    pub(crate) settled: Spec,
    /// Seed of all random choices of the search.
    pub seed: u64,
    /// True if the agent is deterministic, unless a time limit ends the search.
    pub is_deterministic: bool,
    /// Position at the root.
    pub position: String,
    /// Positions that the search visited.
    pub tree: Tree,
    /// Steps of the search, in order.
    pub steps: Vec<Step>,
    /// True if the search had more steps than were kept.
    pub is_cut_short: bool,
    /// Answer of the search.
    pub report: Report<String>,
    /// Value of the answer to each player, if the search gives one.
    pub values: Option<Vec<f64>>,
    /// Visited and unvisited nodes; `None` for Monte Carlo tree search.
    pub saving: Option<Saving>,
    /// Nodes that a known value of the root saves.
    pub known_value: Vec<KnownValueNodes>,
    /// Move that wins at once, if the search chose another one.
    pub missed_win: Option<String>,
}

/// Error of a search that cannot be explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// Error of the game or of the agent.
    #[error(transparent)]
    Catalog(#[from] tussle_catalog::Error),
    /// The agent does not search.
    #[error("`{0}` does not search, so there is nothing to explain; use alphabeta, mcts or greedy")]
    Silent(String),
    /// Leaves of a tree have no values.
    #[error(
        "a tree without values cannot be searched: {0} have none; give them a `value`, or leave --agent \
         out to work with wins and visits"
    )]
    NoValues(String),
}

/// Records an agent's search of a position.
///
/// # Errors
/// If the agent cannot play the game, has no answer, or does not search.
pub fn explain(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: &str,
    limits: &Limits,
    seed: u64,
) -> Result<Explanation, ExplainError> {
    explain_within(game, position, agent, limits, seed, MAX_STEPS)
}

/// Like [`explain`], but keeps at most `max_steps` steps.
///
/// # Errors
/// As [`explain`].
pub fn explain_within(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: &str,
    limits: &Limits,
    seed: u64,
    max_steps: usize,
) -> Result<Explanation, ExplainError> {
    let mut player = game.agent(agent, seed)?;
    if let Some(file) = game.tree_file().filter(|file| !file.bare_leaves.is_empty()) {
        return Err(ExplainError::NoValues(file.bare_leaves.join(", ")));
    }
    let mut recording = Recording::new(max_steps);
    let query = Query { recording: Some(&mut recording), ..Query::new(limits) };
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
        settled: game.settled_agent(agent)?,
        seed,
        is_deterministic: player.is_deterministic(),
        position: position.text(),
        tree,
        steps,
        is_cut_short,
        values,
        saving: None,
        known_value: known_value::count(&*player, position, limits).unwrap_or_default(),
        missed_win: missed_win::missed_win(game, position, report.best()),
        report,
    };
    told.saving = saving::saving(&told, position);
    Ok(told)
}
