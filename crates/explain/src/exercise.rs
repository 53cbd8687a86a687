//! Exercises about UCB1: a tree with wins and visits at its nodes. The numbers of one node may be missing.
//!
//! Wins belong to the player who moved into a node. They are losses of the player who moves next, so
//! if the players take turns
//!
//! ```text
//! visits(node) = sum of visits(child)
//! wins(node)   = visits(node) - sum of wins(child)
//! ```
//!
//! and the numbers of a single node follow from those of its parent, siblings or children.

mod answer;
mod derive;
mod document;
mod nodes;
mod pictures;

use std::f64::consts::SQRT_2;

use tussle_catalog::{AnyGame, AnyPosition, Error, Spec, parse_number};

use derive::{contradictions, fill_in};

pub use document::ExerciseDocument;

pub(crate) use pictures::Picture;

/// A node of an exercise.
#[derive(Clone, Debug, PartialEq)]
pub struct ExerciseNode {
    /// Name of the node.
    pub name: String,
    /// Parent; `None` for the root.
    pub parent: Option<usize>,
    /// Children.
    pub children: Vec<usize>,
    /// Player who moved into the node.
    pub by: usize,
    /// Games won by this player.
    pub wins: f64,
    /// Games played.
    pub visits: u64,
    /// Mean and exploration bonus, infinite for an unvisited node; `None` for the root.
    pub weight: Option<(f64, f64)>,
}

impl ExerciseNode {
    /// Returns the upper confidence bound.
    pub fn bound(&self) -> Option<f64> {
        self.weight.map(|(mean, bonus)| mean + bonus)
    }
}

/// Solved exercise on a tree with wins and visits.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// Exploration constant.
    pub c: f64,
    /// The nodes, level by level; the root is number 0.
    pub nodes: Vec<ExerciseNode>,
    /// Node without numbers in the tree file.
    pub asked: Option<usize>,
    /// Derivation of its numbers, one step per line.
    pub derivation: Vec<String>,
    /// Numbers that contradict each other.
    pub contradictions: Vec<String>,
    /// Leaf with the largest bound of all leaves.
    pub largest: usize,
    /// Leaf that is reached from the root by taking the largest bound at every step.
    pub top_down: usize,
}

/// Error of an exercise that cannot be solved.
#[derive(Debug, thiserror::Error)]
pub enum ExerciseError {
    /// More than one node has no numbers.
    #[error(
        "the wins and visits of {0} are missing; expected at most one node without numbers, which follow from the \
         others"
    )]
    Several(String),
    /// The missing node has no known neighbours.
    #[error("node `{0}`: its wins and visits cannot be derived, because it has no {1}")]
    Alone(String, &'static str),
    /// The numbers of the neighbours lead to impossible wins or visits.
    #[error(
        "node `{name}`: its neighbours imply {wins} wins in {visits} visits, which is impossible; correct their numbers"
    )]
    Impossible {
        /// The node.
        name: String,
        /// Its wins.
        wins: String,
        /// Its visits.
        visits: String,
    },
    /// A node without visits has children.
    #[error("node `{0}` has no visits, so it cannot have children; visit it first")]
    Unvisited(String),
    /// The game is not for two players who take turns.
    #[error("node `{0}`: an exercise about UCB1 needs two players who take turns")]
    Players(String),
    /// The root has no moves.
    #[error("node `{0}`: expected at least one move")]
    NoMoves(String),
    /// The tree has more nodes than an exercise may have.
    #[error("the tree has more than {0} nodes, which is the limit of an exercise")]
    Large(usize),
}

/// Returns the exploration constant of an exercise: that of `mcts`, or √2 without an agent. `None` for an agent that
/// searches.
///
/// # Errors
/// If the game has no such agent.
pub fn exercise_constant(game: &dyn AnyGame, agent: Option<&str>) -> Result<Option<f64>, Error> {
    let Some(agent) = agent else { return Ok(Some(SQRT_2)) };
    if !matches!(Spec::parse(agent)?.name.as_str(), "mcts" | "mcts-textbook") {
        return Ok(None); // a preset searches
    }
    game.agent(agent, 1)?; // for the errors of the spec
    Ok(game.settled_agent(agent)?.value("c").and_then(parse_number))
}

/// Solves the exercise whose root is this position; `None` if the game is not a tree with wins and visits.
///
/// # Errors
/// If the numbers are insufficient or impossible.
pub fn exercise(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    c: f64,
) -> Result<Option<Exercise>, ExerciseError> {
    let file = game.tree_file().filter(|file| !file.statistics.is_empty());
    let Some(file) = file else { return Ok(None) };
    let (mut nodes, missing) = nodes::nodes(position, &file.statistics)?;
    if nodes[0].children.is_empty() {
        return Err(ExerciseError::NoMoves(nodes[0].name.clone()));
    }
    let derivation = match missing.as_slice() {
        [] => Vec::new(),
        [one] => fill_in(&mut nodes, *one)?,
        several => {
            let names: Vec<&str> = several.iter().map(|&node| nodes[node].name.as_str()).collect();
            return Err(ExerciseError::Several(names.join(", ")));
        }
    };
    if let Some(unvisited) = nodes.iter().find(|node| node.visits == 0 && !node.children.is_empty())
    {
        return Err(ExerciseError::Unvisited(unvisited.name.clone()));
    }
    weigh(&mut nodes, c);
    let bound = |node: usize| nodes[node].bound().unwrap_or(f64::NEG_INFINITY);
    // Among equal bounds, the first leaf wins.
    let larger = |best: usize, node: usize| if bound(node) > bound(best) { node } else { best };
    let leaves = (1..nodes.len()).filter(|&node| nodes[node].children.is_empty());
    let largest = leaves.reduce(larger).unwrap_or(0);
    let mut top_down = 0;
    while let Some(child) = nodes[top_down].children.iter().copied().reduce(larger) {
        top_down = child;
    }
    let contradictions = contradictions(&nodes);
    let asked = missing.first().copied();
    Ok(Some(Exercise { c, nodes, asked, derivation, contradictions, largest, top_down }))
}

/// Computes mean and bonus of every node but the root. Nodes with children must have visits.
fn weigh(nodes: &mut [ExerciseNode], c: f64) {
    for node in 0..nodes.len() {
        let Some(parent) = nodes[node].parent else { continue };
        if nodes[node].visits == 0 {
            nodes[node].weight = Some((0.0, f64::INFINITY)); // unvisited moves come first
            continue;
        }
        let (own, above) = (nodes[node].visits as f64, nodes[parent].visits as f64);
        nodes[node].weight = Some((nodes[node].wins / own, c * (above.ln() / own).sqrt()));
    }
}
