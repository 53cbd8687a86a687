//! Errors of experiments that cannot be carried out.

use tussle_core::ParseError;

/// Error of an experiment that cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The experiment of this name does not have two budgets.
    #[error("{0} needs two budgets")]
    Budgets(&'static str),
    /// The experiment of this name has no agent.
    #[error("{0} needs an agent")]
    NoAgent(&'static str),
    /// The memory of the agent ends the search before the tree has this size.
    #[error("{spec}: the tree cannot grow to {size} simulations")]
    TreeTooSmall {
        /// Spec of the agent.
        spec: String,
        /// Number of simulations.
        size: u64,
    },
    /// The game of this spec offers no choice soon after its start.
    #[error("{0} has no position with a choice soon after its start")]
    NoPosition(String),
    /// The game of this spec has no position whose moves differ in value.
    #[error("{0} poses no problems: all moves are alike")]
    NoProblem(String),
    /// The positions of the game of this spec are too large to be solved.
    #[error("{game}: no position was solved within {nodes} nodes; use a smaller board")]
    Unsolved {
        /// Spec of the game.
        game: String,
        /// Maximum number of nodes for a position.
        nodes: u64,
    },
    /// The experiment cannot be carried out in a game.
    #[error("{experiment}: {game} {why}")]
    Game {
        /// Name of the experiment.
        experiment: &'static str,
        /// Spec of the game.
        game: String,
        /// Property that the game lacks, and the remedy.
        why: String,
    },
    /// The experiment cannot be carried out with an agent.
    #[error("{experiment}: {agent} {why}")]
    Agent {
        /// Name of the experiment.
        experiment: &'static str,
        /// Spec of the agent.
        agent: String,
        /// Property that the agent lacks, and the remedy.
        why: String,
    },
    /// The experiment was given another number of agents than it compares.
    #[error("{experiment}: expected {expected}, found {found} agents; {fix}")]
    AgentCount {
        /// Name of the experiment.
        experiment: &'static str,
        /// Number of agents that the experiment needs, in words.
        expected: &'static str,
        /// Number of agents that were given.
        found: usize,
        /// Remedy.
        fix: &'static str,
    },
    /// The range does not fit the swept parameter.
    #[error("{experiment}: --range: expected {expected}, found {found}")]
    Range {
        /// Name of the experiment.
        experiment: &'static str,
        /// Description of the values.
        expected: String,
        /// The values that were given.
        found: String,
    },
    /// The experiment does not start in positions of this kind, or not as often.
    #[error("{experiment}: {option} {why}")]
    Positions {
        /// Name of the experiment.
        experiment: &'static str,
        /// Option of the command line.
        option: &'static str,
        /// Reason why the option has no meaning, and the remedy.
        why: &'static str,
    },
}

/// Error of a range or an agent in a text.
pub(super) fn expected(what: &str, found: &str) -> ParseError {
    ParseError::new(format!("expected {what}, found `{found}`"))
}
